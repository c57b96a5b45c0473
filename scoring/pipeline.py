"""Score items, given the tools: hear, judge, measure.

Conventions: the caller brings references and evidence; nothing here opens a file or asks a clock.
The stages are separate functions because a queue runs them apart; ``score`` runs the last one.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from typing import Any

from scoring.benchmark import Benchmark
from scoring.corrections import Corrections
from scoring.errors import Phrase
from scoring.evidence import MODES, Evidence, ItemResult, Reference
from scoring.judge import (
    UNWATCHED,
    Exchange,
    Judge,
    Usage,
    Verdict,
    Watch,
    verdict_from_json,
    verdict_to_json,
    vote_from_json,
    vote_to_json,
)
from scoring.judge.usage import NOTHING
from scoring.reasons import PENDING, Said, of_kind
from scoring.signature import returned
from scoring.tools import Memory, Tools


@dataclass(frozen=True, slots=True)
class Scored:
    """A submission in one mode.

    Attributes:
        mode: ``official`` or ``strict``.
        items, scenarios, totals: of the benchmark.
        returned: what came back of the judge where it differs from what was asked for, for the
            signature.
        trouble: why the judge is not done (decision 26a); ``None`` when it is.
    """

    mode: str
    items: tuple[ItemResult, ...]
    scenarios: Sequence[Any]
    totals: Any
    returned: str = ""
    trouble: Said | None = None


def exchange(reference: Reference, evidence: Evidence) -> Exchange | None:
    """Return what the judge gets for an item; ``None`` when a recording is missing."""
    parts = (reference.clean, reference.noisy, evidence.clean, evidence.noisy)
    known = [part for part in parts if part is not None]
    return Exchange(*known) if len(known) == len(parts) else None


def judge(
    references: Sequence[Reference],
    evidence: Sequence[Evidence],
    tools: Tools,
    *,
    modes: Sequence[str] = MODES,
    on_evidence: Callable[[int, Evidence], None] = lambda position, evidence: None,
    watch: Watch = UNWATCHED,
) -> list[Evidence]:
    """Add verdicts to each piece of evidence that has something to judge, mode by mode.

    Each label is remembered as soon as it is there, before the next is taken in: work that dies
    has lost only what was under way. An unjudged exchange is not remembered; it is asked again
    another time. Where the judge is in trouble (decision 26a) the verdicts are pending: what was
    paid for is remembered, and a later call goes on from there.

    Args:
        references: the user side.
        evidence: the model side, in the same order; verdicts that it has already are kept, but for
            pending ones.
        tools: engines and memory.
        modes: in which to ask; after trouble of the endpoint in one the next is not asked.
        on_evidence: called with position and evidence whenever a verdict has come, and at once for
            what has nothing to judge.
        watch: may stop the judging; evidence it stopped before has no verdict.
    """
    done, questions = list(evidence), _questions(references, evidence)
    judges = _by_judge(tools, modes)
    for place, known in enumerate(done):
        if place not in questions or not judges:
            on_evidence(place, known)
    spent, in_trouble = NOTHING, False
    for asked, served in judges:
        if in_trouble:
            break
        waiting = {place: one for place, one in questions.items() if waits(done[place], served)}
        own = replace(watch, used=partial(_together, watch.used, spent))
        # Closed at once when the caller gives up, so that no call goes on behind its back.
        with closing(_verdicts(waiting, asked, tools.memory, own)) as verdicts:
            for place, verdict in verdicts:
                done[place] = _with_verdict(done[place], verdict, served)
                spent = spent.plus(verdict.usage)
                in_trouble = in_trouble or _is_of_endpoint(verdict)
                on_evidence(place, done[place])
    return done


def _together(elsewhere: Callable[[], Usage], before: Usage) -> Usage:
    return elsewhere().plus(before)


def _is_of_endpoint(verdict: Verdict) -> bool:
    """Whether a verdict is pending for a reason that every other item would meet too."""
    return verdict.pending and not of_kind(verdict.reason, "judge-refused-item")


def _questions(
    references: Sequence[Reference], evidence: Sequence[Evidence]
) -> dict[int, Exchange]:
    pairs = enumerate(zip(references, evidence, strict=True))
    return {place: one for place, pair in pairs if (one := exchange(*pair)) is not None}


def waits(evidence: Evidence, modes: Iterable[str]) -> bool:
    """Whether some of these modes has no final word of its judge about an answer yet."""
    known = (evidence.verdicts.get(mode) for mode in modes)
    return any(verdict is None or verdict.pending for verdict in known)


def recall(
    references: Sequence[Reference],
    evidence: Sequence[Evidence],
    tools: Tools,
    *,
    modes: Sequence[str] = MODES,
) -> tuple[list[Evidence], Usage]:
    """Add the verdicts that are remembered; tell what asking for the others will use, about."""
    done, questions, expected = list(evidence), _questions(references, evidence), NOTHING
    for asked, served in _by_judge(tools, modes):
        known = tools.memory.recall(asked.signature, _keys(questions.values()))
        for place, question in questions.items():
            if (stored := known.get(question.sha256)) and waits(done[place], served):
                verdict = verdict_from_json(stored).remembered()
                done[place] = _with_verdict(done[place], verdict, served)
        left = {one.sha256: one for place, one in questions.items() if waits(done[place], served)}
        expected = expected.plus(asked.estimate(list(left.values())))
    return done, expected


def estimate(
    references: Sequence[Reference],
    evidence: Sequence[Evidence],
    tools: Tools,
    *,
    modes: Sequence[str] = MODES,
) -> Usage:
    """Estimate what judging will use: everything that is not remembered yet, once."""
    return recall(references, evidence, tools, modes=modes)[1]


def correct(
    references: Sequence[Reference], evidence: Sequence[Evidence], corrections: Corrections
) -> list[Evidence]:
    """Lay what people said beside the evidence; measuring puts it in the judge's place."""
    pairs = zip(references, evidence, strict=True)
    return [replace(one, correction=corrections.of(about.item)) for about, one in pairs]


