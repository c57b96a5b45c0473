"""Ask to take part in a split, and answer."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from submissions import queue
from submissions.models import Approval, Split, Team
from submissions.services.refused import Refused

State = Approval.State


class ApprovalRefused(Refused):
    """A request or an answer that makes no sense now."""


@transaction.atomic
def ask(split: Split, team: Team, message: str) -> Approval:
    """Ask for a team; after a refusal it may ask again. The organisers get a mail.

    Raises:
        ApprovalRefused: no approval is needed, or the team waits for an answer or has one.
    """
    if not split.needs_approval:
        raise ApprovalRefused(
            "approval-not-needed",
            _("This split is open to every team."),
            _("Go on to the upload."),
        )
    Team.objects.select_for_update().get(pk=team.pk)
    approval, new = Approval.objects.get_or_create(
        split=split, team=team, defaults={"message": message}
    )
    if not new:
        _ask_again(approval, message)
    queue.send("mail_approval", approval.pk)
    return approval


@transaction.atomic
def decide(approval: Approval, state: str, *, by: Any, answer: str, now: datetime) -> Approval:
    """Grant or refuse; the team gets a mail when something has changed.

    Raises:
        ValueError: the state is no decision.
    """
    if state not in (State.GRANTED, State.REFUSED):
        raise ValueError(f"{state} is no decision")
    current = Approval.objects.select_for_update().get(pk=approval.pk)
    if (current.state, current.answer) == (state, answer):
        return current
    current.state, current.answer = State(state), answer
    current.decided, current.decided_by = now, by
    current.save(update_fields=["state", "answer", "decided", "decided_by"])
    queue.send("mail_approval", current.pk)
    return current


def _ask_again(approval: Approval, message: str) -> None:
    if approval.state == State.REQUESTED:
        raise ApprovalRefused(
            "approval-asked",
            _("Your team has asked already."),
            _("Wait for the organisers' answer; it comes by mail."),
        )
    if approval.state == State.GRANTED:
        raise ApprovalRefused(
            "approval-granted", _("Your team may take part."), _("Go on to the upload.")
        )
    # The earlier answer stays readable until there is a new one.
    approval.state, approval.message = State.REQUESTED, message
    approval.save(update_fields=["state", "message"])
