import os
import struct
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.archive import Outputs, open_outputs
from scoring.errors import ArchiveError
from tests.scoring import hostile

GOOD = {"HD-Track2/test/test-0320_output.wav": b"abc" * 400, "HD-Track2/clean/c.WAV": b"xyz"}
NAME = "HD-Track2/test/test-0320_output.wav"


def outputs_of(data: bytes) -> Outputs:
    return open_outputs(hostile.opened(data))


def codes(outputs: Outputs) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in outputs.findings]


def refusal(data: bytes | BinaryIO) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        open_outputs(hostile.opened(data) if isinstance(data, bytes) else data)
    return caught.value


# ---- archives that cannot be opened -------------------------------------------------------------


@pytest.mark.parametrize("part", [0.001, 0.1, 0.5, 0.9, 0.99])
def test_a_cut_zip_is_truncated(part: float) -> None:
    data = hostile.zipped({NAME: os.urandom(5000), "b_output.wav": os.urandom(5000)})
    assert refusal(data[: max(1, int(len(data) * part))]).code == "archive-truncated"


def test_a_zip_that_lacks_its_last_byte_is_truncated() -> None:
    assert refusal(hostile.zipped(GOOD)[:-1]).code == "archive-truncated"


def test_a_cut_zip_with_a_whole_zip_inside_is_not_taken_for_the_inner_one() -> None:
    inner = hostile.zipped({NAME: b"inner"})
    outer = hostile.zipped({"a.bin": bytes(100), "inner.zip": inner}, method=zipfile.ZIP_STORED)
    cut = outer[: outer.index(inner) + len(inner)]
    error = refusal(cut)
    assert error.code == "archive-truncated"
    assert "come before its first file" in error.rule


def test_a_zip_that_lost_bytes_inside_is_truncated() -> None:
    data = hostile.zipped({NAME: os.urandom(5000)})
    error = refusal(data[:1000] + data[1500:])
    assert error.code == "archive-truncated"
    assert "500 bytes are missing" in error.rule


def test_a_member_that_reaches_into_the_directory_is_truncated() -> None:
    data = hostile.spoilt(hostile.zipped({NAME: b"x"}, method=0), "packed", 5000)
    assert codes(outputs_of(data)) == [("archive-truncated", NAME)]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "it is empty"),
        (b"Rar!\x1a\x07\x00", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"\x1f\x8b\x08\x00", "a gzip file"),
        (hostile.wav(), "a single wav file"),
        (b"\n<!DOCTYPE html><html>", "a web page"),
        (b"hello", "it starts like none"),
    ],
)
def test_what_is_no_zip_is_named(data: bytes, what: str) -> None:
    error = refusal(data)
    assert error.code == "archive-not-zip"
    assert what in error.rule


def test_a_finder_archive_above_4_gib_is_named() -> None:
    file = hostile.larger_than_4_gib({"a_output.wav": b"first", "b_output.wav": b"second"})
    assert file.length > 2**32
    error = refusal(cast(BinaryIO, file))
    assert error.code == "archive-zip64-broken"
    assert "Finder" in error.cure


def test_a_missing_zip64_record_is_named() -> None:
    data = bytearray(hostile.zipped(GOOD))
    struct.pack_into("<L", data, data.rindex(hostile.END) + 16, 0xFFFFFFFF)
    assert refusal(bytes(data)).code == "archive-zip64-broken"


def test_a_member_without_its_zip64_size_is_named() -> None:
    data = hostile.spoilt(hostile.zipped({NAME: b"x"}), "packed", 0xFFFFFFFF)
    assert codes(outputs_of(data)) == [("archive-zip64-broken", NAME)]


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (50_001, "50,001 members"),
        (70_000, "70,000 members"),
        (200_000, "a directory of 9,400,000 bytes"),
    ],
)
def test_too_many_members_are_refused_before_they_fill_the_memory(count: int, found: str) -> None:
    error = refusal(hostile.with_many_entries(count))
    assert error.code == "archive-too-many-members"
    assert found in error.rule