def score(
    benchmark: Benchmark,
    references: Sequence[Reference],
    evidence: Sequence[Evidence],
    *,
    mode: str,
    absent: Phrase = PENDING,
) -> Scored:
    """Measure every item and divide once, at the end.

    Args:
        benchmark: which rules.
        references: one per expected item.
        evidence: in the same order.
        mode: ``official`` or ``strict``.
        absent: what it means when the mode has no verdict of a judged item.
    """
    items = tuple(
        benchmark.measure(*pair, mode=mode, absent=absent)
        for pair in zip(references, evidence, strict=True)
    )
    scenarios = benchmark.score_scenarios(items, mode=mode)
    verdicts = [one.verdicts[mode] for one in evidence if mode in one.verdicts]
    return Scored(
        mode,
        items,
        scenarios,
        benchmark.total(scenarios, mode=mode),
        returned=returned(verdicts),
        trouble=next((one.reason for one in verdicts if one.pending), None),
    )


def _by_judge(tools: Tools, modes: Sequence[str]) -> list[tuple[Judge, tuple[str, ...]]]:
    """The judges of some modes, each with the modes that it serves; one asks for them all."""
    served: dict[str, list[str]] = {}
    for mode in modes:
        if mode in tools.judges:
            served.setdefault(tools.judges[mode].signature, []).append(mode)
    return [(tools.judges[names[0]], tuple(names)) for names in served.values()]


def _with_verdict(evidence: Evidence, verdict: Verdict, modes: Iterable[str]) -> Evidence:
    news = {mode: verdict.after(evidence.verdicts.get(mode)) for mode in modes}
    return replace(evidence, verdicts={**evidence.verdicts, **news})


def _keys(questions: Iterable[Exchange]) -> list[str]:
    return list(dict.fromkeys(one.sha256 for one in questions))


def _verdicts(
    questions: Mapping[int, Exchange], judge: Judge, memory: Memory, watch: Watch
) -> Generator[tuple[int, Verdict], None, None]:
    """Yield verdicts by place as they come; what is remembered is not asked for again."""
    places: dict[str, list[int]] = {}
    for place, question in questions.items():
        places.setdefault(question.sha256, []).append(place)
    recalled = memory.recall(judge.signature, list(places))
    for key, value in recalled.items():
        for place in places[key]:
            yield place, verdict_from_json(value).remembered()
    fresh = {key: questions[those[0]] for key, those in places.items() if key not in recalled}
    with closing(_asked(fresh, judge, memory, watch)) as arriving:
        for key, verdict in arriving:
            # Equal exchanges are paid for once.
            shares = chain([verdict], repeat(verdict.remembered()))
            yield from zip(places[key], shares, strict=False)


def _asked(
    questions: Mapping[str, Exchange], judge: Judge, memory: Memory, watch: Watch
) -> Generator[tuple[str, Verdict], None, None]:
    """Ask, going on with votes that were begun; remember what was paid for before handing it on."""
    keys, unfinished = list(questions), begun_name(judge)
    stored = memory.recall(unfinished, keys)
    begun = {keys.index(key): tuple(map(vote_from_json, votes)) for key, votes in stored.items()}
    arriving = judge.arriving(list(questions.values()), watch=watch, begun=begun)
    with closing(arriving):
        for position, verdict in arriving:
            key = keys[position]
            if verdict.labels:
                memory.keep(judge.signature, {key: verdict_to_json(verdict)})
            if key in stored and (verdict.begun or not verdict.pending):
                memory.forget(unfinished, [key])
            if verdict.begun:
                memory.keep(unfinished, {key: [*map(vote_to_json, verdict.begun)]})
            yield key, verdict


def begun_name(judge: Judge) -> str:
    """Return the name under which unfinished votes of a judge are remembered."""
    return f"{judge.signature} begun"
