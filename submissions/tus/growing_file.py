"""A file that grows piece by piece, and whose size is the truth about what has arrived.

Conventions: each piece is written under a lock of its own, and only if the file still ends where
the writer believes. So a connection that has died without saying so blocks nobody, and of two
writers one goes on and the other learns that it was overtaken. Nothing is ever overwritten.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Overtaken(Exception):
    """Somebody else has written here, or the file ends elsewhere."""


class TooMuch(Exception):
    """More has come than was announced."""


def create(path: Path) -> None:
    """Make an empty file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(exist_ok=False)


def safe_size(path: Path) -> int | None:
    """How much is safe on disk, after a crash too; ``None`` when there is no such file."""
    try:
        with path.open("rb") as file:
            os.fsync(file.fileno())
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return None


def append(path: Path, offset: int, pieces: Iterable[bytes], *, limit: int) -> int:
    """Write pieces at the end, and see that they are safe on disk.

    What has arrived before the pieces break off stays.

    Args:
        path: the file.
        offset: where the writer believes that it ends.
        pieces: what comes; the iterator may raise.
        limit: how long the file may become.

    Returns:
        Where the file ends now.

    Raises:
        Overtaken: it ends elsewhere, then or meanwhile.
        TooMuch: there is more than ``limit`` allows; what fits was kept.
        FileNotFoundError: there is no such file.
    """
    with path.open("r+b", buffering=0) as file:
        try:
            _require_end(file.fileno(), offset)
            for piece in pieces:
                if offset + len(piece) > limit:
                    raise TooMuch
                with locked(file.fileno()):
                    _require_end(file.fileno(), offset)
                    offset = _write(file.fileno(), offset, piece)
        finally:
            os.fsync(file.fileno())
    return offset


def _require_end(descriptor: int, offset: int) -> None:
    if os.fstat(descriptor).st_size != offset:
        raise Overtaken


def _write(descriptor: int, offset: int, piece: bytes) -> int:
    rest = memoryview(piece)
    while rest:
        written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[written:], offset + written
    return offset


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Keep everybody else from writing or moving an open file."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
