"""One item and its answers, ready for the page: lanes, words, numbers, judge.

All input is stored: annotations, evidence and results per mode. Nothing is measured here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import sentences, words
from leaderboard.board import tables
from leaderboard.entry import results
from leaderboard.entry.results import ItemLine
from leaderboard.items.answers import Answer
from leaderboard.items.corrections import NOTHING, Heard
from leaderboard.items.scene import FIRST, RESPONSE, STOP, Lane, Measured, Pair, Scene
from leaderboard.items.transcripts import Said, said
from scoring.dialogue import Annotation
from scoring.humdial.scenarios import script as rules_of
from scoring.judge import Usage
from scoring.rounding import half_up
from submissions.models import Item, ItemResult

OTHER = {"official": "strict", "strict": "official"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge said about one answer in one mode.

    Attributes:
        mode: its name, where the other mode's judge was asked too and said it otherwise.
        notes: what is odd about its replies.
        left_out: parameters that the model does not take.
        returned: its name as it came back; empty when the endpoint did not say.
        votes: what each vote said, where there were several.
        agreement: how many of the votes gave the label; empty without voting.
    """

    mode: Any
    label: str
    reason: str
    notes: tuple[str, ...]
    asked: str
    left_out: str
    returned: str
    prompt: str
    votes: tuple[str, ...]
    agreement: str
    raw: tuple[str, ...]
    is_unofficial: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """One answer as the page tells it; ``lines`` and ``judged`` are per mode, ranking first."""

    answer: Answer
    is_scored: bool
    is_received: bool
    lines: tuple[tuple[Any, ItemLine], ...]
    entered: tuple[str, ...]
    words: Said | None
    clean: Said | None
    judged: tuple[Judged, ...]
    people: Heard
    notes: tuple[Any, ...]
    unofficial: str

    @property
    def name(self) -> str:
        """Its system, with its letter where there are several."""
        system, mark = self.answer.submission.system.name, self.answer.mark
        return f"{mark} · {system}" if mark else system


def scene(
    item: Item,
    answers: Sequence[Answer],
    *,
    mode: str,
    waves: Mapping[str, str],
    moment: Pair | None = None,
) -> Scene:
    """Put an item and its answers on one clock.

    Args:
        item: the user side.
        answers: with their stored evidence.
        mode: whose intervals are drawn.
        waves: addresses of waveforms by the letter of the answer, ``user`` for the user.
        moment: stretch that the reader's link is about.
    """
    annotation = Annotation.from_json(item.annotation)
    lengths = [_evidence(answer).get("duration") or 0.0 for answer in answers]
    return Scene(
        script=item.spec.script,
        said=annotation.segments,
        user=item.speech,
        duration=max(item.duration, *lengths, 0.0),
        lanes=[_lane(item, annotation, answer, waves, mode) for answer in answers],
        wave=waves.get("user", ""),
        moment=moment,
    )


def _lane(
    item: Item, annotation: Annotation, answer: Answer, waves: Mapping[str, str], mode: str
) -> Lane:
    result = _result(answer, mode)
    return Lane(
        answer.submission.system.name if answer.mark else _("Model"),
        _evidence(answer).get("speech"),
        measured(item.spec.script, annotation, result),
        answer.mark,
        waves.get(answer.mark or "model", ""),
    )


def measured(script: str, annotation: Annotation, result: Mapping[str, Any]) -> list[Measured]:
    """The stored intervals of one item in one mode, with their numbers."""
    found = [
        Measured(kind, pair[0], pair[1], results.length(pair))
        for kind in (STOP, RESPONSE)
        for pair in result.get(kind) or ()
    ]
    delay, difference = result.get("first_response_delay"), result.get("difference")
    kept = delay if delay is not None else difference
    if kept is None:
        return found
    asked = annotation.end_of(rules_of(script).question)
    text = str(half_up(kept, 3))
    return [*found, Measured(FIRST, asked, asked + kept, text, counted=delay is not None)]


def shown(
    answer: Answer, item: Item, moment: Pair | None, *, mode: str, people: Heard = NOTHING
) -> Shown:
    """Prepare one answer for the page, the mode that ranks first.

    ``people`` is what was said against the judge.
    """
    row = answer.row
    evidence = _evidence(answer)
    heard = row is not None and row.evidence is not None
    both = (mode, OTHER[mode]) if row and heard else ()
    verdicts = _verdicts(evidence, mode)
    return Shown(
        answer,
        is_scored=heard,
        is_received=bool(evidence.get("received")),
        lines=tuple(_lines(row, both, verdicts)) if row else (),
        entered=tuple(entered(item.spec.script, _result(answer, mode), mode)) if heard else (),
        words=said(evidence.get("transcript"), item.language, moment),
        clean=said(evidence.get("clean"), item.language),
        judged=tuple(_judged(verdicts, answer.run.unofficial if answer.run else [])),
        people=people,
        notes=tuple(evidence.get("notes") or ()),
        unofficial=tables.engine_words(answer.run.unofficial) if answer.run else "",
    )


