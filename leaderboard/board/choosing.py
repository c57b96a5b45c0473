"""Which rows of a board a view shows, and in which order.

Conventions: pure, over the dict rows of a frozen board. Nothing here changes a rank: filters leave
rows out, sorting turns them round, and what is missing comes last both ways.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from leaderboard.board.viewstate import BASELINE, SPOKEN, ViewState

PAGE = 50

Row = Mapping[str, Any]


class Chosen(NamedTuple):
    """Rows to show.

    Attributes:
        pinned: rows kept on top, in the order of their pins.
        rows: of the page.
        found: how many rows the filters leave.
        pages: how many pages they fill.
        page: number of this one; 0 where all rows are shown.
    """

    pinned: list[Row]
    rows: list[Row]
    found: int
    pages: int
    page: int


def choose(rows: Sequence[Row], state: ViewState) -> Chosen:
    """Filter, search, sort and cut the rows of a board."""
    found = in_order([row for row in rows if shows(row, state)], state.sort)
    pages = max(1, -(-len(found) // PAGE))
    page = min(state.page, pages)
    shown = found[PAGE * (page - 1) : PAGE * page] if page else found
    return Chosen(pinned(rows, state.pin), shown, len(found), pages, page)


def shows(row: Row, state: ViewState) -> bool:
    """Whether the filters and the search keep a row."""
    return (
        (not state.kind or row["kind"] in state.kind)
        and (not state.arch or row["architecture"] in state.arch)
        and (not state.weights or row.get("weights", "") in state.weights)
        and folded(state.q) in folded(f"{row['system']}\n{row['team']}")
    )


def folded(text: str) -> str:
    """The text as searches compare it: no case, no difference between wide and narrow forms."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def in_order(rows: Sequence[Row], sort: str) -> list[Row]:
    """Sort by a column; equal rows keep the order of the board, missing values come last."""
    if not sort:
        return list(rows)
    value, falling = reader(sort.removeprefix("-")), sort.startswith("-")
    known = [row for row in rows if value(row) is not None]
    missing = [row for row in rows if value(row) is None]
    # Reversing twice keeps equal rows in the order of the board.
    ordered = sorted(reversed(known) if falling else known, key=value)
    return [*(reversed(ordered) if falling else ordered), *missing]


def reader(name: str) -> Callable[[Row], Any]:
    """Return how the value of a column is found; ``None`` is a missing one."""
    base, _, language = name.rpartition("_")
    if language in SPOKEN:
        return lambda row: _number(row["languages"].get(language, {}).get(base, ""))
    special: dict[str, Callable[[Row], Any]] = {
        "rank": lambda row: row["rank"],
        "name": lambda row: folded(row["system"]),
        "received": lambda row: row.get("received") or None,
        "stability": lambda row: row.get("stability", {}).get("kept"),
    }
    return special.get(name, lambda row: _number(row[name]))


def pinned(rows: Sequence[Row], pins: Iterable[str]) -> list[Row]:
    """The pinned rows; ``baseline`` means every row of that kind."""
    keyed = list(zip(keys(rows), rows, strict=True))
    found: list[Row] = []
    for pin in pins:
        for key, row in keyed:
            is_meant = row["kind"] == BASELINE if pin == BASELINE else key == pin
            if is_meant and row not in found:
                found.append(row)
    return found


def keys(rows: Sequence[Row]) -> list[str]:
    """Names of rows in addresses: the system's, or the link where a system has several rows."""
    names = [row.get("system_slug") or row["link"] for row in rows]
    slugs = Counter(names)
    return [
        slug if slugs[slug] == 1 else row["link"] for slug, row in zip(names, rows, strict=True)
    ]


def _number(text: str) -> Decimal | None:
    return Decimal(text) if text else None
