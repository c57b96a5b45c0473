"""Two to six systems side by side: paired differences, agreement item by item, ranks by scenario.

Conventions: pure, from stored components, and without words. Differences are *other minus first*;
percent, points and seconds. Intervals come from unrounded numbers. Absent is ``None``, never 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from leaderboard.show.numbers import across, percent_of, rounded_rate
from scoring import uncertainty
from scoring.components import Array, Components, Counted
from scoring.humdial import SCENARIOS, SCRIPTS, statistic
from scoring.manifest import LANGUAGES
from scoring.ranking import WEIGHTS, Reference, Weights
from scoring.uncertainty import Counts, Statistic

FEWEST, MOST = 2, 6
COLUMNS = ("total", "interruption", "rejection", "delay_score", "delay")
# Numbers that get better downwards.
FALLING = ("delay",)
# Sums of floats that should cancel leave a rest beyond these places, which is no difference.
PLACES = 4

# As a score report has them, one per language and scenario.
Scenarios = Sequence[Mapping[str, Any]]
# Percent, as scored, by scenario.
Rates = Mapping[str, Decimal]


class Difference(NamedTuple):
    """Other minus first; without ends where the items are too few, or say nothing."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def is_separable(self) -> bool:
        """Whether the interval leaves 0 out."""
        if self.low is None or self.high is None:
            return False
        return not round(self.low, PLACES) <= 0 <= round(self.high, PLACES)


class Agreement(NamedTuple):
    """Items of a scenario that count for both of two systems."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def items(self) -> int:
        """All of them."""
        return sum(self)


@dataclass(frozen=True, slots=True)
class Pair:
    """One system against the first: differences by number, agreement by scenario.

    Attributes:
        is_comparable: whether both were scored on the same items here.
        smallest: items of the smallest scenario and language.
    """

    is_comparable: bool
    differences: Mapping[str, Difference]
    agreement: Mapping[str, Agreement]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first system against every other one, in order, and everybody's rates (percent)."""

    pairs: tuple[Pair, ...]
    rates: tuple[Rates, ...]
    places: Mapping[str, tuple[int | None, ...]]


def compare(
    systems: Sequence[Components | None],
    scored: Sequence[Scenarios],
    *,
    mode: str,
    reference: Reference | None,
    weights: Weights = WEIGHTS,
) -> Comparison:
    """Compare systems.

    Args:
        systems: parts of their items; ``None`` where these are not known.
        scored: scenarios of their score reports; empty where there is none.
        mode: in which they are compared.
        reference: constants of the delay score.
        weights: of the total.
    """
    numbers = partial(_numbers, mode=mode, reference=reference, weights=weights)
    made = _resampled(systems, numbers, partial(_counts, weights=weights))
    first = systems[0]
    pairs = tuple(
        _pair(first, other, made, number) for number, other in enumerate(systems[1:], start=1)
    )
    rates = tuple(rates_of(one) for one in scored)
    return Comparison(pairs, rates, {slug: _places(rates, slug) for slug in SCENARIOS})


def as_shown(made: Comparison, values: Sequence[Mapping[str, str]]) -> Comparison:
    """The same with differences of the numbers as a page shows them, which a reader can check.

    Args:
        made: what ``compare`` found.
        values: the totals of each system as shown, empty where absent.
    """
    first, *others = (_shown(*both) for both in zip(values, made.rates, strict=True))
    pairs = (
        replace(pair, differences=_between(first, other, pair.differences))
        for other, pair in zip(others, made.pairs, strict=True)
    )
    return replace(made, pairs=tuple(pairs))


def _shown(values: Mapping[str, str], rates: Rates) -> dict[str, Decimal]:
    totals = {name: Decimal(text) for name in COLUMNS if (text := values[name])}
    return totals | {slug: rounded_rate(rate) for slug, rate in rates.items()}


def _between(
    first: Mapping[str, Decimal], other: Mapping[str, Decimal], known: Mapping[str, Difference]
) -> dict[str, Difference]:
    return {
        name: known.get(name, Difference(0.0))._replace(value=float(value - first[name]))
        for name, value in other.items()
        if name in first
    }


