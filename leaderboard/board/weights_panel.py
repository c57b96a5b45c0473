"""Other weights beside a board's own: order, totals, and how firmly each place stands.

Conventions: ranked rows only, from the numbers that their totals are made of, by the rule that
ranked them. The ranking of the board stays what it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from leaderboard.board.cells import kept
from leaderboard.board.choosing import PAGE
from leaderboard.board.rules import PROTOCOL, Rules
from leaderboard.board.viewstate import ViewState
from leaderboard.show.numbers import share, span
from scoring.ranking import Weights
from scoring.weighting import Parts, others, reweighted

NAMES = ("interruption", "rejection", "delay_score")


@dataclass(frozen=True, slots=True)
class Field:
    """One weight of the form."""

    name: str
    label: str
    value: str


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
    """The panel with its form and, where weights were chosen, its table.

    Attributes:
        own: the board's weights in percent.
        step: of the fields, small enough for the board's own weights.
        shares: the chosen weights.
    """

    own: str
    step: str
    fields: tuple[Field, ...]
    lines: tuple[Line, ...]
    shares: str
    left_out: int
    sentence: str


def panel(rows: Sequence[Mapping[str, Any]], state: ViewState, rules: Rules = PROTOCOL) -> Panel:
    """Make the panel of a board."""
    ranked = [row for row in rows if row["rank"] is not None and row["total"]]
    chosen = tuple(map(str, state.w)) or rules.percents
    labels = (_("Interruption"), _("Rejection"), _("Delay score"))
    lines = _lines(ranked, state.w, rules.mode) if state.w else []
    return Panel(
        " : ".join(rules.percents),
        "1" if all(one.isdigit() for one in rules.percents) else "0.1",
        tuple(Field(*triple) for triple in zip(NAMES, labels, chosen, strict=True)),
        tuple(lines[:PAGE]),
        " : ".join(chosen),
        max(0, len(lines) - PAGE),
        _sentence(ranked, rules),
    )


def _lines(
    ranked: Sequence[Mapping[str, Any]], weights: Sequence[Decimal], mode: str
) -> list[Line]:
    shares = Weights(*(Decimal(weight) / sum(weights) for weight in weights))
    found = reweighted([_parts(row) for row in ranked], shares, mode=mode)
    lines = [
        Line(
            row["system"],
            row["rank"],
            one.place,
            _move(row["rank"], one.place),
            str(one.total),
            share(kept(row)),
            _range(row),
        )
        for row, one in zip(ranked, found, strict=True)
    ]
    return sorted(lines, key=lambda line: line.place)


def _parts(row: Mapping[str, Any]) -> Parts:
    """Exact where the board has them; boards from before they were kept have the shown ones."""
    first, second, third = (Decimal(row.get(f"{name}_raw") or row[name]) for name in NAMES)
    return first, second, third


def _move(before: int, now: int) -> str:
    if before == now:
        return ""
    return f"↑ {before - now}" if now < before else f"↓ {now - before}"


def _range(row: Mapping[str, Any]) -> str:
    firm = row.get("stability", {})
    if not firm:
        return ""
    low, high = firm["low"], firm["high"]
    return str(low) if low == high else span(low, high)


def _sentence(ranked: Sequence[Mapping[str, Any]], rules: Rules) -> str:
    """What the order owes to the weights, in one sentence."""
    first = next((row for row in ranked if row["rank"] == 1 and row.get("stability")), None)
    if first is None:
        return ""
    return _(
        "With %(count)d other weightings, each part from 5 to 90 %%, %(name)s stays first in "
        "%(kept)s of them."
    ) % {
        "count": len(others(rules.weights)), "name": first["system"], "kept": share(kept(first)),
    }  # fmt: skip
