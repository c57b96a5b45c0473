"""Celery doors: take an id, call a service."""

from datetime import timedelta
from typing import Any

from celery import Task, shared_task
from celery.signals import worker_ready
from celery.utils.log import get_task_logger
from django.utils import timezone

from scoring.errors import ScoringError
from submissions.models import Approval, Event, Run, Split, Submission
from submissions.services.announce import announce, announce_approval, announce_reveal
from submissions.services.announce import remind as remind_all
from submissions.services.check import check as check_archive
from submissions.services.import_turns import note_error
from submissions.services.import_turns import take_up as take_up_imports
from submissions.services.import_turns import work as work_on_import
from submissions.services.rescore import fail
from submissions.services.score import start as start_run
from submissions.services.score import work as work_on
from submissions.services.sweep import sweep as take_up_all
from submissions.states import UNFINISHED

logger = get_task_logger(__name__)

MAX_ATTEMPTS = 3
# What only an organiser can mend; trying again would but hide the reason for some minutes.
HOPELESS = ("engine-package-missing", "engine-weights-missing")
# What everybody may read; the rest names paths, endpoints and accounts.
STOPPED = "Trouble on our side stopped the scoring; the organisers see what it was."
# A mail server that is away comes back: after a minute, two, four …
MAIL_AGAIN = {"autoretry_for": (OSError,), "retry_backoff": 60, "max_retries": 8}


class SubmissionTask(Task):
    """A task about one submission; after some failures the submission says so instead."""

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """Count the attempt; give up with a reason after a few, the sweep retries until then."""
        submission = self.subject(args[0])
        if submission is None or submission.state not in UNFINISHED:
            return
        attempts = submission.attempts + 1
        Submission.objects.filter(pk=submission.pk).update(attempts=attempts)
        if attempts >= MAX_ATTEMPTS or getattr(exc, "code", "") in HOPELESS:
            fail(submission, why=STOPPED, detail=_detail(exc, task_id))

    @staticmethod
    def subject(key: Any) -> Submission | None:
        """Return the submission that the first argument names."""
        if isinstance(key, int):
            return Submission.objects.filter(runs__pk=key).first()
        return Submission.objects.filter(pk=key).first()


@shared_task(base=SubmissionTask)
def check(submission_id: str) -> None:
    """Check the archive of a submission."""
    check_archive(Submission.objects.get(pk=submission_id))


@shared_task(base=SubmissionTask)
def start(submission_id: str) -> None:
    """Start, or go on with, the run of a submission."""
    start_run(Submission.objects.get(pk=submission_id))


@shared_task(base=SubmissionTask)
def work(run_id: int) -> None:
    """Do the next chunk of a run, and ask for another turn while work may be left."""
    if work_on(Run.objects.select_related("submission__split").get(pk=run_id)):
        work.delay(run_id)


class ImportTask(Task):
    """A task about the import of a split; the sweep tries again, and gives up after a few."""

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """Keep the reason."""
        note_error(args[0], exc)


@shared_task(base=ImportTask)
def import_items(import_id: str) -> None:
    """Do the next items of an import, and ask for another turn while some are left."""
    if work_on_import(import_id):
        import_items.delay(import_id)


@shared_task(**MAIL_AGAIN)
def mail(event_id: int) -> None:
    """Tell a team what became of its submission."""
    announce(Event.objects.select_related("submission__split", "submission__team").get(pk=event_id))


@shared_task(**MAIL_AGAIN)
def mail_approval(approval_id: int) -> None:
    """Tell the organisers of a request to take part, or the team of the answer."""
    announce_approval(Approval.objects.select_related("split", "team").get(pk=approval_id))


@shared_task(**MAIL_AGAIN)
def mail_reveal(split_id: int) -> None:
    """Tell the teams that the results of a split are revealed."""
    announce_reveal(Split.objects.get(pk=split_id))


@shared_task
def remind() -> None:
    """Remind teams of deadlines."""
    if sent := remind_all(timezone.now()):
        logger.info("reminded %d person(s) of a deadline", sent)


@shared_task
def sweep(patience: float = 60.0) -> None:
    """Take up whatever lost its worker."""
    if taken := take_up_all(patience=timedelta(seconds=patience)):
        logger.info("took up %d submission(s)", taken)
    if taken := take_up_imports(patience=timedelta(seconds=patience)):
        logger.info("took up %d import(s)", taken)


@worker_ready.connect
def _look_around(**_: Any) -> None:
    """A worker that starts looks at once for what another left behind."""
    sweep.delay(0.0)


def _detail(exc: Exception, task_id: str) -> str:
    if isinstance(exc, ScoringError):
        return str(exc)
    return f"An internal error; the workers' log has it under {task_id}."
