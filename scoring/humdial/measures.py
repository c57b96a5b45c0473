"""From reference and evidence to the result of one item.

Conventions: pure; seconds; one function per kind of item. Nothing is divided here: rates are
made from these results in ``scoring.humdial.totals``.
"""

from collections.abc import Sequence
from dataclasses import replace

from scoring.corrections import Correction
from scoring.dialogue import Segment, Transcript
from scoring.errors import Phrase
from scoring.evidence import Evidence, ItemResult, Reference
from scoring.humdial.diagnostics import diagnose
from scoring.humdial.latency import (
    first_response_by_voice,
    first_response_delay,
    intervals,
    response_difference,
)
from scoring.humdial.names import needs_clean
from scoring.humdial.rejection import rejection
from scoring.humdial.scenarios import Measure, Script, script
from scoring.judge import Verdict
from scoring.reasons import PENDING, UNEVEN, Said, of_kind


def measure(
    reference: Reference, evidence: Evidence, *, mode: str, absent: Phrase = PENDING
) -> ItemResult:
    """Work out one item (protocol sections 4-7).

    Args:
        reference: the user side.
        evidence: the model side.
        mode: ``official`` or ``strict``.
        absent: what it means when this mode has no verdict of a judged item; no failure, since
            without a judge everything but the judged numbers still works.

    Raises:
        AnnotationError, TranscriptError: the item's data cannot be used; both say how to mend it.
    """
    result = _measured(reference, evidence, mode, absent)
    came = evidence.clean_received if needs_clean(reference.item) else None
    return replace(result, clean_received=came)


def _measured(reference: Reference, evidence: Evidence, mode: str, absent: Phrase) -> ItemResult:
    rules = script(reference.item.script)
    if not evidence.received or evidence.transcript is None or evidence.speech is None:
        return _missing(reference, mode)
    if mode == "strict" and _unequal_lengths(evidence):
        return _spoilt(reference, evidence)
    if rules.measure is Measure.TIMESTAMP:
        result = _timestamp(rules, reference, evidence, mode)
    else:
        result = _judged(rules, reference, evidence, mode, absent)
    return _with_latency(rules, reference, evidence, result, mode)


def _missing(reference: Reference, mode: str) -> ItemResult:
    """Decision 15: left out in official mode, a failure in strict mode."""
    strict = mode == "strict"
    return ItemResult(
        reference.item,
        received=False,
        counted=strict,
        success=False if strict else None,
        reasons=("No recording was handed in for this item.",),
    )


def _unequal_lengths(evidence: Evidence) -> bool:
    """Whether tokens and times differ in number; an error in strict mode (decision 32)."""
    return any(of_kind(note, UNEVEN) for note in evidence.notes)


def _spoilt(reference: Reference, evidence: Evidence) -> ItemResult:
    return ItemResult(
        reference.item,
        received=True,
        counted=True,
        success=False,
        silent=evidence.transcript.is_silent if evidence.transcript else None,
        reasons=evidence.notes,
    )


def _timestamp(rules: Script, reference: Reference, evidence: Evidence, mode: str) -> ItemResult:
    transcript = evidence.transcript or Transcript("")
    outcome = rejection(rules.slug, reference.annotation, transcript, mode=mode)
    return ItemResult(
        reference.item,
        received=True,
        counted=outcome.counted,
        success=outcome.success if outcome.counted else None,
        reasons=(_timestamp_reason(outcome.difference),),
    )


def _timestamp_reason(difference: float | None) -> str:
    if difference is None:
        return "The answer has no words, so there is no first word to time."
    if difference == 0:
        return "The first word comes exactly when the user's question ends."
    if difference > 0:
        return f"The first word comes {difference:.3f} s after the user's question ends."
    return f"The first word comes {-difference:.3f} s before the user's question ends."


