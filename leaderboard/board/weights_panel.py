"""Other weights beside the official ones: order, totals, and how firmly each place stands.

Conventions: shown numbers only (what the board prints), ranked rows only. The official ranking
stays what it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from leaderboard.board.choosing import PAGE
from leaderboard.board.viewstate import ViewState
from scoring.rounding import half_up
from scoring.weighting import OFFICIAL, Parts, reweighted, weightings

NAMES = ("interruption", "rejection", "delay_score")


@dataclass(frozen=True, slots=True)
class Field:
    """One weight of the form."""

    name: str
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """One ranked system under other weights."""

    name: str
    official: int
    place: int
    move: str
    total: str
    kept: str
    range: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel with its form and, where weights were chosen, its table."""

    fields: tuple[Field, ...]
    lines: tuple[Line, ...]
    shares: str
    left_out: int
    sentence: str


def panel(rows: Sequence[Mapping[str, Any]], state: ViewState) -> Panel:
    """Make the panel of a board."""
    ranked = [row for row in rows if row["rank"] is not None and row["total"]]
    chosen = state.w or OFFICIAL
    labels = (_("Interruption"), _("Rejection"), _("Delay score"))
    triples = zip(NAMES, labels, chosen, strict=True)
    lines = _lines(ranked, state.w) if state.w else []
    return Panel(
        tuple(Field(*triple) for triple in triples),
        tuple(lines[:PAGE]),
        " : ".join(map(str, chosen)),
        max(0, len(lines) - PAGE),
        _sentence(ranked),
    )


def _lines(ranked: Sequence[Mapping[str, Any]], weights: Sequence[int]) -> list[Line]:
    shares = [Decimal(100 * weight) / sum(weights) for weight in weights]
    found = reweighted([_parts(row) for row in ranked], shares)
    lines = [
        Line(
            row["system"],
            row["rank"],
            one.place,
            _move(row["rank"], one.place),
            str(half_up(one.total, 1)),
            _kept(row),
            _range(row),
        )
        for row, one in zip(ranked, found, strict=True)
    ]
    return sorted(lines, key=lambda line: line.place)


def _parts(row: Mapping[str, Any]) -> Parts:
    first, second, third = (Decimal(row[name]) for name in NAMES)
    return first, second, third


def _move(before: int, now: int) -> str:
    if before == now:
        return ""
    return f"↑ {before - now}" if now < before else f"↓ {now - before}"


def _kept(row: Mapping[str, Any]) -> str:
    kept = row.get("stability", {}).get("kept")
    return "" if kept is None else f"{half_up(100 * Decimal(str(kept)), 0)} %"


def _range(row: Mapping[str, Any]) -> str:
    firm = row.get("stability", {})
    if not firm:
        return ""
    low, high = firm["low"], firm["high"]
    return str(low) if low == high else f"{low}–{high}"


def _sentence(ranked: Sequence[Mapping[str, Any]]) -> str:
    """What the order owes to the weights, in one sentence."""
    first = next((row for row in ranked if row["rank"] == 1 and row.get("stability")), None)
    if first is None:
        return ""
    return _(
        "With %(count)d other weightings, each part from 5 to 90 %%, %(name)s stays first in "
        "%(kept)s of them."
    ) % {"count": len(weightings()), "name": first["system"], "kept": _kept(first)}