def test_a_name_that_is_no_unicode_although_it_says_so_is_an_error() -> None:
    data = hostile.spoilt(hostile.zipped({"abcd": b"x"}), "flags", 0x800)
    assert refusal(hostile.renamed(data, b"abcd", b"\xff\xfe\xfd\xfc")).code == "archive-truncated"


def test_a_path_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"nowhere\.zip cannot be opened") as caught:
        open_outputs(tmp_path / "nowhere.zip")
    assert caught.value.code == "archive-unreadable"


# ---- folders ------------------------------------------------------------------------------------


def test_links_in_a_folder_are_refused_and_not_followed(tmp_path: Path) -> None:
    secret, root = tmp_path / "secret", tmp_path / "root"
    secret.mkdir()
    root.mkdir()
    (secret / "a_output.wav").write_bytes(b"secret")
    (root / "a_output.wav").symlink_to(secret / "a_output.wav")
    (root / "clean").symlink_to(secret)
    outputs = open_outputs(root)
    assert codes(outputs) == [("member-symlink", "a_output.wav"), ("member-symlink", "clean")]
    with pytest.raises(ArchiveError):
        outputs.read("a_output.wav")


def test_a_pipe_in_a_folder_is_refused_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a_output.wav")
    assert codes(open_outputs(tmp_path)) == [("member-symlink", "a_output.wav")]


def test_a_file_that_changed_after_it_was_listed_is_damage(tmp_path: Path) -> None:
    (tmp_path / "a_output.wav").write_bytes(b"abc")
    outputs = open_outputs(tmp_path)
    (tmp_path / "a_output.wav").write_bytes(b"abcdef")
    with pytest.raises(ArchiveError) as caught:
        outputs.read("a_output.wav")
    assert (caught.value.code, caught.value.path) == ("member-damaged", "a_output.wav")


def test_a_file_that_grows_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    (tmp_path / "a_output.wav").write_bytes(b"abc")
    outputs = open_outputs(tmp_path)
    with (tmp_path / "a_output.wav").open("wb") as file:
        file.truncate(200_000_000)
    tracemalloc.start()
    with pytest.raises(ArchiveError):
        outputs.read("a_output.wav")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_a_large_recording_that_does_not_shrink_is_no_bomb(tmp_path: Path) -> None:
    with (tmp_path / "a_output.wav").open("wb") as file:
        file.truncate(150_000_000)
    assert open_outputs(tmp_path).findings == ()


def test_a_huge_file_in_a_folder_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "a_output.wav").open("wb") as file:
        file.truncate(256 * 2**20 + 1)
    assert codes(open_outputs(tmp_path)) == [("member-bomb", "a_output.wav")]


def test_a_name_in_a_folder_that_is_no_unicode_is_shown_as_an_escape(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/" + "输".encode("gbk") + b"_output.wav"
    Path(os.fsdecode(path)).write_bytes(b"x")
    (name,) = open_outputs(tmp_path).names
    assert name == "\\udcca\\udce4_output.wav"
    assert open_outputs(tmp_path).read(name) == b"x"


# ---- rubbish ------------------------------------------------------------------------------------


def read_everything(data: bytes) -> None:
    """Open and read all; only ``ArchiveError`` may come out of it."""
    with suppress(ArchiveError):
        outputs = outputs_of(data)
        for name in outputs.names:
            with suppress(ArchiveError):
                assert len(outputs.read(name)) == outputs.size(name)


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_random_bytes_raise_nothing_but_archive_errors(data: bytes) -> None:
    for text in (data, hostile.LOCAL + data, data + hostile.zipped({})):
        read_everything(text)


WHOLE = hostile.zipped([("a/b_output.wav", b"abc" * 30), ("c_output.wav", b""), ("d", b"defg")])


@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=6
    ),
    st.integers(0, len(WHOLE)),
)
@settings(max_examples=1500, deadline=None)
def test_a_zip_with_changed_bytes_raises_nothing_but_archive_errors(
    changes: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(WHOLE)
    for at, value in changes:
        data[at] = value
    read_everything(bytes(data))
    read_everything(bytes(data[:cut]))
    read_everything(bytes(data[cut:]))
