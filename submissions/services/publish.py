"""What the public may see: publish, withdraw, disqualify, mark."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from submissions.models import Split, Submission
from submissions.signals import board_changed
from submissions.states import IllegalMove, State, advance


def publish_when_due(submission: Submission) -> None:
    """Publish a scored submission where its split does so by itself; never a trial."""
    if submission.is_trial:
        return
    split = submission.split
    revealed = split.publication == Split.Publication.REVEAL and (
        split.reveal is not None and split.reveal <= timezone.now()
    )
    if submission.published is None and (
        split.publication == Split.Publication.AUTOMATIC or revealed
    ):
        publish(submission)


@transaction.atomic
def publish(submission: Submission, *, cause: str = "") -> None:
    """Put a scored submission on the board.

    Raises:
        IllegalMove: it is a trial.
    """
    if submission.is_trial:
        raise IllegalMove(f"{submission.pk} is a trial, and a trial is never published.")
    submission.published = timezone.now()
    submission.save(update_fields=["published"])
    _announce(submission.split, cause or f"new entry: {submission.system}")


@transaction.atomic
def withdraw(submission: Submission, *, who: Any, why: str = "Withdrawn by the team.") -> None:
    """Take a submission back; it leaves the board, its events stay."""
    advance(submission, State.WITHDRAWN, who=who, why=why)
    _announce_if_public(submission, f"{submission.system} withdrawn")


@transaction.atomic
def disqualify(submission: Submission, *, who: Any, why: str) -> None:
    """Take a submission off the board with a public reason."""
    advance(submission, State.DISQUALIFIED, who=who, why=why)
    _announce_if_public(submission, f"{submission.system} disqualified: {why}")


@transaction.atomic
def mark(submission: Submission, kind: str, *, who: Any) -> None:
    """Say what sort of entry it is: participant, late, baseline or reference."""
    submission.kind = kind
    submission.save(update_fields=["kind"])
    submission.events.create(
        who=who, from_state=submission.state, to_state=submission.state, why=f"marked as {kind}"
    )
    _announce_if_public(submission, f"{submission.system} marked as {kind}")


def _announce_if_public(submission: Submission, cause: str) -> None:
    if submission.published is not None:
        _announce(submission.split, cause)


def _announce(split: Split, cause: str) -> None:
    """Say so inside the transaction: an entry is published with its board, or not at all."""
    board_changed.send(sender=Split, split=split, cause=cause)
