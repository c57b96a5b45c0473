"""Read the outputs of a submission from a zip or a folder, safely and without unpacking.

Conventions: a member is named by its path in the archive with ``/`` between folders. What is wrong
with one member is a finding, and reading that member raises; what makes the whole archive
unreadable is an ``ArchiveError``. Nothing is ever written, and no more than one member is held in
memory. Field practice: the list of archives that challenge platforms choked on.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Generic, Protocol, Self, cast

from scoring.archive.members import (
    Entry,
    Member,
    list_members,
    not_a_file,
    printable,
    shown,
    size_problem,
)
from scoring.archive.zips import BROKEN, MEMBER_COUNT_LIMIT, damage, open_zip, zip_members
from scoring.errors import ArchiveError, Finding, Phrase
from scoring.rules import as_error, error

CHUNK = 256 * 1024


class Outputs(Protocol):
    """The recordings of a submission, wherever they lie; use it as a context manager."""

    @property
    def names(self) -> tuple[str, ...]:
        """Member names with ``/`` between folders, without folders and system files."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with members, in the order of the archive."""

    def read(self, name: str) -> bytes:
        """Return the content of one member.

        Raises:
            ArchiveError: the member is refused or damaged; code and path as in its finding.
            KeyError: there is no such member.
        """

    def size(self, name: str) -> int:
        """Size of one member in bytes, as declared.

        Raises:
            KeyError: there is no such member.
        """

    def close(self) -> None:
        """Let go of the files that were opened here."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_outputs(source: Path | BinaryIO) -> Outputs:
    """Open a zip file, or a folder that looks like an unpacked one.

    Args:
        source: path of a zip or of a folder, or a seekable binary file, which stays open.

    Raises:
        ArchiveError: with code ``archive-not-zip``, ``archive-truncated``,
            ``archive-prepended``, ``archive-zip64-broken``, ``archive-too-many-members``, or
            ``archive-unreadable`` when the file itself cannot be opened.
    """
    if not isinstance(source, Path):
        return _open_zip(source, close=lambda: None)
    try:
        if source.is_dir():
            return _open_folder(source)
        file = source.open("rb")
    except OSError as cause:
        raise error(
            ArchiveError,
            "archive-unreadable:open",
            name=printable(source.name),
            why=str(cause.strerror),
        ) from cause
    try:
        return _open_zip(file, close=file.close)
    except ArchiveError:
        file.close()
        raise


class _Opened(Generic[Entry]):
    """A list of members and a way to stream one of them."""

    def __init__(
        self,
        members: Iterable[Member[Entry]],
        *,
        stream: Callable[[Entry], BinaryIO],
        close: Callable[[], None],
    ) -> None:
        listing = list_members(members)
        self._members, self.findings = listing.members, tuple(listing.findings)
        self._stream, self.close = stream, close

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._members)

    def size(self, name: str) -> int:
        return self._members[name].size

    def read(self, name: str) -> bytes:
        member = self._members[name]
        if member.problem:
            raise as_error(ArchiveError, member.problem)
        try:
            with self._stream(member.entry) as stream:
                data = b"".join(_chunks(stream, member.size))
        except BROKEN as cause:
            raise _damaged(member.raw, damage(cause)) from cause
        if len(data) != member.size:
            why = Phrase("damage-size", {"size": f"{member.size:,}"})
            raise _damaged(member.raw, why)
        return data

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _chunks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Read at most one chunk more than declared; reading to the end also checks the CRC."""
    left = size
    while left >= 0 and (chunk := stream.read(CHUNK)):
        left -= len(chunk)
        yield chunk


def _damaged(raw: str, why: Phrase) -> ArchiveError:
    return error(ArchiveError, "member-damaged", shown(raw), why=why)


def _open_zip(file: BinaryIO, *, close: Callable[[], None]) -> Outputs:
    archive = open_zip(file)
    return _Opened(
        zip_members(archive),
        stream=lambda entry: cast(BinaryIO, archive.open(entry)),
        close=close,
    )


def _open_folder(root: Path) -> Outputs:
    members = list(islice(_walk(root), MEMBER_COUNT_LIMIT + 1))
    if len(members) > MEMBER_COUNT_LIMIT:
        limit = f"{MEMBER_COUNT_LIMIT:,}"
        raise error(ArchiveError, "archive-too-many-members:folder", limit=limit)
    return _Opened(members, stream=lambda path: path.open("rb"), close=lambda: None)


def _walk(root: Path) -> Iterator[Member[Path]]:
    """Yield the files below a folder in the order of their names; links are never followed."""

    def stop(cause: OSError) -> None:
        raise cause

    for place, folders, files in os.walk(root, onerror=stop, followlinks=False):
        folders.sort()
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in sorted([*files, *links]):
            yield _folder_member(root, Path(place, name))


def _folder_member(root: Path, path: Path) -> Member[Path]:
    raw, status = path.relative_to(root).as_posix(), path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return Member(raw, 0, path, not_a_file(raw))
    problem = size_problem(raw, size=status.st_size, packed=status.st_size)
    return Member(raw, status.st_size, path, problem)
