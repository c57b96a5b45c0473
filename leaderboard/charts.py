"""Figures as plain data: dot plots, stacked shares and boxes, for any page that has some.

Conventions: pure; a figure is a dict that plotly.js understands, with rounded plain lists and no
template. Colours are names of tokens (``var(--rejection)``), put in by ``static/js/charts.js``, so
that one figure serves both themes. Every series has a second channel: a marker's shape or a hatch.
Names of systems are made ``plain``, since plotly reads some tags in its texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Pixels of a row with one system, of a bar, and around the rows.
ROW, AROUND = 30, 96
# More rows than this nobody reads as one drawing; the table beside it has all.
MOST_ROWS = 40
LONGEST_NAME = 20
PLACES = 3

# Above the drawing, from its left edge on, in the order of the series.
LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 1.02,
    "yanchor": "bottom",
    "traceorder": "normal",
}

Figure = dict[str, Any]


class Ink(NamedTuple):
    """How a series looks: a colour, and a shape or a hatch that tells it without colour."""

    colour: str
    symbol: str = "circle"
    hatch: str = ""


class Dot(NamedTuple):
    """A point with its interval, in the unit of the axis; ``row`` counts from the top."""

    row: int
    value: float
    low: float | None
    high: float | None
    hover: str


class Box(NamedTuple):
    """Five numbers of a distribution and its mean, in one row."""

    row: int
    fences: tuple[float, float, float, float, float]
    mean: float | None
    hover: str


class Point(NamedTuple):
    """A labelled point of a scatter."""

    x: float
    y: float
    label: str
    hover: str


class Head(NamedTuple):
    """Heading of a column, of numbers unless it says otherwise."""

    text: Any
    unit: str = ""
    arrow: str = ""
    is_text: bool = False


class Cell(NamedTuple):
    """One value; ``reason`` says why it is missing, ``aside`` stands beside it in small type."""

    text: str
    aside: str = ""
    reason: str = ""
    link: str = ""
    is_text: bool = False


class Table(NamedTuple):
    """The same numbers to read; the first cell of a row names it."""

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure with the sentence that says what it shows.

    Attributes:
        slug: of the figure on its page, and of its table in exports.
        title: heading.
        sentence: made from the data.
        table: the numbers behind it.
        figure: for plotly; empty where there is nothing to draw.
        note: what the drawing leaves out, or how it is meant.
        note_narrow: the same where the drawing is as narrow as on a phone, if that differs.
        export: name of the table in the page's CSV.
    """

    slug: str
    title: str
    sentence: str
    table: Table
    figure: Figure = field(default_factory=dict)
    note: str = ""
    note_narrow: str = ""
    export: str = ""

    @property
    def data_id(self) -> str:
        """Id of the element that holds the figure."""
        return f"{self.slug}-data"

    @property
    def height(self) -> int:
        """Pixels that the drawing takes."""
        return int(self.figure["layout"]["height"]) if self.figure else 0


def dots(
    names: Sequence[str], series: Sequence[tuple[str, Ink, Sequence[Dot]]], title: str
) -> Figure:
    """One row per system; every series a point with an interval, beside each other."""
    offsets = _offsets(len(series))
    data = [
        _dots(label, ink, points, offset)
        for (label, ink, points), offset in zip(series, offsets, strict=True)
    ]
    return {"data": data, "layout": _rows_layout(names, title, range=[-2, 102])}


def _dots(label: str, ink: Ink, points: Sequence[Dot], offset: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label,
        "x": rounded(point.value for point in points),
        "y": rounded(point.row + offset for point in points),
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": rounded(_reach(point.high, point.value) for point in points),
            "arrayminus": rounded(_reach(point.value, point.low) for point in points),
            "color": ink.colour,
            "thickness": 1.5,
            "width": 3,
        },
        "marker": {
            "color": ink.colour,
            "symbol": ink.symbol,
            "size": 9,
            "line": {"color": ink.colour, "width": 2},
        },
        "text": [point.hover for point in points],
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
    }


