"""What resampling says about the rows of one board: intervals, rank intervals, tie groups.

Conventions: computed once per frozen board, over all its rows. Rows without items (published
elsewhere) have no interval; as ranked rows they stand still while the others are drawn again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from leaderboard.board.rules import Rules
from scoring import uncertainty
from scoring.benchmark import Benchmark
from scoring.components import Components
from scoring.humdial import BENCHMARK
from scoring.ranking import Reference
from scoring.signature import Signature

# An interval keeps more digits than a page shows, so that half widths are rounded once.
PLACES = 4


@dataclass(frozen=True, slots=True)
class Known:
    """One row as the resampling needs it, in the order of the board."""

    rank: int | None
    total: float | None
    signature: str = ""
    components: Components | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """What is known about one row beyond its numbers.

    Attributes:
        intervals: by name of the number, low and high end.
        rank_low, rank_high: best and worst plausible place.
        tie_group: number of its tie group, from 1.
        best: numbers in which it cannot be told from the best ranked row.
    """

    intervals: dict[str, list[float]] = field(default_factory=dict)
    rank_low: int | None = None
    rank_high: int | None = None
    tie_group: int | None = None
    best: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The numbers of the rows that share their items, in every draw.

    Attributes:
        made: of those rows, in the order of ``numbers``.
        numbers: of the rows on the board.
    """

    made: uncertainty.Resampled
    numbers: Sequence[int]


def draw(
    rows: Sequence[Known],
    reference: Reference | None,
    rules: Rules,
    *,
    benchmark: Benchmark = BENCHMARK,
) -> Drawn | None:
    """Resample the rows that share their items; ``None`` where there are none."""
    numbers = comparable(rows)
    systems = [one for number in numbers if (one := rows[number].components) is not None]
    if not systems or benchmark.statistic is None:
        return None
    weights = rules.weights
    statistic = partial(benchmark.statistic, mode=rules.mode, reference=reference, weights=weights)
    counts = partial(benchmark.counts, weights=weights) if benchmark.counts else None
    return Drawn(uncertainty.resample(systems, statistic, counts=counts), numbers)


def spreads(
    rows: Sequence[Known], drawn: Drawn | None, *, benchmark: Benchmark = BENCHMARK
) -> list[Spread]:
    """Say what the draws tell about each row."""
    if drawn is None:
        return [Spread() for _ in rows]
    made, numbers = drawn.made, drawn.numbers
    found = {number: _intervals(made, place) for place, number in enumerate(numbers)}
    ranked = [place for place, number in enumerate(numbers) if rows[number].rank is not None]
    places = _places(made, rows, numbers, ranked)
    best = {
        name: {numbers[place] for place in those}
        for name, those in _best(made, ranked, benchmark).items()
    }
    return [
        Spread(
            found.get(number, {}),
            *places.get(number, (None, None, None)),
            best=[name for name, those in best.items() if number in those],
        )
        for number in range(len(rows))
    ]


def comparable(rows: Sequence[Known]) -> list[int]:
    """Numbers of the rows that were scored on the same items: of most rows, where they differ."""
    keys = {
        number: (row.components.layout, _manifest(row.signature))
        for number, row in enumerate(rows)
        if row.components is not None
    }
    if not keys:
        return []
    usual = Counter(keys.values()).most_common(1)[0][0]
    return [number for number, key in keys.items() if key == usual]


def _manifest(signature: str) -> str:
    return Signature.parse(signature).manifest if signature else ""


def _intervals(made: uncertainty.Resampled, place: int) -> dict[str, list[float]]:
    found = {name: made.interval(name, place) for name in made.points}
    return {
        name: [round(one.low, PLACES), round(one.high, PLACES)]
        for name, one in found.items()
        if one is not None
    }


def _places(
    made: uncertainty.Resampled, rows: Sequence[Known], numbers: Sequence[int], ranked: list[int]
) -> Mapping[int, tuple[int | None, int | None, int | None]]:
    """Rank interval and tie group of each ranked row; both only where its total has an interval."""
    if not ranked or not any(made.interval("total", place) for place in ranked):
        return {}
    inside = {numbers[place] for place in ranked}
    fixed = [row.total for number, row in enumerate(rows) if _stands_still(row, number, inside)]
    intervals = uncertainty.rank_intervals(
        made.draws["total"][:, ranked], [total for total in fixed if total is not None]
    )
    groups = uncertainty.tie_groups(made, "total", ranked)
    return {
        numbers[place]: (*_around(rows[numbers[place]].rank, interval), group)
        for place, interval, group in zip(ranked, intervals, groups, strict=True)
        if group is not None
    }


def _stands_still(row: Known, number: int, inside: Iterable[int]) -> bool:
    return row.rank is not None and row.total is not None and number not in inside


def _around(rank: int | None, interval: uncertainty.RankInterval) -> tuple[int, int]:
    """Take the place itself in: among many near ties few draws may repeat it."""
    known = interval.low if rank is None else rank
    return min(interval.low, known), max(interval.high, known)


def _best(
    made: uncertainty.Resampled, ranked: list[int], benchmark: Benchmark
) -> dict[str, list[int]]:
    directions = {one.name: one.higher_is_better for one in benchmark.columns}
    return {
        name: uncertainty.best(made, name, ranked, higher_is_better=directions[_column(name)])
        for name in made.points
    }


def _column(name: str) -> str:
    """Name of a column without its language."""
    return name.removesuffix("_cn").removesuffix("_en")
