"""How sure the numbers of a board are: intervals, rank intervals, tie groups, paired differences.

**Conventions.** A paired, seeded percentile bootstrap over items: in every draw the items of each
stratum (a script in a language) are drawn with replacement, the same ones for all systems, and all
numbers are made anew from counts and sums, so that numerator and denominator of a mean move
together. The constants of the delay score stay those of the board.

**Where resampling says nothing.** A number that came out the same in every draw, such as a perfect
score, has an interval from its counts if it is a mean of plain rates: Wilson's, with the effective
number of items (``scoring.components.Counted``). Its difference to another number is made from both
intervals, by recovering the variances from them (Zou and Donner 2008): its draws add nothing.

**What has no interval.** A number that a system lacks; a number that more than ``UNDEFINED`` of
the draws cannot define; one that is the same in every draw and no mean of rates; and all numbers of
a split with a stratum of fewer than ``MIN_ITEMS`` items. Absent is ``None``, never 0.

**Tie groups.** In order of rank, a system shares the group of the system before it if the interval
of its paired difference to the *first* of that group holds 0; else it begins the next group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from scoring._resampling import Sums, drawn_sums, point_sums
from scoring.components import Array, Components, Counted
from scoring.errors import ScoringError

DRAWS = 1000
SEED = 20260111
CONFIDENCE = 0.95
# Below so many items per stratum a percentile interval covers far less than it says.
MIN_ITEMS = 10
# Share of draws that may leave a number undefined.
UNDEFINED = 0.05

Statistic = Callable[[Sums], Mapping[str, Array]]
Counts = Callable[[Sums], Mapping[str, Counted]]


class Interval(NamedTuple):
    """Both ends of an interval, in the unit of the number."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of its length."""
        return (self.high - self.low) / 2


Intervals = Mapping[str, Sequence[Interval | None]]


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
        counted: per column, intervals from the counts, one per system; they hold where no draw
            differs from another.
    """

    points: Mapping[str, Array]
    draws: Mapping[str, Array]
    smallest: int
    counted: Intervals = field(default_factory=dict)

    def interval(self, column: str, system: int) -> Interval | None:
        """Interval of one number; ``None`` where it has none."""
        if np.isnan(self.points[column][system]):
            return None
        return self._steady(column, system) or self._percentiles(self.draws[column][:, system])

    def difference(self, column: str, one: int, other: int) -> Difference | None:
        """Paired difference, ``other`` minus ``one``; ``None`` where it has no interval."""
        value = float(self.points[column][other] - self.points[column][one])
        if np.isnan(value):
            return None
        draws = self.draws[column][:, other] - self.draws[column][:, one]
        if not draws.any() and value == 0 and self.smallest >= MIN_ITEMS:
            return Difference(0.0, Interval(0.0, 0.0))
        if self._steady(column, one) or self._steady(column, other):
            interval = self._recovered(column, one, other)
        else:
            interval = self._percentiles(draws)
        return None if interval is None else Difference(value, interval)

    def differences(self, column: str, one: int) -> list[Difference | None]:
        """Paired differences of all systems to one of them at once; as ``difference`` has them."""
        draws = self.draws[column] - self.draws[column][:, one : one + 1]
        values = self.points[column] - self.points[column][one]
        lows, highs = np.quantile(draws, _tails(CONFIDENCE), axis=0)
        # Anything special, an undefined draw included (NaN is not above), is looked at by itself.
        is_plain = _varies(draws) & ~np.isnan(values) & (self.smallest >= MIN_ITEMS)
        if column in self.counted:
            own = _varies(self.draws[column])
            is_plain &= own & own[one]
        return [
            Difference(float(value), Interval(float(low), float(high)))
            if plain
            else self.difference(column, one, other)
            for other, (value, low, high, plain) in enumerate(
                zip(values, lows, highs, is_plain, strict=True)
            )
        ]

    def _steady(self, column: str, system: int) -> Interval | None:
        """Interval from the counts, of a number that is the same in every draw that defines it."""
        known = self._known(self.draws[column][:, system])
        if column not in self.counted or known is None or _varies(known):
            return None
        return self.counted[column][system]

    def _recovered(self, column: str, one: int, other: int) -> Interval | None:
        """Interval of a difference from those of both numbers; rather too wide, as if unpaired."""
        ours, theirs = (self.interval(column, system) for system in (one, other))
        if ours is None or theirs is None:
            return None
        first, second = (float(self.points[column][system]) for system in (one, other))
        return Interval(
            second - first - hypot(second - theirs.low, ours.high - first),
            second - first + hypot(theirs.high - second, first - ours.low),
        )

    def _known(self, draws: Array) -> Array | None:
        """The draws that define a number; ``None`` where these, or the items, are too few."""
        known: Array = draws[~np.isnan(draws)]
        too_few = self.smallest < MIN_ITEMS or len(known) < (1 - UNDEFINED) * len(draws)
        return None if too_few else known

    def _percentiles(self, draws: Array) -> Interval | None:
        known = self._known(draws)
        if known is None or not _varies(known):
            return None
        low, high = np.quantile(known, _tails(CONFIDENCE))
        return Interval(float(low), float(high))


def resample(
    systems: Sequence[Components],
    statistic: Statistic,
    *,
    counts: Counts | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Resampled:
    """Draw items again and again, and make all numbers of all systems from each draw.

    Args:
        systems: components on the same items in the same order; at least one.
        statistic: from sums per stratum ``(..., columns)`` to numbers ``(...)`` by name.
        counts: from the same sums to what those numbers count that are means of rates.
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
    own = point_sums(systems)
    points, counted = statistic(own), counts(own) if counts else {}
    return Resampled(
        points=points,
        draws={name: np.concatenate([one[name] for one in blocks], axis=1) for name in blocks[0]},
        smallest=min(len(rows) for rows in systems[0].strata.values()),
        counted={name: _from_counts(points[name], one) for name, one in counted.items()},
    )


