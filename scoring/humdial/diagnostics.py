"""What happened in an item beside its score; never part of a number that ranks.

Conventions: seconds. Each diagnostic is a plain yes or no with a stable name; a diagnostic that
does not apply to the scenario is left out.
"""

from collections.abc import Sequence

from scoring.dialogue import Annotation, Segment, Transcript
from scoring.humdial.scenarios import Script
from scoring.segments import MODEL_GAP, merge

# Speech this close to the end of the file was cut off by it.
END_MARGIN = 0.05
# A turn that goes on at most this long before the event's end has not talked through it.
THROUGH_MARGIN = 0.1


def diagnose(
    script: Script,
    annotation: Annotation,
    *,
    speech: Sequence[Segment],
    transcript: Transcript,
    duration: float,
) -> dict[str, bool]:
    """Name what the model did around the event.

    Args:
        script: rules of the item's script.
        annotation: of the user recording.
        speech: unmerged voice activity of the model.
        transcript: the model's words.
        duration: length of the model's recording.

    Returns:
        ``cut_off`` (speech touches the end of the file), ``words_without_speech``; with an event
        during an answer also ``speaking_at_event``, ``talked_through`` and
        ``finished_before_event`` (field practice: about a third of the cases); for third-party
        speech before the question ``answered_both``.
    """
    turns = merge(speech, MODEL_GAP)
    found = {
        "cut_off": bool(turns) and turns[-1].end >= duration - END_MARGIN,
        "words_without_speech": bool(transcript.words) and not turns,
    }
    if script.slug == "third_party_before":
        found["answered_both"] = _answers_both(turns, annotation)
    elif script.event is not None:
        start, end = annotation.start_of(script.event), annotation.end_of(script.event)
        found |= _around(turns, start, min(end, duration))
    return found


def _around(turns: Sequence[Segment], start: float, end: float) -> dict[str, bool]:
    return {
        "speaking_at_event": any(turn.start <= start < turn.end for turn in turns),
        "talked_through": any(
            turn.start <= start and turn.end >= end - THROUGH_MARGIN for turn in turns
        ),
        "finished_before_event": bool(turns) and all(turn.end <= start for turn in turns),
    }


def _answers_both(turns: Sequence[Segment], annotation: Annotation) -> bool:
    question_start, question_end = annotation.start_of(1), annotation.end_of(1)
    early = any(turn.start < question_start for turn in turns)
    return early and any(turn.start > question_end for turn in turns)