def _reach(one: float | None, other: float | None) -> float:
    return 0.0 if one is None or other is None else max(one - other, 0.0)


def shares(
    names: Sequence[str],
    series: Sequence[tuple[str, Ink, Sequence[float], Sequence[str]]],
    title: str,
) -> Figure:
    """One bar of 100 % per system, stacked of labelled shares with their hover texts."""
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": label,
            "x": rounded(values),
            "y": list(range(len(values))),
            "marker": {
                "color": ink.colour,
                "line": {"color": "var(--surface)", "width": 1},
                "pattern": {
                    "shape": ink.hatch,
                    "fillmode": "overlay",
                    "fgcolor": "var(--surface)",
                    "fgopacity": 1,
                    "size": 6,
                },
            },
            "text": list(hovers),
            "textposition": "none",
            "hovertemplate": "%{text}<extra></extra>",
        }
        for label, ink, values, hovers in series
    ]
    layout = _rows_layout(names, title, range=[0, 100])
    return {"data": data, "layout": {**layout, "barmode": "stack", "bargap": 0.35}}


def boxes(
    names: Sequence[str], series: Sequence[tuple[str, Ink, Sequence[Box]]], title: str
) -> Figure:
    """One row per system; every series a box from the five numbers, with its mean as a point."""
    offsets = _offsets(len(series))
    data = [
        trace
        for (label, ink, found), offset in zip(series, offsets, strict=True)
        for trace in (_boxes(label, ink, found, offset), _means(ink, found, offset))
    ]
    return {"data": data, "layout": _rows_layout(names, title, rangemode="tozero")}


def _boxes(label: str, ink: Ink, found: Sequence[Box], offset: float) -> dict[str, Any]:
    low, first, median, third, high = zip(*(box.fences for box in found), strict=True)
    return {
        "type": "box",
        "orientation": "h",
        "name": label,
        "y": rounded(box.row + offset for box in found),
        "lowerfence": rounded(low),
        "q1": rounded(first),
        "median": rounded(median),
        "q3": rounded(third),
        "upperfence": rounded(high),
        "width": 0.26,
        "line": {"color": ink.colour, "width": 1.5},
        "fillcolor": "var(--line)" if ink.hatch else "var(--surface)",
        "hoverinfo": "skip",
    }


def _means(ink: Ink, found: Sequence[Box], offset: float) -> dict[str, Any]:
    known = [box for box in found if box.mean is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "x": rounded(box.mean for box in known),
        "y": rounded(box.row + offset for box in known),
        "marker": {
            "color": "var(--surface)",
            "symbol": ink.symbol.removesuffix("-open"),
            "size": 8,
            "line": {"color": "var(--text)", "width": 1.5},
        },
        "text": [box.hover for box in known],
        "hovertemplate": "%{text}<extra></extra>",
    }


def short(name: str) -> str:
    """A name that leaves room for the drawing on a phone."""
    return plain(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def plain(text: str) -> str:
    """The text as such: no tag in it means anything."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _rows_layout(names: Sequence[str], title: str, **axis: Any) -> dict[str, Any]:
    return {
        "height": ROW * max(len(names), 2) + AROUND,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
        "xaxis": {"title": {"text": title}, "fixedrange": True, **axis},
        "yaxis": {
            "tickvals": list(range(len(names))),
            "ticktext": [short(name) for name in names],
            "range": [len(names) - 0.4, -0.6],
            "automargin": True,
            "ticklabelstandoff": 6,
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
        },
        "legend": LEGEND,
        "hovermode": "closest",
        "dragmode": False,
    }


def _offsets(count: int) -> list[float]:
    """Where the series of a row stand around its middle."""
    return [0.32 * (number - (count - 1) / 2) for number in range(count)]


def rounded(values: Any) -> list[float]:
    """Plain numbers without digits that nobody sees."""
    return [round(float(value), PLACES) for value in values]
