"""Latencies of one item: stop, response and first response.

Conventions: seconds. Stop and response latency come from voice activity of both sides and exist
for interruption scenarios only (protocol section 5); the first-response delay comes from the
model's transcript and the annotation (section 6.1, decision 12). A latency that was not measured
is ``None`` or an empty list, never 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.dialogue import Annotation, Segment, Transcript
from scoring.humdial.scenarios import script
from scoring.segments import MODEL_GAP, USER_GAP, merge, overlaps, response_gaps


class Intervals(NamedTuple):
    """Stop and response intervals of one item."""

    stop: list[Segment]
    response: list[Segment]


def intervals(user: Sequence[Sequence[float]], model: Sequence[Sequence[float]]) -> Intervals:
    """Stop and response intervals from the voice activity of both sides (protocol 5.2-5.4).

    Args:
        user: unmerged voice-activity segments of the user recording.
        model: the same of the model's answer.
    """
    user_turns, model_turns = merge(user, USER_GAP), merge(model, MODEL_GAP)
    return Intervals(overlaps(user_turns, model_turns), response_gaps(user_turns, model_turns))


def first_response_delay(
    scenario: str, annotation: Annotation, transcript: Transcript, *, mode: str = "official"
) -> float | None:
    """Seconds from the end of the user's question to the model's first word (protocol 6.1).

    Args:
        scenario: slug of a script, for example ``follow_up`` or ``third_party_before``.
        annotation: of the user recording.
        transcript: of the model's answer.
        mode: in ``official`` mode only backchannels keep a delay of exactly 0, in ``strict`` mode
            all scenarios do (decision 24).

    Returns:
        The delay, or ``None`` when the model is silent or began before the question ended.

    Raises:
        AnnotationError: the annotation lacks the segment, or its end is no number.
        TranscriptError: the first word has no start time.
        ScenarioError: the scenario is unknown.
    """
    rules = script(scenario)
    difference = response_difference(rules.question, annotation, transcript)
    if difference is None:
        return None
    accepts_zero = rules.accepts_zero or mode == "strict"
    kept = difference >= 0 if accepts_zero else difference > 0
    return difference if kept else None


def response_difference(
    question: int, annotation: Annotation, transcript: Transcript
) -> float | None:
    """First word's start minus the end of annotated segment ``question``; ``None`` if silent."""
    start = transcript.first_start
    return None if start is None else start - annotation.end_of(question)


def first_response_by_voice(
    question: int,
    annotation: Annotation,
    user: Sequence[Segment],
    model: Sequence[Segment],
    *,
    accepts_zero: bool = False,
) -> float | None:
    """First-response delay as the paper words it, from voice activity alone (decision 12).

    It is a diagnostic: no total is made from it. The question ends where the last stretch of the
    user's voice ends that reaches into the annotated question.

    Args:
        question: index of the annotated segment that asks.
        annotation: of the user recording.
        user: unmerged voice activity of the user.
        model: the same of the model.
        accepts_zero: whether a delay of exactly 0 is kept.

    Returns:
        Seconds; ``None`` when either side is not heard, or the model began before that end.

    Raises:
        AnnotationError: the annotation lacks the segment, or a time of it is no number.
    """
    start, end = annotation.start_of(question), annotation.end_of(question)
    asked = [one.end for one in user if one.start < end and one.end > start]
    if not asked or not model:
        return None
    delay = min(one.start for one in model) - max(asked)
    return delay if delay > 0 or (accepts_zero and delay == 0) else None


def pooled_average(lists: Sequence[Sequence[Segment]]) -> float | None:
    """Mean length over all intervals of all items (protocol 5.5, decision 13); ``None`` of none."""
    lengths = [one.end - one.start for intervals in lists for one in intervals]
    return sum(lengths) / len(lengths) if lengths else None


def mean_of_item_means(lists: Sequence[Sequence[Segment]]) -> float | None:
    """Mean over items of each item's mean length (decision 13, shown in strict mode)."""
    means = [pooled_average([intervals]) for intervals in lists if intervals]
    found = [value for value in means if value is not None]
    return sum(found) / len(found) if found else None
