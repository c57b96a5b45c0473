"""Typed rows for pages and ranking."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q

from submissions.models import ReportedResult, Run, Split, Submission

Counting = Split.Counting


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One published entry of a split, ours or reported; ``None`` is a missing value.

    Attributes:
        system_slug: name of the system in addresses.
        weights: ``open``, ``closed`` or empty where nobody said.
        received: when it was handed in (ISO, UTC); empty for reported rows.
        coverage: how many items were expected and received.
        run: the run behind a scored entry.
    """

    team: str
    system: str
    kind: str
    origin: str
    link: str
    interruption: Decimal | None
    rejection: Decimal | None
    delay: Decimal | None
    languages: dict[str, dict[str, str]]
    rankable: bool = True
    published: dict[str, str] | None = None
    architecture: str = ""
    unofficial: tuple[str, ...] = ()
    signature: str = ""
    notes: tuple[Any, ...] = ()
    system_slug: str = ""
    weights: str = ""
    received: str = ""
    coverage: tuple[int, int] | None = None
    run: Run | None = None


def board_entries(split: Split) -> list[BoardEntry]:
    """All published entries of a split that count: reported results, then scored submissions."""
    entries = [_reported(row) for row in split.reported.all()]
    runs = finished_runs(counting_submissions(split))
    return entries + [_scored(run.submission, run) for run in runs]


def counting_submissions(split: Split) -> list[Submission]:
    """The published submissions of a split that its rule lets count, oldest first."""
    published = Submission.objects.filter(
        split=split, published__isnull=False, is_trial=False, state=Submission.State.SCORED
    )
    found = list(published.select_related("team", "system", "split").order_by("created"))
    if split.counting == Counting.EVERY:
        return found
    chosen = {one.team_id: one for one in found}
    if split.counting == Counting.CHOSEN:
        chosen |= {one.team_id: one for one in found if one.is_chosen}
    return [one for one in found if chosen[one.team_id] is one]


def finished_runs(submissions: Iterable[Submission], until: datetime | None = None) -> list[Run]:
    """The newest finished run of each submission, in the order given; two queries for all.

    With ``until``, published entries are as they were then: a new scoring waits for its board.
    """
    known = {one.pk: one for one in submissions}
    finished = Run.objects.filter(submission__in=known, finished__isnull=False)
    if until is not None:
        finished = finished.filter(Q(finished__lte=until) | Q(submission__published=None))
    newest = dict(finished.order_by("created").values_list("submission_id", "pk"))
    runs = {run.submission_id: run for run in Run.objects.filter(pk__in=newest.values())}
    found = []
    for pk, submission in known.items():
        if run := runs.get(pk):
            run.submission = submission
            found.append(run)
    return found


def finished_run(submission: Submission) -> Run | None:
    """Return the newest finished run of a submission."""
    return submission.runs.filter(finished__isnull=False).order_by("-created").first()


def baseline_run(
    split: Split,
    counting: Sequence[Submission] | None = None,
    until: datetime | None = None,
) -> Run | None:
    """Return the run behind the baseline of a split's board; ``None`` while none was scored.

    ``counting`` are its submissions that count, for those who know them already.
    """
    known = counting_submissions(split) if counting is None else counting
    baselines = [one for one in known if one.kind == Submission.Kind.BASELINE]
    runs = finished_runs(baselines, until)
    return runs[0] if runs else None


def _reported(row: ReportedResult) -> BoardEntry:
    return BoardEntry(
        team=row.team,
        system=row.team,
        kind=row.kind,
        origin="reported",
        link=row.slug,
        interruption=row.interruption,
        rejection=row.rejection,
        delay=row.delay,
        languages={
            "cn": _texts(interruption=row.interruption_cn, rejection=row.rejection_cn),
            "en": _texts(interruption=row.interruption_en, rejection=row.rejection_en),
        },
        published=_texts(
            delay_score=row.published_delay_score,
            total=row.published_total,
            rank=row.published_rank,
        ),
        architecture=row.architecture,
        notes=(row.note,) if row.note else (),
        system_slug=row.slug,
        weights=row.kind if row.kind in ("open", "closed") else "",
    )


def _scored(submission: Submission, run: Run) -> BoardEntry:
    totals = (run.results or {})[submission.split.ranking_mode]["totals"]
    return BoardEntry(
        team=submission.team.name,
        system=submission.system.name,
        kind=submission.kind,
        origin="scored",
        link=str(submission.pk),
        interruption=_number(totals["interruption_raw"]),
        rejection=_number(totals["rejection_raw"]),
        delay=_number(totals["delay_raw"]),
        languages={one["language"]: _language(one) for one in totals["languages"]},
        rankable=totals["rankable"],
        published={},
        architecture=submission.system.architecture,
        unofficial=tuple(run.unofficial),
        # Rows differ by what their numbers were made with, whatever the other mode's judge was.
        signature=run.signature_of(submission.split.ranking_mode),
        notes=tuple(totals["reasons"]),
        system_slug=submission.system.slug,
        weights=submission.system.weights,
        received=submission.created.isoformat(timespec="seconds"),
        coverage=(totals["expected"], totals["received"]),
        run=run,
    )


def _language(totals: dict[str, Any]) -> dict[str, str]:
    return _texts(**{name: totals[name] for name in ("interruption", "rejection", "delay")})


def _number(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _texts(**values: Any) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}
