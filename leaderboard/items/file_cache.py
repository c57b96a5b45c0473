"""Files that can be made again, kept in one folder up to a limit; the least recently used go."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class FileCache:
    """A folder of made files, shared by all processes of the site.

    Attributes:
        folder: where they lie; made when it is needed.
        limit: bytes that all files together may take.
    """

    folder: Path
    limit: int

    def open(self, name: str, make: Callable[[], bytes]) -> BinaryIO:
        """Open the file of that name, made now if it is not there.

        The name stands for the content: whoever makes other content takes another name.
        """
        path = self.folder / name
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return self._made(path, make())
        # Another process may have removed it meanwhile; what is open stays readable.
        with suppress(FileNotFoundError):
            os.utime(path)
        return file

    def _made(self, path: Path, data: bytes) -> BinaryIO:
        if len(data) <= self.limit:
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(data)
            # Readers of the same name find the whole file or none.
            os.replace(file.name, path)
            self._evict()
        return BytesIO(data)

    def _evict(self) -> None:
        files = sorted(self._files(), key=lambda one: one[1].st_mtime_ns)
        excess = sum(status.st_size for _path, status in files) - self.limit
        for path, status in files:
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= status.st_size

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        found = []
        for entry in os.scandir(self.folder):
            with suppress(FileNotFoundError):
                found.append((Path(entry.path), entry.stat()))
        return found
