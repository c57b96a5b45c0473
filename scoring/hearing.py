"""The audio stage: who speaks when, and which words, on either side of many items.

Conventions: recordings are mono at 16 kHz; times are seconds on the recording's own clock. Every
stretch of audio is known by a key that names its content, and heard at most once per engine.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from scoring import reasons
from scoring.asr import Heard
from scoring.dialogue import Annotation, Segment, Transcript
from scoring.errors import Phrase
from scoring.evidence import Evidence, Reference
from scoring.humdial import is_judged, preparation
from scoring.manifest import Item
from scoring.reasons import IMPORTED, Said, distinct
from scoring.recording import Sound
from scoring.tools import Samples, Tools

Cut = Callable[[NDArray[Any], Annotation], NDArray[Any]]
CutWords = Callable[[Transcript, Annotation], Transcript]


@dataclass(frozen=True, slots=True)
class Side:
    """Recordings of one side of an item.

    Attributes:
        item: which item.
        annotation: of the user recording.
        noisy: recording with the event.
        clean: recording without it; ``None`` if it is missing or not needed.
        transcripts: made elsewhere, by ``noisy`` and ``clean``; they are not made again.
    """

    item: Item
    annotation: Annotation
    noisy: Sound
    clean: Sound | None = None
    transcripts: Mapping[str, Transcript] = field(default_factory=dict)

    @property
    def is_cut(self) -> bool:
        """Whether the judge hears it from the second question on only (protocol section 7)."""
        return self.item.scenario == "directed_at_others"


def hear_users(sides: Sequence[Side], tools: Tools) -> list[Reference]:
    """Work out the user side of items (protocol sections 3, 5.1 and 7)."""
    kinds = [_user_kinds(side) for side in sides]
    heard = _hear(sides, kinds, tools, cut=preparation.from_second_question)
    return [
        Reference(
            side.item,
            side.annotation,
            side.noisy.duration,
            speech=one.speech,
            noisy=one.judged(side, preparation.cut_user_words),
            clean=one.words("clean"),
        )
        for side, one in zip(sides, heard, strict=True)
    ]


def hear_models(sides: Sequence[Side], tools: Tools) -> list[Evidence]:
    """Work out the model side of items; verdicts are still absent."""
    kinds = [_model_kinds(side) for side in sides]
    heard = _hear(sides, kinds, tools, cut=preparation.without_first_answer)
    return [
        Evidence(
            received=True,
            duration=side.noisy.duration,
            speech=one.speech,
            transcript=_clamped(one.words("noisy"), side),
            noisy=one.judged(side, preparation.cut_model_words) if is_judged(side.item) else None,
            clean=one.words("clean"),
            notes=(*one.notes(), *_odd_times(one.words("noisy"), side)),
            sources={"noisy": side.noisy.sha256}
            | ({"clean": side.clean.sha256} if side.clean else {}),
        )
        for side, one in zip(sides, heard, strict=True)
    ]


def imported(transcript: Transcript, origin: str) -> dict[str, Any]:
    """Return words made elsewhere as a memory holds them, under the engine they stand in for.

    Args:
        transcript: of the whole recording.
        origin: who made it; every item that uses it says so in its notes.
    """
    return {"transcript": transcript.to_json(), "notes": [], "origin": origin}


def origins(notes: Iterable[Said]) -> set[str]:
    """Return who made the imported words of an item, as its notes tell; empty when none are."""
    found = (note for note in notes if isinstance(note, Phrase) and note.key == IMPORTED)
    return {str(note.values["name"]) for note in found}


def _clamped(transcript: Transcript | None, side: Side) -> Transcript | None:
    return None if transcript is None else transcript.clamped(side.noisy.duration)


def _odd_times(transcript: Transcript | None, side: Side) -> list[str]:
    return [] if transcript is None else transcript.problems(side.noisy.duration)


def _user_kinds(side: Side) -> tuple[str, ...]:
    if not is_judged(side.item):
        return ()
    return ("cut" if side.is_cut else "noisy", "clean")


def _model_kinds(side: Side) -> tuple[str, ...]:
    if not is_judged(side.item):
        return ("noisy",)
    return ("noisy", "clean", "cut") if side.is_cut else ("noisy", "clean")


@dataclass(frozen=True, slots=True)
class _Clip:
    """A stretch of audio to be heard."""

    key: str
    language: str
    samples: Callable[[], Samples]


@dataclass(frozen=True, slots=True)
class _HeardSide:
    """What was heard on one side of an item, by kind."""

    speech: tuple[Segment, ...]
    by_kind: Mapping[str, Heard]

    def words(self, kind: str) -> Transcript | None:
        heard = self.by_kind.get(kind)
        return None if heard is None else heard.transcript

    def judged(self, side: Side, cut: CutWords) -> Transcript | None:
        """Words as the judge gets them: of the cut audio, or cut from words made elsewhere."""
        whole = self.words("noisy")
        if not side.is_cut:
            return whole
        if whole is not None and "cut" not in self.by_kind:
            return cut(whole, side.annotation)
        return self.words("cut")

    def notes(self) -> tuple[Said, ...]:
        kinds = sorted(self.by_kind)
        return distinct(note for kind in kinds for note in self.by_kind[kind].notes)


def _hear(
    sides: Sequence[Side], kinds: Sequence[Sequence[str]], tools: Tools, *, cut: Cut
) -> list[_HeardSide]:
    brought = _brought([side for side in sides if side.is_cut], tools)
    clips = [
        {kind: clip for kind in _known(side, wanted, brought) if (clip := _clip(side, kind, cut))}
        for side, wanted in zip(sides, kinds, strict=True)
    ]
    timed = [_Clip(side.noisy.sha256, "", _whole(side.noisy)) for side in sides]
    speech = _speech(timed, tools)
    words = _words([clip for named in clips for clip in named.values()], tools)
    return [
        _HeardSide(
            speech[side.noisy.sha256],
            {kind: Heard(one, ()) for kind, one in side.transcripts.items()}
            | {kind: words[clip.key] for kind, clip in named.items()},
        )
        for side, named in zip(sides, clips, strict=True)
    ]


def _brought(sides: Sequence[Side], tools: Tools) -> set[str]:
    """Keys of the recordings whose words are imported."""
    found: set[str] = set()
    for language in {side.item.language for side in sides}:
        keys = [side.noisy.sha256 for side in sides if side.item.language == language]
        values = tools.memory.recall(tools.transcribers[language].engine, keys)
        found |= {key for key, value in values.items() if value.get("origin")}
    return found


def _known(side: Side, kinds: Sequence[str], brought: Collection[str]) -> tuple[str, ...]:
    """Ask for the whole recording instead of its cut where the words are imported."""
    if side.noisy.sha256 not in brought:
        return tuple(kinds)
    return tuple("noisy" if kind == "cut" else kind for kind in kinds)


def _clip(side: Side, kind: str, cut: Cut) -> _Clip | None:
    """Return the audio to transcribe; ``None`` when its words are known or it is missing."""
    if kind in side.transcripts or (kind == "cut" and "noisy" in side.transcripts):
        return None
    recording = side.clean if kind == "clean" else side.noisy
    if recording is None:
        return None
    if kind != "cut":
        return _Clip(recording.sha256, side.item.language, _whole(recording))
    times = preparation.second_question(side.annotation)
    name = f"{recording.sha256}|{cut.__name__}|{times[0]!r}|{times[1]!r}"
    key = hashlib.sha256(name.encode()).hexdigest()
    return _Clip(key, side.item.language, lambda: cut(recording.samples, side.annotation))


def _whole(recording: Sound) -> Callable[[], Samples]:
    return lambda: recording.samples


def _speech(clips: Sequence[_Clip], tools: Tools) -> dict[str, tuple[Segment, ...]]:
    unique = {clip.key: clip for clip in clips}
    known = {
        key: tuple(Segment(*pair) for pair in value)
        for key, value in tools.memory.recall(tools.vad, list(unique)).items()
    }
    fresh = [clip for key, clip in unique.items() if key not in known]
    found = tools.detect([clip.samples() for clip in fresh]) if fresh else []
    new = {clip.key: tuple(one) for clip, one in zip(fresh, found, strict=True)}
    tools.memory.keep(tools.vad, {key: [list(pair) for pair in one] for key, one in new.items()})
    return known | new


def _words(clips: Sequence[_Clip], tools: Tools) -> dict[str, Heard]:
    heard: dict[str, Heard] = {}
    for language in sorted({clip.language for clip in clips}):
        heard |= _words_of(language, [c for c in clips if c.language == language], tools)
    return heard


def _words_of(language: str, clips: Sequence[_Clip], tools: Tools) -> dict[str, Heard]:
    transcriber = tools.transcribers[language]
    unique = {clip.key: clip for clip in clips}
    known = {
        key: Heard(Transcript.from_json(value["transcript"]), _notes(value))
        for key, value in tools.memory.recall(transcriber.engine, list(unique)).items()
    }
    fresh = [clip for key, clip in unique.items() if key not in known]
    speech = _speech(fresh, tools)
    found = transcriber.transcribe(
        [clip.samples() for clip in fresh], [speech[clip.key] for clip in fresh]
    )
    new = {clip.key: one for clip, one in zip(fresh, found, strict=True)}
    tools.memory.keep(
        transcriber.engine,
        {
            key: {
                "transcript": one.transcript.to_json(),
                "notes": [*map(reasons.to_json, one.notes)],
            }
            for key, one in new.items()
        },
    )
    return known | new


def _notes(value: Mapping[str, Any]) -> tuple[Said, ...]:
    origin = value.get("origin")
    known = map(reasons.from_json, value["notes"])
    return (*known, *([Phrase(IMPORTED, {"name": origin})] if origin else []))
