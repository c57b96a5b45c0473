"""What moved between two boards of a split: entries, places, and the constants of the delay score.

Conventions: rows are dicts of frozen boards; a row is the same one if origin and link are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.board.rules import read

Rows = Sequence[Mapping[str, Any]]

# What of a board a comparison reads.
COMPARED = ("rows", "l_min", "l_min_holder", "l_base", "rules")


@dataclass(frozen=True, slots=True)
class Movement:
    """What changed since another board.

    Attributes:
        since: number of that board.
        new, gone: names of systems.
        places: name, place before and place now, of systems on both boards.
        totals: the same with totals.
        l_min, l_base: before and now, where the constant changed; ``l_min`` with its holders.
        weights: those of the total before and now, in percent, where they changed.
    """

    since: int
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    places: list[list[Any]] = field(default_factory=list)
    totals: list[list[str]] = field(default_factory=list)
    l_min: list[str] = field(default_factory=list)
    l_base: list[str] = field(default_factory=list)
    weights: list[str] = field(default_factory=list)


def movement(number: int, before: Mapping[str, Any], now: Mapping[str, Any]) -> Movement:
    """Compare two boards, each with the keys ``COMPARED``."""
    old, new = _by_identity(before["rows"]), _by_identity(now["rows"])
    both = [(old[key], row) for key, row in new.items() if key in old]
    return Movement(
        number,
        new=[row["system"] for key, row in new.items() if key not in old],
        gone=[row["system"] for key, row in old.items() if key not in new],
        places=_changes(both, "rank"),
        totals=_changes(both, "total"),
        l_min=_constant(before, now, "l_min", "l_min_holder"),
        l_base=_constant(before, now, "l_base"),
        weights=_weights(before["rules"], now["rules"]),
    )


def _by_identity(rows: Rows) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {(row["origin"], row["link"]): row for row in rows}


def _changes(
    pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], name: str
) -> list[list[Any]]:
    return [
        [now["system"], before[name], now[name]]
        for before, now in pairs
        if before[name] != now[name]
    ]


def _weights(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    old, new = (read(one).percents for one in (before, now))
    return [] if old == new else [" : ".join(old), " : ".join(new)]


def _constant(before: Mapping[str, Any], now: Mapping[str, Any], *names: str) -> list[str]:
    if before[names[0]] == now[names[0]]:
        return []
    return [*(before[name] for name in names), *(now[name] for name in names)]
