"""The numbers of a scenario page as rows for CSV and JSON.

Conventions: keys are stable and English whatever the page's language; what is missing is ``None``
(empty in CSV).
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from leaderboard.board.exports import FORMULA
from leaderboard.scenarios.numbers import Scenario, System

SCHEMA = "scenario/1"
PLACES = 4

Row = dict[str, Any]


def rates(numbers: Scenario) -> Iterable[Row]:
    """One row per system and language."""
    for one in numbers.systems:
        for code, side in one.sides.items():
            rate = side.rate
            yield _of(one, code) | {
                "expected": side.expected,
                "rate": _rounded(rate and rate.value),
                "rate_low": _rounded(rate and rate.low),
                "rate_high": _rounded(rate and rate.high),
                "successes": rate and rate.successes,
                "counted": rate and rate.counted,
            }


def outcomes(numbers: Scenario) -> Iterable[Row]:
    """One row per system, language, part and outcome."""
    for one in numbers.systems:
        for code, side in one.sides.items():
            for script, counts in side.outcomes.items():
                for kind, count in counts.items():
                    yield _of(one, code) | {"part": script, "outcome": kind, "items": count}


def latencies(numbers: Scenario) -> Iterable[Row]:
    """One row per system, language and latency."""
    names = ("lower_whisker", "first_quartile", "median", "third_quartile", "upper_whisker")
    for one in numbers.systems:
        for code, side in one.sides.items():
            for name, found in side.latencies.items():
                fences = found.fences or (None,) * len(names)
                yield _of(one, code) | {
                    "latency": name,
                    "mean": _rounded(found.mean),
                    **{key: _rounded(value) for key, value in zip(names, fences, strict=True)},
                    "expected": found.expected,
                    "measured": found.measured,
                    "not_measured": found.other,
                    "silent": found.silent,
                    "missing": found.missing,
                }


def behaviour(numbers: Scenario) -> Iterable[Row]:
    """One row per system: both numbers, and whether another system beats it in both."""
    for one in numbers.systems:
        yield {
            "submission": one.key,
            "system": one.name,
            "team": one.team,
            "kind": one.kind,
            "rate": _rounded(one.rate),
            numbers.delay: _rounded(one.delay),
            "unbeaten": one.key in numbers.front,
        }


def items(numbers: Scenario) -> Iterable[Row]:
    """One row per item: of how many systems it counts for, how many fail."""
    for one in numbers.hard:
        yield {
            "item": one.item.slug,
            "language": one.item.language,
            "part": one.item.script,
            "counted": one.counted,
            "failing": len(one.failing),
            "failing_submissions": " ".join(one.failing),
        }


TABLES: dict[str, Callable[[Scenario], Iterable[Row]]] = {
    "rates": rates,
    "outcomes": outcomes,
    "latencies": latencies,
    "behaviour": behaviour,
}
ITEMS = {"items": items}


def as_json(numbers: Scenario, origin: Row, *, with_items: bool) -> Row:
    """Return all tables; ``origin`` names the board they come from."""
    tables = TABLES | (ITEMS if with_items else {})
    return {
        "schema": SCHEMA,
        "scenario": numbers.slug,
        **origin,
        "items_by_language": dict(numbers.items),
        **{name: list(make(numbers)) for name, make in tables.items()},
    }


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows with equal keys as a table."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _of(one: System, code: str) -> Row:
    return {"submission": one.key, "system": one.name, "team": one.team, "language": code}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


def _harmless(value: Any) -> Any:
    """A spreadsheet would run a text that begins like a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
