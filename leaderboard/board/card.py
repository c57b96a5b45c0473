"""What the card of a board says: its first five systems, or one system among them.

Conventions: pure, from the rows of a frozen board; numbers as the board shows them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import sentences
from leaderboard.board import provenance
from leaderboard.board.cells import interval_of
from leaderboard.models import Snapshot
from leaderboard.show.numbers import DASH, span

FIRST = 5
Row = Mapping[str, Any]


class Line(NamedTuple):
    """One system; ``is_own`` marks whom the card is about."""

    rank: str
    ranks: str
    name: str
    team: str
    total: str
    interval: str
    is_own: bool = False


class Card(NamedTuple):
    """Everything that is written on a card."""

    site: str
    title: str
    subtitle: str
    heads: tuple[str, str, str]
    lines: tuple[Line, ...]
    foot: str
    stamp: str = ""


def of_board(snapshot: Snapshot, site: str) -> Card:
    """The first five of a board."""
    rows = _ranked(snapshot.rows)[:FIRST]
    title = sentences.known(snapshot.split.name)
    return _card(snapshot, site, title, _origin(snapshot), [_line(row) for row in rows])


def of_system(snapshot: Snapshot, site: str, row: Row) -> Card:
    """One system with the first of its board, and itself where it is not among them."""
    first = _ranked(snapshot.rows)[:FIRST]
    rows = first if row in first else [*first[: FIRST - 1], row]
    lines = [_line(one, is_own=one is row) for one in rows]
    subtitle = f"{sentences.known(snapshot.split.name)} · {_origin(snapshot)}"
    return _card(snapshot, site, row["system"], subtitle, lines)


def row_of(rows: Sequence[Row], slug: str) -> Row | None:
    """The first row of a system."""
    return next((row for row in rows if row.get("system_slug") == slug), None)


def _ranked(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["rank"] is not None]


def _line(row: Row, *, is_own: bool = False) -> Line:
    low, high = row.get("rank_low"), row.get("rank_high")
    return Line(
        DASH if row["rank"] is None else str(row["rank"]),
        "" if low is None or high is None else span(low, high),
        row["system"],
        "" if row["team"] == row["system"] else row["team"],
        row["total"] or DASH,
        interval_of(row, "total", 1),
        is_own,
    )


def _origin(snapshot: Snapshot) -> str:
    values = {"number": snapshot.pk, "date": f"{snapshot.created:%Y-%m-%d}"}
    return _("Board %(number)d, frozen %(date)s") % values


def _card(snapshot: Snapshot, site: str, title: str, subtitle: str, lines: Sequence[Line]) -> Card:
    return Card(
        site,
        title,
        subtitle,
        (_("Rank"), _("System"), _("Total")),
        tuple(lines),
        _foot(snapshot),
        provenance.stamp(snapshot),
    )


def _foot(snapshot: Snapshot) -> str:
    """How many entries there are, and what the small numbers mean where there are any."""
    total = len(snapshot.rows)
    if not total:
        return _("No entry is on the board yet.")
    count = ngettext("%(total)s entry", "%(total)s entries", total) % {"total": total}
    if snapshot.draws:
        # xgettext:no-python-format
        meant = _("small: 95 % intervals of rank and total")
    elif all(row["origin"] == "reported" for row in snapshot.rows):
        meant = _("as reported; no intervals")
    else:
        meant = _("no intervals")
    return f"{count} · {meant}"
