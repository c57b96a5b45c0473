"""Paired differences to a pinned row, from draws that were kept when its board was frozen.

Conventions: numbers are kept with ``PLACES`` decimals, as 32-bit wholes in four planes of bytes,
which compress to half: about 20 kB for a run of 11 numbers and 1,000 draws. Whatever is equal stays
exactly equal. The first of a number's values is the one on the items as they are. Draws that come
out alike on several boards are kept once. A number that no draw varies has the interval that the
board gives it.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from leaderboard.board import choosing
from leaderboard.board.columns import groups
from leaderboard.board.spread import PLACES, Drawn
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Draws
from scoring.components import Array
from scoring.uncertainty import MIN_ITEMS, Difference, Interval, Resampled
from submissions.models import Run

# Units of one.
UNITS = 10**PLACES
UNDEFINED = np.iinfo(np.int32).min
FAST = 1  # zlib level: more of them hardly gains
AT_ONCE = 100  # rows of some 20 kB in one statement

Row = Mapping[str, Any]
# By number of the kept draws (a row without any has none) and name of the column.
Gaps = Mapping[int | None, Mapping[str, Difference]]


def keep(drawn: Drawn | None, runs: Sequence[Run | None]) -> dict[int, int]:
    """Keep the draws of a board's rows, ``runs`` in its order; return their numbers by row."""
    if drawn is None or drawn.made.smallest < MIN_ITEMS:
        return {}
    names = sorted(drawn.made.points)
    new = {
        number: _draws(drawn.made, place, names, run)
        for place, number in enumerate(drawn.numbers)
        if (run := runs[number]) is not None
    }
    known = _known(one.run_id for one in new.values())
    missing = [one for one in new.values() if (one.run_id, one.digest) not in known]
    for one in missing:
        one.content = zlib.compress(one.content, FAST)
    Draws.objects.bulk_create(missing, batch_size=AT_ONCE)
    known |= {(one.run_id, one.digest): one.pk for one in missing}
    return {number: known[one.run_id, one.digest] for number, one in new.items()}


def _known(runs: Iterable[int]) -> dict[tuple[int, str], int]:
    found = Draws.objects.filter(run__in=list(runs)).values_list("run_id", "digest", "pk")
    return {(run, digest): pk for run, digest, pk in found}


def _draws(made: Resampled, place: int, names: Sequence[str], run: Run) -> Draws:
    """One run's draws, not compressed yet: most boards have nearly all of them already."""
    values = np.stack([_column(made, name, place) for name in names])
    content = packed(values)
    head = f"{names} {made.smallest} ".encode()
    return Draws(
        run=run,
        digest=hashlib.sha256(head + content).hexdigest(),
        columns=names,
        smallest=made.smallest,
        content=content,
    )


def _column(made: Resampled, name: str, place: int) -> Array:
    return np.concatenate([made.points[name][place : place + 1], made.draws[name][:, place]])


def packed(values: Array) -> bytes:
    """Write numbers as planes of bytes; NaN has a whole of its own."""
    wholes = np.where(np.isnan(values), UNDEFINED, np.round(np.nan_to_num(values) * UNITS))
    return np.ascontiguousarray(wholes.astype("<i4").reshape(-1, 1).view(np.uint8).T).tobytes()


def unpacked(content: bytes, columns: int) -> Array:
    """Read what ``packed`` wrote, one line per column."""
    planes = np.frombuffer(content, dtype=np.uint8).reshape(4, -1)
    wholes = np.ascontiguousarray(planes.T).view("<i4").reshape(columns, -1)
    return np.where(wholes == UNDEFINED, np.nan, wholes / UNITS)


def gaps(rows: Sequence[Row], state: ViewState) -> Gaps:
    """Paired differences of the rows that a view shows to its first pinned one, where known."""
    if not state.diff:
        return {}
    chosen = choosing.choose(rows, state)
    first = chosen.pinned[0].get("draws") if chosen.pinned else None
    if first is None:
        return {}
    shown = {
        pk: row for row in (*chosen.pinned, *chosen.rows) if (pk := row.get("draws")) is not None
    }
    names = ["total", *(head.name for group in groups(state) for head in group.heads)]
    return _against(first, _load(shown), names, shown)


def gaps_of_all(rows: Sequence[Row], state: ViewState) -> Gaps:
    """The same for every page of a view at once."""
    return gaps(rows, replace(state, page=0))


def _load(wanted: Iterable[int]) -> dict[int, Draws]:
    return Draws.objects.in_bulk(list(wanted))


def _against(
    first: int, kept: Mapping[int, Draws], names: Sequence[str], rows: Mapping[int, Row]
) -> Gaps:
    """Differences to one of the loaded; nothing where it is gone, or others had other items."""
    if first not in kept:
        return {}
    base = kept[first]
    alike = [one for one in kept.values() if one.columns == base.columns]
    made, place = _resampled(alike, base, rows), alike.index(base)
    found = {name: made.differences(name, place) for name in names if name in made.points}
    return {
        one.pk: {name: gap for name, gaps in found.items() if (gap := gaps[number]) is not None}
        for number, one in enumerate(alike)
        if number != place
    }


def _resampled(found: Sequence[Draws], base: Draws, rows: Mapping[int, Row]) -> Resampled:
    every = np.stack(
        [unpacked(zlib.decompress(one.content), len(base.columns)) for one in found], axis=-1
    )
    return Resampled(
        points={name: every[number, 0] for number, name in enumerate(base.columns)},
        draws={name: every[number, 1:] for number, name in enumerate(base.columns)},
        smallest=min(one.smallest for one in found),
        counted={name: [_interval(rows[one.pk], name) for one in found] for name in base.columns},
    )


def _interval(row: Row, name: str) -> Interval | None:
    ends = row.get("intervals", {}).get(name)
    return Interval(*ends) if ends else None
