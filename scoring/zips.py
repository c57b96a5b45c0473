"""Read the directory of a zip: its members, what is wrong with each, and why a zip is unreadable.

Conventions: only Python's ``zipfile`` looks into the archive; nothing is inflated here. Positions
and sizes are bytes. A zip that cannot be used as a whole is an ``ArchiveError``.
"""

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from scoring.errors import ArchiveError, Finding
from scoring.members import ZIP_AGAIN, Member, not_a_file, printable, size_problem

# A full HumDial submission has 9,100 members and a directory of about 1 MB.
MEMBER_COUNT_LIMIT = 50_000
DIRECTORY_LIMIT = 8 * 1024 * 1024

_LOCAL_HEADER, _END_RECORD = b"PK\x03\x04", b"PK\x05\x06"
_LOCAL_HEADER_SIZE, _END_RECORD_SIZE, _LONGEST_COMMENT = 30, 22, 65535
# 32-bit fields of a zip: they wrap here, and their highest value says "see the zip64 record".
_WRAP, _UNKNOWN_32, _UNKNOWN_16 = 2**32, 2**32 - 1, 2**16 - 1
# bzip2 and LZMA can blow one small block up to gigabytes in a single step: not bounded, not read.
_COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_METHODS = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 99: "AES"}
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_UTF8_NAME = 0x800
_OTHER_FORMATS = {
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\x1f\x8b": "a gzip file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"RIFF": "a single wav file",
    b"%PDF": "a PDF",
    b"<": "a web page",
}
# All that a broken zip makes Python's reader raise.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


