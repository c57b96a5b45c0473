"""The delay ledger: which boards changed the two latencies that every delay score hangs on."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

# What of a board the ledger reads.
SCALE = ("id", "created", "cause", "l_min", "l_min_holder", "l_base", "reference_name")
# Digits of a board's number in an address; more than that is no board.
LONGEST_NUMBER = 15


class Rescaled(NamedTuple):
    """A board whose scale differs from that of the board before it, or the first one."""

    number: int
    created: datetime
    cause: str
    l_min: str
    l_min_holder: str
    l_base: str
    reference_name: str


def ledger(boards: Iterable[Mapping[str, Any]]) -> list[Rescaled]:
    """Keep the boards that changed the scale, newest first; ``boards`` come in any order."""
    kept: list[Rescaled] = []
    for board in sorted(boards, key=lambda one: one["id"]):
        number, *rest = (board[name] for name in SCALE)
        one = Rescaled(number, *rest)
        if not kept or (one.l_min, one.l_base) != (kept[-1].l_min, kept[-1].l_base):
            kept.append(one)
    return kept[::-1]


def day(text: str) -> date | None:
    """Read a day as in 2026-11-30; anything else is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
