"""Score items, given the tools: hear, judge, measure.

Conventions: the caller brings references and evidence; nothing here opens a file or asks a clock.
The stages are separate functions because a queue runs them apart; ``score`` runs the last one.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import chain, repeat
from typing import Any

from scoring.benchmark import Benchmark
from scoring.corrections import Corrections
from scoring.evidence import Evidence, ItemResult, Reference, verdict_from_json
from scoring.judge import UNWATCHED, Exchange, Usage, Verdict, Watch
from scoring.tools import Tools


@dataclass(frozen=True, slots=True)
class Scored:
    """A submission in one mode: items, scenarios, totals."""

    mode: str
    items: tuple[ItemResult, ...]
    scenarios: Sequence[Any]
    totals: Any


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
    on_evidence: Callable[[int, Evidence], None] = lambda position, evidence: None,
    watch: Watch = UNWATCHED,
) -> list[Evidence]:
    """Add the judge's verdict to each piece of evidence that has something to judge.

    Each label is remembered as soon as it is there, before the next is taken in: work that dies
    has lost only what was under way. An unjudged exchange is not remembered; it is asked again
    another time.

    Args:
        references: the user side.
        evidence: the model side, in the same order.
        tools: engines and memory.
        on_evidence: called with position and evidence when no more will be said of it.
        watch: may stop the judging; evidence it stopped before keeps the verdict ``None``.

    Raises:
        EngineError: the judge cannot work at all.
    """
    done = list(evidence)
    places: dict[str, list[int]] = {}
    questions: dict[str, Exchange] = {}
    for position, pair in enumerate(zip(references, evidence, strict=True)):
        question = exchange(*pair) if tools.judge else None
        if question is None:
            on_evidence(position, done[position])
        else:
            key = question.sha256
            places.setdefault(key, []).append(position)
            questions[key] = question
    # Closed at once when the caller gives up, so that no call goes on behind its back.
    with closing(_verdicts(questions, tools, watch)) as verdicts:
        for key, verdict in verdicts:
            # Equal exchanges are paid for once.
            shares = chain([verdict], repeat(verdict.remembered()))
            for position, share in zip(places[key], shares, strict=False):
                done[position] = replace(evidence[position], verdict=share)
                on_evidence(position, done[position])
    return done


def estimate(references: Sequence[Reference], evidence: Sequence[Evidence], tools: Tools) -> Usage:
    """Estimate what judging will use: everything that is not remembered yet, once."""
    pairs = zip(references, evidence, strict=True)
    questions = {one.sha256: one for pair in pairs if (one := exchange(*pair)) is not None}
    if tools.judge is None:
        return Usage()
    known = tools.memory.recall(tools.judge.signature, list(questions))
    return tools.judge.estimate([one for key, one in questions.items() if key not in known])


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
) -> Scored:
    """Measure every item and divide once, at the end.

    Args:
        benchmark: which rules.
        references: one per expected item.
        evidence: in the same order.
        mode: ``official`` or ``strict``.
    """
    items = tuple(
        benchmark.measure(*pair, mode=mode) for pair in zip(references, evidence, strict=True)
    )
    scenarios = benchmark.score_scenarios(items, mode=mode)
    return Scored(mode, items, scenarios, benchmark.total(scenarios, mode=mode))


def _verdicts(
    questions: Mapping[str, Exchange], tools: Tools, watch: Watch
) -> Generator[tuple[str, Verdict], None, None]:
    """Yield verdicts by message hash as they come; what is remembered is not asked for again."""
    if tools.judge is None:
        return
    recalled = tools.memory.recall(tools.judge.signature, list(questions))
    for key, value in recalled.items():
        yield key, verdict_from_json(value).remembered()
    fresh = [key for key in questions if key not in recalled]
    arriving = tools.judge.arriving([questions[key] for key in fresh], watch=watch)
    with closing(arriving):
        for position, verdict in arriving:
            if verdict.labels:
                values = {fresh[position]: asdict(verdict)}
                tools.memory.keep(tools.judge.signature, values)
            yield fresh[position], verdict
