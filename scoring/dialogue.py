"""The nouns of a spoken dialogue: segments, words, transcripts and annotations.

Conventions: times are seconds from the start of the recording, on the user's clock. Reading is
lenient in what the official scripts never look at (an unreadable time of a later word does not
spoil the first), and an unreadable time is ``None``: absent, never 0. Asking for an absent time
raises an error that names the place. Characters that nothing can store are read as escapes.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

from scoring.errors import AnnotationError, ScoringError, TranscriptError
from scoring.visible import visible

# Transcribers time the last word a little past the end of the file; more than this is suspicious
# (field practice, see the transcript section of the protocol).
END_TOLERANCE = 0.5


class Segment(NamedTuple):
    """A stretch of speech, in seconds."""

    start: float
    end: float

    @property
    def length(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Word:
    """One word (English) or character (Chinese) with its times; ``None`` where it has none."""

    text: str
    start: float | None
    end: float | None

    @classmethod
    def from_json(cls, chunk: object) -> "Word":
        """Read one entry of ``chunks``; times that cannot be read become ``None``."""
        if not isinstance(chunk, Mapping):
            return cls(visible(str(chunk)), None, None)
        times = chunk.get("timestamp")
        pair = list(times[:2]) if isinstance(times, list | tuple) else []
        start, end = (_number(value) for value in [*pair, None, None][:2])
        return cls(visible(str(chunk.get("text", ""))), start, end)

    def to_json(self) -> dict[str, Any]:
        """Return the entry of ``chunks``."""
        return {"text": self.text, "timestamp": [self.start, self.end]}


@dataclass(frozen=True, slots=True)
class Transcript:
    """Words of one recording with their times (HumDial scoring layout, protocol section 3).

    A transcript without words is *silent*, which is not the same as a missing transcript.
    """

    text: str
    words: tuple[Word, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> "Transcript":
        """Read ``{"text": ..., "chunks": [{"text": ..., "timestamp": [start, end]}]}``.

        Args:
            data: the parsed JSON, or its text. ``chunks`` that are missing, null or empty mean
                that nothing was recognised.

        Raises:
            TranscriptError: the data is not such an object.
        """
        content = _mapping(data, "transcript", TranscriptError)
        chunks = content.get("chunks") or []
        if not isinstance(chunks, list):
            raise TranscriptError(
                f"'chunks' must be a list of words, found {type(chunks).__name__}.",
                cure="Write one entry per word: {'text': ..., 'timestamp': [start, end]}.",
            )
        return cls(visible(str(content.get("text") or "")), tuple(map(Word.from_json, chunks)))

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``from_json`` reads."""
        return {"text": self.text, "chunks": [word.to_json() for word in self.words]}

    @property
    def is_silent(self) -> bool:
        """Whether no word was recognised."""
        return not self.words

    @property
    def first_start(self) -> float | None:
        """Seconds at which the first word starts; ``None`` when there is no word.

        Raises:
            TranscriptError: the first word has no readable start.
        """
        if not self.words:
            return None
        if self.words[0].start is None:
            raise TranscriptError(
                f"The first word ({self.words[0].text!r}) has no start time in seconds.",
                cure="Use a transcriber that gives word times, and write them as two numbers.",
                code="transcript-without-times",
            )
        return self.words[0].start

    def clamped(self, duration: float) -> "Transcript":
        """Return it with words cut at the end of the recording where they pass it a little.

        Transcribers time the last word up to half a second past the end; what lies further out
        stays as it is, for ``problems`` to tell.
        """
        words = tuple(
            replace(word, end=duration)
            if word.end is not None and duration < word.end <= duration + END_TOLERANCE
            else word
            for word in self.words
        )
        return replace(self, words=words)

    def problems(self, duration: float | None = None) -> list[str]:
        """Say in sentences what is odd about the word times (protocol section 3).

        Args:
            duration: length of the recording in seconds, when known.
        """
        return [*_order_problems(self.words), *_end_problems(self.words, duration)]


