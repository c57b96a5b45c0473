"""What happened in an item beside its score; never part of a number that ranks.

Conventions: seconds. Each diagnostic is a plain yes or no with a stable name; a diagnostic that
does not apply to the scenario, or cannot be told, is left out. ``scoring/README.md`` has the rules
in words. Field practice: the checks that scoring teams kept building for themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.dialogue import Annotation, Segment, Transcript, Word
from scoring.humdial.scenarios import Script
from scoring.segments import MODEL_GAP, merge

# Speech this close to the end of the file was cut off by it.
END_MARGIN = 0.05
# A turn that goes on at most this long before the event's end has not talked through it.
THROUGH_MARGIN = 0.1
# Word times are this far off at most; a word further away from any speech was heard in silence.
WORD_MARGIN = 0.5
# A file whose speech starts within this time starts at the model's first sound.
CLOCK_START = 0.1
# Cutting off the silence before an answer makes a file at least this much shorter.
CLOCK_SHORTER = 1.0
# From these shares of the answers on, a submission as a whole is suspected.
CLOCK_SHARE = 0.2
AT_ONCE_SHARE = 0.5

AT_ONCE, CLOCK = "starts_at_once", "not_on_users_clock"
# Names, and the words of a count ("cut off by the end of the file: 5 of 20 answers").
WORDS = {
    "cut_off": "cut off by the end of the file",
    "words_without_speech": "words where voice activity hears nothing",
    AT_ONCE: "speech from the start of the file on",
    CLOCK: "not on the user's clock, it seems",
    "speaking_at_event": "speaking when the event starts",
    "talked_through": "talked through the event",
    "finished_before_event": "finished before the event",
    "answered_both": "answered both speakers",
}


@dataclass(frozen=True, slots=True)
class Share:
    """How many items a diagnostic is true of, and how many it applies to."""

    count: int
    of: int

    def reaches(self, share: float) -> bool:
        """Whether it is true of at least this share of at least one item."""
        return self.of > 0 and self.count >= share * self.of


def diagnose(
    script: Script,
    annotation: Annotation,
    *,
    speech: Sequence[Segment],
    transcript: Transcript,
    duration: float,
    user_duration: float | None = None,
) -> dict[str, bool]:
    """Name what the model did around the event, and what is odd about its recording.

    Args:
        script: rules of the item's script.
        annotation: of the user recording.
        speech: unmerged voice activity of the model.
        transcript: the model's words.
        duration: length of the model's recording.
        user_duration: length of the user's recording, when known.

    Returns:
        ``cut_off`` (speech touches the end of the file) and ``words_without_speech``; for an
        answer with speech ``starts_at_once`` and, when the user's length is known,
        ``not_on_users_clock`` (protocol 1.7); with an event during an answer also
        ``speaking_at_event``, ``talked_through`` (decision 29) and ``finished_before_event``; for
        third-party speech before the question ``answered_both``.

    Raises:
        AnnotationError: a time of the question or of the event is missing.
    """
    turns = merge(speech, MODEL_GAP)
    found = {
        "cut_off": bool(turns) and turns[-1].end >= duration - END_MARGIN,
        "words_without_speech": any(not _heard(word, turns, duration) for word in transcript.words),
    }
    if turns:
        found |= _clock(turns[0], annotation.end_of(script.question), duration, user_duration)
    if script.slug == "third_party_before":
        found["answered_both"] = _answers_both(turns, annotation)
    elif script.event is not None:
        start, end = annotation.start_of(script.event), annotation.end_of(script.event)
        found |= _around(turns, start, min(end, duration))
    return found


def shares(items: Iterable[Mapping[str, bool]]) -> dict[str, Share]:
    """Count each diagnostic over the items of a submission.

    Args:
        items: diagnostics, one mapping per item.

    Returns:
        In the order of ``WORDS``; a diagnostic that applies to no item is left out.
    """
    rows = list(items)
    answers = {name: [row[name] for row in rows if name in row] for name in WORDS}
    return {name: Share(sum(found), len(found)) for name, found in answers.items() if found}


def warnings(found: Mapping[str, Share]) -> list[str]:
    """Say in sentences what the diagnostics of a submission suggest; nothing when all is well."""
    limits = {AT_ONCE: AT_ONCE_SHARE, CLOCK: CLOCK_SHARE}
    if not any(found[name].reaches(limit) for name, limit in limits.items() if name in found):
        return []
    once, short = found[AT_ONCE], found.get(CLOCK, Share(0, 0))
    return [
        f"{once.count} of {once.of} answers start in the first {CLOCK_START} s of their file,"
        f" {short.count} of them in a file shorter than the user's recording. If the files start"
        " at the model's first sound, no time means anything: keep the silence before it."
    ]


def _heard(word: Word, turns: Sequence[Segment], duration: float) -> bool:
    """Whether voice activity is near a word; where a word has no times, whether there is any.

    A word past the end of the recording is no matter of voice activity; ``Transcript.problems``
    tells of it.
    """
    if word.start is None or word.end is None:
        return bool(turns)
    start, end = word.start - WORD_MARGIN, word.end + WORD_MARGIN
    past = word.start >= duration
    return past or any(turn.start <= end and turn.end >= start for turn in turns)


def _clock(
    first: Segment, asked: float, duration: float, user_duration: float | None
) -> dict[str, bool]:
    """Whether a file seems to begin at the model's first sound.

    Both signs together are needed: an answer can start early (a greeting), and a file can end
    early (silence left out at its end).
    """
    at_once = first.start <= CLOCK_START and first.start < asked
    if user_duration is None:
        return {AT_ONCE: at_once}
    return {AT_ONCE: at_once, CLOCK: at_once and user_duration - duration > CLOCK_SHORTER}


def _around(turns: Sequence[Segment], start: float, end: float) -> dict[str, bool]:
    during = [turn for turn in turns if turn.start < end and turn.end > start]
    return {
        "speaking_at_event": any(turn.start <= start < turn.end for turn in turns),
        "talked_through": any(
            turn.start <= start and turn.end >= end - THROUGH_MARGIN for turn in during
        ),
        "finished_before_event": not during and any(turn.end <= start for turn in turns),
    }


def _answers_both(turns: Sequence[Segment], annotation: Annotation) -> bool:
    """Whether one turn starts before the user's question is over, and another after it."""
    asked = annotation.end_of(1)
    return any(turn.start < asked for turn in turns) and any(turn.start > asked for turn in turns)