def _judged(
    rules: Script, reference: Reference, evidence: Evidence, mode: str, absent: Phrase
) -> ItemResult:
    result = ItemResult(reference.item, received=True, counted=False, success=None)
    if reference.clean is None or reference.noisy is None:
        return _unjudged(result, Phrase("reference-incomplete"))
    if evidence.clean is None:
        return _without_clean(result, mode)
    verdict = evidence.verdicts.get(mode)
    if evidence.correction is not None:
        return _corrected(rules, result, evidence.correction, verdict)
    if verdict is None:
        return _unjudged(result, absent)
    result = replace(result, labels=verdict.labels)
    if fault := _fault(verdict, mode):
        return _unjudged(result, fault)
    success = rules.measure.value in verdict.labels
    return replace(result, counted=True, success=success, reasons=_told(verdict))


def _told(verdict: Verdict | None) -> tuple[Said, ...]:
    """What a verdict says for itself."""
    if verdict is None:
        return ()
    return (*((verdict.reason,) if verdict.reason else ()), *verdict.notes)


def _fault(verdict: Verdict, mode: str) -> Said | None:
    """Why the labels of a verdict cannot be used (decision 25); ``None`` when they can."""
    if mode == "strict" and verdict.label is None:
        return verdict.reason or Phrase("label-not-one")
    if not verdict.labels:
        return verdict.reason or Phrase("label-not-one")
    if strange := [label for label in verdict.labels if not label.startswith("C")]:
        # The official script stops here; for us it is an error of this item.
        return Phrase("label-strange", {"label": repr(strange[0])})
    return None


def _corrected(
    rules: Script, result: ItemResult, correction: Correction, verdict: Verdict | None
) -> ItemResult:
    """A person's label counts; the judge's stays beside it, or the reason why it gave none."""
    said = verdict.labels if verdict else ()
    change = f"corrected the label {', '.join(said)} to" if said else "gave the label"
    told = f"A person {change} {correction.label}: {correction.reason}"
    return replace(
        result,
        counted=True,
        success=correction.label == rules.measure.value,
        labels=(correction.label,),
        correction=correction,
        judge_labels=said,
        reasons=(*_told(verdict), told),
    )


def _without_clean(result: ItemResult, mode: str) -> ItemResult:
    """Half of the answer is missing: left out in official mode, a failure in strict mode (15)."""
    strict = mode == "strict"
    return replace(
        result,
        counted=strict,
        success=False if strict else None,
        reasons=(Phrase("clean-missing"),),
    )


def _unjudged(result: ItemResult, why: Said) -> ItemResult:
    """No failure of the team, in either mode (decision 25)."""
    return replace(result, unjudged=why, reasons=(why,))


def _with_latency(
    rules: Script, reference: Reference, evidence: Evidence, result: ItemResult, mode: str
) -> ItemResult:
    transcript, speech = evidence.transcript or Transcript(""), evidence.speech or ()
    annotation = reference.annotation
    delay = first_response_delay(rules.slug, annotation, transcript, mode=mode)
    accepts_zero = rules.accepts_zero or mode == "strict"
    voice = first_response_by_voice(
        rules.question, annotation, reference.speech, speech, accepts_zero=accepts_zero
    )
    if mode == "strict" and not result.success:
        # Decision 11: strict mode times successful items only.
        delay = voice = None
    timed = _with_intervals(result, reference, speech) if rules.group == "interruption" else result
    return replace(
        timed,
        silent=transcript.is_silent,
        first_response_delay=delay,
        first_response_by_voice=voice,
        difference=response_difference(rules.question, annotation, transcript),
        diagnostics=diagnose(
            rules,
            annotation,
            speech=speech,
            transcript=transcript,
            duration=evidence.duration or reference.duration,
            user_duration=reference.duration,
        ),
        reasons=(*result.reasons, *evidence.notes),
    )


def _with_intervals(
    result: ItemResult, reference: Reference, speech: Sequence[Segment]
) -> ItemResult:
    found, event = intervals(reference.speech, speech), reference.annotation.start_of(1)
    return replace(
        result,
        stop=tuple(found.stop),
        response=tuple(found.response),
        response_after_event=tuple(gap for gap in found.response if gap.start >= event),
    )
