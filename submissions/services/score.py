"""Score a submission: start a run, work on what is missing, finish when nothing is.

What a row lacks decides what is done next, so any task may run twice, die anywhere, or never
arrive; ``submissions.services.sweep`` takes up what was left.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scoring import pipeline, report
from scoring.evidence import (
    MODES,
    Evidence,
    Reference,
    evidence_from_json,
    evidence_to_json,
    without_answer,
)
from scoring.hearing import Side, hear_models, origins
from scoring.humdial import BENCHMARK
from scoring.pipeline import Scored
from scoring.signature import BOTH, Signature, uncorrected
from scoring.tools import Tools
from submissions import queue
from submissions.components import of_item_results
from submissions.models import Item, ItemResult, Run, Submission
from submissions.services import correct
from submissions.services.claims import claim, claim_end, held, release
from submissions.services.engines import asked, tools
from submissions.services.judging import expect, is_judged, judge_rows, usage_report
from submissions.services.publish import publish_when_due
from submissions.services.rescore import settle
from submissions.services.rows import measure, put, write
from submissions.services.stored import Recordings, archive_of
from submissions.services.waiting import is_due
from submissions.states import State, advance, sign_of_life

Step = Callable[[Run, Sequence[ItemResult]], None]
UNHEARD = Q(heard=None)
UNJUDGED = Q(heard__isnull=False, judged=None)
RESULT_FIELDS = [
    "results", "finished", "judges", "components", "signature", "unofficial", "waiting",
]  # fmt: skip
# Seconds that one task goes on hearing, chunk after chunk.
TURN = 10.0


def start(submission: Submission) -> Run | None:
    """Open a run, or take up the one under way; ``None`` when there is nothing to do."""
    run = _opened(submission, tools())
    if run is not None:
        for _ in range(settings.SCORING_PARALLEL):
            queue.send("work", run.pk)
    return run


@transaction.atomic
def _opened(submission: Submission, engines: Tools) -> Run | None:
    """Find the unfinished run with the signature of today's tools, or make one, under a lock."""
    submission = Submission.objects.select_for_update().get(pk=submission.pk)
    if submission.state not in (State.QUEUED, State.SCORING):
        return None
    corrections = correct.standing(submission)
    signature = engines.signature(
        BENCHMARK,
        submission.expected,
        BOTH,
        correct.given(corrections),
        asked=asked(submission.split),
    )
    run = _begun(submission, signature)
    if run is None:
        run = submission.runs.create(signature=str(signature), unofficial=list(engines.unofficial))
        run.corrections.set(corrections)
        ItemResult.objects.bulk_create(ItemResult(run=run, item=item) for item in submission.items)
    if submission.state == State.QUEUED:
        advance(submission, State.SCORING)
    return run


def _begun(submission: Submission, signature: Signature) -> Run | None:
    """An unfinished run to go on with; one under way keeps the corrections it began with."""
    same = Q(signature=str(signature))
    if submission.state == State.SCORING:
        engines = uncorrected(str(signature))
        same = Q(signature=engines) | Q(signature__startswith=f"{engines}|corrections:")
    return submission.runs.filter(same, finished=None).first()


def work(run: Run) -> bool:
    """Do the next chunk of what is missing; return whether more may be left for this worker."""
    submission = run.submission
    if run.finished or submission.state != State.SCORING:
        return False
    sign_of_life(submission)
    for todo, step, chunk in _stages(run):
        rows = claim(run, todo, chunk)
        if rows:
            try:
                step(run, rows)
            finally:
                release(rows)
            return True
    if held(run).exists() or run.items.filter(UNHEARD | UNJUDGED).exists():
        return False
    finish(run)
    return False


def _stages(run: Run) -> Iterator[tuple[Q, Step, int]]:
    """What may be done now: the judge is not asked while it is in trouble, or another one."""
    yield UNHEARD, _hear, settings.SCORING_CHUNK
    if is_due(run, timezone.now()) and _has_its_judges(run):
        yield UNJUDGED, judge_rows, settings.JUDGE_CHUNK


def _has_its_judges(run: Run) -> bool:
    """Whether today's judges are those that a run began with; otherwise the sweep begins anew."""
    signature, judges = Signature.parse(run.signature), tools().judges
    return all(
        mode in judges and judges[mode].signature == signature.of(mode).judge for mode in run.asked
    )


