"""Score items, given the tools: hear, judge, measure.

Conventions: the caller brings references and evidence; nothing here opens a file or asks a clock.
The stages are separate functions because a queue runs them apart; ``score`` runs the last one.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from scoring.benchmark import Benchmark
from scoring.evidence import Evidence, ItemResult, Reference, verdict_from_json
from scoring.judge import Exchange, Verdict
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
    references: Sequence[Reference], evidence: Sequence[Evidence], tools: Tools
) -> list[Evidence]:
    """Add the judge's verdict to each piece of evidence that has something to judge."""
    asked = [exchange(*pair) for pair in zip(references, evidence, strict=True)]
    verdicts = _verdicts([one for one in asked if one is not None], tools)
    return [
        one if question is None else replace(one, verdict=verdicts.get(question.sha256))
        for one, question in zip(evidence, asked, strict=True)
    ]


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


def _verdicts(exchanges: Sequence[Exchange], tools: Tools) -> dict[str, Verdict]:
    """Verdicts by message hash; what is remembered is not asked for again."""
    if tools.judge is None:
        return {}
    asked = {one.sha256: one for one in exchanges}
    recalled = tools.memory.recall(tools.judge.signature, list(asked))
    known = {key: verdict_from_json(value) for key, value in recalled.items()}
    fresh = {key: one for key, one in asked.items() if key not in known}
    answers = tools.judge.judge(list(fresh.values())) if fresh else []
    new = dict(zip(fresh, answers, strict=True))
    # An unjudged exchange is not remembered: it is asked again next time.
    settled = {key: asdict(one) for key, one in new.items() if one.labels}
    tools.memory.keep(tools.judge.signature, settled)
    return known | new