def _from_counts(points: Array, counted: Counted) -> list[Interval | None]:
    """Intervals of numbers, as far from them as those of their rates are from the rates."""
    found: list[Interval | None] = []
    for value, rate, items in zip(points, counted.rate, counted.items, strict=True):
        ends = None if np.isnan(rate) else _wilson(float(rate), float(items))
        shifted = [] if ends is None else [value + counted.scale * (end - rate) for end in ends]
        found.append(Interval(*map(float, shifted)) if shifted else None)
    return found


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
    """Return the systems that cannot be told from the best one of a column.

    A best one without an interval can be told from nobody, so then there are none.
    """
    points = resampled.points[column]
    known = [one for one in systems if not np.isnan(points[one])]
    if not known:
        return []
    leader = (max if higher_is_better else min)(known, key=lambda one: points[one])
    if resampled.interval(column, leader) is None:
        return []
    return [
        one
        for one in known
        if one == leader
        or (resampled.interval(column, one) and not _differ(resampled, column, leader, one))
    ]


def wilson(successes: int, counted: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Score interval of a plain rate (Wilson 1927), 0-1; it does not collapse at 0 or 1.

    Args:
        successes: how many.
        counted: of how many; ``None`` is returned for 0.
        confidence: of the interval.
    """
    return _wilson(successes / counted, counted, confidence) if counted else None


def _wilson(rate: float, items: float, confidence: float = CONFIDENCE) -> Interval | None:
    if items <= 0:
        return None
    z = float(special.ndtri(_tails(confidence)[1]))
    room = z * z / items
    middle = (rate + room / 2) / (1 + room)
    reach = z * sqrt(max(rate * (1 - rate), 0.0) / items + room / items / 4) / (1 + room)
    low = 0.0 if rate <= 0 else middle - reach
    high = 1.0 if rate >= 1 else middle + reach
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


def _varies(draws: Array) -> npt.NDArray[np.bool_]:
    """Whether draws differ by more than the noise of binary sums; not where one is undefined."""
    varies: npt.NDArray[np.bool_] = np.ptp(draws, axis=0) > 1e-9 * (1 + np.abs(draws[0]))
    return varies


def _differ(resampled: Resampled, column: str, one: int, other: int) -> bool:
    found = resampled.difference(column, one, other)
    return found is not None and found.is_separable


def _tails(confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return tail, 1 - tail
