import io
import random
import stat
import zipfile
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from scoring.archive import Outputs, open_outputs
from scoring.errors import ArchiveError
from tests.scoring import hostile

GOOD = {"HD-Track2/test/test-0320_output.wav": b"abc" * 400, "HD-Track2/clean/c.WAV": b"xyz"}
NAME = "HD-Track2/test/test-0320_output.wav"


def outputs_of(data: bytes) -> Outputs:
    return open_outputs(hostile.opened(data))


def codes(outputs: Outputs) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in outputs.findings]


def refused_member(data: bytes, name: str) -> tuple[str, str]:
    with pytest.raises(ArchiveError) as caught:
        outputs_of(data).read(name)
    return caught.value.code, caught.value.path


# ---- what is right ------------------------------------------------------------------------------


def test_members_are_read_from_a_zip_in_its_order() -> None:
    with outputs_of(hostile.zipped(GOOD)) as outputs:
        assert outputs.names == tuple(GOOD)
        assert {name: outputs.read(name) for name in outputs.names} == GOOD
        assert outputs.size(NAME) == 1200
        assert outputs.findings == ()


def test_members_are_read_from_a_folder(tmp_path: Path) -> None:
    for name, data in GOOD.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    with open_outputs(tmp_path) as outputs:
        assert outputs.names == tuple(sorted(GOOD))
        assert outputs.read(NAME) == GOOD[NAME]
        assert outputs.size(NAME) == 1200


def test_files_of_a_folder_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = [f"{folder}/{file}.wav" for folder in "abcdefghijklmno" for file in "xyz"]
    for name in random.Random(3).sample(names, len(names)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert list(open_outputs(tmp_path).names) == names


def test_nothing_is_written_and_a_path_is_closed_again(tmp_path: Path) -> None:
    path = tmp_path / "HD-Track2.zip"
    path.write_bytes(hostile.zipped(GOOD | {"../outside.wav": b"x", "/absolute.wav": b"x"}))
    with open_outputs(path) as outputs:
        for name in GOOD:
            outputs.read(name)
    assert list(tmp_path.iterdir()) == [path]
    assert not (tmp_path.parent / "outside.wav").exists()
    with pytest.raises(ArchiveError):
        outputs.read(NAME)


def test_a_file_that_was_handed_in_open_stays_open() -> None:
    file = hostile.opened(hostile.zipped(GOOD))
    open_outputs(file).close()
    assert not file.closed


def test_system_files_are_ignored_with_one_note() -> None:
    junk = ["__MACOSX/HD-Track2/._a.wav", ".DS_Store", "a/Thumbs.db", "a/desktop.ini", "a/._b.wav"]
    outputs = outputs_of(hostile.zipped(GOOD | dict.fromkeys([*junk, ".git/config"], b"x")))
    assert outputs.names == tuple(GOOD)
    assert codes(outputs) == [("system-files-ignored", "")]
    assert outputs.findings[0].severity == "note"
    assert "6 system file(s) were ignored" in outputs.findings[0].rule


def test_folder_entries_are_no_members() -> None:
    outputs = outputs_of(hostile.zipped({"HD-Track2/": b"", "HD-Track2/test/": b"", NAME: b"x"}))
    assert outputs.names == (NAME,)
    assert outputs.findings == ()


def test_a_leading_dot_and_double_slashes_do_no_harm() -> None:
    outputs = outputs_of(hostile.zipped({"./HD-Track2//test/a_output.wav": b"x"}))
    assert outputs.names == ("HD-Track2/test/a_output.wav",)
    assert outputs.read("HD-Track2/test/a_output.wav") == b"x"


def test_an_empty_zip_has_no_members() -> None:
    assert outputs_of(hostile.zipped({})).names == ()


def test_a_valid_zip64_archive_is_read() -> None:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w") as archive,
        archive.open(NAME, "w", force_zip64=True) as member,
    ):
        member.write(b"abc")
    assert outputs_of(out.getvalue()).read(NAME) == b"abc"


