"""How sure the numbers of a board are: intervals, rank intervals, tie groups, paired differences.

**Conventions.** A paired, seeded percentile bootstrap over items: in every draw the items of each
stratum (a script in a language) are drawn with replacement, the same ones for all systems, and all
numbers are made anew from counts and sums, so that numerator and denominator of a mean move
together. The constants of the delay score stay those of the board.

**What has no interval.** A number that a system lacks; a number that more than ``UNDEFINED`` of
the draws cannot define; one that came out the same in every draw, where resampling says nothing;
and all numbers of a split with a stratum of fewer than ``MIN_ITEMS`` items. Absent is ``None``,
never 0.

**Tie groups.** In order of rank, a system shares the group of the system before it if the interval
of its paired difference to the *first* of that group holds 0; else it begins the next group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np
from scipy import special

from scoring._resampling import Sums, drawn_sums, point_sums
from scoring.components import Array, Components
from scoring.errors import ScoringError

DRAWS = 1000
SEED = 20260111
CONFIDENCE = 0.95
# Below so many items per stratum a percentile interval covers far less than it says.
MIN_ITEMS = 10
# Share of draws that may leave a number undefined.
UNDEFINED = 0.05

Statistic = Callable[[Sums], Mapping[str, Array]]


class Interval(NamedTuple):
    """Both ends of an interval, in the unit of the number."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of its length, for a number shown with ±."""
        return (self.high - self.low) / 2


class RankInterval(NamedTuple):
    """The best and the worst place that a system plausibly has."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The second system minus the first, on the same items."""

    value: float
    interval: Interval

    @property
    def is_separable(self) -> bool:
        """Whether the interval leaves 0 out."""
        return not self.interval.low <= 0 <= self.interval.high


@dataclass(frozen=True, slots=True)
class Resampled:
    """The numbers of some systems, as they are and in every draw.

    Attributes:
        points: per column, one value per system; NaN where there is none.
        draws: per column, ``(draws, systems)``.
        smallest: items of the smallest stratum.
    """

    points: Mapping[str, Array]
    draws: Mapping[str, Array]
    smallest: int

    def interval(self, column: str, system: int) -> Interval | None:
        """Interval of one number; ``None`` where it has none."""
        if np.isnan(self.points[column][system]):
            return None
        return self._percentiles(self.draws[column][:, system])

    def difference(self, column: str, one: int, other: int) -> Difference | None:
        """Paired difference, ``other`` minus ``one``; ``None`` where it has no interval."""
        value = float(self.points[column][other] - self.points[column][one])
        if np.isnan(value):
            return None
        draws = self.draws[column][:, other] - self.draws[column][:, one]
        if not draws.any() and value == 0 and self.smallest >= MIN_ITEMS:
            return Difference(0.0, Interval(0.0, 0.0))
        interval = self._percentiles(draws)
        return None if interval is None else Difference(value, interval)

    def differences(self, column: str, one: int) -> list[Difference | None]:
        """Paired differences of all systems to one of them at once; as ``difference`` has them."""
        draws = self.draws[column] - self.draws[column][:, one : one + 1]
        values = self.points[column] - self.points[column][one]
        lows, highs = np.quantile(draws, _tails(CONFIDENCE), axis=0)
        # Anything special, an undefined draw included (NaN is not above), is looked at by itself.
        is_plain = np.ptp(draws, axis=0) > 1e-9 * (1 + np.abs(draws[0]))
        is_plain &= ~np.isnan(values) & (self.smallest >= MIN_ITEMS)
        return [
            Difference(float(value), Interval(float(low), float(high)))
            if plain
            else self.difference(column, one, other)
            for other, (value, low, high, plain) in enumerate(
                zip(values, lows, highs, is_plain, strict=True)
            )
        ]

    def _percentiles(self, draws: Array) -> Interval | None:
        known = draws[~np.isnan(draws)]
        if self.smallest < MIN_ITEMS or len(known) < (1 - UNDEFINED) * len(draws):
            return None
        if np.ptp(known) <= 1e-9 * (1 + abs(known[0])):
            return None
        low, high = np.quantile(known, _tails(CONFIDENCE))
        return Interval(float(low), float(high))


