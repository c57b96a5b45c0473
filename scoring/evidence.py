"""What is known about one item before anything is divided: reference, evidence, result.

Conventions: seconds; ``None`` means absent. *Missing* (no file came), *silent* (a file without a
word) and *unjudged* (no usable label) are three different things with different rules.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from scoring import reasons
from scoring.corrections import Correction
from scoring.dialogue import Annotation, Segment, Transcript
from scoring.judge import Verdict, modes_of, verdict_from_json, verdict_to_json
from scoring.manifest import Item
from scoring.reasons import Said

MODES = ("official", "strict")


@dataclass(frozen=True, slots=True)
class Reference:
    """The user side of one item, worked out once per split.

    Attributes:
        item: which item.
        annotation: who speaks when.
        duration: length of the user recording in seconds.
        speech: unmerged voice activity of the user recording.
        noisy: transcript of the user recording as the judge gets it (for speech directed at
            others it is cut to the second question).
        clean: the same without the event; ``None`` where the item is not judged.
    """

    item: Item
    annotation: Annotation
    duration: float
    speech: tuple[Segment, ...]
    noisy: Transcript | None = None
    clean: Transcript | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The model side of one item, as one submission answered it.

    Attributes:
        received: whether the answer to the recording with the event came.
        duration: its length in seconds.
        speech: its unmerged voice activity.
        transcript: its words.
        noisy: its words as the judge gets them (cut for speech directed at others).
        clean: words of the answer to the recording without the event; ``None`` if none came.
        verdicts: the judge's by mode, since the modes ask differently (decisions 25 to 28); a mode
            is absent that was not asked (yet), or where there is nothing to judge.
        correction: what a person read instead of the judge; ``None`` for nearly every item.
        notes: what else the item page tells.
        sources: content hashes of the recordings, by kind.
    """

    received: bool
    duration: float | None = None
    speech: tuple[Segment, ...] | None = None
    transcript: Transcript | None = None
    noisy: Transcript | None = None
    clean: Transcript | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    correction: Correction | None = None
    notes: tuple[Said, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def clean_received(self) -> bool:
        """Whether the answer to the recording without the event came."""
        return self.clean is not None or "clean" in self.sources


MISSING = Evidence(received=False)


def without_answer(clean: str | None) -> Evidence:
    """Say that no answer to the recording with the event came.

    Args:
        clean: content hash of the answer to the clean recording; ``None`` if none came either.
    """
    return replace(MISSING, sources={"clean": clean}) if clean else MISSING


@dataclass(frozen=True, slots=True)
class ItemResult:
    """Outcome of one item in one mode.

    Attributes:
        item: which item.
        received: whether a recording came.
        clean_received: the same of the recording without the event; ``None`` where the item needs
            none.
        counted: whether the item enters the denominator of its scenario's rate.
        success: the outcome; ``None`` when it is not counted.
        silent: whether the answer has no words; ``None`` if missing.
        labels: the labels that count: the judge's as returned, or the one of a person who
            corrected it; empty where not judged.
        correction: the person's label and reason; ``None`` where the judge's labels count.
        judge_labels: beside a correction, what the judge said.
        unjudged: why there is no label where one is needed; ``None`` otherwise. Such an item is
            neither success nor failure.
        first_response_delay: seconds, kept values only.
        first_response_by_voice: the same from voice activity alone, never part of a score
            (decision 12).
        difference: first word's start minus the question's end, kept or not.
        stop: stop intervals; ``None`` where they are not measured.
        response: response intervals.
        response_after_event: response intervals that begin at the event or later (decision 30).
        diagnostics: what happened, never part of a score.
        reasons: what explains the outcome.
    """

    item: Item
    received: bool
    counted: bool
    success: bool | None
    clean_received: bool | None = None
    silent: bool | None = None
    labels: tuple[str, ...] = ()
    correction: Correction | None = None
    judge_labels: tuple[str, ...] = ()
    unjudged: Said | None = None
    first_response_delay: float | None = None
    first_response_by_voice: float | None = None
    difference: float | None = None
    stop: tuple[Segment, ...] | None = None
    response: tuple[Segment, ...] | None = None
    response_after_event: tuple[Segment, ...] | None = None
    diagnostics: Mapping[str, bool] = field(default_factory=dict)
    reasons: tuple[Said, ...] = ()

    @property
    def label(self) -> str | None:
        """The label as one text; ``None`` when there is none."""
        return ", ".join(self.labels) or None


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    """Return plain JSON values; ``null`` where something is absent.

    Only a corrected item has the key ``correction``.
    """
    corrected = {"correction": asdict(evidence.correction)} if evidence.correction else {}
    return {
        "received": evidence.received,
        "duration": evidence.duration,
        "speech": None if evidence.speech is None else [list(one) for one in evidence.speech],
        **{name: _words_to_json(getattr(evidence, name)) for name in _TRANSCRIPTS},
        "verdicts": {mode: verdict_to_json(one) for mode, one in evidence.verdicts.items()},
        "notes": [*map(reasons.to_json, evidence.notes)],
        "sources": dict(evidence.sources),
        **corrected,
    }


def evidence_from_json(data: Mapping[str, Any]) -> Evidence:
    """Read what ``evidence_to_json`` wrote, of this release or an older one."""
    speech, correction = data["speech"], data.get("correction")
    return Evidence(
        received=data["received"],
        duration=data["duration"],
        speech=None if speech is None else tuple(Segment(*one) for one in speech),
        verdicts=verdicts_from_json(data),
        correction=None if correction is None else Correction(**correction),
        notes=tuple(map(reasons.from_json, data["notes"])),
        sources=data["sources"],
        **{name: _words_from_json(data[name]) for name in _TRANSCRIPTS},
    )


def verdicts_from_json(data: Mapping[str, Any]) -> dict[str, Verdict]:
    """Read the verdicts of stored evidence by mode.

    Older releases kept one verdict for both modes. It is that of the modes whose instruction it
    was given by (decision 28).
    """
    if "verdicts" in data:
        return {mode: verdict_from_json(one) for mode, one in data["verdicts"].items()}
    if data.get("verdict") is None:
        return {}
    verdict = verdict_from_json(data["verdict"])
    return dict.fromkeys(modes_of(verdict.prompt, MODES), verdict)


_TRANSCRIPTS = ("transcript", "noisy", "clean")


def _words_to_json(transcript: Transcript | None) -> dict[str, Any] | None:
    return None if transcript is None else transcript.to_json()


def _words_from_json(data: Any) -> Transcript | None:
    return None if data is None else Transcript.from_json(data)
