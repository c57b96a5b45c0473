"""The stored archive of a submission, opened for reading."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from scoring.archive import Outputs, open_outputs
from submissions.models import Item, Submission

# Between the item's key and the kind of recording, in the members of a check report.
SEPARATOR = "|"


@contextmanager
def archive_of(submission: Submission) -> Iterator[Outputs]:
    """Open the archive, wherever it is stored.

    Raises:
        ArchiveError: it is no readable zip.
    """
    with submission.archive.open("rb") as file, open_outputs(cast(BinaryIO, file)) as outputs:
        yield outputs


def member_of(submission: Submission, item: Item, kind: str) -> str | None:
    """Name of an item's recording in the archive, as the check found it; ``None`` if missing."""
    members: dict[str, str] = (submission.check_report or {}).get("members", {})
    return members.get(SEPARATOR.join((item.spec.key, kind)))
