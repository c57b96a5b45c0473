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

from scoring.archive.members import Member, not_a_file, printable, shown, size_problem
from scoring.errors import ArchiveError, Finding, Phrase
from scoring.rules import error, finding

# A full HumDial submission has 9,100 members and a directory of about 1 MB.
MEMBER_COUNT_LIMIT = 50_000
DIRECTORY_LIMIT = 8 * 1024 * 1024

_LOCAL_HEADER, _END_RECORD = b"PK\x03\x04", b"PK\x05\x06"
_LOCAL_HEADER_SIZE, _END_RECORD_SIZE, _LONGEST_COMMENT = 30, 22, 65535
# 32-bit fields of a zip: they wrap here, and their highest value says "see the zip64 record".
_WRAP, _UNKNOWN_32, _UNKNOWN_16 = 2**32, 2**32 - 1, 2**16 - 1
# bzip2 and LZMA can blow one small block up to gigabytes in a single step: not bounded, not read.
_COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
METHODS = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 99: "AES"}
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_UTF8_NAME = 0x800
# What a file that is no zip starts with; tar has its mark further inside.
OTHER_FORMATS = {
    b"Rar!": "found-rar",
    b"7z\xbc\xaf": "found-7z",
    b"\x1f\x8b": "found-gzip",
    b"BZh": "found-bzip2",
    b"\xfd7zXZ": "found-xz",
    b"RIFF": "found-wav",
    b"%PDF": "found-pdf",
    b"<": "found-web-page",
}
TAR_MARK, TAR_AT = b"ustar", 257
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
            raise error(
                ArchiveError,
                "archive-too-many-members:directory",
                found=f"{size:,}",
                limit=f"{DIRECTORY_LIMIT:,}",
            )
        return self._file.read(size)


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
        found, limit = f"{len(entries):,}", f"{MEMBER_COUNT_LIMIT:,}"
        raise error(ArchiveError, "archive-too-many-members", found=found, limit=limit)
    _require_first_at_zero(entries, file)
    return archive


def zip_members(archive: zipfile.ZipFile) -> Iterator[Member[zipfile.ZipInfo]]:
    """Yield the members of a zip in the order of its directory, each with its problem."""
    entries = archive.infolist()
    # What reaches into the directory is told as such; its neighbours are not to blame.
    overlapping = _overlapping([one for one in entries if _end_of(one) <= archive.start_dir])
    for entry in entries:
        overlaps = entry.header_offset in overlapping
        yield _zip_member(entry, end=archive.start_dir, overlaps=overlaps)


def damage(cause: BaseException) -> Phrase:
    """Say what broke while a member was read."""
    if isinstance(cause, zipfile.BadZipFile):
        checksum = "CRC" in str(cause)
        return Phrase("damage-checksum" if checksum else "damage-header")
    if isinstance(cause, OSError) and cause.strerror:
        return Phrase("damage-disk", {"why": cause.strerror})
    return Phrase("damage-stream")


def _require_first_at_zero(entries: list[zipfile.ZipInfo], file: BinaryIO) -> None:
    """Offsets count from the directory; when bytes are lost or wrapped the first one shows it."""
    first = min((entry.header_offset for entry in entries), default=0)
    if not first:
        return
    ends = _ends(file)
    if _needs_zip64(ends.tail):
        raise error(ArchiveError, "archive-zip64-broken:record")
    if first > 0 and first % _WRAP == 0:
        raise error(ArchiveError, "archive-zip64-broken:wrapped")
    if first < 0:
        raise error(ArchiveError, "archive-truncated:inside", count=f"{-first:,}")
    key = "archive-truncated:first" if _starts_as_zip(ends.head) else "archive-prepended"
    raise error(ArchiveError, key, count=f"{first:,}")


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
        or (finding("member-overlap", shown(raw)) if overlaps else None)
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
        return finding("archive-encrypted", shown(raw))
    if entry.compress_type not in _COMPRESSIONS:
        unnamed = Phrase("method-number", {"number": str(entry.compress_type)})
        name = METHODS.get(entry.compress_type, unnamed)
        return finding("member-compression-unknown", shown(raw), method=name)
    return None


def _range_problem(entry: zipfile.ZipInfo, raw: str, end: int) -> Finding:
    if _UNKNOWN_32 in (entry.compress_size, entry.file_size, entry.header_offset):
        return finding("archive-zip64-broken:member", shown(raw))
    return finding("archive-truncated:reach", shown(raw), count=f"{_end_of(entry) - end:,}")


# ---- what is wrong with a file that is no readable zip ------------------------------------------


class _Ends(NamedTuple):
    """First and last bytes of a file, and its size."""

    head: bytes
    tail: bytes
    size: int


def _ends(file: BinaryIO) -> _Ends:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(TAR_AT + len(TAR_MARK))
    file.seek(max(0, size - _END_RECORD_SIZE - _LONGEST_COMMENT))
    return _Ends(head, file.read(_END_RECORD_SIZE + _LONGEST_COMMENT), size)


def _unreadable(file: BinaryIO, cause: BaseException) -> ArchiveError:
    try:
        ends = _ends(file)
    except (OSError, ValueError):
        why = printable(str(cause) or type(cause).__name__).rstrip(".")
        return error(ArchiveError, "archive-unreadable:read", why=why)
    if _needs_zip64(ends.tail) or "zip64" in str(cause) or "multiple disks" in str(cause):
        return error(ArchiveError, "archive-zip64-broken:record")
    if ends.head and _starts_as_zip(ends.head):
        return error(ArchiveError, "archive-truncated:directory")
    return error(ArchiveError, "archive-not-zip", found=Phrase(_looks_like(ends)))


def _starts_as_zip(head: bytes) -> bool:
    return head[:4] == _LOCAL_HEADER[: len(head[:4])]


def _needs_zip64(tail: bytes) -> bool:
    at = tail.rfind(_END_RECORD)
    record = tail[at : at + _END_RECORD_SIZE]
    if at < 0 or len(record) < _END_RECORD_SIZE:
        return False
    count, size, offset = struct.unpack("<10xHLL2x", record)
    return count == _UNKNOWN_16 or _UNKNOWN_32 in (size, offset)


def _looks_like(ends: _Ends) -> str:
    """Name of the phrase for what a file that is no zip seems to be."""
    if not ends.size:
        return "found-empty"
    if ends.head[TAR_AT:] == TAR_MARK:
        return "found-tar"
    start = ends.head[:16].lstrip()
    known = (phrase for magic, phrase in OTHER_FORMATS.items() if start.startswith(magic))
    return next(known, "found-unknown")
