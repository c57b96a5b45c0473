"""Which systems the figures of a scenario page draw: a page of them and pins, read and written."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from leaderboard import charts
from leaderboard.board.choices import Choice
from leaderboard.board.viewstate import MOST_PINS, Query
from leaderboard.scenarios.figures import DEFAULT, Shown

LONGEST = 4  # digits of a page


class Drawn(NamedTuple):
    """What a reader can choose: pages, pinned systems, systems to pin, and what a form carries."""

    pages: list[Choice]
    pins: list[Choice]
    others: list[tuple[str, str]]
    hidden: list[tuple[str, str]]


def read(query: Query, page: Mapping[str, Any]) -> Shown:
    """Read an address; what makes no sense, or is not on the page, is left out."""
    known = {key for key, _name in page["systems"]}
    asked = ",".join(str(one) for one in query.getlist("pin")).split(",")
    pins = tuple(dict.fromkeys(key for key in asked if key in known))[:MOST_PINS]
    texts = [str(one) for one in query.getlist("page")][-1:]
    number = next((int(one) for one in texts if _is_number(one)), 1)
    return Shown(min(max(number, 1), page["pages"]), pins)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST


def drawn(split: str, page: Mapping[str, Any], shown: Shown) -> Drawn | None:
    """Return the choices; ``None`` where one page has all systems."""
    if page["pages"] == 1:
        return None
    names, total = dict(page["systems"]), len(page["systems"])
    others = [(key, name) for key, name in page["systems"] if key not in shown.pins]
    carried = [("split", split), ("page", _page(shown)), ("pin", ",".join(shown.pins))]
    return Drawn(
        [_page_choice(split, shown, number, total) for number in range(1, page["pages"] + 1)],
        [Choice(names[key], _query(split, _without(shown, key)), True, key) for key in shown.pins],
        others,
        [(name, value) for name, value in carried if value],
    )


def _page_choice(split: str, shown: Shown, number: int, total: int) -> Choice:
    first = charts.MOST_ROWS * (number - 1) + 1
    last = min(charts.MOST_ROWS * number, total)
    query = _query(split, shown._replace(page=number))
    return Choice(f"{first}–{last}", query, number == shown.page)


def _without(shown: Shown, key: str) -> Shown:
    return shown._replace(pins=tuple(one for one in shown.pins if one != key))


def _query(split: str, shown: Shown) -> str:
    pairs = (("split", split), ("page", _page(shown)), ("pin", ",".join(shown.pins)))
    return f"?{urlencode([pair for pair in pairs if pair[1]], safe=',')}"


def _page(shown: Shown) -> str:
    return "" if shown.page == DEFAULT.page else str(shown.page)
