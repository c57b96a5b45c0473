"""Runs that wait for a judge in trouble: since when, why, and when it is asked again.

Conventions: a waiting run is unfinished, so nothing of it is published; its submission stays in
scoring. What hinders the judge is kept as a key with values, for organisers. The sweep looks at
first after ``FIRST``, then twice as long after each look that met trouble again, ``LONGEST`` at
most; a look that brought any verdict begins anew. An organiser may have it asked at once.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring import reasons
from scoring.reasons import Said
from submissions import queue
from submissions.models import Run, Submission
from submissions.services.refused import Refused
from submissions.states import Role, State, note

FIRST, LONGEST = timedelta(minutes=1), timedelta(hours=1)


@transaction.atomic
def wait(run: Run, trouble: Said, *, afresh: bool) -> None:
    """Let a run wait for the judge.

    Args:
        run: unfinished.
        trouble: what hinders the judge.
        afresh: whether verdicts came since it was last in trouble.
    """
    locked = Run.objects.select_for_update().get(pk=run.pk)
    now, before = timezone.now(), {} if afresh else locked.waiting or {}
    looks = before.get("looks", 0) + 1
    locked.waiting = {
        "trouble": reasons.to_json(trouble),
        "since": before.get("since", now.isoformat()),
        "looks": looks,
        "next": (now + min(FIRST * 2 ** min(looks - 1, 10), LONGEST)).isoformat(),
    }
    locked.save(update_fields=["waiting"])
    run.waiting = locked.waiting


def go_on(run: Run) -> None:
    """Note that the judge works again."""
    Run.objects.filter(pk=run.pk, waiting__isnull=False).update(waiting=None)
    run.waiting = None


def is_due(run: Run, now: datetime) -> bool:
    """Whether the judge may be asked: it was not in trouble, or it is time for another look."""
    return run.waiting is None or datetime.fromisoformat(run.waiting["next"]) <= now


def run_of(submission: Submission) -> Run | None:
    """The run of a submission that waits for the judge; ``None`` when none does."""
    if submission.state != State.SCORING:
        return None
    newest = submission.runs.filter(finished=None).order_by("-created").first()
    return newest if newest is not None and newest.waiting is not None else None


@transaction.atomic
def ask_again(submission: Submission, *, who: Any) -> None:
    """Let the judge be asked at once, instead of at the next look.

    Raises:
        Refused: the submission does not wait for the judge.
    """
    submission = Submission.objects.select_for_update().get(pk=submission.pk)
    run = run_of(submission)
    if run is None:
        raise Refused(
            "judge-not-awaited",
            _("It does not wait for the judge."),
            _("Leave it out; nothing has to be done."),
        )
    run.waiting = {**(run.waiting or {}), "next": timezone.now().isoformat()}
    run.save(update_fields=["waiting"])
    note(submission, "The judge is asked again.", who=who, role=Role.ORGANISER)
    queue.send("start", str(submission.pk))
