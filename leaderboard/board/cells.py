"""One cell of a board: a number with its interval, or a dash with the reason why there is none.

Conventions: texts as the snapshot stores them. Bold is what cannot be told from the best of its
column, and nothing where nobody knows; among differences, what chance does not explain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from string import ascii_lowercase
from typing import Any

from django.utils.translation import gettext as _

from leaderboard import sentences, words
from leaderboard.board.columns import Head
from leaderboard.board.viewstate import SPOKEN
from leaderboard.show.numbers import DASH, interval, share, signed
from scoring.rounding import half_up
from scoring.uncertainty import Difference
from scoring.weighting import weightings

BEYOND = "Faster than the reference: shown unclamped, 100 is used in the total."


@dataclass(frozen=True, slots=True)
class Note:
    """One footnote with its letter."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One number, or a dash with the reason why there is none.

    Attributes:
        text: the number as shown.
        reason: why it is missing; empty when it is not.
        aside: small words below the number.
        beside: the interval, in small type below it.
        notes: marks of footnotes.
        starts_group: whether a thin rule stands before it.
        strong: whether it cannot be told from the best; of a difference, whether it is separable.
        weak: a difference that chance may explain.
        verdict: the same of a difference, in words.
        is_text: words, not a number.
    """

    text: str
    reason: str = ""
    aside: str = ""
    beside: str = ""
    notes: tuple[Note, ...] = ()
    starts_group: bool = False
    strong: bool = False
    weak: bool = False
    verdict: str = ""
    is_text: bool = False


class Notes:
    """Collects footnotes in the order in which the reader meets them."""

    def __init__(self) -> None:
        self._found: dict[str, Note] = {}

    def mark(self, text: str) -> Note:
        """Return the note of a text, a new one if it was not there yet."""
        number = len(self._found)
        letter = ascii_lowercase[number % 26] * (1 + number // 26)
        return self._found.setdefault(text, Note(letter, text))

    def all(self) -> tuple[Note, ...]:
        return tuple(self._found.values())


def cell(
    row: Mapping[str, Any],
    head: Head,
    notes: Notes,
    *,
    against: Mapping[str, Any] | None = None,
    gap: Difference | None = None,
) -> Cell:
    """Make one cell; with ``against``, the difference to that row, with its interval if known."""
    if head.is_text:
        return _text_cell(row, head)
    value = stored(row, head.name)
    if not value:
        return Cell(DASH, _why_missing(row, head), starts_group=head.starts_group)
    if against is not None:
        return _difference_cell(value, stored(against, head.name), head, gap)
    aside, marks = _compared(row, head.name, notes)
    return Cell(
        value,
        aside=aside,
        beside=interval_of(row, head.name, head.places),
        notes=marks,
        starts_group=head.starts_group,
        strong=head.name in row.get("best", ()),
    )


def _text_cell(row: Mapping[str, Any], head: Head) -> Cell:
    text = _fact(head.name, row)
    if text:
        return Cell(text, starts_group=head.starts_group, is_text=True)
    return Cell(DASH, _("not said"), starts_group=head.starts_group, is_text=True)


def _fact(name: str, row: Mapping[str, Any]) -> str:
    if name == "received":
        return str(row.get("received", ""))[:10]
    if name == "stability":
        return share(kept(row))
    known = {"architecture": words.ARCHITECTURES, "weights": words.WEIGHTS}[name]
    return str(known.get(row.get(name, ""), row.get(name, "")))


def kept(row: Mapping[str, Any]) -> Decimal | None:
    """Share of the other weightings that keep a row's place; ``None`` for a row without one."""
    firm = row.get("stability", {})
    if not firm:
        return None
    found = Decimal(str(firm["kept"]))
    if "others" in firm:
        return found
    # Boards from before there was a choice of weights counted their own among the weightings.
    tried = len(weightings())
    return max((found * tried - 1) / (tried - 1), Decimal(0))


def _difference_cell(value: str, other: str, head: Head, gap: Difference | None) -> Cell:
    if not other:
        return Cell(DASH, _("missing in the pinned row"), starts_group=head.starts_group)
    text = signed(Decimal(value) - Decimal(other))
    if gap is None:
        return Cell(text, starts_group=head.starts_group)
    return Cell(
        text,
        aside=_("%(low)s to %(high)s") % dict(zip(("low", "high"), ends(gap, head), strict=True)),
        starts_group=head.starts_group,
        strong=gap.is_separable,
        weak=not gap.is_separable,
        verdict=_verdict(gap, head),
    )


def _verdict(gap: Difference, head: Head) -> str:
    if not gap.is_separable:
        return _("not separable")
    return _("better") if (gap.interval.low > 0) == head.higher_is_better else _("worse")


def ends(gap: Difference, head: Head) -> list[str]:
    """Both ends of a difference's interval, as its column shows numbers."""
    return [signed(half_up(end, head.places)) for end in gap.interval]


def interval_of(row: Mapping[str, Any], name: str, places: int) -> str:
    """The interval of a row's number as it stands beside it; empty where there is none."""
    ends = row.get("intervals", {}).get(name)
    value = stored(row, name)
    return interval(value, ends, places) if ends and value else ""


def stored(row: Mapping[str, Any], name: str) -> str:
    """The text of a number, of one language where its name says so; empty where absent."""
    group, _sign, language = name.rpartition("_")
    if language in SPOKEN:
        return str(row["languages"].get(language, {}).get(group, ""))
    return str(row.get(name) or "")


def _why_missing(row: Mapping[str, Any], head: Head) -> str:
    if head.language:
        if row["origin"] == "reported":
            return _("not published by language")
        return _("not scored in this language")
    if head.name == "delay":
        return _("no delay was measured")
    if head.name in ("interruption", "rejection"):
        return _("no scenario group was complete")
    return _("a part of it is missing")


def _compared(row: Mapping[str, Any], name: str, notes: Notes) -> tuple[str, tuple[Note, ...]]:
    """Where the source printed another number, that one with a note; else nothing."""
    ours, printed = row.get(name, ""), (row.get("published") or {}).get(name, "")
    is_beyond = name == "delay_score" and row["beyond_reference"]
    marks = [notes.mark(sentences.known(BEYOND))] if is_beyond else []
    if not printed or Decimal(printed) == Decimal(ours):
        return _("beyond the reference") if marks else "", tuple(marks)
    own = [text for text in row["notes"] if text not in ("", BEYOND) and name == "delay_score"]
    reasons = own or [_disagreement(row["team"], name, printed, ours)]
    marks += [notes.mark(sentences.known(reason)) for reason in reasons]
    return _("published %s") % printed, tuple(marks)


def _disagreement(team: str, name: str, printed: str, ours: str) -> str:
    values = {"team": team, "printed": printed, "ours": ours}
    if name == "delay_score":
        return (
            _(
                "%(team)s: the delay score was published as %(printed)s; the published formula and "
                "delays give %(ours)s. Delays with more than three decimals, which were not "
                "printed, would explain the difference."
            )
            % values
        )
    return _("%(team)s: published as %(printed)s; our formula gives %(ours)s.") % values
