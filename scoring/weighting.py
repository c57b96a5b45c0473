"""The same parts under other weights: totals, places, and how firmly each place stands.

Conventions: weights are whole percents of interruption, rejection and delay score that sum to 100.
Parts are as shown on the board (0-100), the delay score at most 100. Rounding and ties are those of
``scoring.ranking``: total to one decimal half up, then the unrounded total, else a shared place.
The official ranking never changes by this.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.components import Array
from scoring.ranking import FULL_SCORE, WEIGHTS
from scoring.rounding import half_up

OFFICIAL = tuple(int(100 * weight) for weight in WEIGHTS)
# Percents between the weightings that are tried; none of them leaves a part out.
STEP = 5

Weights = tuple[int, int, int]
Parts = tuple[Decimal, Decimal, Decimal]


class Reweighted(NamedTuple):
    """One row under other weights."""

    total: Decimal
    place: int


class Stability(NamedTuple):
    """One row under all weightings that were tried.

    Attributes:
        kept: share of them in which the place is the official one, 0-1.
        low, high: best and worst place.
    """

    kept: float
    low: int
    high: int


def reweighted(rows: Sequence[Parts], weights: Sequence[int | Decimal]) -> list[Reweighted]:
    """Return total and place of every row under these weights, in the order given."""
    raw = [_total(parts, weights) for parts in rows]
    keys = [(half_up(total, 1), total) for total in raw]
    places: dict[tuple[Decimal, Decimal], int] = {}
    for number, key in enumerate(sorted(keys, reverse=True), 1):
        places.setdefault(key, number)
    return [Reweighted(key[0], places[key]) for key in keys]


def stability(rows: Sequence[Parts]) -> list[Stability]:
    """Return how firmly each place stands when every weight goes from 5 to 90 %."""
    if not rows:
        return []
    capped = np.array([[float(min(part, FULL_SCORE)) for part in parts] for parts in rows])
    tried = np.array(weightings(), dtype=np.float64) / 100
    # The noise of binary sums must not part equal totals.
    totals = np.round(tried @ capped.T, 6)
    places = 1 + np.array([_above(line) for line in totals])
    official = 1 + _above(np.round(np.array(OFFICIAL) / 100 @ capped.T, 6))
    kept = (places == official).mean(axis=0)
    return [
        Stability(float(share), int(low), int(high))
        for share, low, high in zip(kept, places.min(axis=0), places.max(axis=0), strict=True)
    ]


def weightings() -> list[Weights]:
    """All weightings in steps of 5 % that give every part at least 5 %."""
    steps = range(STEP, 100, STEP)
    return [(a, b, 100 - a - b) for a in steps for b in steps if 100 - a - b >= STEP]


def _above(totals: Array) -> npt.NDArray[np.intp]:
    """How many totals are greater than each."""
    not_above = np.searchsorted(np.sort(totals), totals, side="right")
    above: npt.NDArray[np.intp] = len(totals) - not_above
    return above


def _total(parts: Parts, weights: Sequence[int | Decimal]) -> Decimal:
    capped = (*parts[:2], min(parts[2], FULL_SCORE))
    points = (Decimal(weight) * part for weight, part in zip(weights, capped, strict=True))
    return sum(points, Decimal(0)) / 100
