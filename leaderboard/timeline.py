"""One dialogue as rectangles and brackets on a time axis, and as a list of the same events.

Pure: times in seconds come in, numbers of an SVG go out as texts. The brackets are the stored
intervals behind the scores; only the shade of the overlap is worked out here, with the scorer's
own function.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.dialogue import AnnotatedSegment
from scoring.segments import MODEL_GAP, USER_GAP, merge, overlaps

Pair = Sequence[float]

WIDTH, LEFT, RIGHT = 1000, 92, 14
AXIS = 22
SAID_Y, SAID_HEIGHT = 34, 26
USER_Y, THIN = 64, 10
MODEL_Y, MODEL_HEIGHT = 92, 26
BRACKETS_Y, BRACKET_STEP = 136, 26
TICKS = 12
# Widths of letters at the size of the labels, in units of the drawing.
LATIN, CJK = 6.8, 13.0

ROLES = {
    "user": gettext_lazy("question"),
    "second": gettext_lazy("second question"),
    "follow_up": gettext_lazy("follow-up question"),
    "negation": gettext_lazy("objection"),
    "repetition": gettext_lazy("request to repeat"),
    "topic_switch": gettext_lazy("new topic"),
    "silence_stop": gettext_lazy("request to stop"),
    "backchannels": gettext_lazy("backchannel"),
    "pause_handling": gettext_lazy("question with a pause"),
    "third_party": gettext_lazy("third party"),
    "directed_at_others": gettext_lazy("aside to somebody else"),
}
_BY_SCRIPT = {
    "pause_handling": ("pause_handling",),
    "third_party_after": ("user", "third_party"),
    "third_party_before": ("third_party", "user"),
    "directed_at_others": ("user", "second", "directed_at_others"),
}
BRACKET_WORDS = {
    "stop": gettext_lazy("stop"),
    "response": gettext_lazy("response"),
    "first": gettext_lazy("first response"),
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn; times in seconds, ``None`` or empty where there is nothing.

    Attributes:
        script: slug of the scenario, with its part.
        said: annotated segments of the user side.
        user: voice activity of the user recording.
        model: voice activity of the model's answer; ``None`` when there is no answer.
        stop, response: stored intervals.
        first: end of the question and start of the model's first word, when the delay is kept.
        duration: length of the longer recording.
    """

    script: str
    said: Sequence[AnnotatedSegment]
    user: Sequence[Pair]
    duration: float
    model: Sequence[Pair] | None = None
    stop: Sequence[Pair] = ()
    response: Sequence[Pair] = ()
    first: Pair | None = None


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
class Bracket:
    """One measured interval with its number."""

    kind: str
    x1: str
    x2: str
    y: int
    label: str
    label_x: str
    label_y: int
    anchor: str
    line: str
    ends: str
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis."""

    x: str
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of the event list."""

    at: float
    clock: str
    text: str
    quote: str = ""
    lane: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """A drawing and its list."""

    width: int
    height: int
    bottom: int
    ticks: tuple[Tick, ...]
    said: tuple[Box, ...]
    user: tuple[Box, ...]
    model: tuple[Box, ...]
    overlaps: tuple[Box, ...]
    brackets: tuple[Bracket, ...]
    events: tuple[Moment, ...]


def timeline(scene: Scene) -> Timeline:
    """Lay out one dialogue."""
    scale = _Scale(max(scene.duration, 0.1))
    brackets = tuple(_brackets(scene, scale))
    lowest = max((bracket.y for bracket in brackets), default=BRACKETS_Y - BRACKET_STEP)
    return Timeline(
        WIDTH,
        lowest + BRACKET_STEP,
        MODEL_Y + MODEL_HEIGHT + 6,
        tuple(_ticks(scale)),
        tuple(_said(scene, scale)),
        tuple(_heard("user-heard", scene.user, scale, (USER_Y, THIN))),
        tuple(_heard("model-heard", scene.model or (), scale, (MODEL_Y, MODEL_HEIGHT))),
        tuple(_overlaps(scene, scale)),
        brackets,
        tuple(sorted(_events(scene), key=lambda event: event.at)),
    )


def role(script: str, index: int) -> str:
    """Name what an annotated segment is, by the scenario and its place."""
    roles = _BY_SCRIPT.get(script, ("user", script))
    return str(ROLES.get(roles[index], script)) if index < len(roles) else _("speech")


