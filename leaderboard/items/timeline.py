"""The lanes of a dialogue as rectangles and brackets on one time axis.

Pure: times in seconds come in, numbers of an SVG go out as texts. The brackets are the stored
intervals behind the scores with their stored numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leaderboard.items.scene import (
    DEFINITIONS,
    NAMES,
    TITLES,
    Lane,
    Measured,
    Pair,
    Scene,
    is_question,
    moment_link,
    role,
)
from leaderboard.items.waveform import HEIGHT as WAVE_HEIGHT
from leaderboard.items.waveform import PART as WAVE_PART
from leaderboard.items.waveform import PER_SECOND

WIDTH, LEFT, RIGHT = 1000, 92, 14
AXIS = 22
SAID_Y, SAID_HEIGHT = 32, 26
USER_Y, LANE_HEIGHT = 64, 40
# Between the user's lane and the first answer, and between an answer's brackets and the next.
LANE_GAP = 14
BRACKET_GAP, BRACKET_STEP = 18, 24
TICKS = 12
# Widths of letters at the size of the labels, in units of the drawing.
LATIN, CJK = 6.8, 13.0


@dataclass(frozen=True, slots=True)
class Box:
    """One rectangle; ``title`` says in full what it stands for."""

    kind: str
    x: str
    y: int
    width: str
    height: int
    title: str
    label: str = ""
    label_x: str = ""
    label_y: int = 0


@dataclass(frozen=True, slots=True)
class Wave:
    """A waveform drawn elsewhere, and how it is moved to its place."""

    kind: str
    href: str
    transform: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """One measured interval with its number."""

    kind: str
    counted: bool
    y: int
    x1: str
    x2: str
    label: str
    label_x: str
    label_y: int
    anchor: str
    line: str
    ends: str
    title: str
    moment: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis, or of an event: a vertical line."""

    x: str
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The lane of one answer."""

    name: str
    label: str
    y: int
    height: int
    name_y: int
    speech: tuple[Box, ...]
    wave: Wave | None
    brackets: tuple[Bracket, ...]
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """A drawing; ``duration`` seconds lie between ``left`` and ``right``."""

    width: int
    height: int
    left: int
    right: int
    duration: str
    bottom: int
    ticks: tuple[Tick, ...]
    marks: tuple[Tick, ...]
    bands: tuple[Box, ...]
    said: tuple[Box, ...]
    user: tuple[Box, ...]
    user_wave: Wave | None
    rows: tuple[Row, ...]
    overlaps: tuple[Box, ...]


def timeline(scene: Scene) -> Timeline:
    """Lay out one dialogue."""
    scale = _Scale(max(scene.duration, 0.1))
    rows, bottom = _rows(scene, scale)
    return Timeline(
        width=WIDTH,
        height=bottom + 6,
        left=LEFT,
        right=WIDTH - RIGHT,
        duration=f"{scale.duration:.3f}",
        bottom=bottom,
        ticks=tuple(_ticks(scale)),
        marks=tuple(_marks(scene, scale)),
        bands=tuple(_bands(scene, scale, bottom)),
        said=tuple(_said(scene, scale)),
        user=tuple(_heard("user-heard", scene.user, scale, USER_Y)),
        user_wave=_wave("user-wave", scene.wave, scale, USER_Y),
        rows=rows,
        overlaps=tuple(_overlaps(scene, rows, scale)),
    )


class _Scale:
    """Seconds to units of the drawing."""

    def __init__(self, duration: float) -> None:
        self.duration = duration
        self.unit = (WIDTH - LEFT - RIGHT) / duration

    def at(self, seconds: float) -> float:
        return LEFT + min(max(seconds, 0.0), self.duration) * self.unit

    def span(self, pair: Pair) -> tuple[float, float]:
        start, end = self.at(pair[0]), self.at(pair[1])
        return start, max(end - start, 1.0)


def _ticks(scale: _Scale) -> Iterable[Tick]:
    steps = (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
    step = next((step for step in steps if scale.duration / step <= TICKS), 1200)
    count = int(scale.duration / step) + 1
    for number in range(count):
        seconds = number * step
        yield Tick(_n(scale.at(seconds)), f"{seconds:g} s")


def _marks(scene: Scene, scale: _Scale) -> Iterable[Tick]:
    if event := scene.event:
        yield Tick(_n(scale.at(event.start or 0)), _("the event begins"), "event")
        yield Tick(_n(scale.at(event.end or 0)), _("the event ends"), "event")
    if scene.question_end is not None:
        yield Tick(_n(scale.at(scene.question_end)), _("the question ends"), "question")


def _bands(scene: Scene, scale: _Scale, bottom: int) -> Iterable[Box]:
    """Stretches over the whole height: the event, and what the reader's link is about."""
    if event := scene.event:
        pair = (event.start or 0.0, event.end or 0.0)
        title = _("the event, %(start).3f–%(end).3f s") % {"start": pair[0], "end": pair[1]}
        yield _box("event-band", pair, scale, AXIS, bottom - AXIS, title)
    if scene.moment:
        start, end = scene.moment
        title = _("the moment of the link, %(start).3f–%(end).3f s") % {"start": start, "end": end}
        yield _box("moment", scene.moment, scale, AXIS, bottom - AXIS, title)


