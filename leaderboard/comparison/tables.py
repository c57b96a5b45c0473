"""The tables and the drawing of a comparison, ready for their templates and exports."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from leaderboard import words
from leaderboard.comparison.data import Contender
from leaderboard.comparison.numbers import (
    COLUMNS,
    FALLING,
    Agreement,
    Comparison,
    Difference,
    Pair,
    Rates,
)
from leaderboard.comparison.words import TITLES, UNITS, interval, other_wins, signed
from leaderboard.show.numbers import DASH, rate, share
from scoring.humdial import SCENARIOS
from submissions.models import Split

SCHEMA = "compare/1"
# Drawing of the places, in units of its view box.
LEFT, TOP, STEP, COLUMN, NUDGE = 250, 40, 36, 52, 20


class Value(NamedTuple):
    """One number of one system, or why there is none."""

    text: str
    reason: str = ""


class Gap(NamedTuple):
    """A difference to the first system; ``verdict`` is empty where chance may explain it."""

    text: str
    interval: str = ""
    verdict: str = ""
    reason: str = ""


class Line(NamedTuple):
    """One measure: the first system's value, then value and difference of every other."""

    name: str
    title: Any
    unit: str
    arrow: str
    starts_block: bool
    first: Value
    others: tuple[tuple[Value, Gap], ...]


class Cell(NamedTuple):
    """Items on which two systems agree or not, with the address of their list."""

    items: int
    share: str
    link: str


class AgreementLine(NamedTuple):
    """One scenario."""

    scenario: Any
    slug: str
    cells: tuple[Cell, ...]


class Node(NamedTuple):
    """One system at one scenario of the drawing."""

    mark: str
    x: int
    y: int
    text_y: int


class Slope(NamedTuple):
    """One system's way through the scenarios."""

    mark: str
    line: str
    nodes: tuple[Node, ...]


class Slopes(NamedTuple):
    """The drawing of places by scenario: rows of scenarios, columns of places."""

    width: int
    height: int
    rows: tuple[tuple[Any, int], ...]
    columns: tuple[tuple[int, int], ...]
    systems: tuple[Slope, ...]


def lines(found: Sequence[Contender], made: Comparison) -> list[Line]:
    """The totals, then every scenario of which a system has a rate."""
    known = [slug for slug in SCENARIOS if any(slug in rates for rates in made.rates)]
    return [_line(name, found, made) for name in (*COLUMNS, *known)]


def _line(name: str, found: Sequence[Contender], made: Comparison) -> Line:
    values = [_value(name, one, rates) for one, rates in zip(found, made.rates, strict=True)]
    gaps = [_gap(name, pair) for pair in made.pairs]
    is_falling = name in FALLING
    return Line(
        name,
        TITLES[name],
        UNITS.get(name, "%" if name in SCENARIOS else ""),
        "↓" if is_falling else "↑",
        name == SCENARIOS[0],
        values[0],
        tuple(zip(values[1:], gaps, strict=True)),
    )


def _value(name: str, one: Contender, rates: Rates) -> Value:
    if name in COLUMNS:
        text = one.values[name]
        return Value(text) if text else Value(DASH, _("a part of it is missing"))
    if name in rates:
        return Value(rate(rates[name]))
    if one.run is None:
        return Value(DASH, _("no source prints single scenarios"))
    return Value(DASH, _("no item could be counted"))


def _gap(name: str, pair: Pair) -> Gap:
    found = pair.differences.get(name)
    if found is None:
        return Gap(DASH, reason=_("one of the two numbers is missing"))
    return Gap(signed(found.value, name), interval(name, found), _word(name, found))


def _word(name: str, found: Difference) -> str:
    if not found.is_separable:
        return ""
    return "better" if other_wins(name, found) else "worse"


def agreement(
    split: Split, one: Contender, other: Contender, cells: Mapping[str, Agreement]
) -> list[AgreementLine]:
    """Both right, only the first, only the second, neither; linked where the reader may look."""
    may_look = one.shows_items and other.shows_items
    base = reverse("items", args=[split.slug]) if may_look else ""
    systems = f"{one.key},{other.key}"
    return [
        AgreementLine(words.SCENARIOS[slug], slug, tuple(_cells(slug, found, base, systems)))
        for slug, found in cells.items()
    ]


def _cells(slug: str, found: Agreement, base: str, systems: str) -> Iterable[Cell]:
    for name, count in found._asdict().items():
        query = {"sys": systems, "scenario": slug, "agree": name.replace("_", "-")}
        link = f"{base}?{urlencode(query, safe=',')}" if base and count else ""
        yield Cell(count, share(Decimal(count) / found.items), link)


def slopes(found: Sequence[Contender], made: Comparison) -> Slopes | None:
    """Draw the places of all systems by scenario; ``None`` where fewer than two have any."""
    shown = [slug for slug in SCENARIOS if sum(p is not None for p in made.places[slug]) > 1]
    if not shown:
        return None
    most = sum(bool(rates) for rates in made.rates)
    systems = tuple(
        _slope(number, one.mark, shown, made)
        for number, one in enumerate(found)
        if made.rates[number]
    )
    return Slopes(
        LEFT + COLUMN * most,
        TOP + STEP * len(shown),
        tuple((words.SCENARIOS[slug], _y(row) + 4) for row, slug in enumerate(shown)),
        tuple((place, _x(place)) for place in range(1, most + 1)),
        systems,
    )


def _slope(number: int, mark: str, shown: Sequence[str], made: Comparison) -> Slope:
    nodes = []
    for row, slug in enumerate(shown):
        place = made.places[slug][number]
        if place is not None:
            # Systems that share a place stand beside each other.
            before = made.places[slug][:number].count(place)
            nodes.append(Node(mark, _x(place) + NUDGE * before, _y(row), _y(row) + 4))
    path = " ".join(f"{node.x},{node.y}" for node in nodes)
    return Slope(mark, path, tuple(nodes))


def _x(place: int) -> int:
    return LEFT + COLUMN * (place - 1) + COLUMN // 3


def _y(row: int) -> int:
    return TOP + STEP * row


def rows(found: Sequence[Contender], made: Comparison) -> list[dict[str, Any]]:
    """The differences as flat rows for CSV and JSON; differences of the numbers as shown."""
    made_rows = []
    for other, pair in zip(found[1:], made.pairs, strict=True):
        for name in (*COLUMNS, *SCENARIOS):
            gap = pair.differences.get(name)
            made_rows.append(
                {
                    "measure": name,
                    "one": found[0].key,
                    "one_name": found[0].name,
                    "other": other.key,
                    "other_name": other.name,
                    "one_value": _plain(name, found, made, 0),
                    "other_value": _plain(name, found, made, found.index(other)),
                    "difference": _rounded(gap and gap.value),
                    "low": _rounded(gap and gap.low),
                    "high": _rounded(gap and gap.high),
                    "separable": None if gap is None or gap.low is None else gap.is_separable,
                }
            )
    return made_rows


def _plain(name: str, found: Sequence[Contender], made: Comparison, number: int) -> str | None:
    if name in COLUMNS:
        return found[number].values[name] or None
    found_rate = made.rates[number].get(name)
    return None if found_rate is None else rate(found_rate)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def agreement_rows(found: Sequence[Contender], made: Comparison) -> list[dict[str, Any]]:
    """Agreement with the first system as flat rows."""
    return [
        {"one": found[0].key, "other": other.key, "scenario": slug, **cells._asdict()}
        for other, pair in zip(found[1:], made.pairs, strict=True)
        for slug, cells in pair.agreement.items()
    ]
