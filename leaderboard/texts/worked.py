"""Worked examples: one row of a board, and one language of a run, rounding step by rounding step.

Conventions: decimal arithmetic, half up; the arithmetic is that of ``scoring.ranking`` and
``scoring.humdial.totals``, and the formulas are filled in for reading only.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from leaderboard import words
from scoring import ranking
from scoring.humdial.scenarios import INTERRUPTION, REJECTION
from scoring.rounding import half_up

# Digits of an exact value that are worth reading.
DIGITS = 6


class Step(NamedTuple):
    """One step: what is made, from what, and how it looks before and after rounding."""

    name: Any
    formula: str
    exact: str
    rounded: str


def steps(
    row: Mapping[str, Any],
    l_min: Decimal,
    l_base: Decimal,
    weights: ranking.Weights = ranking.WEIGHTS,
) -> tuple[Step, ...]:
    """Work out a row of an official board that has both languages, a delay, and so a total."""
    groups = [_group(row, name) for name in ("interruption", "rejection")]
    delay = Decimal(row["delay"])
    exact = ranking.delay_score(delay, l_min, l_base)
    score = half_up(exact, 1)
    parts = (groups[0].rounded, groups[1].rounded, min(score, ranking.FULL_SCORE))
    total = ranking.total(*parts, weights)
    factor = ranking.DELAY_FACTOR
    return (
        *groups,
        Step(
            "delay_score",
            f"100 − {factor} · ln({delay} / {l_min}) / ln({l_base} / {l_min})",
            str(half_up(exact, 4)),
            str(score),
        ),
        Step("total", _weighted(parts, weights), str(total), str(half_up(total, 1))),
    )


def _group(row: Mapping[str, Any], name: str) -> Step:
    parts = [Decimal(row["languages"][language][name]) for language in ("cn", "en")]
    exact = sum(parts, Decimal(0)) / len(parts)
    return Step(name, f"({parts[0]} + {parts[1]}) / 2", str(exact), str(half_up(exact, 1)))


def _weighted(parts: Iterable[str | Decimal], weights: ranking.Weights) -> str:
    return " + ".join(f"{w} · {n}" for w, n in zip(weights, parts, strict=True))


def stages(scenarios: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Work out one language of a run in official mode, from its scenarios to its totals.

    Args:
        scenarios: of one language, as a score report has them; all nine, each with its numbers.

    Returns:
        The rate of the first scenario as an example, both groups, the three latencies, the delay.
    """
    by_slug = {one["scenario"]: one for one in scenarios}
    timed = [by_slug[slug] for slug in INTERRUPTION]
    latencies = [
        _latency(_("Mean stop latency"), [one["stop"]["value"] for one in timed]),
        _latency(_("Mean response latency"), [one["response"]["value"] for one in timed]),
        _latency(_("Mean first-response delay"), [one["first_response"] for one in scenarios]),
    ]
    return (
        _rate(by_slug[INTERRUPTION[0]]),
        _percent(words.GROUPS["interruption"], [by_slug[one]["rate"] for one in INTERRUPTION]),
        _percent(words.GROUPS["rejection"], [by_slug[one]["rate"] for one in REJECTION]),
        *latencies,
        _latency(words.GROUPS["delay"], [one.rounded for one in latencies]),
    )


def _rate(row: Mapping[str, Any]) -> Step:
    """The scripts round a judged rate to two decimals, by the binary value."""
    part = row["parts"][0]
    exact = Decimal(part["successes"]) / Decimal(part["counted"])
    formula = f"{part['successes']} / {part['counted']}"
    name = words.SCENARIOS[row["scenario"]]
    return Step(name, formula, _digits(exact), str(Decimal(row["rate"]).quantize(Decimal("0.01"))))


def _percent(name: Any, rates: Sequence[str]) -> Step:
    return _mean(name, rates, factor=100, places=1)


def _latency(name: Any, values: Sequence[str]) -> Step:
    return _mean(name, values, factor=1, places=3)


def _mean(name: Any, values: Sequence[str], *, factor: int, places: int) -> Step:
    exact = factor * sum(map(Decimal, values), Decimal(0)) / len(values)
    before = f"{factor} · " if factor != 1 else ""
    formula = f"{before}({' + '.join(values)}) / {len(values)}"
    return Step(name, formula, _digits(exact), str(half_up(exact, places)))


def _digits(exact: Decimal) -> str:
    return f"{half_up(exact, DIGITS).normalize():f}"
