"""What is made once for a whole run of the tests, by whichever of its processes needs it first."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def shared_folder(factory, name) -> Path:
    """The folder of this name that all processes of one run share."""
    base = factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen") else base) / name
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def alone(folder: Path, name: str = "lock") -> Iterator[None]:
    """Hold a lock of this name in a folder; the other processes wait for it."""
    with (folder / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