def finish(run: Run) -> None:
    """Divide once, at the end: scenarios and totals of both modes; then publish.

    One worker does it, the one that gets hold of the end of the run; the others leave.
    """
    end = claim_end(run)
    if not end and run.items.exists():
        return
    try:
        _finish(run)
    finally:
        release(end)


def _finish(run: Run) -> None:
    rows = list(run.items.select_related("item"))
    references = [row.item.reference for row in rows]
    evidence = [evidence_from_json(row.evidence or {}) for row in rows]
    scored = [
        pipeline.score(BENCHMARK, references, evidence, mode=mode, absent=run.absence(mode))
        for mode in MODES
    ]
    # What a worker of another version has measured differs, and is written again.
    news = [row for one in scored for row in put(rows, one)]
    results = {one.mode: _results(one) for one in scored}
    with transaction.atomic():
        locked = Run.objects.select_for_update().get(pk=run.pk)
        if locked.finished:
            return
        write(list(dict.fromkeys(news)), MODES)
        usage = usage_report(locked, evidence)
        locked.results, locked.finished = {"usage": usage, **results}, timezone.now()
        locked.judges = {one.mode: one.returned for one in scored if one.returned}
        locked.components = of_item_results(rows)
        locked.waiting = None
        _name_origins(locked, rows, evidence)
        locked.save(update_fields=RESULT_FIELDS)
        publish_when_due(settle(locked))


def _results(scored: Scored) -> dict[str, Any]:
    return {
        "scenarios": [report.scenario_to_json(one) for one in scored.scenarios],
        "totals": report.totals_to_json(scored.totals),
        **report.diagnostics_to_json(scored.items),
    }


def _hear(run: Run, rows: Sequence[ItemResult]) -> None:
    """Hear these items, and more for a while: a full archive takes a second just to open."""
    end = time.monotonic() + TURN
    with archive_of(run.submission) as outputs:
        recordings = Recordings(run.submission, outputs)
        _hear_rows(run, rows, recordings)
        while time.monotonic() < end and _still_scoring(run):
            more = claim(run, UNHEARD, settings.SCORING_CHUNK)
            if not more:
                return
            try:
                _hear_rows(run, more, recordings)
            finally:
                release(more)


def _still_scoring(run: Run) -> bool:
    sign_of_life(run.submission)
    return Submission.objects.filter(pk=run.submission.pk, state=State.SCORING).exists()


def _hear_rows(run: Run, rows: Sequence[ItemResult], recordings: Recordings) -> None:
    references = [row.item.reference for row in rows]
    pairs = zip(rows, references, strict=True)
    sides = [_side(row.item, one, recordings) for row, one in pairs]
    heard = iter(hear_models([side for side in sides if isinstance(side, Side)], tools()))
    found = [next(heard) if isinstance(side, Side) else side for side in sides]
    evidence = pipeline.correct(references, found, correct.of(run))
    known, expected = pipeline.recall(references, evidence, tools(), modes=run.asked)
    for row, reference, one in zip(rows, references, known, strict=True):
        _note(run, row, reference, one)
    with transaction.atomic():
        write(rows, ["evidence", "heard", "judged", *MODES])
        expect(run, expected)


def _note(run: Run, row: ItemResult, reference: Reference, evidence: Evidence) -> None:
    row.evidence, row.heard = evidence_to_json(evidence), timezone.now()
    if is_judged(run, reference, evidence):
        row.judged = row.heard
        measure(row, reference, evidence, run=run)


def _side(item: Item, reference: Reference, recordings: Recordings) -> Side | Evidence:
    noisy, clean = recordings.of(item, "test"), recordings.of(item, "clean")
    if noisy is None:
        return without_answer(clean.sha256 if clean else None)
    return Side(reference.item, reference.annotation, noisy, clean)


def _name_origins(run: Run, rows: Sequence[ItemResult], evidence: Sequence[Evidence]) -> None:
    """Name in signature and list who made words that were imported, where any were used."""
    found: dict[str, set[str]] = {}
    for row, one in zip(rows, evidence, strict=True):
        found.setdefault(f"asr_{row.item.language}", set()).update(origins(one.notes))
    signature = Signature.parse(run.signature)
    for engine, names in found.items():
        if names:
            made = "+".join([getattr(signature, engine), *_imported(names)])
            signature = replace(signature, **{engine: made})
            run.unofficial = sorted({*run.unofficial, *_imported(names)})
    run.signature = str(signature)


def _imported(names: Iterable[str]) -> list[str]:
    return [f"imported:{name}" for name in sorted(names)]
