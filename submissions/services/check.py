"""Check a received archive against the expected items of its split."""

from django.db.models import F

import scoring.check
from scoring.archive import open_outputs
from scoring.check import CheckReport
from scoring.errors import ArchiveError
from scoring.humdial.names import expected_files
from submissions import queue
from submissions.models import Submission
from submissions.states import IllegalMove, State, advance

SEPARATOR = "|"


def check(submission: Submission) -> Submission:
    """Compare the archive with the expected set: refused with a report, or queued.

    A refused archive costs no quota. May run again at any time: it starts from the file.
    """
    if submission.state == State.RECEIVED:
        submission = advance(submission, State.CHECKING)
    if submission.state != State.CHECKING:
        return submission
    Submission.objects.filter(pk=submission.pk).update(attempts=F("attempts") + 1)
    report = report_of(submission)
    Submission.objects.filter(pk=submission.pk).update(check_report=report)
    try:
        return _settle(submission, acceptable=report["acceptable"])
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


def report_of(submission: Submission) -> dict:  # type: ignore[type-arg]
    """Return the check report, with the members found for each expected file."""
    with submission.archive.open("rb") as file:
        try:
            with open_outputs(file) as outputs:
                expected = expected_files(submission.split.manifest)
                return _to_json(scoring.check.check(outputs, expected))
        except ArchiveError as error:
            return _unreadable(error)


def _to_json(report: CheckReport) -> dict:  # type: ignore[type-arg]
    members = {SEPARATOR.join(key): name for key, name in report.members.items()}
    return {**report.to_json(), "members": members}


def _unreadable(error: ArchiveError) -> dict:  # type: ignore[type-arg]
    finding = {
        "code": error.code,
        "path": error.path,
        "rule": error.rule,
        "cure": error.cure,
        "severity": "error",
    }
    return {"schema": "check-report/1", "acceptable": False, "findings": [finding], "members": {}}
