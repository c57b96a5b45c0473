"""Where the labels of a scatter stand, so that they cover neither each other nor a point.

Conventions: pure; points in units of a drawing that is one wide and one high, from its lower left
corner. Widths are guesses from the number of letters, for a drawing of middling size.
"""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

# One letter and one line, half a point, and how far above it a label stands; of the drawing.
LETTER, LINE, POINT, RISE = 0.0105, 0.042, 0.012, 0.045
SIDES = {
    "top center": (-0.5, 1.0),
    "bottom center": (-0.5, -1.0),
    "middle right": (0.0, 0.0),
    "middle left": (-1.0, 0.0),
}
WIDE = "\u2e80"


class _Area(NamedTuple):
    left: float
    right: float
    bottom: float
    top: float

    def shared(self, other: "_Area") -> float:
        """How much of the drawing both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        up = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(across, 0.0) * max(up, 0.0)


def places(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> list[str]:
    """Name the side of each point where its label meets least, crowded points first."""
    marks = [_Area(x - POINT, x + POINT, y - POINT, y + POINT) for x, y in points]
    taken: list[_Area] = []
    found = {}
    for number in sorted(range(len(points)), key=lambda one: _room(points, one)):
        others = [*marks[:number], *marks[number + 1 :]]
        areas = {side: _area(points[number], labels[number], side) for side in SIDES}
        costs = {side: _cost(area, taken, others) for side, area in areas.items()}
        found[number] = min(SIDES, key=lambda side: costs[side])
        taken.append(areas[found[number]])
    return [found[number] for number in range(len(points))]


def _room(points: Sequence[tuple[float, float]], number: int) -> float:
    x, y = points[number]
    others = (one for other, one in enumerate(points) if other != number)
    return min((hypot(a - x, b - y) for a, b in others), default=1.0)


def _cost(area: _Area, labels: Sequence[_Area], marks: Sequence[_Area]) -> float:
    """Letters over letters cannot be read; over a point they can, badly; outside they are cut."""
    outside = area.left < 0 or area.right > 1 or area.top > 1
    covered = 2 * sum(area.shared(one) for one in labels)
    return covered + sum(area.shared(one) for one in marks) + outside


def _area(point: tuple[float, float], label: str, side: str) -> _Area:
    x, y = point
    across, up = SIDES[side]
    width = LETTER * sum(2 if letter >= WIDE else 1 for letter in label)
    beside = {0.0: POINT, -1.0: -POINT}.get(across, 0.0)
    left = x + across * width + beside
    middle = y + up * RISE
    return _Area(left, left + width, middle - LINE / 2, middle + LINE / 2)
