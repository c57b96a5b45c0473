"""The judge step of a run: verdicts are written as they come, and a withdrawn entry stops asking.

A verdict that was paid for is in the database before its worker asks for another, both in the
memory and in its row; so a worker that dies loses only the calls that were under way.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django.utils import timezone

from scoring import pipeline
from scoring.evidence import Evidence, Reference, evidence_from_json, evidence_to_json
from scoring.judge import Exchange, Judge, Usage, Watch
from scoring.judge.usage import FREE, NOTHING, Tariff
from submissions.models import ItemResult, Run, Submission
from submissions.services.engines import tools
from submissions.states import State, sign_of_life

logger = logging.getLogger(__name__)

# How often a judging shows life and looks around, seconds.
EVERY = 2.0
# Verdicts that cost nothing are written this many at a time.
BATCH = 100


def judge_rows(run: Run, rows: Sequence[ItemResult]) -> None:
    """Ask the judge about items of a run; what it was stopped before stays to be done.

    Raises:
        EngineError: the judge cannot work at all, for example because its key is refused.
    """
    references = [row.item.reference for row in rows]
    evidence = [evidence_from_json(row.evidence or {}) for row in rows]
    _announce(run, pipeline.estimate(references, evidence, tools()))
    desk = _Desk(run, rows)
    watch = Watch(goes_on=desk.goes_on, used=desk.used_elsewhere)
    try:
        pipeline.judge(references, evidence, tools(), on_evidence=desk.take, watch=watch)
    finally:
        desk.write()


def usage_report(references: Sequence[Reference], evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Return what judging a run has cost, and what was to be expected of the same calls.

    Verdicts that were remembered from elsewhere cost nothing and are not expected to.
    """
    judge, pairs = tools().judge, zip(references, evidence, strict=True)
    asked = [question for pair in pairs for question in _paid_question(*pair)]
    expected = NOTHING if judge is None else judge.estimate(asked)
    used = _sum(one.verdict.usage for one in evidence if one.verdict)
    return {**_priced(used, judge), "estimate": _priced(expected, judge)}


class _Desk:
    """One judging under way: writes what comes, shows life, and looks whether to go on."""

    def __init__(self, run: Run, rows: Sequence[ItemResult]) -> None:
        self.run = run
        self.rows = rows
        self.keys = [row.pk for row in rows]
        self.unwritten: list[ItemResult] = []
        self.on = True
        self.next_look = time.monotonic() + EVERY
        self.elsewhere = self._sum_elsewhere()

    def take(self, position: int, evidence: Evidence) -> None:
        """Take the final word about one item; write it at once if it was paid for."""
        row = self.rows[position]
        row.evidence, row.judged = evidence_to_json(evidence), timezone.now()
        self.unwritten.append(row)
        paid = evidence.verdict is not None and evidence.verdict.calls
        if paid or len(self.unwritten) >= BATCH:
            self.write()

    def write(self) -> None:
        """Write what has come."""
        ItemResult.objects.bulk_update(self.unwritten, ["evidence", "judged"])
        self.unwritten = []

    def goes_on(self) -> bool:
        """Whether anybody still wants the result."""
        if self.on and time.monotonic() >= self.next_look:
            self._look_around()
            self.next_look = time.monotonic() + EVERY
        return self.on

    def used_elsewhere(self) -> Usage:
        """What other tasks have used for the same run, as far as was last seen."""
        return self.elsewhere

    def _look_around(self) -> None:
        submission = self.run.submission
        sign_of_life(submission)
        # A long judging is no dead one: its claims do not grow old.
        mine = ItemResult.objects.filter(pk__in=self.keys, claimed__isnull=False)
        mine.update(claimed=timezone.now())
        self.elsewhere = self._sum_elsewhere()
        states = Submission.objects.filter(pk=submission.pk).values_list("state", flat=True)
        self.on = states.first() == State.SCORING

    def _sum_elsewhere(self) -> Usage:
        if _tariff(tools().judge).budget is None:
            return NOTHING
        names = [f"evidence__verdict__{name}" for name in Usage._fields]
        others = self.run.items.filter(judged__isnull=False).exclude(pk__in=self.keys)
        return _sum(Usage(*(number or 0 for number in row)) for row in others.values_list(*names))


def _paid_question(reference: Reference, evidence: Evidence) -> list[Exchange]:
    """Return what had to be asked about an item; nothing where the answer was remembered."""
    verdict, question = evidence.verdict, pipeline.exchange(reference, evidence)
    if verdict is None or question is None:
        return []
    return [question] if verdict.calls or not verdict.judged else []


def _announce(run: Run, expected: Usage) -> None:
    """Say before the first call what is coming."""
    if expected.calls:
        tariff = _tariff(tools().judge)
        logger.info(
            "Run %s asks the judge: about %d call(s), %d tokens in, %d out; cost %s, budget %s.",
            run.pk,
            *expected,
            _money(tariff.cost(expected)) or "unknown",
            tariff.budget or "none",
        )


def _sum(usages: Iterable[Usage]) -> Usage:
    total = NOTHING
    for usage in usages:
        total = total.plus(usage)
    return total


def _tariff(judge: Judge | None) -> Tariff:
    return FREE if judge is None else judge.tariff


def _priced(usage: Usage, judge: Judge | None) -> dict[str, Any]:
    return {**usage._asdict(), "cost": _money(_tariff(judge).cost(usage))}


def _money(cost: Decimal | None) -> str | None:
    return None if cost is None else f"{cost:.4f}"
