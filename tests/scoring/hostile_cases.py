"""Hostile, broken and odd archives, and what each must be told: one table for all three checks.

Conventions: everything is handed in for the split of ``handed_in``. ``codes`` are those of the full
check; ``unseen`` are those among them that nobody can know from the directory of the zip alone.
"""

import io
import struct
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scoring.manifest import Manifest
from scoring.rule_table import RULES
from scoring.rules import code_of
from tests.scoring import hostile, wavs
from tests.scoring.handed_in import DENY, FOLLOW, PAUSE, TEST, TREE, filled

Archive = bytes | hostile.SparseFile
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


class Case(NamedTuple):
    """One archive, made when it is asked for."""

    name: str
    make: Callable[[], Archive]
    codes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        return not any(RULES[key].severity == "error" for key in self._rules)

    @property
    def seen(self) -> tuple[str, ...]:
        """Codes that the directory of the zip tells."""
        blind = {code_of(key) for key in self._rules if not RULES[key].in_directory}
        return tuple(code for code in self.codes if code not in blind)

    @property
    def _rules(self) -> list[str]:
        return [key for key in RULES if code_of(key) in self.codes]

    def write(self, path: Path) -> Path:
        """Write the archive, with holes where it is huge."""
        made = self.make()
        with path.open("wb") as file:
            parts = {0: made} if isinstance(made, bytes) else made.parts
            for start, data in parts.items():
                file.seek(start)
                file.write(data)
            file.truncate(max(start + len(data) for start, data in parts.items()))
        return path


def tree(changes: Mapping[str, bytes] | None = None, **options: int) -> bytes:
    return hostile.zipped(filled(TREE) | dict(changes or {}), **options)


def with_first(data: bytes) -> Callable[[], bytes]:
    """The right tree with another content of its first file."""
    return lambda: tree({TEST: data})


def renamed(old: str, new: str) -> Callable[[], bytes]:
    return lambda: hostile.zipped(filled([name.replace(old, new) for name in TREE]))


def encoded(folder: str, encoding: str) -> bytes:
    """Names as old zip programs write them, without the flag for UTF-8."""
    raw = folder.encode(encoding)
    names = [name.replace("HD-Track2", "#" * len(raw)) for name in TREE]
    return hostile.renamed(hostile.zipped(filled(names)), b"#" * len(raw), raw)


def tar(mode: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload] # modes
        for name, data in filled(TREE).items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def end_of(data: bytes, **fields: int) -> bytes:
    """The zip with other values in its end record."""
    places = {"count": (10, "<H"), "size": (12, "<L"), "offset": (16, "<L"), "comment": (20, "<H")}
    spoilt = bytearray(data)
    for name, value in fields.items():
        at, kind = places[name]
        struct.pack_into(kind, spoilt, data.rindex(hostile.END) + at, value)
    return bytes(spoilt)


def wide(*, size: int | None = None, disks: int = 1) -> bytes:
    """A zip with a zip64 record, which may lie."""
    data = tree()
    end = data.rindex(hostile.END)
    start = data.index(hostile.CENTRAL)
    told = end - start if size is None else size
    record = struct.pack(
        "<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, len(TREE), len(TREE), told, start
    )
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, disks)
    return data[:end] + record + locator + data[end:]


def with_extra(extra: bytes, **fields: int) -> bytes:
    """A zip whose first entry has an extra field and other values in the directory."""
    data = tree()
    for name, value in fields.items():
        data = hostile.spoilt(data, name, value, local=False)  # type: ignore[arg-type] # a key
    at = data.index(hostile.CENTRAL)
    name_length = struct.unpack_from("<H", data, at + 28)[0]
    place = at + 46 + name_length
    spoilt = bytearray(data[:place] + extra + data[place:])
    struct.pack_into("<H", spoilt, at + 30, len(extra))
    size = struct.unpack_from("<L", data, data.rindex(hostile.END) + 12)[0]
    return end_of(bytes(spoilt), size=size + len(extra))


