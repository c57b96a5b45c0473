"""Scatters of success against delay as plain data, whose points bear their names.

Conventions: as in ``leaderboard.charts``; x is logarithmic, y is percent. A name stands beside its
point, or at the end of a line; where it stands on a phone lies beside it under ``meta``.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from leaderboard.charts import LEGEND, PLACES, Figure, Ink, Point, rounded, short
from leaderboard.scenarios import label_places

# The ends of the y axis in percent; of the x axis the decades that it takes at least, and what
# stays free on either side of the points, as a part of their reach.
LOWEST, FULL = -5, 108
NARROWEST, MARGIN = 0.4, 0.12
# Round numbers of seconds for a logarithmic axis.
TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50)


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
        "x": rounded(point.x for point in steps),
        "y": rounded(point.y for point in steps),
        "line": {"color": "var(--text-soft)", "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }
    narrow = _labels(points, front, label_places.NARROW)
    marks: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": rounded(point.x for point in points),
        "y": rounded(point.y for point in points),
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
            "range": rounded(_log_range(points)),
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
