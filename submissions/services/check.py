"""Check a received archive against the expected items of its split."""

from typing import Any

from django.db.models import F

import scoring.check
from scoring.errors import ArchiveError
from scoring.humdial.names import expected_files
from submissions import queue
from submissions.models import Submission
from submissions.services.stored import SEPARATOR, archive_of
from submissions.states import IllegalMove, State, advance


def check(submission: Submission) -> Submission:
    """Compare the archive with the expected set: refused with a report, or queued.

    A refused archive costs no quota. May run again at any time: it starts from the file.
    """
    if submission.state == State.RECEIVED:
        submission = advance(submission, State.CHECKING)
    if submission.state != State.CHECKING:
        return submission
    Submission.objects.filter(pk=submission.pk).update(attempts=F("attempts") + 1)
    submission.check_report = report_of(submission)
    submission.save(update_fields=["check_report"])
    try:
        return _settle(submission, acceptable=submission.check_report["acceptable"])
    except IllegalMove:
        # Another delivery of the same task was faster, or the team withdrew meanwhile.
        return Submission.objects.get(pk=submission.pk)


def _settle(submission: Submission, *, acceptable: bool) -> Submission:
    if not acceptable:
        return advance(submission, State.REJECTED, why="The archive was refused; see its report.")
    submission = advance(submission, State.QUEUED)
    Submission.objects.filter(pk=submission.pk).update(attempts=0)
    queue.send("start", str(submission.pk))
    return submission


def report_of(submission: Submission) -> dict[str, Any]:
    """Return the check report, with the members found for each expected file."""
    expected = expected_files(submission.split.manifest)
    try:
        with archive_of(submission) as outputs:
            report = scoring.check.check(outputs, expected)
    except ArchiveError as error:
        report = scoring.check.refuse(error, expected)
    members = {SEPARATOR.join(key): name for key, name in report.members.items()}
    return {**report.to_json(), "members": members}
