"""What a reader can choose on a board page: filters, columns, languages, pages, modes.

Conventions: every choice is a link to another view, or a field of the form; what the board does not
have is not offered.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from leaderboard import words
from leaderboard.board.tables import Board
from leaderboard.board.viewstate import (
    ARCHITECTURES,
    COLUMNS,
    DEFAULT,
    DEFAULT_COLUMNS,
    KINDS,
    WEIGHTS,
    ViewState,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One link or box: its words, where it leads, and whether it is chosen now."""

    text: str
    query: str
    is_on: bool
    value: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """One row of chips."""

    title: str
    choices: tuple[Choice, ...]


def filters(rows: Sequence[Mapping[str, Any]], state: ViewState) -> list[Filter]:
    """Chips for what the rows of a board differ in."""
    sorts: tuple[tuple[str, str, str, Sequence[str], Mapping[str, Any]], ...] = (
        ("kind", "kind", _("Kind"), KINDS, words.KINDS),
        ("weights", "weights", _("Weights"), WEIGHTS, words.WEIGHTS),
        ("arch", "architecture", _("Architecture"), ARCHITECTURES, words.ARCHITECTURES),
    )
    found = []
    for key, column, title, known, texts in sorts:
        there = {row.get(column, "") for row in rows}
        if len(there) > 1 or getattr(state, key):
            values = [one for one in known if one in there or one in getattr(state, key)]
            found.append(Filter(title, tuple(_chips(state, key, values, texts))))
    return [one for one in found if one.choices]


def _chips(
    state: ViewState, key: str, values: Iterable[str], texts: Mapping[str, Any]
) -> Iterable[Choice]:
    chosen = getattr(state, key)
    for value in values:
        yield Choice(str(texts[value]), state.toggled(key, value), value in chosen, value)


def languages(state: ViewState) -> list[Choice]:
    """The switch between totals and numbers by language."""
    options = {"": _("totals"), "cn": _("+ CN"), "en": _("+ EN"), "both": _("+ CN and EN")}
    return [
        Choice(text, state.query(lang=code), code == state.lang, code)
        for code, text in options.items()
    ]


def columns(state: ViewState) -> list[Choice]:
    """Boxes of the column picker."""
    titles = {
        "interruption": _("Interruption"),
        "rejection": _("Rejection"),
        "delay": _("Total delay"),
        "delay_score": _("Delay score"),
        "architecture": _("Architecture"),
        "weights": _("Weights"),
        "received": _("Received"),
        "stability": _("Keeps its place"),
    }
    return [Choice(titles[name], "", name in state.cols, name) for name in COLUMNS]


def hidden_fields(state: ViewState, *own: str) -> list[tuple[str, str]]:
    """What a form has to carry along, so that its answer keeps the rest of the view."""
    pairs = [
        ("arch", ",".join(state.arch)),
        ("cols", ",".join(state.cols) if state.cols != DEFAULT_COLUMNS else ""),
        ("diff", "1" if state.diff else ""),
        ("kind", ",".join(state.kind)),
        ("lang", state.lang),
        ("pin", ",".join(state.pin) or "none" if state.pin != DEFAULT.pin else ""),
        ("q", state.q),
        ("sort", state.sort),
        ("w", "-".join(map(str, state.w))),
        ("weights", ",".join(state.weights)),
    ]
    return [(name, value) for name, value in pairs if value and name not in own]


def pages(board: Board, state: ViewState) -> list[Choice]:
    """Links to the pages of a long board, and to all rows at once."""
    if board.pages == 1:
        return []
    numbers = [
        Choice(str(number), state.query(page=number), number == board.page)
        for number in range(1, board.pages + 1)
    ]
    return [*numbers, Choice(_("all"), state.query(page=0), board.page == 0)]


@dataclass(frozen=True, slots=True)
class Links:
    """Views one step away."""

    plain: str
    difference: str
    unsorted: str
    difference_to: str


def links(board: Board, state: ViewState) -> Links:
    """Links out of and into the special modes of a view."""
    return Links(
        plain=state.query(diff=False),
        difference=state.query(diff=True),
        unsorted=state.query(sort="", page=1),
        difference_to=board.pinned[0].name if board.pinned else "",
    )
