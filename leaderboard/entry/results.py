"""What came out of one run, ready for its page: totals, coverage, items, signature.

All input is the stored JSON of score reports; all sums are done here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from leaderboard import sentences, words
from leaderboard.show.numbers import DASH, seconds
from submissions.models import ItemResult

LABELS = {
    "C_RESPOND": "RESPOND",
    "C_RESUME": "RESUME",
    "C_UNCERTAIN_HANDLING": "UNCERTAIN",
    "C_UNKNOWN": "UNKNOWN",
}


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """One total in both modes; a dash where there is none."""

    name: str
    unit: str
    official: str
    strict: str
    indent: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean with the number of values behind it; ``reason`` where there is none."""

    text: str
    n: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One item of a run in the ranking mode; ``corrected`` says what a person changed, if any."""

    slug: str
    name: str
    language: Any
    scenario: Any
    outcome: str
    outcome_word: str
    label: str
    corrected: str
    first_response: str
    stop: str
    response: str
    reasons: tuple[str, ...]


def totals(results: Mapping[str, Any]) -> list[TotalsLine]:
    """Totals of both modes side by side, each followed by its languages."""
    lines = []
    for name, title, unit in (
        ("interruption", _("Interruption"), "%"),
        ("rejection", _("Rejection"), "%"),
        ("delay", _("Total delay"), "s"),
    ):
        lines.append(_total(results, name, title, unit))
        lines += [
            TotalsLine(str(title), unit, official, strict, indent=True)
            for title, official, strict in _by_language(results, name)
        ]
    return lines


def absences(results: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Modes whose totals are absent for want of the judge, each with the reason."""
    found = ((mode, results[mode]["totals"].get("absent")) for mode in words.MODES)
    return [(words.MODES[mode], sentences.known(why)) for mode, why in found if why]


def _total(results: Mapping[str, Any], name: str, title: str, unit: str) -> TotalsLine:
    official, strict = (results[mode]["totals"][name] for mode in ("official", "strict"))
    return TotalsLine(title, unit, official or DASH, strict or DASH)


def _by_language(results: Mapping[str, Any], name: str) -> Iterable[tuple[Any, str, str]]:
    official, strict = (results[mode]["totals"]["languages"] for mode in ("official", "strict"))
    for one, other in zip(official, strict, strict=True):
        yield words.LANGUAGES[one["language"]], one[name] or DASH, other[name] or DASH


def coverage(totals: Mapping[str, Any]) -> list[tuple[str, int]]:
    """How many items are expected, and what became of them."""
    return [
        (_("expected"), totals["expected"]),
        (_("received"), totals["received"]),
        (_("missing"), totals["expected"] - totals["received"]),
        (_("silent"), totals["silent"]),
        (_("unjudged"), totals["unjudged"]),
    ]


def mean(average: Mapping[str, Any] | None) -> Measured:
    """An average as shown; why there is none."""
    if average is None:
        return Measured("", reason=_("not measured in this scenario"))
    if average["value"] is None:
        return Measured(DASH, reason=_("nothing to measure in any item"))
    return Measured(seconds(average["value"]), str(average["n"]))


def items(rows: Iterable[ItemResult], mode: str) -> list[ItemLine]:
    """Item by item in one mode; an item without a result yet says so."""
    return [item_line(row, getattr(row, mode)) for row in rows]


def item_line(row: ItemResult, result: Mapping[str, Any] | None) -> ItemLine:
    """One item of a run."""
    outcome = _outcome(result)
    values = result or {}
    return ItemLine(
        row.item.slug,
        row.item.name,
        words.LANGUAGES.get(row.item.language, row.item.language),
        words.SCENARIOS.get(row.item.spec.script, row.item.scenario),
        outcome,
        outcome_word(outcome),
        label(values.get("label")),
        _corrected(values.get("correction")),
        seconds(values.get("first_response_delay")),
        _lengths(values.get("stop")),
        _lengths(values.get("response")),
        tuple(sentences.known(reason) for reason in values.get("reasons", [])),
    )


def label(stored: str | None) -> str:
    """A label as people say it."""
    if not stored:
        return ""
    return ", ".join(LABELS.get(one, one) for one in stored.split(", "))


def _corrected(correction: Mapping[str, Any] | None) -> str:
    if correction is None:
        return ""
    judged = label(correction["judge_label"])
    return _("corrected; the judge: %(label)s") % {"label": judged or _("unjudged")}


def _outcome(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return "pending"
    if not result["received"]:
        return "missing"
    if result["unjudged"]:
        return "unjudged"
    if not result["counted"]:
        return "left-out"
    return "success" if result["success"] else "failure"


def outcome_word(outcome: str) -> str:
    """The outcome of an item in words."""
    return {
        "pending": _("pending"),
        "missing": _("missing"),
        "unjudged": _("unjudged"),
        "left-out": _("not counted"),
        "success": _("success"),
        "failure": _("failure"),
    }[outcome]


def _lengths(segments: Sequence[Sequence[float]] | None) -> str:
    if not segments:
        return DASH
    return " · ".join(map(length, segments))


def length(segment: Sequence[float]) -> str:
    """Seconds of a stored interval."""
    start, end = segment
    return seconds(end - start)


def signature(line: str) -> list[tuple[str, str]]:
    """Names and values of a signature."""
    pairs = (part.partition(":") for part in line.split("|") if part)
    return [(str(words.ENGINES.get(name, name)), value) for name, _colon, value in pairs]
