"""The allowed moves of a submission, and the one doorway that makes them."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions import queue
from submissions.models import Event, Submission

State = Submission.State

MOVES: dict[str, frozenset[str]] = {
    State.UPLOADING: frozenset({State.RECEIVED, State.WITHDRAWN}),
    State.RECEIVED: frozenset({State.CHECKING, State.FAILED, State.WITHDRAWN}),
    State.CHECKING: frozenset({State.REJECTED, State.QUEUED, State.FAILED, State.WITHDRAWN}),
    State.REJECTED: frozenset(),
    State.QUEUED: frozenset({State.SCORING, State.SCORED, State.FAILED, State.WITHDRAWN}),
    State.SCORING: frozenset({State.SCORED, State.FAILED, State.WITHDRAWN}),
    State.SCORED: frozenset({State.QUEUED, State.WITHDRAWN, State.DISQUALIFIED}),
    State.FAILED: frozenset({State.RECEIVED, State.QUEUED, State.WITHDRAWN}),
    State.WITHDRAWN: frozenset(),
    State.DISQUALIFIED: frozenset({State.SCORED}),
}

# States in which somebody or something has to go on; the sweep watches them.
UNFINISHED = (State.RECEIVED, State.CHECKING, State.QUEUED, State.SCORING)
# States of which the team is told by mail.
TOLD = (State.SCORED, State.REJECTED, State.FAILED)
# Attempts that do not use up a team's quota.
FREE = (State.UPLOADING, State.REJECTED, State.FAILED, State.WITHDRAWN)


def can_move(submission: Submission, to: str) -> bool:
    """Whether the house knows the way from a submission's state to another."""
    return to in MOVES[State(submission.state)]


class IllegalMove(Exception):
    """A move that the house does not know; somebody else was faster, or it is a mistake."""


@transaction.atomic
def advance(submission: Submission, to: str, *, why: str = "", who: Any = None) -> Submission:
    """Move a submission to another state and write the event.

    Raises:
        IllegalMove: the submission is not in a state from which the move is allowed.
    """
    current = Submission.objects.select_for_update().get(pk=submission.pk)
    if to not in MOVES[current.state]:
        raise IllegalMove(f"{current.pk}: {current.state} → {to}")
    event = Event.objects.create(
        submission=current, who=who, from_state=current.state, to_state=to, why=why
    )
    if to in TOLD:
        queue.send("mail", event.pk)
    current.state, current.sign_of_life = to, timezone.now()
    current.reason = why if to in (State.FAILED, State.DISQUALIFIED) else ""
    current.save(update_fields=["state", "sign_of_life", "reason"])
    submission.state, submission.reason = current.state, current.reason
    submission.sign_of_life = current.sign_of_life
    return submission


def sign_of_life(submission: Submission) -> None:
    """Note that somebody is working on a submission."""
    Submission.objects.filter(pk=submission.pk).update(sign_of_life=timezone.now())
