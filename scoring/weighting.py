"""The same parts under other weights: totals, places, and how firmly each place stands.

Conventions: weights are those of interruption, rejection and delay score, with the sum 1. Parts are
what a total is made from (0-100), the delay score unrounded. Rounding and ties are those of
``scoring.ranking.totalled`` in the board's mode, so that its own weights give its own order. The
ranking of a board never changes by this.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.ranking import FULL_SCORE, WEIGHTS, Weights, totalled
from scoring.rounding import half_up

# Percents between the weightings that are tried; none of them leaves a part out.
STEP = 5

Parts = tuple[Decimal, Decimal, Decimal]
_Wholes = npt.NDArray[np.int64]


class Reweighted(NamedTuple):
    """One row under other weights."""

    total: Decimal
    place: int


class Stability(NamedTuple):
    """One row under all other weightings that were tried.

    Attributes:
        kept: share of them in which the place is that of the board, 0-1.
        low, high: best and worst place, the board's own among them.
        others: how many were tried.
    """

    kept: float
    low: int
    high: int
    others: int


def reweighted(
    rows: Sequence[Parts], weights: Weights, *, mode: str = "official"
) -> list[Reweighted]:
    """Return total and place of every row under these weights, in the order given."""
    totals = [totalled(*parts, weights=weights, mode=mode) for parts in rows]
    places: dict[tuple[Decimal, ...], int] = {}
    for number, order in enumerate(sorted((one.order for one in totals), reverse=True), 1):
        places.setdefault(order, number)
    return [Reweighted(one.shown, places[one.order]) for one in totals]


def stability(
    rows: Sequence[Parts], weights: Weights = WEIGHTS, *, mode: str = "official"
) -> list[Stability]:
    """Return how firmly each place stands when every weight goes from 5 to 90 %.

    Args:
        rows: parts of the ranked rows of a board.
        weights: those of the board, which are not among the others.
        mode: in which the board ranks.
    """
    if not rows:
        return []
    tried = others(weights)
    orders = _orders(rows, [weights, *tried], mode)
    places = 1 + np.array([_above(line) for line in orders])
    kept = (places[1:] == places[0]).mean(axis=0)
    return [
        Stability(float(share), int(low), int(high), len(tried))
        for share, low, high in zip(kept, places.min(axis=0), places.max(axis=0), strict=True)
    ]


def weightings() -> list[Weights]:
    """All weightings in steps of 5 % that give every part at least 5 %."""
    steps = range(STEP, 100, STEP)
    found = [(a, b, 100 - a - b) for a in steps for b in steps if 100 - a - b >= STEP]
    return [Weights(*(Decimal(part) / 100 for part in one)) for one in found]


def others(weights: Weights = WEIGHTS) -> list[Weights]:
    """The weightings that are tried beside those of a board."""
    return [one for one in weightings() if one != weights]


def _orders(rows: Sequence[Parts], tried: Sequence[Weights], mode: str) -> _Wholes:
    """What ``totalled`` orders by, in whole numbers: one line per weighting, one place per row.

    Millionths of a point times thousandths of a weight are exact, and fit.
    """
    thousandths = np.array([[int(1000 * one) for one in weights] for weights in tried])
    exact: _Wholes = thousandths @ _millionths(rows, places=6).T
    if mode == "strict":
        return exact
    tenth = 10**8  # of a point, in billionths
    shown = (thousandths @ _millionths(rows, places=1).T + tenth // 2) // tenth
    combined: _Wholes = shown * 10**13 + exact
    return combined


def _millionths(rows: Sequence[Parts], *, places: int) -> _Wholes:
    """The parts, with the delay score as ``totalled`` takes it."""
    capped = [(*parts[:2], half_up(min(parts[2], FULL_SCORE), places)) for parts in rows]
    return np.array([[int(half_up(part, 6).scaleb(6)) for part in parts] for parts in capped])


def _above(orders: _Wholes) -> npt.NDArray[np.intp]:
    """How many orders are greater than each."""
    not_above = np.searchsorted(np.sort(orders), orders, side="right")
    above: npt.NDArray[np.intp] = len(orders) - not_above
    return above
