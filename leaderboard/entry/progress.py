"""How far submissions are: the database side of ``leaderboard.entry.ladder``."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count
from django.utils.translation import gettext as _

from leaderboard import sentences
from leaderboard.entry import costs
from leaderboard.entry.ladder import UNDER_WAY, Progress
from submissions.models import Run, Split, Submission
from submissions.permissions import can_see_submission
from submissions.services.judging import used_so_far

State = Submission.State
QUEUE_SHOWN = 20


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One submission under way; without a name for those who may not know whose it is."""

    name: str
    team: str
    link: str
    state: Any
    state_slug: str
    received: Any
    heard: int
    judged: int
    items: int


class Hindrance(NamedTuple):
    """What keeps the judge from answering, since when, and when it is asked again."""

    trouble: str
    since: datetime
    next_look: datetime


def latest_run(submission: Submission) -> Run | None:
    """The run under way while there is one, else the newest finished one."""
    runs = submission.runs.order_by("-created")
    if submission.state in (State.QUEUED, State.SCORING):
        return runs.filter(finished=None).first()
    return runs.filter(finished__isnull=False).first() or runs.first()


def progress_of(
    submission: Submission, run: Run | None = None, *, with_costs: bool = False
) -> Progress:
    """Ask how far one submission is; costs only for those who may see them.

    ``run`` is its latest one, for those who know it already.
    """
    run, split = run or latest_run(submission), submission.split
    items, heard, judged = _counts(run)
    report = submission.check_report
    return Progress(
        state=submission.state,
        checked=None if report is None else bool(report["acceptable"]),
        items=items or submission.items.count(),
        heard=heard,
        judged=judged,
        finished=bool(run and run.finished),
        published=submission.published,
        publication=split.publication,
        reveal=split.reveal,
        ahead=_ahead(submission),
        is_trial=submission.is_trial,
        is_waiting=_is_waiting(submission, run),
        spent=_spent(submission, run) if with_costs else "",
    )


def _is_waiting(submission: Submission, run: Run | None) -> bool:
    is_open = submission.state == State.SCORING and run is not None and not run.finished
    return is_open and run is not None and run.waiting is not None


def hindrance(submission: Submission, run: Run | None) -> Hindrance | None:
    """What keeps the judge, for organisers; ``None`` where nothing does.

    ``run`` is the latest one of the submission.
    """
    if run is None or not _is_waiting(submission, run):
        return None
    found: dict[str, Any] = run.waiting or {}
    moments = (datetime.fromisoformat(found[name]) for name in ("since", "next"))
    return Hindrance(sentences.known(found["trouble"]), *moments)


def costs_of(run: Run | None) -> tuple[Any, Any]:
    """What judging was expected to use, and what it has used so far or in all; for insiders.

    ``run`` is the latest one of a submission.
    """
    if run is None:
        return None, None
    usage = (run.results or {}).get("usage")
    if usage is not None:
        return usage["estimate"], usage
    return run.estimate, used_so_far(run) if run.estimate else None


def _spent(submission: Submission, run: Run | None) -> str:
    if submission.state != State.SCORING or run is None or not run.estimate:
        return ""
    return costs.so_far(run.estimate, used_so_far(run))


def under_way(split: Split, user: Any) -> list[QueueLine]:
    """The submissions of a split that are not settled yet, oldest first."""
    found = split.submissions.filter(state__in=UNDER_WAY).select_related("team", "system", "split")
    items = split.items.count()
    return [_line(one, user, items) for one in found.order_by("created")[:QUEUE_SHOWN]]


def _line(submission: Submission, user: Any, items: int) -> QueueLine:
    run = latest_run(submission)
    _items, heard, judged = _counts(run)
    waits = _is_waiting(submission, run)
    allowed = can_see_submission(user, submission)
    # Demonstrations are there to be watched; elsewhere a name belongs to the team alone.
    named = allowed or submission.split.is_demo
    return QueueLine(
        name=submission.system.name if named else "",
        team=submission.team.name if named else "",
        link=str(submission.pk) if allowed else "",
        state=_("waiting for the judge") if waits else submission.get_state_display(),
        state_slug=submission.state,
        received=submission.created,
        heard=heard,
        judged=judged,
        items=submission.items.count() if submission.is_trial else items,
    )


def _counts(run: Run | None) -> tuple[int, int, int]:
    """Items of a run: all, heard, judged."""
    if run is None:
        return 0, 0, 0
    if run.finished and run.results:
        # Nothing is left to do, and thousands of rows need not be counted to know it.
        items = run.results["official"]["totals"]["expected"]
        return items, items, items
    counts = run.items.aggregate(items=Count("pk"), heard=Count("heard"), judged=Count("judged"))
    return counts["items"], counts["heard"], counts["judged"]


def _ahead(submission: Submission) -> int:
    if submission.state != State.QUEUED:
        return 0
    earlier = Submission.objects.filter(
        state__in=(State.QUEUED, State.SCORING), created__lt=submission.created
    )
    return earlier.count()
