"""The judge step of a run: verdicts are written as they come, and a withdrawn entry stops asking.

A verdict that was paid for is in the database before its worker asks for another, both in the
memory and in its row; so a worker that dies loses only the calls that were under way.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring import pipeline
from scoring.evidence import MODES, Evidence, Reference, evidence_from_json, verdict_from_json
from scoring.judge import Judge, Usage, Watch
from scoring.judge.usage import FREE, NOTHING, Purse, Tariff, tariff_of
from scoring.tools import Tools
from submissions.models import ItemResult, Run, Submission
from submissions.services.engines import tools
from submissions.services.rows import measure, write
from submissions.states import State, sign_of_life

# How often a judging shows life and looks around, seconds.
EVERY = 2.0
# Verdicts that cost nothing are written this many at a time.
BATCH = 100


def recalled(
    references: Sequence[Reference], evidence: Sequence[Evidence], tools: Tools
) -> tuple[list[Evidence], Usage]:
    """Add the verdicts that are remembered; tell what asking for the others will use, about."""
    done, judge = list(evidence), tools.judge
    pairs = enumerate(zip(references, evidence, strict=True))
    questions = {place: one for place, pair in pairs if (one := pipeline.exchange(*pair))}
    if judge is None or not questions:
        return done, NOTHING
    keys = {place: question.sha256 for place, question in questions.items()}
    known = tools.memory.recall(judge.signature, list(keys.values()))
    for place, key in keys.items():
        if key in known:
            verdict = verdict_from_json(known[key]).remembered()
            done[place] = replace(evidence[place], verdict=verdict)
            del questions[place]
    return done, judge.estimate(list(questions.values()))


def expect(run: Run, more: Usage) -> None:
    """Add to what judging a run will use, about; every item adds its own when it is heard."""
    if more.calls:
        with transaction.atomic():
            locked = Run.objects.select_for_update().get(pk=run.pk)
            tariff = _tariff(tools().judge)
            total = usage_of(locked.estimate).plus(more)
            prices = [_text(tariff.price_in), _text(tariff.price_out)]
            locked.estimate = {**_priced(total, tariff), "prices": prices}
            locked.save(update_fields=["estimate"])


def judge_rows(run: Run, rows: Sequence[ItemResult]) -> None:
    """Ask the judge about items of a run; what it was stopped before stays to be done.

    Raises:
        EngineError: the judge cannot work at all, for example because its key is refused.
    """
    references = [row.item.reference for row in rows]
    evidence = [evidence_from_json(row.evidence or {}) for row in rows]
    desk = _Desk(run, rows, references)
    watch = Watch(goes_on=desk.goes_on, used=desk.used_elsewhere)
    try:
        pipeline.judge(references, evidence, tools(), on_evidence=desk.take, watch=watch)
    finally:
        desk.write()


def usage_report(run: Run, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Return what judging a run has cost, what was expected, and what its budget left unasked.

    Verdicts that were remembered from elsewhere cost nothing and are not expected to.
    """
    tariff = _tariff(tools().judge)
    verdicts = [one.verdict for one in evidence if one.verdict]
    used = _sum(one.usage for one in verdicts)
    refusal = Purse(tariff, used).refusal
    unasked = [one for one in verdicts if refusal and not one.labels and refusal in one.reason]
    return {
        **_priced(used, tariff),
        "estimate": _priced(usage_of(run.estimate), tariff),
        "budget": _money(tariff.budget),
        "over_budget": len(unasked),
    }


def usage_of(stored: Mapping[str, Any] | None) -> Usage:
    """Read a usage as it is stored; what is absent was not used."""
    return NOTHING if stored is None else Usage(*(stored[name] for name in Usage._fields))


def used_so_far(run: Run) -> dict[str, Any]:
    """Return what judging a run has cost up to now, at the prices of its estimate."""
    price_in, price_out = (run.estimate or {}).get("prices", (None, None))
    tariff = tariff_of(price_in=price_in, price_out=price_out, budget=None)
    return _priced(_used(run.items.all()), tariff)


class _Desk:
    """One judging under way: writes what comes, shows life, and looks whether to go on."""

    def __init__(
        self, run: Run, rows: Sequence[ItemResult], references: Sequence[Reference]
    ) -> None:
        self.run = run
        self.rows = rows
        self.references = references
        self.keys = [row.pk for row in rows]
        self.unwritten: list[ItemResult] = []
        self.on = True
        self.next_look = time.monotonic() + EVERY
        self.elsewhere = self._sum_elsewhere()

    def take(self, position: int, evidence: Evidence) -> None:
        """Take the final word about one item; write it at once if it was paid for."""
        row = self.rows[position]
        row.evidence, row.judged = _with_verdict(row.evidence, evidence), timezone.now()
        measure(row, self.references[position], evidence)
        self.unwritten.append(row)
        paid = evidence.verdict is not None and evidence.verdict.calls
        if paid or len(self.unwritten) >= BATCH:
            self.write()

    def write(self) -> None:
        """Write what has come."""
        write(self.unwritten, ["evidence", "judged", *MODES])
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
        return _used(self.run.items.exclude(pk__in=self.keys))


def _with_verdict(stored: Mapping[str, Any] | None, evidence: Evidence) -> dict[str, Any]:
    """Return stored evidence with its verdict, and the rest of it not written out again."""
    verdict = evidence.verdict
    return {**(stored or {}), "verdict": None if verdict is None else asdict(verdict)}


def _used(items: "QuerySet[ItemResult]") -> Usage:
    names = [f"evidence__verdict__{name}" for name in Usage._fields]
    rows = items.filter(judged__isnull=False).values_list(*names)
    return _sum(Usage(*(number or 0 for number in row)) for row in rows)


def _sum(usages: Iterable[Usage]) -> Usage:
    total = NOTHING
    for usage in usages:
        total = total.plus(usage)
    return total


def _tariff(judge: Judge | None) -> Tariff:
    return FREE if judge is None else judge.tariff


def _priced(usage: Usage, tariff: Tariff) -> dict[str, Any]:
    return {**usage._asdict(), "cost": _money(tariff.cost(usage))}


def _text(price: Decimal | None) -> str | None:
    return None if price is None else str(price)


def _money(cost: Decimal | None) -> str | None:
    return None if cost is None else f"{cost:.4f}"
