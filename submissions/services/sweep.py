"""Take up whatever lost its worker, in any state; nothing is ever stuck."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from submissions import queue
from submissions.models import Submission
from submissions.services.claims import held, release_dead
from submissions.services.publish import reveal, to_reveal
from submissions.services.upload import discard_expired
from submissions.services.waiting import is_due
from submissions.states import UNFINISHED, State

# A task that was sent may wait this long in the queue before it is sent again.
PATIENCE = timedelta(seconds=60)


def sweep(*, patience: timedelta = PATIENCE) -> int:
    """Send again what shows no sign of life; return how many submissions were taken up.

    Args:
        patience: how long a submission may show no sign of life; zero when a worker starts.
    """
    orphans = release_dead()
    for run in orphans:
        queue.send("work", run)
    for split in to_reveal():
        reveal(split)
    discard_expired(timezone.now())
    quiet = Q(sign_of_life=None) | Q(sign_of_life__lte=timezone.now() - patience)
    stuck = Submission.objects.filter(quiet, state__in=UNFINISHED)
    others = stuck.exclude(runs__in=orphans)
    return len(orphans) + sum(_take_up(submission) for submission in others)


def _take_up(submission: Submission) -> bool:
    run = submission.runs.filter(finished=None).order_by("-created").first()
    if run is not None and (held(run).exists() or not is_due(run, timezone.now())):
        return False
    unchecked = submission.state in (State.RECEIVED, State.CHECKING)
    queue.send("check" if unchecked else "start", str(submission.pk))
    Submission.objects.filter(pk=submission.pk).update(sign_of_life=timezone.now())
    return True
