"""Audio and transcript cuts that the protocol needs before judging.

Conventions: audio is a one-dimensional array at ``rate`` samples a second, transcripts are in
seconds. Cuts are at whole truncated milliseconds as in the official scripts (protocol section 7),
in both modes: a cut to the sample differs by two milliseconds at most, and an answer that ends
early leaves nothing but silence either way, so a second transcript would only cost a second
hearing (decision 33).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.dialogue import Annotation, Transcript, Word
from scoring.errors import AnnotationError

Audio = NDArray[Any]
RATE = 16_000

# Speech directed at others: index of the second question (protocol 1.1).
SECOND_QUESTION = 1


def second_question(annotation: Annotation) -> tuple[float, float]:
    """Start and end of the second question of a directed-at-others item, in seconds.

    Raises:
        AnnotationError: there is no such segment.
    """
    return annotation.start_of(SECOND_QUESTION), annotation.end_of(SECOND_QUESTION)


def from_second_question(user: Audio, annotation: Annotation, *, rate: int = RATE) -> Audio:
    """User recording from the second question on (protocol section 7, step 2)."""
    start, _ = second_question(annotation)
    return user[_official_index(start, rate) :]


def without_first_answer(output: Audio, annotation: Annotation, *, rate: int = RATE) -> Audio:
    """Model answer from the second question on, silent while that question is asked.

    The start, the end and the length of the silence are truncated separately, so the result can
    be a millisecond short. A model file that ends early moves the silence forward; both as in the
    official script (protocol section 7).
    """
    start, end = second_question(annotation)
    first, last = _official_index(start, rate), _official_index(end, rate)
    silence = np.zeros(_official_index(end - start, rate), output.dtype)
    return np.concatenate([output[:first], silence, output[last:]])[first:]


def cut_user_words(transcript: Transcript, annotation: Annotation) -> Transcript:
    """Words of the user from the second question on, on the cut recording's clock."""
    start, _ = second_question(annotation)
    return _shifted(transcript, kept_from=start, origin=start)


def cut_model_words(transcript: Transcript, annotation: Annotation) -> Transcript:
    """Words of the model after the second question, on the cut recording's clock."""
    start, end = second_question(annotation)
    return _shifted(transcript, kept_from=end, origin=start)


def clean_reference(user: Audio, annotation: Annotation, *, rate: int = RATE) -> Audio:
    """User recording with everything but the first segment set to zero (protocol section 7).

    Indices are clamped to the last sample, so a segment that reaches the end of the file loses
    one sample (decision 33).

    Raises:
        AnnotationError: ``final_duration`` is missing, or shorter than the first segment.
    """
    start, end = (
        min(int(time * rate), len(user) - 1)
        for time in (annotation.start_of(0), annotation.end_of(0))
    )
    clean = np.zeros(round((annotation.final_duration or 0) * rate), user.dtype)
    if len(clean) < end:
        raise AnnotationError(
            f"'final_duration' is {annotation.final_duration}, before the first segment's end.",
            cure="Write the length of the whole recording in seconds.",
            code="annotation-duration-short",
        )
    clean[start:end] = user[start:end]
    return clean


def directed_clean_reference(user: Audio, annotation: Annotation, *, rate: int = RATE) -> Audio:
    """The same for speech directed at others: the second question alone.

    The first question is deleted (what precedes it stays), then the third segment is silenced;
    times are rounded to milliseconds (protocol section 7).
    """
    cut_from, cut_to = (
        _rounded_index(annotation.start_of(index), rate) for index in (0, SECOND_QUESTION)
    )
    clean = np.concatenate([user[:cut_from], user[cut_to:]])
    if len(annotation.segments) > 2:
        removed = cut_to - cut_from
        start, end = (
            _rounded_index(time, rate) for time in (annotation.start_of(2), annotation.end_of(2))
        )
        clean[start - removed : end - removed] = 0
    return clean


def _official_index(seconds: float, rate: int) -> int:
    return int(1000 * seconds) * rate // 1000


def _rounded_index(seconds: float, rate: int) -> int:
    return round(1000 * seconds) * rate // 1000


def _shifted(transcript: Transcript, *, kept_from: float, origin: float) -> Transcript:
    """Keep words whose middle lies after ``kept_from``, on a clock that starts at ``origin``."""
    words = tuple(
        Word(word.text, max(word.start - origin, 0.0), max(word.end - origin, 0.0))
        for word in transcript.words
        if word.start is not None and word.end is not None
        if (word.start + word.end) / 2 >= kept_from
    )
    return Transcript(" ".join(word.text for word in words), words)
