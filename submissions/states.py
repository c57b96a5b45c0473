"""The allowed moves of a submission, and the one doorway that makes them."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from submissions import queue
from submissions.models import Event, Submission
from submissions.services.refused import Refused

State = Submission.State
Role = Event.Role

MOVES: dict[str, frozenset[str]] = {
    State.UPLOADING: frozenset({State.RECEIVED, State.WITHDRAWN}),
    State.RECEIVED: frozenset({State.CHECKING, State.FAILED, State.WITHDRAWN}),
    State.CHECKING: frozenset({State.REJECTED, State.QUEUED, State.FAILED, State.WITHDRAWN}),
    State.REJECTED: frozenset(),
    State.QUEUED: frozenset(
        {State.SCORING, State.SCORED, State.FAILED, State.WITHDRAWN, State.DISQUALIFIED}
    ),
    State.SCORING: frozenset({State.SCORED, State.FAILED, State.WITHDRAWN, State.DISQUALIFIED}),
    State.SCORED: frozenset({State.QUEUED, State.WITHDRAWN, State.DISQUALIFIED}),
    State.FAILED: frozenset({State.RECEIVED, State.QUEUED, State.WITHDRAWN, State.DISQUALIFIED}),
    State.WITHDRAWN: frozenset(),
    State.DISQUALIFIED: frozenset({State.RECEIVED, State.QUEUED, State.SCORED}),
}

# States in which somebody or something has to go on; the sweep watches them.
UNFINISHED = (State.RECEIVED, State.CHECKING, State.QUEUED, State.SCORING)
# States that take an entry off the board, whatever runs it has.
LEFT = (State.WITHDRAWN, State.DISQUALIFIED)
# States of which the team is told by mail.
TOLD = (State.SCORED, State.REJECTED, State.FAILED)
# Attempts that do not use up a team's quota.
FREE = (State.UPLOADING, State.REJECTED, State.FAILED, State.WITHDRAWN)


# What a move changes.
MOVED = ("state", "sign_of_life", "reason", "detail")


def can_move(submission: Submission, to: str) -> bool:
    """Whether the house knows the way from a submission's state to another."""
    return to in MOVES[State(submission.state)]


class IllegalMove(Refused):
    """A move that the house does not know; somebody else was faster, or it is a mistake."""

    def __init__(self, state: str, to: str) -> None:
        names = {"state": State(state).label, "to": State(to).label}
        super().__init__(
            "state-forbids",
            _("From “%(state)s” no way leads to “%(to)s”.") % names,
            _("Reload its page; something has happened to it meanwhile."),
        )


@transaction.atomic
def advance(
    submission: Submission,
    to: str,
    *,
    why: str = "",
    detail: str = "",
    who: Any = None,
    role: str = Role.SYSTEM,
) -> Submission:
    """Move a submission to another state and write the event.

    Args:
        submission: is brought up to date.
        to: the state it moves to.
        why: what everybody may read.
        detail: what only organisers read beside it.
        who: the person who acts; ``role`` says for everybody in which role.

    Raises:
        IllegalMove: the submission is not in a state from which the move is allowed.
    """
    current = Submission.objects.select_for_update().get(pk=submission.pk)
    if to not in MOVES[current.state]:
        raise IllegalMove(current.state, to)
    event = note(current, why, to=to, detail=detail, who=who, role=role)
    if to in TOLD:
        queue.send("mail", event.pk)
    current.state, current.sign_of_life = to, timezone.now()
    has_reason = to in (State.FAILED, State.DISQUALIFIED)
    current.reason, current.detail = (why, detail) if has_reason else ("", "")
    current.save(update_fields=MOVED)
    for name in MOVED:
        setattr(submission, name, getattr(current, name))
    return submission


def note(
    submission: Submission,
    why: str,
    *,
    to: str = "",
    detail: str = "",
    who: Any = None,
    role: str = Role.SYSTEM,
) -> Event:
    """Write what happened to a submission; it stays where it is unless ``to`` says otherwise."""
    return Event.objects.create(
        submission=submission,
        who=who,
        role=role,
        from_state=submission.state,
        to_state=to or submission.state,
        why=why,
        detail=detail,
    )


def sign_of_life(submission: Submission) -> None:
    """Note that somebody is working on a submission."""
    Submission.objects.filter(pk=submission.pk).update(sign_of_life=timezone.now())