class _Guarded:
    """A file that refuses huge reads, so that no directory of a zip can fill the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > DIRECTORY_LIMIT:
            raise too_many(f"a directory of {size:,} bytes", f"{DIRECTORY_LIMIT:,} bytes")
        return self._file.read(size)


def too_many(found: str, limit: str) -> ArchiveError:
    """The error for an archive that names more than a submission can hold."""
    return ArchiveError(
        f"The archive has {found}; the limit is {limit}.",
        cure="Put only the output recordings into it.",
        code="archive-too-many-members",
    )


def open_zip(file: BinaryIO) -> zipfile.ZipFile:
    """Open a seekable file as a zip whose directory makes sense.

    Raises:
        ArchiveError: it is no zip, is cut off, is too large for its format, or names too many
            members.
    """
    try:
        archive = zipfile.ZipFile(cast(BinaryIO, _Guarded(file)))
    except ArchiveError:
        raise
    except BROKEN as cause:
        raise _unreadable(file, cause) from cause
    entries = archive.infolist()
    if len(entries) > MEMBER_COUNT_LIMIT:
        raise too_many(f"{len(entries):,} members", f"{MEMBER_COUNT_LIMIT:,}")
    _require_first_at_zero(entries, file)
    return archive


def zip_members(archive: zipfile.ZipFile) -> Iterator[Member[zipfile.ZipInfo]]:
    """Yield the members of a zip in the order of its directory, each with its problem."""
    entries = archive.infolist()
    overlapping = _overlapping(entries)
    for entry in entries:
        overlaps = entry.header_offset in overlapping
        yield _zip_member(entry, end=archive.start_dir, overlaps=overlaps)


def reason(cause: BaseException) -> str:
    """Say what broke in one line; a name in the message may hold anything."""
    return printable(str(cause) or type(cause).__name__).rstrip(".")


def _require_first_at_zero(entries: list[zipfile.ZipInfo], file: BinaryIO) -> None:
    """Offsets count from the directory; when bytes are lost or wrapped the first one shows it."""
    first = min((entry.header_offset for entry in entries), default=0)
    if first and _needs_zip64(_ends(file).tail):
        raise _zip64_broken("its zip64 record is missing or damaged")
    if first > 0 and first % _WRAP == 0:
        raise _zip64_broken("its positions start again at 4 GiB")
    if first < 0:
        raise _truncated(f"{-first:,} bytes are missing from its inside")
    if first > 0:
        raise _truncated(f"{first:,} bytes of something else come before its first file")


def _overlapping(entries: list[zipfile.ZipInfo]) -> set[int]:
    """Positions of members whose bytes also belong to the member before or after them."""
    found: set[int] = set()
    reach, last = 0, -1
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < reach:
            found |= {entry.header_offset, last}
        if _end_of(entry) >= reach:
            reach, last = _end_of(entry), entry.header_offset
    return found


def _end_of(entry: zipfile.ZipInfo) -> int:
    """Where a member ends at the earliest; what its local header adds to this is unknown."""
    return entry.header_offset + _LOCAL_HEADER_SIZE + len(entry.orig_filename) + entry.compress_size


def _zip_member(entry: zipfile.ZipInfo, *, end: int, overlaps: bool) -> Member[zipfile.ZipInfo]:
    raw = _decoded_name(entry)
    problem = (
        _entry_problem(entry, raw)
        or (_range_problem(entry, raw, end) if _end_of(entry) > end else None)
        or (_overlap(raw) if overlaps else None)
        or size_problem(raw, size=entry.file_size, packed=entry.compress_size)
    )
    return Member(raw, entry.file_size, entry, problem)


def _decoded_name(entry: zipfile.ZipInfo) -> str:
    """Name of a member; names without the UTF-8 flag are tried as UTF-8, then as GBK.

    Chinese Windows writes GBK, whose second byte may be a back-slash that is none.
    """
    raw = entry.orig_filename
    if raw.isascii() or entry.flag_bits & _UTF8_NAME:
        return raw
    data = raw.encode("cp437")
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw


def _entry_problem(entry: zipfile.ZipInfo, raw: str) -> Finding | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return not_a_file(raw)
    if entry.flag_bits & _ENCRYPTED:
        return Finding(
            "archive-encrypted",
            printable(raw),
            "The file is encrypted, and nobody here has its password.",
            "Zip the folder again without a password.",
        )
    if entry.compress_type not in _COMPRESSIONS:
        name = _METHODS.get(entry.compress_type, f"number {entry.compress_type}")
        return Finding(
            "member-compression-unknown",
            printable(raw),
            f"Files in the zip must be stored or deflated, found {name}.",
            f"Choose the method Deflate. {ZIP_AGAIN}",
        )
    return None


def _range_problem(entry: zipfile.ZipInfo, raw: str, end: int) -> Finding:
    if _UNKNOWN_32 in (entry.compress_size, entry.file_size, entry.header_offset):
        error = _zip64_broken("the size of a file is missing")
    else:
        error = _truncated(f"a file would end {_end_of(entry) - end:,} bytes after the last one")
    return Finding(error.code, printable(raw), error.rule, error.cure)


def _overlap(raw: str) -> Finding:
    return Finding(
        "member-overlap",
        printable(raw),
        "The bytes of this file belong to another file of the archive as well.",
        ZIP_AGAIN,
    )


# ---- what is wrong with a file that is no readable zip ------------------------------------------


class _Ends(NamedTuple):
    """First and last bytes of a file, and its size."""

    head: bytes
    tail: bytes
    size: int


def _ends(file: BinaryIO) -> _Ends:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(16)
    file.seek(max(0, size - _END_RECORD_SIZE - _LONGEST_COMMENT))
    return _Ends(head, file.read(_END_RECORD_SIZE + _LONGEST_COMMENT), size)


def _unreadable(file: BinaryIO, cause: BaseException) -> ArchiveError:
    try:
        ends = _ends(file)
    except (OSError, ValueError):
        return ArchiveError(f"The file cannot be read: {reason(cause)}.", cure="Send it again.")
    if _needs_zip64(ends.tail) or "zip64" in str(cause) or "multiple disks" in str(cause):
        return _zip64_broken("its zip64 record is missing or damaged")
    if ends.head and ends.head[:4] == _LOCAL_HEADER[: len(ends.head[:4])]:
        return _truncated(f"its directory cannot be read ({reason(cause)})")
    return _not_zip(ends)


def _needs_zip64(tail: bytes) -> bool:
    at = tail.rfind(_END_RECORD)
    record = tail[at : at + _END_RECORD_SIZE]
    if at < 0 or len(record) < _END_RECORD_SIZE:
        return False
    count, size, offset = struct.unpack("<10xHLL2x", record)
    return count == _UNKNOWN_16 or _UNKNOWN_32 in (size, offset)


def _not_zip(ends: _Ends) -> ArchiveError:
    what = "it is empty" if not ends.size else "it starts like none"
    for magic, name in _OTHER_FORMATS.items():
        if ends.head.lstrip().startswith(magic):
            what = f"it looks like {name}"
    return ArchiveError(
        f"The file is no zip archive: {what}.", cure=ZIP_AGAIN, code="archive-not-zip"
    )


def _truncated(what: str) -> ArchiveError:
    return ArchiveError(
        f"The zip is not complete: {what}.",
        cure="Compare its size with the original, then send it or make it again.",
        code="archive-truncated",
    )


def _zip64_broken(what: str) -> ArchiveError:
    return ArchiveError(
        f"The zip is larger than the plain format can tell, and {what}.",
        cure="Some programs (macOS Finder) write such archives. Use `zip -r` on the command line.",
        code="archive-zip64-broken",
    )
