"""What becomes of an entry: withdrawn, disqualified and reinstated, or marked as another kind."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from submissions import queue
from submissions.models import Submission
from submissions.permissions import is_member
from submissions.services.publish import announce_if_public
from submissions.services.refused import Refused
from submissions.states import IllegalMove, Role, State, advance, note


@transaction.atomic
def withdraw(submission: Submission, *, who: Any) -> None:
    """Take a submission back; it leaves the board, its events stay.

    Raises:
        IllegalMove: its state does not allow it.
    """
    by_team = is_member(who, submission.team)
    advance(
        submission,
        State.WITHDRAWN,
        who=who,
        role=Role.TEAM if by_team else Role.ORGANISER,
        why="Withdrawn by the team." if by_team else "Withdrawn by the organisers.",
    )
    announce_if_public(submission, f"{submission.system} withdrawn")


@transaction.atomic
def disqualify(submission: Submission, *, who: Any, why: str) -> None:
    """Take a submission off the board with a public reason.

    Raises:
        Refused: there is no reason, or its state does not allow it.
    """
    reason = why.strip()
    if not reason:
        raise Refused(
            "reason-missing",
            _("A disqualification has a public reason."),
            _("Write it in a sentence that the team and the public can understand."),
        )
    advance(submission, State.DISQUALIFIED, who=who, role=Role.ORGANISER, why=reason)
    announce_if_public(submission, f"{submission.system} disqualified: {reason}")


@transaction.atomic
def reinstate(submission: Submission, *, who: Any) -> None:
    """Take a disqualification back: with its numbers, or on to the work that was stopped.

    Raises:
        IllegalMove: it is not disqualified.
    """
    submission.refresh_from_db(from_queryset=Submission.objects.select_for_update())
    if submission.state != State.DISQUALIFIED:
        raise IllegalMove(submission.state, State.SCORED)
    has_numbers = submission.board_run_id is not None
    to = State.SCORED if has_numbers else unfinished_state(submission)
    advance(submission, to, who=who, role=Role.ORGANISER, why="Reinstated.")
    if has_numbers:
        announce_if_public(submission, f"{submission.system} reinstated")
    else:
        send_on(submission)


@transaction.atomic
def mark(submission: Submission, kind: str, *, who: Any) -> None:
    """Say what sort of entry it is: participant, late, baseline or reference."""
    submission.refresh_from_db(from_queryset=Submission.objects.select_for_update())
    if submission.kind == kind:
        return
    submission.kind = kind
    submission.save(update_fields=["kind"])
    note(submission, f"marked as {kind}", who=who, role=Role.ORGANISER)
    announce_if_public(submission, f"{submission.system} marked as {kind}")


def unfinished_state(submission: Submission) -> str:
    """Where the work on a submission goes on: at its check, or at its scoring."""
    return State.RECEIVED if submission.check_report is None else State.QUEUED


def send_on(submission: Submission) -> None:
    """Give a submission that waits for its check or its scoring to the workers, anew."""
    Submission.objects.filter(pk=submission.pk).update(attempts=0)
    task = "check" if submission.state == State.RECEIVED else "start"
    queue.send(task, str(submission.pk))
