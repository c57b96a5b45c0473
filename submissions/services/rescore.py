"""Score again with today's tools, and let a new run stand on the board.

A re-scoring makes a new run beside the old ones. What stands on a board stays until an organiser
puts another run there, by an act that the cause of the next board names.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from submissions.models import Run, Split, Submission
from submissions.services.publish import announce, left
from submissions.services.refused import Refused
from submissions.services.standing import send_on, unfinished_state
from submissions.states import (
    LEFT,
    IllegalMove,
    Role,
    State,
    advance,
    can_move,
    note,
)


class RunRefused(Refused):
    """A run that cannot stand on the board."""


@transaction.atomic
def rescore(submission: Submission, *, who: Any = None) -> Submission:
    """Queue a scored or failed submission again.

    Raises:
        IllegalMove: it is not scored or failed.
    """
    submission.refresh_from_db(from_queryset=Submission.objects.select_for_update())
    to = unfinished_state(submission)
    if submission.state not in (State.SCORED, State.FAILED):
        raise IllegalMove(submission.state, to)
    advance(submission, to, who=who, role=Role.ORGANISER, why="Scored again.")
    send_on(submission)
    return submission


@transaction.atomic
def settle(run: Run) -> Submission:
    """Note that a run has finished: it stands for its entry, unless one is published already.

    A withdrawn or disqualified submission stays so.
    """
    submission = (
        Submission.objects.select_for_update(of=("self",))
        .select_related("split", "team", "system")
        .get(pk=run.submission_id)
    )
    if submission.state in LEFT:
        return submission
    if submission.published is None:
        submission.board_run = run
        submission.save(update_fields=["board_run"])
    return advance(submission, State.SCORED) if can_move(submission, State.SCORED) else submission


def fail(submission: Submission, *, why: str, detail: str) -> None:
    """Stop the work on a submission for a reason of ours; numbers that it has stay.

    Args:
        submission: of which the work cannot go on.
        why: what everybody may read.
        detail: what an organiser has to know to fix it.
    """
    to = State.FAILED if submission.board_run_id is None else State.SCORED
    advance(submission, to, why=why, detail=detail)


@transaction.atomic
def put_on_board(runs: Iterable[Run], *, who: Any) -> list[Submission]:
    """Let these runs stand for their entries; those of one split come to one board.

    Raises:
        RunRefused: one of them cannot, or stands already; then nothing changes.
    """
    moved: dict[Split, list[Submission]] = {}
    for run in sorted(runs, key=lambda one: (str(one.submission_id), one.pk)):
        submission = _chosen(run)
        why = "Another run was put on the board."
        note(submission, why, who=who, role=Role.ORGANISER)
        if submission.published is not None:
            moved.setdefault(submission.split, []).append(submission)
    for split, submissions in moved.items():
        names = ", ".join(str(one.system) for one in submissions)
        announce(split, f"scored again: {names}")
    return [one for submissions in moved.values() for one in submissions]


def newest_run(submission: Submission) -> Run:
    """The newest finished run of a submission, to be put on the board.

    Raises:
        RunRefused: none has finished.
    """
    run = submission.runs.filter(finished__isnull=False).order_by("-created").first()
    if run is None:
        raise RunRefused("run-unfinished", _("Its scoring has not finished."), _("Wait for it."))
    return run


def _chosen(run: Run) -> Submission:
    submission = (
        Submission.objects.select_for_update(of=("self",))
        .select_related("split", "team", "system")
        .get(pk=run.submission_id)
    )
    if refusal := _obstacle(submission, run):
        raise refusal
    submission.board_run = run
    submission.save(update_fields=["board_run"])
    return submission


def _obstacle(submission: Submission, run: Run) -> RunRefused | None:
    name = {"name": submission.system.name}
    if run.finished is None:
        return RunRefused(
            "run-unfinished",
            _("The run of “%(name)s” has not finished.") % name,
            _("Wait for it."),
        )
    if submission.state in LEFT:
        return RunRefused(*left(submission))
    if submission.board_run_id == run.pk:
        return RunRefused(
            "run-stands",
            _("This run of “%(name)s” stands already.") % name,
            _("Leave it out; nothing has to be done."),
        )
    return None
