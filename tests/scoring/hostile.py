"""Builders of archives as they arrive in the field: broken, hostile or merely odd.

Conventions: a zip is built with Python's ``zipfile`` and then spoilt byte by byte; everything
lives in memory.
"""

import io
import random
import stat
import struct
import warnings
import wave
import zipfile
from collections.abc import Iterable, Mapping
from typing import Literal

from scoring.humdial.names import expected_files
from scoring.manifest import ExpectedFile, Item, Manifest

Files = Mapping[str, bytes] | Iterable[tuple[str, bytes]]
Field = Literal["flags", "method", "crc", "packed", "size", "offset"]

CENTRAL, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
# Position and format of the fields in the directory, and where the local header repeats them.
_FIELDS: dict[Field, tuple[int, int | None, str]] = {
    "flags": (8, 6, "<H"),
    "method": (10, 8, "<H"),
    "crc": (16, 14, "<L"),
    "packed": (20, 18, "<L"),
    "size": (24, 22, "<L"),
    "offset": (42, None, "<L"),
}


def wav(seed: int = 1, *, seconds: float = 0.2, rate: int = 16_000, channels: int = 1) -> bytes:
    """A 16-bit recording of noise; another seed gives other noise, seed 0 gives silence."""
    count = int(seconds * rate) * channels
    noise = random.Random(seed)
    samples = [noise.randint(-8000, 8000) if seed else 0 for _ in range(count)]
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{count}h", *samples))
    return out.getvalue()


def zipped(files: Files, *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files; names are taken as they are, repeated ones too."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, data in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(name, data)
    return out.getvalue()


def opened(data: bytes) -> io.BytesIO:
    """The bytes as an open file."""
    return io.BytesIO(data)


def _central(data: bytes, member: int) -> int:
    at = data.index(CENTRAL)
    for _ in range(member):
        at = data.index(CENTRAL, at + 4)
    return at


def spoilt(data: bytes, field: Field, value: int, *, member: int = 0, local: bool = True) -> bytes:
    """Write another value into the directory entry of a member, and into its local header."""
    spoilt = bytearray(data)
    at, repeated, kind = _FIELDS[field]
    central = _central(data, member)
    start = struct.unpack_from("<L", data, central + _FIELDS["offset"][0])[0]
    struct.pack_into(kind, spoilt, central + at, value)
    if local and repeated is not None:
        struct.pack_into(kind, spoilt, start + repeated, value)
    return bytes(spoilt)


def encrypted(files: Files) -> bytes:
    """A zip whose first member says that it needs a password."""
    return spoilt(zipped(files), "flags", 0x1)


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    """The zip with a name replaced by another one of the same length, everywhere."""
    assert len(old) == len(new)
    return data.replace(old, new)


def with_link(name: str, target: str, *, kind: int = stat.S_IFLNK) -> bytes:
    """A zip with a symbolic link (or another special file)."""
    out = io.BytesIO()
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (kind | 0o777) << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, target)
    return out.getvalue()


def bomb(name: str, *, megabytes: int) -> bytes:
    """A zip with one member of zeros that shrinks a thousandfold."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w", force_zip64=True) as member,
    ):
        for _ in range(megabytes):
            member.write(bytes(1_000_000))
    return out.getvalue()


def overlapping() -> bytes:
    """Two members, of which the first reaches over the second."""
    data = zipped({"a_output.wav": bytes(50), "b_output.wav": bytes(50)}, method=0)
    return spoilt(data, "packed", 50 + 30, member=0)


def same_bytes_twice() -> bytes:
    """Two members that are one and the same stretch of the archive."""
    data = zipped({"a_output.wav": bytes(50), "b_output.wav": bytes(50)}, method=0)
    return spoilt(data, "offset", 0, member=1)


def with_many_entries(count: int) -> bytes:
    """A small zip whose directory names one member again and again."""
    data = zipped({"a": b""})
    start, end = data.index(CENTRAL), data.index(END)
    entries = data[start:end] * count
    record = bytearray(data[end:])
    struct.pack_into("<HHL", record, 8, count % 65536, count % 65536, len(entries))
    return data[:start] + entries + bytes(record)


class SparseFile(io.RawIOBase):
    """A huge file of zeros with a few real parts in it, for archives above 4 GiB."""

    def __init__(self, parts: Mapping[int, bytes]) -> None:
        super().__init__()
        self.parts, self._at = dict(parts), 0
        self.length = max(start + len(data) for start, data in parts.items())

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._at = {0: 0, 1: self._at, 2: self.length}[whence] + offset
        if self._at < 0:
            raise ValueError("negative position")
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        left = max(0, self.length - self._at)
        size = left if size is None or size < 0 else min(size, left)
        out = bytearray(size)
        for start, data in self.parts.items():
            first, last = max(start, self._at), min(start + len(data), self._at + size)
            if first < last:
                out[first - self._at : last - self._at] = data[first - start : last - start]
        self._at += size
        return bytes(out)


def larger_than_4_gib(files: Files) -> SparseFile:
    """What macOS Finder writes above 4 GiB: no zip64 record, and positions that wrap.

    The first member lies at 0, the rest and the directory above 4 GiB.
    """
    data = zipped(files, method=zipfile.ZIP_STORED)
    second = data.index(LOCAL, 4)
    above = {0: data[:second], 2**32 + second: data[second:]}
    return SparseFile(above)


def split(*items: Item) -> tuple[ExpectedFile, ...]:
    """The expected files of these items."""
    return expected_files(Manifest(items))


def valid_zip64_above_4_gib(files: Files) -> SparseFile:
    """A right archive above 4 GiB: the directory lies there, and a zip64 record says so."""
    data = zipped(files, method=zipfile.ZIP_STORED)
    start, end = data.index(CENTRAL), data.index(END)
    count, size, at = data.count(CENTRAL), end - start, 2**32 + start
    record = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, at)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at + size, 1)
    last = struct.pack("<4sHHHHLLH", END, 0, 0, count, count, size, 2**32 - 1, 0)
    return SparseFile({0: data[:start], at: data[start:end] + record + locator + last})
