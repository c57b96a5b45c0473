"""The columns of one view of a board: two levels of headings, with unit, direction and order."""

from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from leaderboard.board.viewstate import SORTED_DOWN, ViewState

TEXT_COLUMNS = ("architecture", "weights", "received", "stability")


@dataclass(frozen=True, slots=True)
class Head:
    """One heading of the second level; unit and arrow only where its group has none.

    Attributes:
        name: of the number in a row, with the language behind it.
        group: of the number without it.
        order: ``ascending`` or ``descending`` where the view is sorted by it.
        query: link of a click; empty where it cannot be sorted by.
    """

    name: str
    text: str
    group: str
    language: str = ""
    unit: str = ""
    places: int = 1
    higher_is_better: bool = True
    starts_group: bool = False
    is_text: bool = False
    order: str = ""
    query: str = ""

    @property
    def arrow(self) -> str:
        """The better direction; nothing for what is not a number."""
        if self.is_text or self.name in ("rank", "name"):
            return ""
        return "↑" if self.higher_is_better else "↓"


@dataclass(frozen=True, slots=True)
class Group:
    """Headings that share a heading above them."""

    title: str
    heads: tuple[Head, ...]

    @property
    def span(self) -> int:
        return len(self.heads)


def groups(state: ViewState) -> tuple[Group, ...]:
    """The columns behind the total, in order."""
    made = [*_numbers(state), *_texts(state)]
    return tuple(
        Group(group.title, (replace(group.heads[0], starts_group=True), *group.heads[1:]))
        for group in made
    )


def special(name: str, state: ViewState) -> Head:
    """Rank, name or total: columns that every view has."""
    titles = {"rank": _("Rank"), "name": _("Team or system"), "total": _("Total")}
    sorting = _sorting(name, state)
    if name == "total" and not state.sort:
        sorting["order"] = "descending"
    return Head(name, titles[name], name, **sorting)


def _numbers(state: ViewState) -> list[Group]:
    titles = {"interruption": _("Interruption"), "rejection": _("Rejection")}
    found = [
        Group(title, _by_language(name, state, unit="%"))
        for name, title in titles.items()
        if name in state.cols
    ]
    delay = _by_language("delay", state, unit="s") if "delay" in state.cols else ()
    if "delay_score" in state.cols:
        score = Head("delay_score", _("score"), "delay_score", **_sorting("delay_score", state))
        delay = (*delay, score)
    return [*found, Group(_("Delay"), delay)] if delay else found


def _by_language(name: str, state: ViewState, *, unit: str) -> tuple[Head, ...]:
    codes = {"cn": _("CN"), "en": _("EN")}
    seconds = name == "delay"
    common: dict[str, Any] = {
        "unit": unit,
        "places": 3 if seconds else 1,
        "higher_is_better": not seconds,
    }
    parts = [
        Head(
            f"{name}_{code}", codes[code], name, code, **common, **_sorting(f"{name}_{code}", state)
        )
        for code in state.languages
    ]
    whole = _("total") if seconds else _("all")
    return (*parts, Head(name, whole, name, **common, **_sorting(name, state)))


def _texts(state: ViewState) -> list[Group]:
    titles = {
        "architecture": _("Architecture"),
        "weights": _("Weights"),
        "received": _("Received"),
        "stability": _("Keeps its place"),
    }
    heads = [
        Head(name, titles[name], name, is_text=True, **_sorting(name, state))
        for name in TEXT_COLUMNS
        if name in state.cols
    ]
    return [Group(_("About"), tuple(heads))] if heads else []


def _sorting(name: str, state: ViewState) -> dict[str, Any]:
    if name not in SORTED_DOWN:
        return {}
    order = ""
    if state.sort.removeprefix("-") == name:
        order = "descending" if state.sort.startswith("-") else "ascending"
    return {"order": order, "query": state.sorted_by(name)}