def resample(
    systems: Sequence[Components], statistic: Statistic, *, draws: int = DRAWS, seed: int = SEED
) -> Resampled:
    """Draw items again and again, and make all numbers of all systems from each draw.

    Args:
        systems: components on the same items in the same order; at least one.
        statistic: from sums per stratum ``(..., columns)`` to numbers ``(...)`` by name.
        draws: how many.
        seed: of the draws; the same seed gives the same intervals.

    Raises:
        ScoringError: the systems were not scored on the same items.
    """
    if len({one.layout for one in systems}) != 1:
        raise ScoringError(
            "Systems scored on different items cannot be compared item by item.",
            cure="Score them on one list of expected items.",
        )
    blocks = [statistic(sums) for sums in drawn_sums(systems, draws=draws, seed=seed)]
    return Resampled(
        points=statistic(point_sums(systems)),
        draws={name: np.concatenate([one[name] for one in blocks], axis=1) for name in blocks[0]},
        smallest=min(len(rows) for rows in systems[0].strata.values()),
    )


def rank_intervals(draws: Array, fixed: Sequence[float] = ()) -> list[RankInterval]:
    """Return the interval of each system's place over all draws.

    Args:
        draws: totals, ``(draws, systems)``; a system without a total in a draw is last in it.
        fixed: totals of other ranked rows whose items are not known; they stay as they are.
    """
    from scipy.stats import rankdata  # takes a second to load, which every command would wait for

    others = np.broadcast_to(np.asarray(fixed, dtype=np.float64), (len(draws), len(fixed)))
    totals = np.nan_to_num(np.concatenate([draws, others], axis=1), nan=-np.inf)
    places = rankdata(-totals, method="min", axis=1)[:, : draws.shape[1]]
    ends = np.quantile(places, _tails(CONFIDENCE), axis=0, method="inverted_cdf")
    return [RankInterval(int(low), int(high)) for low, high in ends.T]


def tie_groups(resampled: Resampled, column: str, order: Sequence[int]) -> list[int | None]:
    """Return the number of each system's tie group, from 1, for systems in order of rank.

    A system without an interval belongs to no group and does not end the one around it.
    """
    groups: list[int | None] = []
    first, number = None, 0
    for system in order:
        if resampled.interval(column, system) is None:
            groups.append(None)
            continue
        if first is None or _differ(resampled, column, first, system):
            first, number = system, number + 1
        groups.append(number)
    return groups


def best(
    resampled: Resampled, column: str, systems: Sequence[int], *, higher_is_better: bool
) -> list[int]:
    """Return the systems that cannot be told from the best one of a column."""
    known = [one for one in systems if resampled.interval(column, one) is not None]
    if not known:
        return []
    sign = -1 if higher_is_better else 1
    leader = min(known, key=lambda one: sign * resampled.points[column][one])
    return [one for one in known if one == leader or not _differ(resampled, column, leader, one)]


def wilson(successes: int, counted: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Score interval of a plain rate (Wilson 1927), 0-1; it does not collapse at 0 or 1.

    Args:
        successes: how many.
        counted: of how many; ``None`` is returned for 0.
        confidence: of the interval.
    """
    if counted == 0:
        return None
    z = float(special.ndtri(_tails(confidence)[1]))
    rate, room = successes / counted, z * z / counted
    middle = (rate + room / 2) / (1 + room)
    reach = z * sqrt(rate * (1 - rate) / counted + room / counted / 4) / (1 + room)
    low = 0.0 if successes == 0 else middle - reach
    high = 1.0 if successes == counted else middle + reach
    return Interval(low, high)


def rates_difference(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]
) -> Interval | None:
    """Interval of one mean of plain rates minus another, 0-1, from counts alone.

    Newcombe's interval for two rates (1998, method 10), extended to means of rates as by Zou and
    Donner (2008). Which item failed where is not known to it, so on the same items it is rather
    too wide than too narrow.

    Args:
        one: successes and how many were counted, for each part of a scenario.
        other: the same for what it is compared with.

    Returns:
        ``None`` where a part was not counted.
    """
    if not all(counted for _, counted in (*one, *other)):
        return None
    (ours, below, above), (theirs, under, over) = _mean_rate(one), _mean_rate(other)
    value = ours - theirs
    return Interval(value - hypot(below, over), value + hypot(above, under))


def _mean_rate(parts: Sequence[tuple[int, int]]) -> tuple[float, float, float]:
    """Mean of rates, and how far below and above it reaches."""
    rates = [successes / counted for successes, counted in parts]
    ends = [wilson(*part) or Interval(0.0, 1.0) for part in parts]
    below = hypot(*(rate - end.low for rate, end in zip(rates, ends, strict=True)))
    above = hypot(*(end.high - rate for rate, end in zip(rates, ends, strict=True)))
    return sum(rates) / len(parts), below / len(parts), above / len(parts)


def _differ(resampled: Resampled, column: str, one: int, other: int) -> bool:
    found = resampled.difference(column, one, other)
    return found is not None and found.is_separable


def _tails(confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return tail, 1 - tail