def test_a_valid_zip64_archive_above_4_gib_is_read() -> None:
    file = hostile.valid_zip64_above_4_gib({"a_output.wav": b"first", "b_output.wav": b"second"})
    with open_outputs(cast(BinaryIO, file)) as outputs:
        assert outputs.findings == ()
        assert outputs.read("a_output.wav") == b"first"
        assert outputs.read("b_output.wav") == b"second"


@pytest.mark.parametrize("folder", ["提交/测试", "Ünïcode", "日本語"])
def test_unicode_names_are_kept(folder: str) -> None:
    assert outputs_of(hostile.zipped({f"{folder}/a_output.wav": b"x"})).names == (
        f"{folder}/a_output.wav",
    )


@pytest.mark.parametrize(("encoding", "folder"), [("gbk", "我的提交"), ("utf-8", "我的提交")])
def test_names_without_the_unicode_flag_are_read_as_chinese_zip_programs_write_them(
    encoding: str, folder: str
) -> None:
    raw = folder.encode(encoding)
    data = hostile.renamed(hostile.zipped({"x" * len(raw) + "/a.wav": b"1"}), b"x" * len(raw), raw)
    outputs = outputs_of(data)
    assert outputs.names == (f"{folder}/a.wav",)
    assert outputs.findings == ()
    assert outputs.read(f"{folder}/a.wav") == b"1"


def test_the_second_byte_of_a_gbk_character_is_no_backslash() -> None:
    raw = "誠".encode("gbk")
    assert b"\\" in raw
    data = hostile.renamed(hostile.zipped({"xy/a.wav": b"1"}), b"xy", raw)
    assert outputs_of(data).names == ("誠/a.wav",)
    assert outputs_of(data).findings == ()


# ---- members that are refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        "/etc/passwd.wav",
        "//server/share.wav",
        "C:/x.wav",
        "c:x.wav",
        "../x.wav",
        "a/../../x.wav",
        "a/..",
        "..\\x.wav",
        "\\x.wav",
        "../",
    ],
)
def test_paths_that_lead_out_are_refused(raw: str) -> None:
    outputs = outputs_of(hostile.zipped({NAME: b"x", raw: b"y"}))
    assert codes(outputs) == [("member-path-unsafe", raw)]
    for name in set(outputs.names) - {NAME}:
        assert refused_member(hostile.zipped({raw: b"y"}), name) == ("member-path-unsafe", raw)


def test_a_nul_in_a_name_is_refused_and_shown_as_an_escape() -> None:
    data = hostile.renamed(hostile.zipped({"a_output.wav#.exe": b"x"}), b"wav#", b"wav\0")
    assert codes(outputs_of(data)) == [("member-path-unsafe", "a_output.wav\\u0000.exe")]
    assert "\0" not in "".join(outputs_of(data).names)


def test_backslashes_are_named_and_refused() -> None:
    data = hostile.zipped({"HD-Track2\\test\\a_output.wav": b"x"})
    assert codes(outputs_of(data)) == [("member-backslash", "HD-Track2\\test\\a_output.wav")]
    assert outputs_of(data).names == ("HD-Track2/test/a_output.wav",)
    code, path = refused_member(data, "HD-Track2/test/a_output.wav")
    assert (code, path) == ("member-backslash", "HD-Track2\\test\\a_output.wav")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_special_files_are_refused(kind: int) -> None:
    data = hostile.with_link("a_output.wav", "/etc/passwd", kind=kind)
    assert codes(outputs_of(data)) == [("member-symlink", "a_output.wav")]
    assert refused_member(data, "a_output.wav") == ("member-symlink", "a_output.wav")


def test_two_members_of_one_name_are_refused() -> None:
    data = hostile.zipped([(NAME, b"first"), (NAME, b"second")])
    assert outputs_of(data).names == (NAME,)
    assert codes(outputs_of(data)) == [("member-duplicate", NAME)]
    assert refused_member(data, NAME) == ("member-duplicate", NAME)


def test_a_hidden_repetition_of_a_name_is_found() -> None:
    data = hostile.zipped([("a/b.wav", b"first"), ("a/./b.wav", b"second")])
    assert codes(outputs_of(data)) == [("member-duplicate", "a/./b.wav")]


