"""What the check of an archive found, remembered by the content of the archive.

The same archive again, checked by the same rules against the same items, is not read again; and
scoring reads only those recordings that somebody has to listen to.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from scoring import __version__
from scoring.check import SCHEMA, CheckReport
from scoring.manifest import Manifest
from scoring.recording import Content
from submissions.models import Submission
from submissions.services.engines import DatabaseMemory

REPORTS = f"{SCHEMA} of scorer {__version__}"
CONTENTS = "contents/1"


def recall_report(submission: Submission) -> dict[str, Any] | None:
    """The report on the same archive and the same items, if there is one."""
    if submission.is_trial:
        return None
    key = _key(submission)
    found: dict[str, Any] | None = DatabaseMemory().recall(REPORTS, [key]).get(key)
    return found


def keep_report(submission: Submission, report: Mapping[str, Any], checked: CheckReport) -> None:
    """Remember a report, and what the files hold.

    Only of archives that are accepted: whatever made another one fail may be mended meanwhile. And
    not of trials, which look at a part of an archive only.
    """
    if submission.is_trial or not checked.acceptable:
        return
    memory = DatabaseMemory()
    memory.keep(REPORTS, {_key(submission): report})
    contents = {name: checked.contents[key] for key, name in checked.members.items()}
    memory.keep(CONTENTS, {_heard(submission): contents})


def contents_of(submission: Submission) -> Mapping[str, Content]:
    """What the files of an archive hold, by name; empty when nothing is remembered."""
    if submission.is_trial:
        return {}
    key = _heard(submission)
    found = DatabaseMemory().recall(CONTENTS, [key]).get(key, {})
    return {name: Content(*known) for name, known in found.items()}


def _key(submission: Submission) -> str:
    """Name everything that a report hangs on, except for the rules."""
    items = list(submission.items)
    manifest = Manifest(tuple(item.spec for item in items))
    # Where items are hidden, names by dialogue stand for nothing.
    names = "by-dialogue" if submission.split.items_public else "by-id"
    parts = [_heard(submission), manifest.sha256, names, *(f"{item.duration!r}" for item in items)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _heard(submission: Submission) -> str:
    """The archive, and which channel of it is heard where that was said."""
    channel = submission.model_channel
    if channel is None:
        return submission.sha256
    return hashlib.sha256(f"{submission.sha256}#{channel}".encode()).hexdigest()
