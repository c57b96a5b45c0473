"""The profile of one system: its strip of scenarios against the baseline, and words made from it.

All input is the stored JSON of score reports; rates are percent, differences are points. What
chance alone could explain has no tone and is no strength: the interval of a difference, made from
the counts, has to leave 0 out.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from leaderboard import words
from leaderboard.show.numbers import DASH, percent_of, rounded_rate, signed
from scoring.uncertainty import rates_difference

# Differences smaller than this are not worth a word, points.
NOTABLE = Decimal(5)
# How many strengths, and how many weaknesses, are told.
TOLD = 3


class Square(NamedTuple):
    """One scenario in one language.

    Attributes:
        text: the rate as shown, or a dash.
        difference: to the baseline, signed, as shown; empty where there is none.
        tone: ``better`` or ``worse`` than the baseline beyond chance, else ``even``; empty without
            a baseline.
        step: how strong the tone is, 0 to 3.
    """

    language: Any
    text: str
    difference: str
    tone: str
    step: int


class Strip(NamedTuple):
    """One scenario with its languages."""

    slug: str
    scenario: Any
    group: Any
    squares: tuple[Square, ...]


class Contrast(NamedTuple):
    """How far a system is from the baseline somewhere, in points, beyond chance."""

    scenario: Any
    language: Any
    rate: Decimal
    points: Decimal


Rows = Sequence[Mapping[str, Any]]


def strips(own: Rows, baseline: Rows) -> list[Strip]:
    """Put every scenario of a run beside the baseline's; ``baseline`` may be empty."""
    base = {_key(row): row for row in baseline}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in own:
        found.setdefault(row["scenario"], []).append(row)
    return [
        Strip(
            slug,
            words.SCENARIOS.get(slug, slug),
            words.GROUPS.get(rows[0]["group"], rows[0]["group"]),
            tuple(_square(row, base.get(_key(row))) for row in rows),
        )
        for slug, rows in found.items()
    ]


def strengths(own: Rows, baseline: Rows) -> list[str]:
    """Where it beats the baseline most, in sentences."""
    found = [one for one in _contrasts(own, baseline) if one.points > 0]
    return [
        _(
            "%(scenario)s (%(language)s): %(rate)s %%, %(points)s percentage points "
            "above the baseline."
        )
        % _values(one)
        for one in sorted(found, key=lambda one: -one.points)[:TOLD]
    ]


def weaknesses(own: Rows, baseline: Rows) -> list[str]:
    """Where it stays behind the baseline most, in sentences."""
    found = [one for one in _contrasts(own, baseline) if one.points < 0]
    return [
        _(
            "%(scenario)s (%(language)s): %(rate)s %%, %(points)s percentage points "
            "below the baseline."
        )
        % _values(one)
        for one in sorted(found, key=lambda one: one.points)[:TOLD]
    ]


def _square(row: Mapping[str, Any], base: Mapping[str, Any] | None) -> Square:
    rate, language = _rate(row), words.LANGUAGES.get(row["language"], row["language"])
    if rate is None:
        return Square(language, DASH, "", "", 0)
    text, other = str(rate), _rate(base) if base else None
    if base is None or other is None:
        return Square(language, text, "", "", 0)
    points = rate - other
    if not _is_separable(row, base):
        return Square(language, text, signed(points), "even", 0)
    return Square(
        language, text, signed(points), "better" if points > 0 else "worse", _step(points)
    )


def _is_separable(row: Mapping[str, Any], base: Mapping[str, Any]) -> bool:
    """Whether two rates differ by more than chance alone could explain."""
    own, other = (
        [(part["successes"], part["counted"]) for part in one["parts"]] for one in (row, base)
    )
    interval = rates_difference(own, other)
    return interval is not None and not interval.low <= 0 <= interval.high


def _step(points: Decimal) -> int:
    return sum(abs(points) >= edge for edge in (1, 5, 15))


def _contrasts(own: Rows, baseline: Rows) -> Iterable[Contrast]:
    """Differences worth a word: large enough, and more than chance."""
    base = {_key(row): row for row in baseline}
    for row in own:
        other = base.get(_key(row))
        rate, theirs = _rate(row), _rate(other) if other else None
        if other is None or rate is None or theirs is None:
            continue
        points = rate - theirs
        if abs(points) >= NOTABLE and _is_separable(row, other):
            yield Contrast(
                words.SCENARIOS.get(row["scenario"], row["scenario"]),
                words.LANGUAGES.get(row["language"], row["language"]),
                rate,
                points,
            )


def _values(one: Contrast) -> dict[str, Any]:
    return {
        "scenario": one.scenario,
        "language": one.language,
        "rate": one.rate,
        "points": abs(one.points),
    }


def _key(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["scenario"], row["language"]


def _rate(row: Mapping[str, Any]) -> Decimal | None:
    """As shown: what a reader sees is what is compared."""
    return None if row["rate"] is None else rounded_rate(percent_of(row["rate"]))