@dataclass(frozen=True, slots=True)
class AnnotatedSegment:
    """One annotated stretch of user-side speech; times are ``None`` where they are unreadable."""

    start: float | None
    end: float | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is said when on the user side of an item (protocol section 1.5).

    Only the order of the segments tells who speaks; see ``scoring.humdial.scenarios``.
    """

    segments: tuple[AnnotatedSegment, ...]
    final_duration: float | None = None

    @classmethod
    def from_json(cls, data: object) -> "Annotation":
        """Read ``{"final_duration": s, "speech_segments": [{"xmin", "xmax", "text"}]}``.

        Raises:
            AnnotationError: the data is not such an object.
        """
        content = _mapping(data, "annotation", AnnotationError)
        rows = content.get("speech_segments")
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise AnnotationError(
                "An annotation needs the list 'speech_segments'.",
                cure="Write one entry per segment: {'xmin': ..., 'xmax': ..., 'text': ...}.",
            )
        segments = tuple(
            AnnotatedSegment(
                _number(row.get("xmin")),
                _number(row.get("xmax")),
                visible(str(row.get("text", ""))),
            )
            for row in rows
        )
        return cls(segments, _number(content.get("final_duration")))

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``from_json`` reads."""
        return {
            "final_duration": self.final_duration,
            "speech_segments": [
                {"xmin": part.start, "xmax": part.end, "text": part.text} for part in self.segments
            ],
        }

    def start_of(self, index: int) -> float:
        """Seconds at which segment ``index`` starts.

        Raises:
            AnnotationError: there is no such segment, or its ``xmin`` is no number.
        """
        return self._time(index, "xmin", self._segment(index).start)

    def end_of(self, index: int) -> float:
        """Seconds at which segment ``index`` ends.

        Raises:
            AnnotationError: there is no such segment, or its ``xmax`` is no number.
        """
        return self._time(index, "xmax", self._segment(index).end)

    def problems(self, duration: float) -> list[str]:
        """Say in sentences what cannot be about the segments (protocol 1.3).

        Ends may lie slightly past the end of the recording, as in the published data.

        Args:
            duration: length of the user recording in seconds.
        """
        found = [
            f"Segment {number} {problem}."
            for number, part in enumerate(self.segments)
            for problem in _impossible(part, duration)
        ]
        if self.final_duration is not None and self.final_duration <= 0:
            found.append(f"'final_duration' is {self.final_duration:g} s.")
        return found

    def _segment(self, index: int) -> AnnotatedSegment:
        if index < len(self.segments):
            return self.segments[index]
        raise AnnotationError(
            f"Segment {index} is needed, but the annotation has {len(self.segments)} segment(s).",
            cure="Check the scenario of this item, or complete its annotation.",
            code="annotation-segment-missing",
        )

    def _time(self, index: int, key: str, value: float | None) -> float:
        if value is not None:
            return value
        raise AnnotationError(
            f"'{key}' of segment {index} must be a number of seconds.",
            cure="Write it as a plain number, for example 8.69.",
            code="annotation-time-unreadable",
        )


def _impossible(part: AnnotatedSegment, duration: float) -> Iterator[str]:
    if not part.text.strip():
        yield "has no text"
    if part.start is None or part.end is None:
        yield "has no complete times"
        return
    if part.start < 0:
        yield f"starts at {part.start:g} s, before the recording"
    if part.end <= part.start:
        yield f"ends at {part.end:g} s, not after its start at {part.start:g} s"
    if part.start >= duration:
        yield f"starts at {part.start:g} s, but the recording ends at {duration:.2f} s"
    elif part.end > duration + END_TOLERANCE:
        yield f"ends at {part.end:g} s, but the recording at {duration:.2f} s"


def _number(value: object) -> float | None:
    """Return ``value`` when it is a real number (as it is, so that sums stay exact)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def _mapping(data: object, noun: str, error: type[ScoringError]) -> Mapping[str, Any]:
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data)
        except ValueError as cause:
            raise error(f"The {noun} is not JSON: {cause}.", cure="Write it anew.") from cause
    if isinstance(data, Mapping):
        return data
    raise error(
        f"A {noun} must be a JSON object, found {type(data).__name__}.",
        cure="See scoring/README.md for the layout.",
    )


def _order_problems(words: tuple[Word, ...]) -> list[str]:
    problems, latest = [], 0.0
    for number, word in enumerate(words, 1):
        if word.start is None or word.end is None:
            problems.append(f"Word {number} ({word.text!r}) has no complete times.")
            continue
        if not (isfinite(word.start) and isfinite(word.end) and 0 <= word.start <= word.end):
            problems.append(f"Word {number} ({word.text!r}) does not run forward in time.")
        elif word.start < latest:
            problems.append(f"Word {number} ({word.text!r}) starts before the word ahead of it.")
        latest = max(latest, word.start)
    return problems


def _end_problems(words: tuple[Word, ...], duration: float | None) -> list[str]:
    ends = [word.end for word in words if word.end is not None]
    if duration is None or not ends or max(ends) <= duration + END_TOLERANCE:
        return []
    return [f"The last word ends at {max(ends):.2f} s, but the recording at {duration:.2f} s."]
