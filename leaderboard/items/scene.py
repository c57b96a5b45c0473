"""One dialogue with everything measured in it, and the same as a list of moments in words.

Pure: times in seconds. What was measured comes as it is stored, with its number as a text; here
nothing is measured again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.dialogue import AnnotatedSegment, Segment
from scoring.humdial.scenarios import script as rules_of
from scoring.segments import MODEL_GAP, USER_GAP, merge, overlaps

Pair = Sequence[float]

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
STOP, RESPONSE, FIRST = "stop", "response", "first"
NAMES = {
    STOP: gettext_lazy("stop"),
    RESPONSE: gettext_lazy("response"),
    FIRST: gettext_lazy("first response"),
}
TITLES = {
    STOP: gettext_lazy("Stop latency"),
    RESPONSE: gettext_lazy("Response latency"),
    FIRST: gettext_lazy("First-response delay"),
}
DEFINITIONS = {
    STOP: gettext_lazy(
        "from the moment both speak at once until one of them stops: how long the model goes on "
        "while the user is speaking. Made from voice activity of both sides."
    ),
    RESPONSE: gettext_lazy(
        "from the end of what the user says to the model's next start. Made from voice activity "
        "of both sides; of several ends before one start only the last one is kept."
    ),
    FIRST: gettext_lazy(
        "from the annotated end of the user's question to the start of the model's first word, "
        "as the transcript times it. A first word before that end has no delay."
    ),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One stored interval; ``text`` is its number, ``counted`` whether it enters a mean."""

    kind: str
    start: float
    end: float
    text: str
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Lane:
    """One system's answer on the clock of the user.

    Attributes:
        name: of the system, or "Model" where there is only one.
        mark: letter that stands for it where there are several.
        speech: its voice activity; ``None`` when there is no answer.
        measured: stop, response and first-response intervals.
        wave: address of its waveform; empty when there is none.
    """

    name: str
    speech: Sequence[Pair] | None
    measured: Sequence[Measured] = ()
    mark: str = ""
    wave: str = ""

    @property
    def turns(self) -> list[Segment]:
        """Its speech with short pauses closed, as latencies are measured."""
        return merge(self.speech or (), MODEL_GAP)


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn.

    Attributes:
        script: slug of the scenario, with its part.
        said: annotated segments of the user side.
        user: voice activity of the user recording.
        duration: length of the longest recording.
        lanes: the answers, from top to bottom.
        wave: address of the user's waveform; empty when there is none.
        moment: stretch that the reader's link is about.
    """

    script: str
    said: Sequence[AnnotatedSegment]
    user: Sequence[Pair]
    duration: float
    lanes: Sequence[Lane] = ()
    wave: str = ""
    moment: Pair | None = None

    @property
    def event(self) -> AnnotatedSegment | None:
        """The annotated segment that the scenario is about; ``None`` for a pause inside one."""
        index = rules_of(self.script).event
        return _readable(self.said, index)

    @property
    def question_end(self) -> float | None:
        """Where the first-response clock starts."""
        part = _readable(self.said, rules_of(self.script).question)
        return part.end if part else None

    def both_speak(self, lane: Lane) -> Sequence[Segment]:
        """Stretches to shade; worked out by the scorer's rule, as some scenarios store none."""
        return overlaps(merge(self.user, USER_GAP), lane.turns)


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of the list; ``end`` is where its stretch ends, or the same moment."""

    at: float
    end: float
    clock: str
    text: str
    quote: str = ""
    mark: str = ""

    @property
    def link(self) -> str:
        """The moment as ``t`` of an address."""
        return moment_link(self.at, self.end)


def moments(scene: Scene) -> list[Moment]:
    """Everything that happens, in order."""
    found = [*_user_moments(scene), *(one for lane in scene.lanes for one in _lane_moments(lane))]
    return sorted(found, key=lambda moment: moment.at)


def role(script: str, index: int) -> str:
    """Name what an annotated segment is, by the scenario and its place."""
    roles = _BY_SCRIPT.get(script, ("user", script))
    return str(ROLES.get(roles[index], script)) if index < len(roles) else _("speech")


def is_question(script: str, index: int) -> bool:
    """Whether an annotated segment is meant for the model from the start."""
    roles = _BY_SCRIPT.get(script, ("user",))
    return index < len(roles) and roles[index] in ("user", "second", "pause_handling")


def clock(seconds: float) -> str:
    """Minutes, seconds and milliseconds: ``0:07.330``."""
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes}:{rest // 1000:02d}.{rest % 1000:03d}"


def moment_link(start: float, end: float) -> str:
    """A stretch as addresses say it: ``3.480-4.830``, or ``3.480`` for a point."""
    return f"{start:.3f}-{end:.3f}" if end > start else f"{start:.3f}"


def parse_moment(text: str) -> Pair | None:
    """Read ``t`` of an address; what is no stretch of time is ignored."""
    start, _dash, end = text.partition("-")
    try:
        first = float(start)
        last = float(end) if end else first
    except ValueError:
        return None
    return (first, last) if 0 <= first <= last < float("inf") else None


def _readable(said: Sequence[AnnotatedSegment], index: int | None) -> AnnotatedSegment | None:
    if index is None or index >= len(said):
        return None
    part = said[index]
    return None if part.start is None or part.end is None else part


def _user_moments(scene: Scene) -> Iterable[Moment]:
    for index, part in enumerate(scene.said):
        if part.start is None or part.end is None:
            continue
        name = role(scene.script, index)
        begins, ends = _("user side begins: %s") % name, _("user side ends: %s") % name
        yield Moment(part.start, part.end, clock(part.start), begins, quote=part.text)
        yield Moment(part.end, part.end, clock(part.end), ends)


def _lane_moments(lane: Lane) -> Iterable[Moment]:
    for start, end in lane.turns:
        yield Moment(start, end, clock(start), _("model begins to speak"), mark=lane.mark)
        yield Moment(end, end, clock(end), _("model stops"), mark=lane.mark)
    for one in lane.measured:
        # The clock of a latency is its end, where it is known; the stretch leads back to its start.
        start, end = sorted((one.start, one.end))
        yield Moment(end, end, clock(end), in_words(one), mark=lane.mark)


def in_words(one: Measured) -> str:
    """Say what an interval is and how long it is."""
    words: dict[str, Any] = {
        STOP: _("stop latency %s s: user and model spoke at once until here"),
        RESPONSE: _("response latency %s s: from the user's end to the model's start"),
        FIRST: _("first-response delay %s s: from the end of the question to the first word"),
    }
    if not one.counted:
        return _("first word %s s after the end of the question, left out") % one.text
    return words[one.kind] % one.text