def entered(script: str, result: Mapping[str, Any], mode: str) -> list[str]:
    """Say which of the item's intervals enter the means, and which do not and why."""
    if not result:
        return [_("This item has no result yet.")]
    if not result["received"]:
        return [_("No recording was handed in, so there is nothing to measure.")]
    if rules_of(script).group == "interruption" and result["stop"] is None:
        return [_("Nothing of this item enters a mean: its words and times do not fit together.")]
    return [*_entered_intervals(result), _entered_delay(result, mode)]


def _entered_intervals(result: Mapping[str, Any]) -> list[str]:
    if result["stop"] is None:
        return [_("Stop and response latency are not measured in this scenario.")]
    counts = {"stop": len(result["stop"]), "response": len(result["response"])}
    lines = [
        _("%(stop)d stop and %(response)d response intervals enter the means of the scenario.")
        % counts
    ]
    early = counts["response"] - len(result.get("response_after_event") or result["response"])
    if early:
        lines.append(
            ngettext(
                "%(number)d of the response intervals begins before the event; the protocol "
                "averages it with the others.",
                "%(number)d of the response intervals begin before the event; the protocol "
                "averages them with the others.",
                early,
            )
            % {"number": early}
        )
    return lines


def _entered_delay(result: Mapping[str, Any], mode: str) -> str:
    difference = result["difference"]
    if result["first_response_delay"] is not None:
        return _("The first-response delay enters its mean.")
    if difference is None:
        return _("There is no first word, so there is no first-response delay.")
    if difference < 0:
        return _(
            "The first-response delay is left out: the first word came %s s before the end of the "
            "question."
        ) % half_up(-difference, 3)
    if mode == "strict" and not result["success"]:
        return _("The first-response delay is left out: strict mode times successful items only.")
    return _(
        "The first-response delay is left out: the first word came exactly at the end of the "
        "question."
    )


def _verdicts(evidence: Mapping[str, Any], mode: str) -> dict[str, Mapping[str, Any]]:
    """The judge's words by mode, the ranking mode first; older runs have the same for both."""
    if "verdicts" not in evidence:
        return {mode: evidence["verdict"]} if evidence.get("verdict") else {}
    known: Mapping[str, Mapping[str, Any]] = evidence["verdicts"]
    order = [name for name in (mode, OTHER[mode]) if name in known]
    # What keeps an endpoint from answering is for organisers, and tells nothing about an item.
    final = {name: known[name] for name in order if not known[name].get("pending")}
    same = len({str(_words(one)) for one in final.values()}) == 1
    return dict(list(final.items())[:1]) if same else final


def _words(verdict: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a verdict says, whoever pays for it."""
    return {name: value for name, value in verdict.items() if name not in Usage._fields}


def _lines(
    row: ItemResult, modes: Iterable[str], verdicts: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Any, ItemLine]]:
    """The result in each mode; a reason stands once, and the judge's on the judge's card only."""
    told = {
        sentences.known(said)
        for one in verdicts.values()
        for said in (one.get("reason", ""), *one.get("notes", ()))
    }
    for name in modes:
        line = results.item_line(row, getattr(row, name))
        new = tuple(reason for reason in line.reasons if reason not in told)
        told.update(new)
        yield words.MODES[name], replace(line, reasons=new)


def _judged(
    verdicts: Mapping[str, Mapping[str, Any]], unofficial: Sequence[str]
) -> Iterator[Judged]:
    for mode, verdict in verdicts.items():
        votes = tuple(verdict.get("votes") or ())
        yield Judged(
            words.MODES[mode] if len(verdicts) > 1 else "",
            results.label(", ".join(verdict["labels"])),
            sentences.known(verdict.get("reason", "")),
            tuple(map(sentences.known, verdict.get("notes") or ())),
            verdict.get("asked", ""),
            ", ".join(verdict.get("left_out") or ()),
            verdict.get("returned", ""),
            verdict.get("prompt", ""),
            tuple(results.label(vote) or _("no usable label") for vote in votes),
            _agreement(verdict.get("agreement"), len(votes)),
            tuple(verdict.get("raw") or ()),
            "offline" in unofficial,
        )


def _agreement(share: float | None, votes: int) -> str:
    """How many votes agreed; runs from before each vote was kept know the share only."""
    if share is None:
        return _("no majority") if votes else ""
    percent = f"{half_up(100 * share, 0)} %"
    if not votes:
        return percent
    counts = {"count": round(share * votes), "votes": votes, "percent": percent}
    return _("%(count)d of %(votes)d (%(percent)s)") % counts


def _evidence(answer: Answer) -> Mapping[str, Any]:
    return (answer.row.evidence if answer.row else None) or {}


def _result(answer: Answer, mode: str) -> Mapping[str, Any]:
    return (getattr(answer.row, mode) if answer.row else None) or {}
