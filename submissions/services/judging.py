"""The judge step of a run: verdicts are written as they come, and a withdrawn entry stops asking.

A verdict that was paid for is in the database before its worker asks for another, both in the
memory and in its row; so a worker that dies loses only the calls that were under way. A judge in
trouble makes the run wait (``submissions.services.waiting``).
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring import pipeline
from scoring.evidence import MODES, Evidence, Reference, evidence_from_json
from scoring.judge import Usage, Watch, verdict_to_json
from scoring.judge.usage import NOTHING, Tariff, tariff_of
from scoring.reasons import Said
from submissions.models import ItemResult, Run, Submission
from submissions.services import waiting
from submissions.services.engines import tools
from submissions.services.rows import measure, write
from submissions.states import State, sign_of_life

# How often a judging shows life and looks around, seconds.
EVERY = 2.0
# Verdicts that cost nothing are written this many at a time.
BATCH = 100
# Where rows keep verdicts: by mode, and as older releases did.
_PLACES = (*(f"evidence__verdicts__{mode}" for mode in MODES), "evidence__verdict")


def expect(run: Run, more: Usage) -> None:
    """Add to what judging a run will use, about; every item adds its own when it is heard."""
    if more.calls:
        with transaction.atomic():
            locked = Run.objects.select_for_update().get(pk=run.pk)
            tariff = tools().tariff
            total = usage_of(locked.estimate).plus(more)
            prices = [_text(tariff.price_in), _text(tariff.price_out)]
            locked.estimate = {**_priced(total, tariff), "prices": prices}
            locked.save(update_fields=["estimate"])


def judge_rows(run: Run, rows: Sequence[ItemResult]) -> None:
    """Ask the judge about items of a run; what it was stopped before stays to be done.

    Where the judge is in trouble the run waits; what was paid for is kept.
    """
    references = [row.item.reference for row in rows]
    evidence = [evidence_from_json(row.evidence or {}) for row in rows]
    desk = _Desk(run, rows, references, evidence)
    watch = Watch(goes_on=desk.goes_on, used=desk.used_elsewhere)
    try:
        pipeline.judge(
            references, evidence, tools(), modes=run.asked, on_evidence=desk.take, watch=watch
        )
    finally:
        desk.write()
    if desk.trouble is not None:
        waiting.wait(run, desk.trouble, afresh=desk.came > 0)
    elif desk.came:
        waiting.go_on(run)


def is_judged(run: Run, reference: Reference, evidence: Evidence) -> bool:
    """Whether nothing more will be said of an answer in the modes that a run asks."""
    asks = pipeline.exchange(reference, evidence) is not None
    return not (asks and pipeline.waits(evidence, run.asked))


def usage_report(run: Run, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Return what judging a run has cost, and what was expected.

    Verdicts that were remembered from elsewhere cost nothing and are not expected to.
    """
    tariff = tools().tariff
    return {
        **_priced(_usage(evidence), tariff),
        "estimate": _priced(usage_of(run.estimate), tariff),
        "budget": _money(tariff.budget),
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
        self,
        run: Run,
        rows: Sequence[ItemResult],
        references: Sequence[Reference],
        evidence: Sequence[Evidence],
    ) -> None:
        self.run = run
        self.rows = rows
        self.references = references
        self.keys = [row.pk for row in rows]
        self.unwritten: list[ItemResult] = []
        self.trouble: Said | None = None
        self.came = 0
        self.on = True
        self.next_look = time.monotonic() + EVERY
        self.before = _usage(evidence)
        self.elsewhere = self._sum_elsewhere()

    def take(self, position: int, evidence: Evidence) -> None:
        """Take what was said about one item; write it at once if it was paid for."""
        row = self.rows[position]
        row.evidence = _with_verdicts(row.evidence, evidence)
        if is_judged(self.run, self.references[position], evidence):
            row.judged = timezone.now()
            measure(row, self.references[position], evidence, run=self.run)
        self._look_at(evidence)
        self.unwritten.append(row)
        paid = any(verdict.calls for verdict in evidence.verdicts.values())
        if paid or len(self.unwritten) >= BATCH:
            self.write()

    def write(self) -> None:
        """Write what has come."""
        # A row comes once for each mode; a statement may name it once only.
        write(
            list({row.pk: row for row in self.unwritten}.values()), ["evidence", "judged", *MODES]
        )
        self.unwritten = []

    def goes_on(self) -> bool:
        """Whether anybody still wants the result."""
        if self.on and time.monotonic() >= self.next_look:
            self._look_around()
            self.next_look = time.monotonic() + EVERY
        return self.on

    def used_elsewhere(self) -> Usage:
        """What the same run has used but for this judging, as far as was last seen."""
        return self.elsewhere.plus(self.before)

    def _look_at(self, evidence: Evidence) -> None:
        """Count the words of the judge, and keep what hinders it."""
        pending = [verdict for verdict in evidence.verdicts.values() if verdict.pending]
        self.trouble = self.trouble or next((one.reason for one in pending), None)
        self.came += not pending

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
        if tools().tariff.budget is None:
            return NOTHING
        return _used(self.run.items.exclude(pk__in=self.keys))


def _with_verdicts(stored: Mapping[str, Any] | None, evidence: Evidence) -> dict[str, Any]:
    """Return stored evidence with its verdicts, and the rest of it not written out again."""
    verdicts = {mode: verdict_to_json(one) for mode, one in evidence.verdicts.items()}
    rest = {name: value for name, value in (stored or {}).items() if name != "verdict"}
    return {**rest, "verdicts": verdicts}


def _usage(evidence: Iterable[Evidence]) -> Usage:
    return _sum(verdict.usage for one in evidence for verdict in one.verdicts.values())


def _used(items: "QuerySet[ItemResult]") -> Usage:
    names = [f"{place}__{name}" for place in _PLACES for name in Usage._fields]
    rows = items.filter(heard__isnull=False).values_list(*names)
    width = len(Usage._fields)
    return _sum(
        Usage(*(number or 0 for number in row[start : start + width]))
        for row in rows
        for start in range(0, len(row), width)
    )


def _sum(usages: Iterable[Usage]) -> Usage:
    total = NOTHING
    for usage in usages:
        total = total.plus(usage)
    return total


def _priced(usage: Usage, tariff: Tariff) -> dict[str, Any]:
    return {**usage._asdict(), "cost": _money(tariff.cost(usage))}


def _text(price: Decimal | None) -> str | None:
    return None if price is None else str(price)


def _money(cost: Decimal | None) -> str | None:
    return None if cost is None else f"{cost:.4f}"
