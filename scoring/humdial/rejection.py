"""Timestamp rejection: did the model wait for the user's real question to end?

Conventions: used for pause handling and for third-party speech before the question (protocol 6.2;
paper section 4.2). Only the first word matters. Times are seconds.
"""

from typing import NamedTuple

from scoring.dialogue import Annotation, Transcript
from scoring.errors import ScenarioError
from scoring.humdial.latency import response_difference
from scoring.humdial.scenarios import Measure, script


class Rejection(NamedTuple):
    """Outcome of one item.

    Attributes:
        counted: whether the item enters the denominator.
        success: whether the model waited.
        difference: first word's start minus the question's end; ``None`` when silent.
    """

    counted: bool
    success: bool
    difference: float | None


def rejection(
    scenario: str, annotation: Annotation, transcript: Transcript, *, mode: str = "official"
) -> Rejection:
    """Outcome of one item of a timestamp scenario.

    Args:
        scenario: ``pause_handling`` or ``third_party_before``.
        annotation: of the user recording.
        transcript: of the model's answer.
        mode: a silent model leaves the denominator in ``official`` mode and fails in ``strict``
            mode (decision 14); a difference of exactly 0 succeeds only in ``strict`` (24).

    Raises:
        ScenarioError: the scenario has no timestamp rejection.
        AnnotationError: the annotation lacks the segment, or its end is no number.
        TranscriptError: the first word has no start time.
    """
    rules = script(scenario)
    if rules.measure is not Measure.TIMESTAMP:
        raise ScenarioError(
            f"Scenario {scenario!r} is judged by its label, not by timestamps.",
            cure="Timestamp rejection exists for pause_handling and third_party_before.",
            code="scenario-without-rejection",
        )
    strict = mode == "strict"
    difference = response_difference(rules.question, annotation, transcript)
    if difference is None:
        return Rejection(counted=strict, success=False, difference=None)
    return Rejection(True, difference > 0 or (strict and difference == 0), difference)