def clock(seconds: float) -> str:
    """Minutes, seconds and milliseconds: ``0:07.330``."""
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes}:{rest // 1000:02d}.{rest % 1000:03d}"


class _Scale:
    """Seconds to units of the drawing."""

    def __init__(self, duration: float) -> None:
        self.duration = duration
        self._unit = (WIDTH - LEFT - RIGHT) / duration

    def at(self, seconds: float) -> float:
        return LEFT + min(max(seconds, 0.0), self.duration) * self._unit

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


def _said(scene: Scene, scale: _Scale) -> Iterable[Box]:
    for index, part in enumerate(scene.said):
        if part.start is None or part.end is None:
            continue
        x, width = scale.span((part.start, part.end))
        name = role(scene.script, index)
        yield Box(
            "user-said" if _is_question(scene.script, index) else "user-event",
            _n(x),
            SAID_Y,
            _n(width),
            SAID_HEIGHT,
            f"{name} {part.start:.3f}–{part.end:.3f} s: {part.text}",
            _fitting(name, width - 8),
            _n(x + 5),
            SAID_Y + 17,
        )


def _is_question(script: str, index: int) -> bool:
    roles = _BY_SCRIPT.get(script, ("user",))
    return index < len(roles) and roles[index] in ("user", "second", "pause_handling")


def _heard(
    kind: str, pairs: Sequence[Pair], scale: _Scale, place: tuple[int, int]
) -> Iterable[Box]:
    for pair in pairs:
        x, width = scale.span(pair)
        yield Box(kind, _n(x), place[0], _n(width), place[1], f"{pair[0]:.3f}–{pair[1]:.3f} s")


def _overlaps(scene: Scene, scale: _Scale) -> Iterable[Box]:
    both = overlaps(merge(scene.user, USER_GAP), merge(scene.model or (), MODEL_GAP))
    for pair in both:
        x, width = scale.span(pair)
        title = _("both speak, %(start).3f–%(end).3f s") % {"start": pair[0], "end": pair[1]}
        yield Box("overlap", _n(x), AXIS + 4, _n(width), MODEL_Y + MODEL_HEIGHT - AXIS, title)


def _measured(scene: Scene) -> list[tuple[str, Pair]]:
    first = [("first", scene.first)] if scene.first else []
    return [
        *(("stop", pair) for pair in scene.stop),
        *(("response", pair) for pair in scene.response),
        *first,
    ]


def _brackets(scene: Scene, scale: _Scale) -> Iterable[Bracket]:
    """Each in the first row where neither its line nor its words touch another's."""
    rows: list[float] = []
    for kind, pair in sorted(_measured(scene), key=lambda one: (one[1][0], one[1][1])):
        x, width = scale.span(pair)
        label = f"{BRACKET_WORDS[kind]} {pair[1] - pair[0]:.3f} s"
        need = text_width(label) + 8
        fits_right = x + width + need <= WIDTH
        left = x if fits_right else x - need
        right = x + width + need if fits_right else x + width
        row = next((n for n, taken in enumerate(rows) if taken <= left), len(rows))
        rows[row : row + 1] = [right]
        y = BRACKETS_Y + row * BRACKET_STEP
        yield Bracket(
            kind,
            _n(x),
            _n(x + width),
            y,
            label,
            _n(x + width + 6 if fits_right else x - 6),
            y + 4,
            "start" if fits_right else "end",
            f"M{_n(x)} {y}H{_n(x + width)}",
            f"M{_n(x)} {y - 6}v12M{_n(x + width)} {y - 6}v12",
            f"{label} ({pair[0]:.3f}–{pair[1]:.3f} s)",
        )


def _events(scene: Scene) -> Iterable[Moment]:
    for index, part in enumerate(scene.said):
        if part.start is None or part.end is None:
            continue
        name = role(scene.script, index)
        begins = _("user side begins: %s") % name
        yield _moment(part.start, begins, quote=part.text, lane="user")
        yield _moment(part.end, _("user side ends: %s") % name, lane="user")
    for start, end in merge(scene.model or (), MODEL_GAP):
        yield _moment(start, _("model begins to speak"), lane="model")
        yield _moment(end, _("model stops"), lane="model")
    for kind, (start, end) in _measured(scene):
        yield _moment(end, _bracket_words(kind, end - start))


def _bracket_words(kind: str, seconds: float) -> str:
    return {
        "stop": _("stop latency %.3f s: user and model spoke at once until here"),
        "response": _("response latency %.3f s: from the user's end to the model's start"),
        "first": _("first-response delay %.3f s: from the end of the question to the first word"),
    }[kind] % seconds


def _moment(at: float, text: str, *, quote: str = "", lane: str = "") -> Moment:
    return Moment(at, clock(at), text, quote, lane)


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
