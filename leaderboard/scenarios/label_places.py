"""Where the labels of a scatter stand, so that they cover neither each other nor a point.

Conventions: pure; points in units of a drawing that is one wide and one high, from its lower left
corner. Widths are guesses from the number of letters, for a drawing of so many pixels. A label
that finds no free place beside its point stands further away, at the end of a line; one that
finds none there either is left out: half a name over another tells less than none.
"""

from collections.abc import Collection, Iterator, Sequence
from math import cos, sin, tau
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Pixels of the drawing: as on a wide page and on a phone, and how high it is on both.
WIDE, NARROW, HIGH = 640, 225, 340
# Pixels of one letter, one line, half a point, and between the middles of point and label.
LETTER, LINE, POINT, RISE = 6.7, 14.5, 6.0, 15.5
# In the order in which they are tried: how the label lies to its point, across and up.
SIDES = {
    "top center": (-0.5, 1.0),
    "bottom center": (-0.5, -1.0),
    "middle right": (0.0, 0.0),
    "middle left": (-1.0, 0.0),
    "top right": (0.0, 1.0),
    "top left": (-1.0, 1.0),
    "bottom right": (0.0, -1.0),
    "bottom left": (-1.0, -1.0),
}
FULL_WIDTH = "\u2e80"
# How far away a label at a line may stand, in pixels, and how many ways it tries: up first.
REACHES, WAYS, STEPS = range(30, 260, 10), 24, 12
# With more lines than these nobody sees whose they are.
MOST_LEADS = 12

Areas = npt.NDArray[np.float64]


class Area(NamedTuple):
    """A part of the drawing."""

    left: float
    right: float
    bottom: float
    top: float


def places(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    first: Collection[int] = (),
    *,
    width: int = WIDE,
) -> list[str | None]:
    """Name the side of each point where its label stands free; ``None`` where none is.

    Args:
        points: of the drawing.
        labels: of the points.
        first: numbers of points that choose before the others; crowded points go first otherwise.
        width: pixels of the drawing.
    """
    marks = np.array([_mark(point, width) for point in points]).reshape(-1, 4)
    taken: list[Area] = []
    found: dict[int, str | None] = {}
    room = _room(points)
    for number in sorted(range(len(points)), key=lambda one: (one not in first, room[one])):
        others = np.concatenate([np.delete(marks, number, axis=0), np.array(taken).reshape(-1, 4)])
        areas = {side: area(points[number], labels[number], side, width) for side in SIDES}
        free = (side for side, one in areas.items() if _is_inside(one) and not _meets(one, others))
        found[number] = side = next(free, None)
        if side is not None:
            taken.append(areas[side])
    return [found[number] for number in range(len(points))]


class Lead(NamedTuple):
    """From a point to the middle of a label that stands apart, in pixels: right and up."""

    across: float
    up: float


def leads(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    sides: Sequence[str | None],
    *,
    width: int = WIDE,
) -> dict[int, Lead]:
    """Find places for the labels that have no side of their point, each with a line to it.

    Args:
        points: of the drawing.
        labels: of the points.
        sides: as from ``places``.
        width: pixels of the drawing.

    Returns:
        By number of the point; at most ``MOST_LEADS``, the most crowded points first. Labels that
        find no place here either are left out.
    """
    marks = np.array([_mark(point, width) for point in points]).reshape(-1, 4)
    named = [
        area(points[number], labels[number], side, width)
        for number, side in enumerate(sides)
        if side is not None
    ]
    found: dict[int, Lead] = {}
    room = _room(points)
    hidden = [number for number, side in enumerate(sides) if side is None]
    for number in sorted(hidden, key=lambda one: room[one])[:MOST_LEADS]:
        lead = _lead(points[number], labels[number], marks, named, width)
        if lead is not None:
            found[number] = lead
            named.append(apart(points[number], labels[number], lead, width))
    return found


def _lead(
    point: tuple[float, float], label: str, marks: Areas, named: Sequence[Area], width: int
) -> Lead | None:
    """The nearest free place; one whose line runs under a label only where there is no other."""
    taken = np.array(named).reshape(-1, 4)
    crossing = None
    for lead in _ways():
        one = apart(point, label, lead, width)
        if not _is_inside(one) or _meets(one, np.concatenate([marks, taken])):
            continue
        if not any(_meets(spot, taken) for spot in _line(point, lead, width)):
            return lead
        crossing = crossing or lead
    return crossing


def apart(point: tuple[float, float], label: str, lead: Lead, width: int = WIDE) -> Area:
    """Return what a label covers at the end of its line."""
    x, y = point[0] + lead.across / width, point[1] + lead.up / HIGH
    half = _length(label, width) / 2
    return Area(x - half, x + half, y - LINE / HIGH / 2, y + LINE / HIGH / 2)


def _ways() -> Iterator[Lead]:
    """Near places first, and of equally near ones those above."""
    for reach in REACHES:
        for number in range(WAYS):
            turn = tau * (number + 1 >> 1) / WAYS * (-1 if number % 2 else 1)
            yield Lead(round(reach * sin(turn), 1), round(reach * cos(turn), 1))


def _line(point: tuple[float, float], lead: Lead, width: int) -> Iterator[Area]:
    """Spots along the line of a label."""
    for step in range(1, STEPS):
        part = step / STEPS
        x, y = point[0] + part * lead.across / width, point[1] + part * lead.up / HIGH
        yield Area(x - 1 / width, x + 1 / width, y - 1 / HIGH, y + 1 / HIGH)


def _length(label: str, width: int) -> float:
    return LETTER / width * sum(2 if letter >= FULL_WIDTH else 1 for letter in label)


def area(point: tuple[float, float], label: str, side: str, width: int = WIDE) -> Area:
    """Return what a label covers on one side of its point."""
    x, y = point
    across, up = SIDES[side]
    length = _length(label, width)
    beside = 0.0 if across == -0.5 else (1 if across == 0.0 else -1) * POINT / width
    left = x + across * length + beside
    middle = y + up * RISE / HIGH
    return Area(left, left + length, middle - LINE / HIGH / 2, middle + LINE / HIGH / 2)


def _mark(point: tuple[float, float], width: int) -> Area:
    x, y = point
    across, up = POINT / width, POINT / HIGH
    return Area(x - across, x + across, y - up, y + up)


def _room(points: Sequence[tuple[float, float]]) -> list[float]:
    """How far the nearest other point is from each."""
    at = np.array(points).reshape(-1, 1, 2)
    away = np.hypot(*np.moveaxis(at - at.transpose(1, 0, 2), -1, 0))
    np.fill_diagonal(away, np.inf)
    return [float(one) for one in away.min(axis=1, initial=np.inf)]


def _is_inside(one: Area) -> bool:
    return one.left >= 0 and one.right <= 1 and one.bottom >= 0 and one.top <= 1


def _meets(one: Area, others: Areas) -> bool:
    left, right, bottom, top = others.T
    beside = (left >= one.right) | (right <= one.left) | (bottom >= one.top) | (top <= one.bottom)
    return bool((~beside).any())
