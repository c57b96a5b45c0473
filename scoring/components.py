"""What the items of one run add up from: counts and sums per item, one row each.

Conventions: rows in the order of the split's items; a *stratum* is a script in a language, written
``cn/follow_up``. Columns are a benchmark's own (``scoring.humdial.statistic.COLUMNS``). Whatever an
item lacks is a count of 0 with a sum of 0: it adds nothing to either side of a mean.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.errors import ScoringError

Array = npt.NDArray[np.float64]

# Sums of seconds keep the microsecond; more digits would only fill the database.
PLACES = 6


@dataclass(frozen=True, slots=True)
class Components:
    """Values of one system in one mode.

    Attributes:
        layout: strata with the number of items, in the order of the items.
        values: one row per item, one column per component.
    """

    layout: tuple[tuple[str, int], ...]
    values: Array

    @property
    def strata(self) -> dict[str, npt.NDArray[np.intp]]:
        """Which rows belong to each stratum, in order of appearance."""
        rows: dict[str, list[int]] = {}
        start = 0
        for name, size in self.layout:
            rows.setdefault(name, []).extend(range(start, start + size))
            start += size
        return {name: np.array(found, dtype=np.intp) for name, found in rows.items()}


class Counted(NamedTuple):
    """What a number counts that is a weighted mean of plain rates; one value per system.

    The number of items is the *effective* one (``effective_items``). Taken for the number of items
    in an interval for one rate, it keeps that interval honest where all or none succeeded, and an
    estimate of the variance would be 0 (Korn and Graubard 1998, Survey Methodology 24, 193-201).
    The interval for one rate is Wilson's, as Brown, Cai and DasGupta (2001) advise. With equal
    strata it is that of all items in one pot; a mean of some perfect and some empty strata gets a
    wider one than its strata need, rather than none.

    Attributes:
        rate: the mean, 0-1; NaN where there is none.
        items: the effective number of items behind it.
        scale: by how much the number grows while the rate goes from 0 to 1.
    """

    rate: Array
    items: Array
    scale: float


def effective_items(items: Sequence[Array], weights: Sequence[float] | None = None) -> Array:
    """How many equal items a mean of rates is worth (Kish 1965, Survey Sampling, 11.7).

    Args:
        items: how many are behind each rate.
        weights: of the rates in the mean; equal ones unless given.

    Returns:
        ``sum(w)**2 / sum(w**2 / items)``; 0 where a rate that weighs something counts nothing.
    """
    shares = np.ones(len(items)) if weights is None else np.asarray(weights, dtype=np.float64)
    used = [(share, one) for share, one in zip(shares, items, strict=True) if share > 0]
    with np.errstate(divide="ignore"):
        found: Array = shares.sum() ** 2 / np.sum([s**2 / one for s, one in used], axis=0)
    return found


def collect(strata: Iterable[str], rows: Sequence[Sequence[float]], width: int) -> Components:
    """Make components of item rows and the stratum that each belongs to."""
    layout = tuple((name, len(list(group))) for name, group in groupby(strata))
    return Components(layout, np.array(rows, dtype=np.float64).reshape(len(rows), width))


def to_json(modes: Mapping[str, Components], columns: Sequence[str]) -> dict[str, Any]:
    """Return the components of all modes of a run: per mode and column, a list over the items."""
    layout = next(iter(modes.values())).layout
    return {
        "strata": [list(pair) for pair in layout],
        **{mode: _lists(one, columns) for mode, one in modes.items()},
    }


def from_json(data: Mapping[str, Any], mode: str, columns: Sequence[str]) -> Components:
    """Read one mode of what ``to_json`` wrote.

    Raises:
        ScoringError: the mode or a column is not there, or a column has another number of items.
    """
    layout = tuple((str(name), int(size)) for name, size in data["strata"])
    length = sum(size for _, size in layout)
    stored = data.get(mode, {})
    if any(len(stored.get(name, ())) != length for name in columns):
        raise ScoringError(
            f"The stored components have no complete {mode} values.",
            cure="Make them anew from the item results.",
        )
    values = np.array([stored[name] for name in columns], dtype=np.float64).T
    return Components(layout, values.reshape(length, len(columns)))


def _lists(one: Components, columns: Sequence[str]) -> dict[str, list[float]]:
    rounded = np.round(one.values, PLACES)
    return {
        name: [int(value) if value.is_integer() else value for value in rounded[:, index].tolist()]
        for index, name in enumerate(columns)
    }
