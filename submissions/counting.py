"""Which entry of a team stands on the board, pure over plain values.

Conventions: times are aware datetimes. A choice ends with the window, or with the reveal where
that comes first: later nobody may pick the best of what became known. What stood at that moment is
what a team is judged by: taking it back, or having it taken off, puts no other entry in its place.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar


class Entry(Protocol):
    """What is asked of an entry."""

    team_id: int
    created: datetime
    is_chosen: bool


E = TypeVar("E", bound=Entry)


def choice_ends(closes: datetime | None, reveal: datetime | None) -> datetime | None:
    """When the choice of the entry that counts ends; ``None`` while nothing ends it.

    Args:
        closes: end of the window.
        reveal: when blind scores are shown; ``None`` where none are blind.
    """
    return min((one for one in (closes, reveal) if one is not None), default=None)


def one_of_each_team(
    standing: Sequence[E],
    gone: Iterable[tuple[E, datetime]],
    *,
    ends: datetime | None,
    by_choice: bool,
) -> list[E]:
    """The entries that stand for their teams, in the order of ``standing``.

    Args:
        standing: entries that may be on the board now.
        gone: entries that were withdrawn or disqualified, and since when.
        ends: when the choice ends, as ``choice_ends`` says.
        by_choice: whether the one that a team chose goes before its newest.
    """
    late = [entry for entry, since in gone if ends is not None and since > ends]
    meant: dict[int, E] = {}
    for entry in sorted([*standing, *late], key=lambda one: _place(one, by_choice=by_choice)):
        meant[entry.team_id] = entry
    return [one for one in standing if meant[one.team_id] is one]


def _place(entry: Entry, *, by_choice: bool) -> tuple[bool, datetime]:
    return by_choice and entry.is_chosen, entry.created
