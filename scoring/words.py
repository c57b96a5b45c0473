"""Reports as lines for people at a terminal.

Conventions: plain text, one fact a line; what is absent is an em dash.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.check import CheckReport
from scoring.comparison import COUNTS, Change, Comparison, Pair, ScenarioChanges
from scoring.humdial.diagnostics import WORDS
from scoring.ranking import Row
from scoring.rounding import half_up

DASH = "—"
SHOWN = 20
CHANGES_SHOWN = 10
PLACES = {"interruption": 1, "rejection": 1, **dict.fromkeys(COUNTS, 0)}
SECONDS = 3


def check_lines(report: CheckReport) -> list[str]:
    """Say whether an archive is acceptable, and why not."""
    order = {"error": 0, "warning": 1, "note": 2}
    findings = sorted(report.findings, key=lambda one: order[one.severity])
    lines = [
        f"{one.severity} {one.code}: {one.path + ': ' if one.path else ''}{one.rule} {one.cure}"
        for one in findings[:SHOWN]
    ]
    if len(findings) > SHOWN:
        lines.append(f"… and {len(findings) - SHOWN} more findings (--json has them all); by kind:")
        lines += report.summary()
    verdict = "acceptable" if report.acceptable else "not acceptable"
    return [*lines, f"{report.received} of {report.expected} recordings found: {verdict}."]


def ranking_lines(rows: Sequence[Row]) -> list[str]:
    """Show a ranking as a table."""
    head = f"{'rank':>4}  {'team':<36} {'kind':<12} {'delay':>6} {'total':>6}"
    return [head, *(_ranking_line(row) for row in rows)]


def _ranking_line(row: Row) -> str:
    cells = [
        DASH if value is None else str(value) for value in (row.rank, row.delay_score, row.total)
    ]
    line = f"{cells[0]:>4}  {row.team:<36} {row.kind:<12} {cells[1]:>6} {cells[2]:>6}"
    return f"{line}  {row.note}".rstrip()


def score_lines(report: dict[str, Any]) -> list[str]:
    """Show scenarios and totals of a score report."""
    return [*_score_lines(report)]


def _score_lines(report: dict[str, Any]) -> Iterator[str]:
    if report["unofficial"]:
        yield f"Unofficial engines: {', '.join(report['unofficial'])}"
    yield f"{'scenario':<22} {'':>2} {'rate':>6} {'stop':>7} {'response':>8} {'first':>7}"
    for one in report["scenarios"]:
        cells = [
            _shown(one["rate"], 3),
            *(_shown((one[name] or {}).get("value"), 3) for name in ("stop", "response")),
            _shown(one["first_response"], 3),
        ]
        yield (
            f"{one['scenario']:<22} {one['language']:>2} {cells[0]:>6} {cells[1]:>7} "
            f"{cells[2]:>8} {cells[3]:>7}"
        )
    totals = report["totals"]
    for one in (*totals["languages"], {"language": "all", **totals}):
        yield (
            f"{one['language']:>3}: interruption {one['interruption'] or DASH}, "
            f"rejection {one['rejection'] or DASH}, delay {one['delay'] or DASH} s"
        )
    yield (
        f"{totals['received']} of {totals['expected']} test recordings and "
        f"{totals['clean_received']} of {totals['clean_expected']} clean ones received, "
        f"{totals['silent']} silent."
    )
    if not totals["rankable"]:
        yield "Cannot be ranked:"
    yield from (*totals["coverage_reasons"], *totals["reasons"])
    for name, share in report["diagnostics"].items():
        if share["count"]:
            yield f"{WORDS[name]}: {share['count']} of {share['of']} answers"
    yield from report["warnings"]
    yield f"Signature: {report['signature']}"


def _shown(value: str | None, places: int) -> str:
    return DASH if value is None else f"{float(value):.{places}f}"


def comparison_lines(comparison: Comparison) -> list[str]:
    """Say what differs between two score reports."""
    if comparison.is_equal:
        return ["Nothing differs."]
    return [*comparison.differences, *_total_lines(comparison), *_item_lines(comparison)]


def _total_lines(comparison: Comparison) -> Iterator[str]:
    yield f"{'':<3} {'total':<14} {'one':>9} {'other':>9} {'difference':>10}"
    for pair in comparison.totals:
        one, other = (_decimal(pair, text) for text in (pair.one, pair.other))
        yield f"{pair.language:<3} {pair.name:<14} {one:>9} {other:>9} {_signed(pair):>10}"


def _decimal(pair: Pair, text: str | None) -> str:
    return DASH if text is None else str(half_up(text, PLACES.get(pair.name, SECONDS)))


def _signed(pair: Pair) -> str:
    """The difference with its sign; one that is only too small to show is no zero."""
    if pair.difference is None:
        return DASH
    value = half_up(pair.difference, PLACES.get(pair.name, SECONDS))
    if value:
        return f"{value:+}"
    return "≈" if pair.differs else "="


def _item_lines(comparison: Comparison) -> Iterator[str]:
    changes = comparison.changes
    both = sum(one.items for one in comparison.scenarios)
    both -= len(comparison.only_in_one) + len(comparison.only_in_other)
    yield f"{len(changes)} of {both} items differ."
    for side, names in (("first", comparison.only_in_one), ("second", comparison.only_in_other)):
        if names:
            yield f"{len(names)} item(s) are in the {side} report only, such as {names[0]}."
    yield from map(_scenario_line, filter(_has_changes, comparison.scenarios))
    if len(changes) > CHANGES_SHOWN:
        yield f"The first {CHANGES_SHOWN} (--json has them all):"
    yield from map(_change_line, changes[:CHANGES_SHOWN])


def _has_changes(scenario: ScenarioChanges) -> bool:
    return scenario.changed > 0


def _scenario_line(one: ScenarioChanges) -> str:
    name = " ".join(filter(None, (one.scenario, one.part)))
    fields = ", ".join(f"{number} {field}" for field, number in one.fields.items())
    return f"{name:<22} {one.language:>2} {one.changed} of {one.items}: {fields}"


def _change_line(change: Change) -> str:
    told = (f"{name} {_said(one)} → {_said(two)}" for name, (one, two) in change.changes.items())
    return f"{change.language} {change.item}: {'; '.join(told)}"


def _said(value: Any) -> str:
    """A field of an item: yes, no, a time, intervals, a label, or an em dash for absent."""
    if value is None or isinstance(value, bool):
        return {None: DASH, True: "yes", False: "no"}[value]
    if isinstance(value, list):
        return ", ".join(f"{start:.3f}–{end:.3f}" for start, end in value) or "none"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
