"""Which run of a submission a reader sees: the one that stands for it, on the board or before.

An organiser who scores an entry again sees at once what moves, on the pages of that submission.
Everybody else, its team included, sees the run that stands until another one is put on the board.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from submissions.models import Run, Split, Submission
from submissions.permissions import is_organiser


class Shown(NamedTuple):
    """The run for a reader, and the board's one where it is another."""

    run: Run | None
    on_board: Run | None = None


def shown_run(user: Any, submission: Submission) -> Shown:
    """Choose among the finished runs."""
    finished = submission.runs.filter(finished__isnull=False).defer("components")
    if not is_organiser(user, submission.split):
        return Shown(finished.filter(pk=submission.board_run_id or 0).first())
    runs = list(finished.order_by("-created"))
    standing = next((run for run in runs if run.pk == submission.board_run_id), None)
    if not runs or runs[0] == standing:
        return Shown(standing)
    return Shown(runs[0], standing)


def shown_runs(user: Any, split: Split, submissions: Sequence[Submission]) -> dict[UUID, Run]:
    """The same of many at once, by submission and without their results."""
    finished = Run.objects.filter(submission__in=submissions, finished__isnull=False)
    if not is_organiser(user, split):
        standing = [one.board_run_id for one in submissions if one.board_run_id]
        finished = finished.filter(pk__in=standing)
    small = finished.only("submission", "judges", "unofficial", "signature", "created", "finished")
    return {run.submission_id: run for run in small.order_by("created")}