def test_names_that_differ_in_capitals_only_are_refused() -> None:
    outputs = outputs_of(hostile.zipped({"a/b_output.wav": b"1", "A/b_output.WAV": b"2"}))
    assert codes(outputs) == [("member-case-clash", "A/b_output.WAV")]
    assert outputs.read("a/b_output.wav") == b"1"


def test_encrypted_members_are_refused() -> None:
    data = hostile.encrypted(GOOD)
    assert codes(outputs_of(data)) == [("archive-encrypted", NAME)]
    assert refused_member(data, NAME) == ("archive-encrypted", NAME)


def test_a_member_that_unpacks_to_a_thousand_times_its_size_is_refused() -> None:
    data = hostile.bomb("a_output.wav", megabytes=101)
    assert len(data) < 200_000
    assert codes(outputs_of(data)) == [("member-bomb", "a_output.wav")]
    assert refused_member(data, "a_output.wav") == ("member-bomb", "a_output.wav")


def test_long_silence_is_no_bomb() -> None:
    data = hostile.bomb("a_output.wav", megabytes=20)
    assert outputs_of(data).findings == ()
    assert outputs_of(data).read("a_output.wav") == bytes(20_000_000)


def test_a_member_above_the_size_limit_is_refused_by_its_declared_size() -> None:
    data = hostile.spoilt(hostile.zipped({NAME: b"x"}), "size", 256 * 2**20 + 1)
    assert codes(outputs_of(data)) == [("member-bomb", NAME)]


@pytest.mark.parametrize("data", [hostile.overlapping(), hostile.same_bytes_twice()])
def test_overlapping_members_are_refused_both(data: bytes) -> None:
    assert codes(outputs_of(data)) == [
        ("member-overlap", "a_output.wav"),
        ("member-overlap", "b_output.wav"),
    ]
    assert refused_member(data, "a_output.wav") == ("member-overlap", "a_output.wav")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bound_are_refused(method: int) -> None:
    data = hostile.zipped({NAME: bytes(1000)}, method=method)
    assert codes(outputs_of(data)) == [("member-compression-unknown", NAME)]


@pytest.mark.parametrize("method", [1, 9, 93, 97, 65535])
def test_unknown_methods_are_refused(method: int) -> None:
    data = hostile.spoilt(hostile.zipped({NAME: bytes(1000)}), "method", method)
    assert codes(outputs_of(data)) == [("member-compression-unknown", NAME)]


# ---- damage that only reading shows -------------------------------------------------------------


def test_a_wrong_checksum_is_damage() -> None:
    data = hostile.spoilt(hostile.zipped({NAME: b"abc" * 100}), "crc", 12345)
    assert outputs_of(data).findings == ()
    assert refused_member(data, NAME) == ("member-damaged", NAME)


def test_a_flipped_byte_is_damage() -> None:
    data = bytearray(hostile.zipped({NAME: bytes(range(200))}, method=zipfile.ZIP_STORED))
    data[100] ^= 0xFF
    assert refused_member(bytes(data), NAME) == ("member-damaged", NAME)


def test_a_deflated_stream_of_rubbish_is_damage() -> None:
    data = bytearray(hostile.zipped({NAME: bytes(range(200)) * 20}))
    start = 30 + len(NAME)
    data[start : start + 50] = b"\xff" * 50
    assert refused_member(bytes(data), NAME) == ("member-damaged", NAME)


def test_a_member_larger_than_declared_is_damage_and_not_unpacked() -> None:
    data = hostile.spoilt(hostile.bomb("a_output.wav", megabytes=3), "size", 10, local=False)
    assert refused_member(data, "a_output.wav") == ("member-damaged", "a_output.wav")


def test_a_member_smaller_than_declared_is_damage() -> None:
    data = hostile.spoilt(hostile.zipped({NAME: b"abc"}), "size", 5000)
    assert refused_member(data, NAME) == ("member-damaged", NAME)


def test_a_directory_that_names_another_file_than_the_member_is_damage() -> None:
    data = hostile.zipped({"a_output.wav": b"abc"})
    at = data.rindex(b"a_output.wav")
    assert refused_member(data[:at] + b"b" + data[at + 1 :], "b_output.wav") == (
        "member-damaged",
        "b_output.wav",
    )


def test_a_name_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        outputs_of(hostile.zipped(GOOD)).read("other.wav")
