"""A benchmark as a value: everything that check, pipeline, services and pages need to know of one.

Conventions: a new benchmark is a new folder in ``scoring`` that exports such a value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.components import Array, Components, Counted
from scoring.evidence import ItemResult
from scoring.manifest import Item


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a board.

    Attributes:
        name: key in totals and rows.
        title: heading.
        unit: ``%``, ``s`` or empty.
        places: decimals shown.
        higher_is_better: the direction.
    """

    name: str
    title: str
    unit: str
    places: int
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark.

    Attributes:
        slug: stable name in signatures and URLs.
        version: of the protocol as we implement it.
        scenarios: slugs in the order of the paper.
        columns: of a board.
        is_judged: whether an item needs a judge.
        measure: result of one item from reference and evidence, per mode.
        score_scenarios: scores per scenario and language from all results, per mode.
        total: totals from scenario scores, per mode.
        parts: names of what the items add up from, for intervals; empty where there are none.
        components: parts of every item from the items of a score report, per mode.
        statistic: all numbers of a board from sums of parts, for many resamples at once.
        counts: from the same sums, what those numbers count that are means of rates.
    """

    slug: str
    version: str
    scenarios: tuple[str, ...]
    columns: tuple[Column, ...]
    is_judged: Callable[[Item], bool]
    measure: Callable[..., ItemResult]
    score_scenarios: Callable[..., Sequence[Any]]
    total: Callable[..., Any]
    parts: tuple[str, ...] = ()
    components: Callable[..., Components] | None = None
    statistic: Callable[..., Mapping[str, Array]] | None = None
    counts: Callable[..., Mapping[str, Counted]] | None = None