def rates_of(scored: Scenarios) -> dict[str, Decimal]:
    """Rate of every scenario as it was scored, mean of the languages, where all have one."""
    sides: dict[str, list[Decimal | None]] = {slug: [] for slug in SCENARIOS}
    for row in scored:
        sides[row["scenario"]].append(None if row["rate"] is None else percent_of(row["rate"]))
    return {slug: rate for slug, found in sides.items() if (rate := across(found)) is not None}


def agreement(one: Components, other: Components) -> dict[str, Agreement]:
    """Both right, only the first, only the second, neither; by scenario."""
    found = {slug: Agreement(0, 0, 0, 0) for slug in SCENARIOS}
    for key, rows in one.strata.items():
        counted = rows[_both(one.values[rows], other.values[rows], statistic.COUNTED)]
        a, b = (side.values[counted, statistic.HITS] > 0 for side in (one, other))
        new = (a & b, a & ~b, ~a & b, ~a & ~b)
        slug = SCRIPTS[key.partition("/")[2]].scenario
        old = found[slug]
        found[slug] = Agreement(
            *(int(value) + int(cell.sum()) for value, cell in zip(old, new, strict=True))
        )
    return {slug: cells for slug, cells in found.items() if cells.items}


def _both(one: Array, other: Array, column: int) -> npt.NDArray[np.bool_]:
    return (one[:, column] > 0) & (other[:, column] > 0)


class _Drawn(NamedTuple):
    """Draws of the systems that share the first one's items, and where each is among them."""

    made: uncertainty.Resampled
    place: Mapping[int, int]


def _resampled(
    systems: Sequence[Components | None], numbers: Statistic, counts: Counts
) -> _Drawn | None:
    first = systems[0]
    if first is None:
        return None
    alike = [
        (number, one)
        for number, one in enumerate(systems)
        if one is not None and one.layout == first.layout
    ]
    if len(alike) < FEWEST:
        return None
    made = uncertainty.resample([one for _, one in alike], numbers, counts=counts)
    return _Drawn(made, {number: place for place, (number, _one) in enumerate(alike)})


def _numbers(
    sums: Mapping[str, Array], *, mode: str, reference: Reference | None, weights: Weights
) -> dict[str, Array]:
    made = statistic.totals(sums, mode=mode, reference=reference, weights=weights)
    return made | _rates(sums)


def _counts(sums: Mapping[str, Array], *, weights: Weights) -> dict[str, Counted]:
    by_language = statistic.counts_of_rates(sums)
    sides = {
        slug: [by_language[key] for code in LANGUAGES if (key := f"{code}/{slug}") in by_language]
        for slug in SCENARIOS
    }
    scenarios = {slug: statistic.mean_rate(found) for slug, found in sides.items() if found}
    return statistic.counts_of_totals(sums, weights=weights) | scenarios


def _rates(sums: Mapping[str, Array]) -> dict[str, Array]:
    """Percent of every scenario: mean of its languages."""
    known = statistic.rates(sums)
    found = {}
    for slug in SCENARIOS:
        sides = [known[key] for code in LANGUAGES if (key := f"{code}/{slug}") in known]
        if sides:
            found[slug] = np.asarray(100 * np.mean(np.stack(sides), axis=0))
    return found


def _pair(
    first: Components | None, other: Components | None, drawn: _Drawn | None, number: int
) -> Pair:
    if first is None or other is None or drawn is None or number not in drawn.place:
        return Pair(False, {}, {})
    found = {
        name: difference
        for name in (*COLUMNS, *SCENARIOS)
        if (difference := _difference(drawn.made, name, drawn.place[number])) is not None
    }
    return Pair(True, found, agreement(first, other))


def _difference(made: uncertainty.Resampled, name: str, place: int) -> Difference | None:
    if name not in made.points:
        return None
    value = float(made.points[name][place] - made.points[name][0])
    if np.isnan(value):
        return None
    found = made.difference(name, 0, place)
    return Difference(value, *found.interval) if found else Difference(value)


def _places(rates: Sequence[Rates], slug: str) -> tuple[int | None, ...]:
    """Places among the compared, best first; equal rates share the better place."""
    known = [one[slug] for one in rates if slug in one]
    return tuple(
        1 + sum(other > one[slug] for other in known) if slug in one else None for one in rates
    )
