"""Check a received archive against the expected items of its split."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db.models import F

import scoring.check
from scoring.archive import Outputs
from scoring.check import CheckReport
from scoring.check.layout import match
from scoring.errors import ArchiveError
from scoring.humdial.names import expected_files
from scoring.manifest import ExpectedFile
from scoring.rules import finding
from submissions import queue
from submissions.models import Submission
from submissions.services.remembered import keep_report, recall_report
from submissions.services.sample import Sample
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
    measure(submission)
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


def measure(submission: Submission) -> None:
    """Measure size and SHA-256 here, where the upload itself has not done so."""
    if submission.sha256:
        return
    with submission.archive.open("rb") as file:
        submission.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        submission.size = file.size
    submission.save(update_fields=["sha256", "size"])


def report_of(submission: Submission) -> dict[str, Any]:
    """Return the check report, with the members found for each expected file.

    An archive that was accepted before is not read again.
    """
    known = recall_report(submission)
    if known is not None:
        return known
    expected = expected_files(submission.expected)
    try:
        with archive_of(submission) as outputs:
            report = _checked(submission, outputs, expected)
    except ArchiveError as error:
        report = scoring.check.refuse(error, expected)
    members = {SEPARATOR.join(key): name for key, name in report.members.items()}
    found = {**report.to_json(), "members": members}
    keep_report(submission, found, report)
    return found


def _checked(
    submission: Submission, outputs: Outputs, expected: Sequence[ExpectedFile]
) -> CheckReport:
    durations = {item.spec.key: item.duration for item in submission.items}
    # Which dialogue an id stands for is not to be found out by trying names.
    look = partial(
        scoring.check.check,
        durations=durations,
        model_channel=submission.model_channel,
        by_dialogue=submission.split.items_public,
    )
    if not submission.is_trial:
        return look(outputs, expected)
    whole = expected_files(submission.split.manifest)
    every = match(outputs.names, whole, by_dialogue=submission.split.items_public).members
    tried = {file.key for file in expected}
    beyond = {name for key, name in every.items() if key not in tried}
    report = look(Sample(outputs, beyond), expected)
    note = [finding("beyond-the-trial", count=f"{len(beyond):,}")] if beyond else []
    return replace(report, findings=(*note, *report.findings))
