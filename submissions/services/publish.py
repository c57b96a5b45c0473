"""Put entries on the board: as soon as they are scored, by hand, or all at the reveal.

Conventions: submissions are locked before their split, and the board is frozen in the same
transaction, so an entry is published with its board or not at all.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from submissions import queue
from submissions.models import Split, Submission
from submissions.permissions import is_blind
from submissions.services.refused import Refused
from submissions.signals import board_changed
from submissions.states import LEFT, Role, note

Publication = Split.Publication


class PublishRefused(Refused):
    """An entry that cannot be put on the board now."""


def publish_when_due(submission: Submission) -> None:
    """Publish an entry that has just been scored where its split does so by itself."""
    split = submission.split
    by_itself = split.publication == Publication.AUTOMATIC or _was_revealed(split)
    if by_itself and _obstacle(submission) is None:
        _publish([submission], f"new entry: {submission.system}")


@transaction.atomic
def publish(submissions: Iterable[Submission], *, who: Any) -> list[Submission]:
    """Publish entries by an organiser's hand; those of one split come to one board.

    Raises:
        PublishRefused: one of them cannot be published; then none is.
    """
    chosen = _locked([one.pk for one in submissions])
    for submission in chosen:
        if refusal := _obstacle(submission) or _not_yet(submission.split):
            raise refusal
        note(submission, "Published.", who=who, role=Role.ORGANISER)
    for split in dict.fromkeys(one.split for one in chosen):
        news = [one for one in chosen if one.split == split]
        _publish(news, f"new entry: {', '.join(str(one.system) for one in news)}")
    return chosen


@transaction.atomic
def reveal(split: Split) -> int:
    """Publish everything that waited for a split's reveal, on one board; return how many."""
    if not _was_revealed(split):
        return 0
    waiting = Submission.objects.filter(split=split, **WAITING).exclude(state__in=LEFT)
    due = _locked(waiting.values_list("pk", flat=True))
    if due:
        _publish(due, "reveal")
        queue.send("mail_reveal", split.pk)
    return len(due)


# What can stand on a board and does not yet.
WAITING = {"published": None, "is_trial": False, "board_run__isnull": False}


def to_reveal() -> list[Split]:
    """Splits whose reveal time has come while entries wait for it."""
    entries = Submission.objects.filter(**WAITING).exclude(state__in=LEFT)
    return list(
        Split.objects.filter(
            publication=Publication.REVEAL,
            reveal__lte=timezone.now(),
            pk__in=entries.values("split"),
        )
    )


def _was_revealed(split: Split) -> bool:
    return split.publication == Publication.REVEAL and not is_blind(split)


def announce_if_public(submission: Submission, cause: str) -> None:
    """Freeze a board where an act has changed an entry that was on it."""
    if submission.published is not None:
        announce(submission.split, cause)


def announce(split: Split, cause: str) -> None:
    """Say inside the transaction that the entries of a board have changed."""
    board_changed.send(sender=Split, split=split, cause=cause)


def _publish(submissions: Sequence[Submission], cause: str) -> None:
    now = timezone.now()
    for submission in submissions:
        submission.published = now
        submission.save(update_fields=["published"])
    announce(submissions[0].split, cause)


def _locked(keys: Iterable[Any]) -> list[Submission]:
    """Submissions under a lock, in the order in which everybody locks them."""
    rows = Submission.objects.select_for_update(of=("self",)).filter(pk__in=list(keys))
    found = list(rows.select_related("split", "team", "system").order_by("pk"))
    return sorted(found, key=lambda one: one.created)


def _obstacle(submission: Submission) -> PublishRefused | None:
    """Say why an entry can stand on no board, or stands there already."""
    name = {"name": submission.system.name}
    if submission.is_trial:
        return PublishRefused(
            "trial-never-published",
            _("“%(name)s” is a trial, and a trial is never published.") % name,
            _("Leave it out."),
        )
    if submission.state in LEFT:
        return PublishRefused(*left(submission))
    if submission.board_run_id is None:
        return PublishRefused(
            "not-scored",
            _("“%(name)s” has no scores yet.") % name,
            _("Wait until it is scored."),
        )
    if submission.published is not None:
        return PublishRefused(
            "already-published",
            _("“%(name)s” is published already.") % name,
            _("Leave it out; nothing has to be done."),
        )
    return None


def left(submission: Submission) -> tuple[str, str, str]:
    """Code, rule and cure of an act that an entry cannot have after it has left."""
    return (
        "left-the-board",
        _("“%(name)s” was withdrawn or disqualified.") % {"name": submission.system.name},
        _("Leave it out, or reinstate it first."),
    )


def _not_yet(split: Split) -> PublishRefused | None:
    """Say that a blind split shows everything at its reveal, and nothing before."""
    if not is_blind(split):
        return None
    return PublishRefused(
        "before-the-reveal",
        _("This split reveals all entries together, at its reveal time."),
        _("Move the reveal time, or let the split publish by hand."),
    )