def _said(scene: Scene, scale: _Scale) -> Iterable[Box]:
    for index, part in enumerate(scene.said):
        if part.start is None or part.end is None:
            continue
        x, width = scale.span((part.start, part.end))
        name = role(scene.script, index)
        yield Box(
            "user-said" if is_question(scene.script, index) else "user-event",
            _n(x),
            SAID_Y,
            _n(width),
            SAID_HEIGHT,
            f"{name} {part.start:.3f}–{part.end:.3f} s: {part.text}",
            _fitting(name, width - 8),
            _n(x + 5),
            SAID_Y + 17,
        )


def _box(kind: str, pair: Pair, scale: _Scale, y: int, height: int, title: str) -> Box:
    x, width = scale.span(pair)
    return Box(kind, _n(x), y, _n(width), height, title)


def _heard(kind: str, pairs: Sequence[Pair], scale: _Scale, y: int) -> Iterable[Box]:
    for pair in pairs:
        yield _box(kind, pair, scale, y, LANE_HEIGHT, f"{pair[0]:.3f}–{pair[1]:.3f} s")


def _wave(kind: str, address: str, scale: _Scale, y: int) -> Wave | None:
    if not address:
        return None
    across, down = scale.unit / PER_SECOND, LANE_HEIGHT / WAVE_HEIGHT
    return Wave(
        kind, f"{address}#{WAVE_PART}", f"translate({LEFT} {y}) scale({across:.5f} {down:.5f})"
    )


def _rows(scene: Scene, scale: _Scale) -> tuple[tuple[Row, ...], int]:
    """The lanes under each other, and the lowest edge of them all."""
    rows, y = [], USER_Y + LANE_HEIGHT + LANE_GAP
    for lane in scene.lanes:
        brackets = tuple(_brackets(lane.measured, scale, y + LANE_HEIGHT + BRACKET_GAP))
        rows.append(_row(lane, brackets, scale, y))
        lowest = max((bracket.y for bracket in brackets), default=y + LANE_HEIGHT)
        y = lowest + LANE_GAP + (BRACKET_STEP - LANE_GAP if brackets else 0)
    return tuple(rows), y


def _row(lane: Lane, brackets: tuple[Bracket, ...], scale: _Scale, y: int) -> Row:
    name = f"{lane.mark} · {lane.name}" if lane.mark else lane.name
    return Row(
        name,
        _fitting(name, LEFT - 8),
        y,
        LANE_HEIGHT,
        y + LANE_HEIGHT // 2 + 4,
        tuple(_heard("model-heard", lane.speech or (), scale, y)),
        _wave("model-wave", lane.wave, scale, y),
        brackets,
        # What has a sound but no speech yet waits for its scoring.
        lane.speech is None and not lane.wave,
    )


def _overlaps(scene: Scene, rows: Sequence[Row], scale: _Scale) -> Iterable[Box]:
    """Over both lanes at once where there are two; else over the user's and over each answer's."""
    for lane, row in zip(scene.lanes, rows, strict=True):
        places = [(USER_Y, row.y + row.height - USER_Y)]
        if len(rows) > 1:
            places = [(USER_Y, LANE_HEIGHT), (row.y, row.height)]
        for pair in scene.both_speak(lane):
            title = _("both speak, %(start).3f–%(end).3f s") % {"start": pair[0], "end": pair[1]}
            yield from (_box("overlap", pair, scale, y, height, title) for y, height in places)


def _brackets(measured: Sequence[Measured], scale: _Scale, top: int) -> Iterable[Bracket]:
    """Each in the first line where neither its stroke nor its words touch another's."""
    taken: list[float] = []
    for one in sorted(measured, key=lambda one: sorted((one.start, one.end))):
        x, width = scale.span(sorted((one.start, one.end)))
        need = text_width(_label(one)) + 8
        fits_right = x + width + need <= WIDTH
        left = x if fits_right else x - need
        right = x + width + need if fits_right else x + width
        line = next((n for n, edge in enumerate(taken) if edge <= left), len(taken))
        taken[line : line + 1] = [right]
        yield _bracket(one, (x, x + width), top + line * BRACKET_STEP, fits_right)


def _bracket(one: Measured, edges: tuple[float, float], y: int, fits_right: bool) -> Bracket:
    left, right = edges
    start, end = sorted((one.start, one.end))
    return Bracket(
        one.kind,
        one.counted,
        y,
        _n(left),
        _n(right),
        _label(one),
        _n(right + 6 if fits_right else left - 6),
        y + 4,
        "start" if fits_right else "end",
        f"M{_n(left)} {y}H{_n(right)}",
        f"M{_n(left)} {y - 6}v12M{_n(right)} {y - 6}v12",
        f"{_label(one)} ({start:.3f}–{end:.3f} s). {TITLES[one.kind]}: {DEFINITIONS[one.kind]}",
        moment_link(start, end),
        f"{start:.3f}",
        f"{end:.3f}",
    )


def _label(one: Measured) -> str:
    label = f"{NAMES[one.kind]} {one.text} s"
    return label if one.counted else _("%s, left out") % label


def text_width(text: str) -> float:
    """Estimate the width of a label; Chinese letters are twice as wide."""
    return sum(CJK if ord(letter) > 0x2E80 else LATIN for letter in text)


def _fitting(text: str, room: float) -> str:
    """The text, as much of it as fits, or nothing."""
    if text_width(text) <= room:
        return text
    kept = ""
    for letter in text:
        if text_width(kept + letter + "…") > room:
            break
        kept += letter
    return f"{kept}…" if len(kept) > 2 else ""


def _n(value: float) -> str:
    return f"{value:.1f}"
