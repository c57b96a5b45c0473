"""Reports as lines for people at a terminal.

Conventions: plain text, one fact a line; what is absent is an em dash.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.check import CheckReport
from scoring.ranking import Row

DASH = "—"
SHOWN = 20


def check_lines(report: CheckReport) -> list[str]:
    """Say whether an archive is acceptable, and why not."""
    order = {"error": 0, "warning": 1, "note": 2}
    findings = sorted(report.findings, key=lambda one: order[one.severity])
    lines = [
        f"{one.severity} {one.code}: {one.path + ': ' if one.path else ''}{one.rule} {one.cure}"
        for one in findings[:SHOWN]
    ]
    if len(findings) > SHOWN:
        lines.append(f"… and {len(findings) - SHOWN} more findings (--json has them all)")
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
    yield f"{totals['received']} of {totals['expected']} items received, {totals['silent']} silent."
    yield from totals["reasons"]
    yield f"Signature: {report['signature']}"


def _shown(value: str | None, places: int) -> str:
    return DASH if value is None else f"{float(value):.{places}f}"
