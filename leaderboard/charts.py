"""Figures as plain data: dot plots, stacked shares, boxes and scatters, for any page that has some.

Conventions: pure; a figure is a dict that plotly.js understands, with rounded plain lists and no
template. Colours are names of tokens (``var(--rejection)``), put in by ``static/js/charts.js``, so
that one figure serves both themes. Every series has a second channel: a marker's shape or a hatch.
Names of systems are made ``plain``, since plotly reads some tags in its texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log10
from typing import Any, NamedTuple

from leaderboard.scenarios import label_places

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
        "x": _rounded(point.value for point in points),
        "y": _rounded(point.row + offset for point in points),
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": _rounded(_reach(point.high, point.value) for point in points),
            "arrayminus": _rounded(_reach(point.value, point.low) for point in points),
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
            "x": _rounded(values),
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
        "y": _rounded(box.row + offset for box in found),
        "lowerfence": _rounded(low),
        "q1": _rounded(first),
        "median": _rounded(median),
        "q3": _rounded(third),
        "upperfence": _rounded(high),
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
        "x": _rounded(box.mean for box in known),
        "y": _rounded(box.row + offset for box in known),
        "marker": {
            "color": "var(--surface)",
            "symbol": ink.symbol.removesuffix("-open"),
            "size": 8,
            "line": {"color": "var(--text)", "width": 1.5},
        },
        "text": [box.hover for box in known],
        "hovertemplate": "%{text}<extra></extra>",
    }


def scatter(
    points: Sequence[Point],
    front: Sequence[Point],
    ink: Ink,
    titles: tuple[str, str],
    front_name: str,
) -> Figure:
    """Label points directly where there is room, and draw the front as steps; x is logarithmic."""
    steps = sorted(front)
    line = {
        "type": "scatter",
        "mode": "lines",
        "name": front_name,
        "x": _rounded(point.x for point in steps),
        "y": _rounded(point.y for point in steps),
        "line": {"color": "var(--text-soft)", "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }
    narrow = _labels(points, front, label_places.NARROW)
    marks: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": _rounded(point.x for point in points),
        "y": _rounded(point.y for point in points),
        **_labels(points, front, label_places.WIDE),
        # What static/js/charts.js takes on a phone, where fewer names find room.
        "meta": {"narrow": narrow},
        "customdata": [point.hover for point in points],
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {
            "color": [ink.colour if point in front else "var(--surface)" for point in points],
            "symbol": ink.symbol,
            "size": 10,
            "line": {"color": ink.colour, "width": 2},
        },
        "cliponaxis": False,
    }
    layout = _scatter_layout(points, titles)
    layout |= {
        "annotations": _leads(points, marks, label_places.WIDE),
        "meta": {"narrow": {"annotations": _leads(points, narrow, label_places.NARROW)}},
    }
    return {"data": [line, marks], "layout": layout}


def _labels(points: Sequence[Point], front: Sequence[Point], width: int) -> dict[str, list[str]]:
    """Which points bear their names, and on which side; those of the front choose first."""
    first = {number for number, point in enumerate(points) if point in front}
    names = [short(point.label) for point in points]
    found = label_places.places(_within(points), names, first, width=width)
    return {
        "text": [name if side else "" for name, side in zip(names, found, strict=True)],
        "textposition": [side or "top center" for side in found],
    }


def _leads(
    points: Sequence[Point], marks: Mapping[str, list[str]], width: int
) -> list[dict[str, Any]]:
    """Names at the end of a line, of the points that have no room for them at their side."""
    sides = zip(marks["text"], marks["textposition"], strict=True)
    found = label_places.leads(
        _within(points),
        [short(point.label) for point in points],
        [side if text else None for text, side in sides],
        width=width,
    )
    return [
        {
            "x": round(log10(points[number].x), PLACES),
            "y": round(points[number].y, PLACES),
            "text": short(points[number].label),
            "ax": lead.across,
            "ay": -lead.up,
            "xanchor": "center",
            "yanchor": "middle",
            "showarrow": True,
            "arrowhead": 0,
            "arrowwidth": 1,
            "arrowcolor": "var(--text-soft)",
            "standoff": 6,
            "borderpad": 1,
        }
        for number, lead in sorted(found.items())
    ]


def _within(points: Sequence[Point]) -> list[tuple[float, float]]:
    """Where points lie in the drawing that the axes below make."""
    low, high = _log_range(points)
    return [
        ((log10(point.x) - low) / (high - low), (point.y - LOWEST) / (FULL - LOWEST))
        for point in points
    ]


def _log_range(points: Sequence[Point]) -> tuple[float, float]:
    """The ends of a logarithmic axis around the points, wide enough for a round number or two."""
    logs = [log10(point.x) for point in points]
    middle, reach = (min(logs) + max(logs)) / 2, (max(logs) - min(logs)) / 2
    half = max(reach, NARROWEST / 2) * (1 + MARGIN)
    return middle - half, middle + half


def _scatter_layout(points: Sequence[Point], titles: tuple[str, str]) -> dict[str, Any]:
    low, high = min(point.x for point in points), max(point.x for point in points)
    ticks = [one for one in TICKS if low / 1.6 <= one <= high * 1.6]
    return {
        "height": 420,
        "margin": {"l": 56, "r": 24, "t": 16, "b": 64},
        "xaxis": {
            "title": {"text": titles[0]},
            "type": "log",
            "range": _rounded(_log_range(points)),
            "fixedrange": True,
            "tickvals": ticks,
            "ticktext": [f"{one:g}" for one in ticks],
            "automargin": True,
        },
        "yaxis": {
            "title": {"text": titles[1]},
            "fixedrange": True,
            "automargin": True,
            "range": [LOWEST, FULL],
        },
        "legend": LEGEND,
        "hovermode": "closest",
        "dragmode": False,
    }


# The ends of the y axis in percent; of the x axis the decades that it takes at least, and what
# stays free on either side of the points, as a part of their reach.
LOWEST, FULL = -5, 108
NARROWEST, MARGIN = 0.4, 0.12
# Round numbers of seconds for a logarithmic axis.
TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50)


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


def _rounded(values: Any) -> list[float]:
    return [round(float(value), PLACES) for value in values]
