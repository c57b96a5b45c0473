"""The stored archive of a submission, opened for reading."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO, cast

from scoring.archive import Outputs, open_outputs
from scoring.audio import read_answer
from scoring.recording import Recording, Sound, Unread
from submissions.models import Item, Submission
from submissions.services.remembered import contents_of

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


class Recordings:
    """Recordings of an open archive; those of known content are read when somebody listens."""

    def __init__(self, submission: Submission, outputs: Outputs) -> None:
        self._submission, self._outputs = submission, outputs
        self._contents = contents_of(submission)

    def of(self, item: Item, kind: str) -> Sound | None:
        """An item's recording; ``None`` if it is missing."""
        name = member_of(self._submission, item, kind)
        if name is None:
            return None
        content = self._contents.get(name)
        return Unread(content, name, partial(self._read, name)) if content else self._read(name)

    def _read(self, name: str) -> Recording:
        channel = self._submission.model_channel
        return read_answer(self._outputs.read(name), path=name, model_channel=channel)
