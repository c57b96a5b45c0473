"""What the items of one run add up from: counts and sums per item, one row each.

Conventions: rows in the order of the split's items; a *stratum* is a script in a language, written
``cn/follow_up``. Columns are a benchmark's own (``scoring.humdial.statistic.COLUMNS``). Whatever an
item lacks is a count of 0 with a sum of 0: it adds nothing to either side of a mean.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

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
