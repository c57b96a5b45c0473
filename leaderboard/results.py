"""What came out of one run, ready for its page: totals, scenarios, coverage, items, findings.

All input is the stored JSON of score and check reports; all sums are done here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from leaderboard import sentences, words
from leaderboard.tables import DASH
from scoring.rounding import half_up
from submissions.models import ItemResult

PATHS_SHOWN = 20
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
    """A number with the count behind it; ``reason`` where there is none."""

    text: str
    n: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    """One scenario (or a part of one) in one language."""

    scenario: Any
    language: Any
    group: Any
    measure: Any
    is_part: bool
    rate: Measured
    expected: str
    first_response: Measured
    stop: Measured
    response: Measured
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One item of a run in the ranking mode."""

    slug: str
    name: str
    language: Any
    scenario: Any
    outcome: str
    outcome_word: str
    label: str
    first_response: str
    stop: str
    response: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings with one code."""

    code: str
    severity: str
    severity_word: Any
    count: int
    rule: str
    cure: str
    paths: tuple[str, ...]
    more: tuple[str, ...]


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


def diagnostics(found: Mapping[str, Mapping[str, int]]) -> list[tuple[Any, int, int]]:
    """What happened beside the score: name, in how many items, of how many it applies to."""
    return [
        (words.DIAGNOSTICS.get(name, name), share["count"], share["of"])
        for name, share in found.items()
    ]


def scenarios(rows: Sequence[Mapping[str, Any]]) -> list[ScenarioLine]:
    """Scenario by scenario, both languages under each other; parts follow their scenario."""
    order: list[str] = []
    for row in rows:
        if row["scenario"] not in order:
            order.append(row["scenario"])
    ordered = sorted(rows, key=lambda row: order.index(row["scenario"]))
    return [line for row in ordered for line in _scenario(row)]


def _scenario(row: Mapping[str, Any]) -> Iterable[ScenarioLine]:
    parts = row["parts"]
    single = len(parts) == 1
    counts = f"{parts[0]['successes']}/{parts[0]['counted']}" if single else ""
    reason = _("no item could be counted")
    yield ScenarioLine(
        words.SCENARIOS.get(row["scenario"], row["scenario"]),
        words.LANGUAGES.get(row["language"], row["language"]),
        words.GROUPS.get(row["group"], row["group"]),
        words.MEASURES.get(row["measure"], row["measure"]),
        False,
        Measured(_percent(row["rate"]), counts, "" if row["rate"] else reason),
        str(sum(part["expected"] for part in parts)),
        _mean(parts[0]["first_response"]) if single else Measured(_seconds(row["first_response"])),
        _mean(row["stop"]),
        _mean(row["response"]),
        tuple(sentences.known(line) for part in parts for line in part["warnings"])
        if single
        else (),
    )
    if not single:
        yield from (_part(row, part) for part in parts)


def _part(row: Mapping[str, Any], part: Mapping[str, Any]) -> ScenarioLine:
    return ScenarioLine(
        words.SCENARIOS.get(part["script"], part["script"]),
        words.LANGUAGES.get(row["language"], row["language"]),
        "",
        words.MEASURES.get(part["measure"], part["measure"]),
        True,
        Measured(
            _percent(part["rate"]),
            f"{part['successes']}/{part['counted']}",
            "" if part["rate"] else _("no item could be counted"),
        ),
        str(part["expected"]),
        _mean(part["first_response"]),
        _mean(part["stop"]),
        _mean(part["response"]),
        _warnings([part]),
    )


def _mean(average: Mapping[str, Any] | None) -> Measured:
    if average is None:
        return Measured("", reason=_("not measured in this scenario"))
    if average["value"] is None:
        return Measured(DASH, reason=_("nothing to measure in any item"))
    return Measured(_seconds(average["value"]), str(average["n"]))


def _percent(rate: str | None) -> str:
    return DASH if rate is None else str(half_up(100 * Decimal(rate), 1))


def _seconds(value: str | float | None) -> str:
    return DASH if value is None else str(half_up(value, 3))


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
        _seconds(values.get("first_response_delay")),
        _lengths(values.get("stop")),
        _lengths(values.get("response")),
        tuple(sentences.known(reason) for reason in values.get("reasons", [])),
    )


def label(stored: str | None) -> str:
    """A label as people say it."""
    if not stored:
        return ""
    return ", ".join(LABELS.get(one, one) for one in stored.split(", "))


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
    return " · ".join(str(half_up(end - start, 3)) for start, end in segments)


def findings(report: Mapping[str, Any]) -> list[FindingGroup]:
    """Findings of a check grouped by code, errors first."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for finding in report.get("findings", []):
        groups.setdefault((finding.get("severity", "error"), finding["code"]), []).append(finding)
    order = list(words.SEVERITIES)
    ranked = sorted(groups.items(), key=lambda group: order.index(group[0][0]))
    return [_finding(severity, code, found) for (severity, code), found in ranked]


def _finding(severity: str, code: str, found: Sequence[Mapping[str, Any]]) -> FindingGroup:
    paths = tuple(one["path"] for one in found if one["path"])
    return FindingGroup(
        code,
        severity,
        words.SEVERITIES[severity],
        len(found),
        found[0]["rule"],
        found[0]["cure"],
        paths[:PATHS_SHOWN],
        paths[PATHS_SHOWN:],
    )


def signature(line: str) -> list[tuple[str, str]]:
    """Names and values of a signature."""
    pairs = (part.partition(":") for part in line.split("|") if part)
    return [(str(words.ENGINES.get(name, name)), value) for name, _colon, value in pairs]


def _warnings(parts: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(sentences.known(line) for part in parts for line in part["warnings"])
