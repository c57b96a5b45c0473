"""A worked example: one row of a board, rounding step by rounding step.

Conventions: decimal arithmetic, half up; the arithmetic is that of ``scoring.ranking``, and the
formulas are filled in for reading only.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from scoring import ranking
from scoring.rounding import half_up


class Step(NamedTuple):
    """One step: what is made, from what, and how it looks before and after rounding."""

    name: str
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