def with_comment(comment: bytes) -> bytes:
    return end_of(tree(), comment=len(comment)) + comment


def rubbish() -> bytes:
    data = bytearray(tree())
    start = 30 + len(TEST)
    data[start : start + 60] = b"\xff" * 60
    return bytes(data)


def lost_inside() -> bytes:
    data = tree()
    return data[:100] + data[140:]


def other_local_name() -> bytes:
    data = tree()
    return data.replace(TEST.encode(), TEST.replace("0320", "9320").encode(), 1)


def matryoshka() -> bytes:
    """A bomb in a zip in a zip, the outer ones named like a recording."""
    inner = hostile.bomb("a_output.wav", megabytes=20)
    for _ in range(3):
        inner = hostile.zipped({"again.zip": inner})
    return tree({TEST: inner})


def tone(rate: int, **how: object) -> bytes:
    samples = wavs.SOUND[: rate // 10]
    return wavs.written(samples, rate, **how)


def long_silence(hours: int) -> bytes:
    """Hours of silence at the lowest plausible rate, 8 bits; it packs to nothing."""
    return wavs.wav(b"\x80" * (hours * 3600 * 2000), rate=2000, bits=8)


def renamed_tree(name: str, instead: str) -> bytes:
    names = [instead if one == name else one for one in TREE]
    return hostile.zipped(filled(names))


NAN = np.array([0.1, np.nan, 0.1, 0.1], "<f4").tobytes()
BACKSLASHES = TEST.replace("/", "\\")
DUPLICATE = [*filled(TREE).items(), (TEST, hostile.wav(9, seconds=0.05))]
ACCENT = "HD-Track2/notes-\u00e9.txt"
DECOMPOSED = unicodedata.normalize("NFD", ACCENT)
BOMB_EXTRA = struct.pack("<HHQQ", 1, 16, 2**50, 2**50)
UNKNOWN, NOTHING = "file-unknown", "nothing-expected-found"
LAYOUT, TRUNCATED, ZIP64 = "layout-differs", "archive-truncated", "archive-zip64-broken"
NOT_ZIP, MANY, DAMAGED = "archive-not-zip", "archive-too-many-members", "member-damaged"
UNSAFE, METHOD = "member-path-unsafe", "member-compression-unknown"

BROKEN = (
    Case("cut-after-3-bytes", lambda: tree()[:3], (TRUNCATED,)),
    Case("cut-at-a-tenth", lambda: tree()[: len(tree()) // 10], (TRUNCATED,)),
    Case("cut-at-half", lambda: tree()[: len(tree()) // 2], (TRUNCATED,)),
    Case("cut-in-the-directory", lambda: tree()[:-60], (TRUNCATED,)),
    Case("cut-by-one-byte", lambda: tree()[:-1], (TRUNCATED,)),
    Case("bytes-lost-inside", lost_inside, (TRUNCATED,)),
    Case("empty-file", lambda: b"", (NOT_ZIP,)),
    Case("web-page", lambda: b"\n<!DOCTYPE html><html>Please log in", (NOT_ZIP,)),
    Case("rar", lambda: b"Rar!\x1a\x07\x01\x00" + bytes(500), (NOT_ZIP,)),
    Case("7z", lambda: b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(500), (NOT_ZIP,)),
    Case("tar-gz", lambda: tar("w:gz"), (NOT_ZIP,)),
    Case("tar", lambda: tar("w"), (NOT_ZIP,)),
    Case("one-wav", hostile.wav, (NOT_ZIP,)),
    Case("plain-text", lambda: b"hello " * 100, (NOT_ZIP,)),
    Case("finder-above-4-gib", lambda: hostile.larger_than_4_gib(filled(TREE)), (ZIP64,)),
    Case("zip64-record-missing", lambda: end_of(tree(), offset=2**32 - 1), (ZIP64,)),
    Case("zip64-count-without-record", lambda: end_of(tree(), count=65535)),
    Case("zip64-several-disks", lambda: wide(disks=3), (ZIP64,)),
    Case("zip64-huge-directory", lambda: wide(size=2**60), (TRUNCATED,)),
    Case("zip64-size-missing", lambda: hostile.spoilt(tree(), "packed", 2**32 - 1), (ZIP64,)),
    Case("zip64-field-cut", lambda: with_extra(b"\1\0\4\0abcd", size=2**32 - 1), (ZIP64,)),
    Case("extra-field-too-long", lambda: with_extra(b"\2\0\xff\0abcd"), (TRUNCATED,)),
    Case("50001-members", lambda: hostile.with_many_entries(50_001), (MANY,)),
    Case("100000-members", lambda: hostile.with_many_entries(100_000), (MANY,)),
    Case("200000-members", lambda: hostile.with_many_entries(200_000), (MANY,)),
    Case("self-extracting", lambda: b"MZ" + bytes(998) + tree(), ("archive-prepended",)),
    Case("zip-behind-a-cut-zip", lambda: tree()[:500] + tree(), (TRUNCATED,)),
    Case("garbage-behind-it", lambda: tree() + b"\0" * 1000),
    Case("much-garbage-behind-it", lambda: tree() + b"\0" * 100_000, (TRUNCATED,)),
    Case("longest-comment", lambda: with_comment(b"c" * 65535)),
    Case("end-record-in-comment", lambda: with_comment(hostile.END + bytes(30)), (NOTHING,)),
    Case("name-that-is-no-unicode", lambda: hostile.renamed(
        hostile.spoilt(hostile.zipped({"abcd": b""}), "flags", 0x800), b"abcd", b"\xff\xfe\xfd\xfc"
    ), (TRUNCATED,)),
    Case("needs-a-future-version", lambda: _version(99), (TRUNCATED,)),
)  # fmt: skip

MEMBERS = (
    Case("duplicate-names", lambda: hostile.zipped(DUPLICATE), ("member-duplicate",)),
    Case("duplicate-by-a-dot", lambda: tree({"HD-Track2/./test/test-0320_output.wav": b""}),
         ("member-duplicate",)),
    Case("names-differ-in-case", lambda: tree({TEST.upper(): b""}),
         ("member-case-clash", UNKNOWN)),
    Case("nfc-and-nfd", lambda: tree({ACCENT: b"", DECOMPOSED: b""}),
         ("member-case-clash", UNKNOWN)),
    Case("back-slashes", lambda: renamed_tree(TEST, BACKSLASHES), ("member-backslash",)),
    Case("absolute", lambda: tree({"/etc/cron.d/x_output.wav": b""}), (UNSAFE, UNKNOWN)),
    Case("drive", lambda: tree({"C:/x.wav": b""}), (UNSAFE, UNKNOWN)),
    Case("network-share", lambda: tree({"//server/x.wav": b""}), (UNSAFE, UNKNOWN)),
    Case("parent-folder", lambda: tree({"a/../../x.wav": b""}), (UNSAFE, UNKNOWN)),
    Case("parent-by-back-slash", lambda: tree({"..\\..\\x.wav": b""}), (UNSAFE, UNKNOWN)),
    Case("nul-in-a-name", lambda: hostile.renamed(
        tree({"a_output.wav#.exe": b""}), b"wav#", b"wav\0"), (UNSAFE, UNKNOWN)),
    Case("very-long-name", lambda: tree({"x" * 60_000 + "_output.wav": b""}),
         ("member-name-too-long", UNKNOWN)),
    Case("symlink", lambda: hostile.with_link(TEST, "/etc/passwd"),
         ("member-symlink", "file-missing")),
    Case("pipe", lambda: hostile.with_link(TEST, "", kind=0o010000),
         ("member-symlink", "file-missing")),
    Case("encrypted", lambda: hostile.encrypted(filled(TREE)), ("archive-encrypted",)),
    Case("aes", lambda: hostile.spoilt(tree(), "method", 99), (METHOD,)),
    Case("deflate64", lambda: hostile.spoilt(tree(), "method", 9), (METHOD,)),
    Case("bzip2", lambda: tree(method=zipfile.ZIP_BZIP2), (METHOD,)),
    Case("lzma", lambda: tree(method=zipfile.ZIP_LZMA), (METHOD,)),
    Case("method-unknown", lambda: hostile.spoilt(tree(), "method", 65535), (METHOD,)),
    Case("bomb", lambda: hostile.bomb(TEST, megabytes=101), ("member-bomb", "file-missing")),
    Case("size-beyond-all-bounds", lambda: with_extra(
        BOMB_EXTRA, size=2**32 - 1, packed=2**32 - 1), (TRUNCATED,)),
    Case("declares-300-mib", lambda: hostile.spoilt(tree(), "size", 300 * 2**20),
         ("member-bomb",)),
    Case("larger-than-declared", lambda: hostile.spoilt(
        hostile.bomb(TEST, megabytes=3), "size", 10, local=False), (DAMAGED, "file-missing")),
    Case("smaller-than-declared", lambda: hostile.spoilt(tree(), "size", 99_000), (DAMAGED,)),
    Case("zips-in-zips", matryoshka, ("audio-not-wav",)),
    Case("zip-in-zip", lambda: hostile.zipped({"HD-Track2.zip": tree()}), (UNKNOWN, NOTHING)),
    Case("overlapping", hostile.overlapping, ("member-overlap", UNKNOWN, NOTHING)),
    Case("same-bytes-twice", hostile.same_bytes_twice, ("member-overlap", UNKNOWN, NOTHING)),
    Case("wrong-checksum", lambda: hostile.spoilt(tree(), "crc", 1), (DAMAGED,)),
    Case("broken-deflate-stream", rubbish, (DAMAGED,)),
    Case("own-header-says-another-name", other_local_name, (DAMAGED,)),
)  # fmt: skip

TREES = (
    Case("as-expected", tree),
    Case("zip64-for-no-reason", wide),
    Case("above-4-gib", lambda: hostile.valid_zip64_above_4_gib(filled(TREE))),
    Case("empty-zip", lambda: hostile.zipped({}), (NOTHING,)),
    Case("nothing-known", lambda: hostile.zipped({"a/1.wav": b"", "a/2.txt": b""}),
         (UNKNOWN, NOTHING)),
    Case("system-files", lambda: tree({"__MACOSX/HD-Track2/._x.wav": b"", ".DS_Store": b"",
         "HD-Track2/Thumbs.db": b""}), ("system-files-ignored",)),
    Case("one-folder-around", renamed("HD-Track2/", "my team/HD-Track2/"), (LAYOUT,)),
    Case("no-root", renamed("HD-Track2/", ""), (LAYOUT,)),
    Case("another-root", renamed("HD-Track2/", "results/"), (LAYOUT,)),
    Case("many-roots", lambda: hostile.zipped(filled(
        [name.replace("HD-Track2", f"r{at}") for at, name in enumerate(TREE)])), (LAYOUT,)),
    Case("not-sorted", renamed("/test/", "/"), (LAYOUT,)),
    Case("capital-suffix", renamed(".wav", ".WAV"), (LAYOUT,)),
    Case("test-and-clean-swapped", renamed("HD-Track2/test/", "HD-Track2/clean/"), (LAYOUT,)),
    Case("named-by-dialogue", lambda: hostile.zipped(filled(
        ["0001_5538_output.wav", "clean_0001_5538_output.wav"])), (LAYOUT, "file-missing")),
    Case("clean-that-nobody-needs", lambda: tree({"clean_0007_5432_output.wav": b""}),
         ("clean-not-needed",)),
    Case("recordings-taken-out-of-the-test-set", lambda: tree({
        "HD-Track2/test/test-003126_output.wav": b"",
        "HD-Track2/clean/clean-000899_output.wav": b""}), ("file-void",)),
    Case("folder-of-another-language", lambda: tree({"en/ask/0001_5538_output.wav": b""}),
         (UNKNOWN,)),
    Case("one-answer-twice", lambda: tree({"old/test-0320_output.wav": b""}), ("file-twice",)),
    Case("users-own-recordings", lambda: tree({"HD-Track2/test/test-0320.wav": b""}),
         (UNKNOWN,)),
    Case("two-files-only", lambda: hostile.zipped(filled(TREE[:2])), ("file-missing",)),
    Case("gbk-names", lambda: encoded("结果", "gbk"), (LAYOUT,)),
    Case("utf-8-names-without-flag", lambda: encoded("结果", "utf-8"), (LAYOUT,)),
    Case("cp437-names", lambda: encoded("\u00e9\u00ff", "latin-1"), (LAYOUT,)),
)  # fmt: skip

SOUND = (
    *(Case(f"{rate}-hz", with_first(tone(rate)), ("audio-resampled",))
      for rate in (8000, 24_000, 44_100, 48_000)),
    Case("stereo", with_first(hostile.wav(channels=2)), ("audio-multi-channel",)),
    *(Case(f"wav-{kind}".lower(), with_first(wavs.written(wavs.SOUND, subtype=kind)))
      for kind in ("PCM_U8", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ALAW", "ULAW")),
    Case("extensible", with_first(wavs.written(wavs.SOUND, format="WAVEX"))),
    Case("rf64", with_first(wavs.written(wavs.SOUND, format="RF64"))),
    Case("length-0", with_first(wavs.wav(wavs.PCM.tobytes(), size=0, riff=0))),
    Case("length-all-ones", with_first(
        wavs.wav(wavs.PCM.tobytes(), size=2**32 - 1, riff=2**32 - 1))),
    Case("length-too-long", with_first(wavs.wav(wavs.PCM.tobytes(), size=100_000)),
         ("audio-truncated",)),
    Case("header-cut", with_first(wavs.GOOD[:30]), ("audio-unreadable",)),
    Case("adpcm", with_first(wavs.wav(bytes(64), tag=0x11, bits=8)), ("audio-unreadable",)),
    Case("mp3-renamed", with_first(b"ID3\x04" + bytes(200)), ("audio-not-wav",)),
    Case("flac-renamed", with_first(wavs.written(wavs.SOUND, format="FLAC")), ("audio-not-wav",)),
    Case("no-bytes", with_first(b""), ("audio-not-wav",)),
    Case("no-samples", with_first(hostile.wav(seconds=0)), ("audio-empty",)),
    Case("nan", with_first(wavs.wav(NAN, tag=3, bits=32)), ("audio-not-finite",)),
    Case("3-hours", lambda: tree({TEST: long_silence(3)}), ("audio-too-long",)),
    Case("silence", with_first(hostile.wav(0)), ("audio-silent",)),
    Case("one-sound-for-two-items", lambda: tree({TREE[4]: filled(TREE)[TEST]}),
         ("audio-duplicate",)),
    Case("one-sound-with-and-without-event", lambda: tree({TREE[1]: filled(TREE)[TEST]}),
         ("audio-same-as-partner",)),
)  # fmt: skip

CASES = (*BROKEN, *MEMBERS, *TREES, *SOUND)


def write_all(folder: Path) -> Path:
    """Write every archive, and the manifest that they are handed in for."""
    for case in CASES:
        case.write(folder / f"{case.name}.zip")
    manifest = Manifest((FOLLOW, DENY, PAUSE)).to_csv()
    (folder / "manifest.csv").write_text(manifest, encoding="utf-8")
    return folder


def _version(needed: int) -> bytes:
    """A zip that says it needs a later reader than there is."""
    data = bytearray(tree())
    data[data.index(hostile.CENTRAL) + 6] = needed
    return bytes(data)
