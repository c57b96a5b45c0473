"""The pure parts of resumable uploads: the file that grows, and the headers."""

from datetime import UTC, datetime

import pytest

from submissions.tus import headers
from submissions.tus.growing_file import Overtaken, TooMuch, append, create, safe_size


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "folder" / "upload"
    create(path)
    return path


def test_pieces_are_added_at_the_end(path):
    assert append(path, 0, [b"abc", b"de"], limit=10) == 5
    assert append(path, 5, [b"f"], limit=10) == 6
    assert (path.read_bytes(), safe_size(path)) == (b"abcdef", 6)


def test_a_writer_that_believes_in_another_end_writes_nothing(path):
    append(path, 0, [b"abc"], limit=10)
    for offset in (0, 2, 4):
        with pytest.raises(Overtaken):
            append(path, offset, [b"x"], limit=10)
    assert path.read_bytes() == b"abc"


def test_a_writer_that_is_overtaken_meanwhile_stops(path):
    def pieces():
        yield b"abc"
        append(path, 3, [b"from another line"], limit=100)
        yield b"late"

    with pytest.raises(Overtaken):
        append(path, 0, pieces(), limit=100)
    assert path.read_bytes() == b"abcfrom another line"


def test_what_came_before_a_line_broke_stays(path):
    def pieces():
        yield b"abc"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        append(path, 0, pieces(), limit=10)
    assert path.read_bytes() == b"abc"


def test_no_more_is_written_than_was_announced(path):
    with pytest.raises(TooMuch):
        append(path, 0, [b"abc", b"def"], limit=5)
    assert path.read_bytes() == b"abc"


def test_a_file_that_is_gone_has_no_size_and_takes_nothing(path):
    path.unlink()
    assert safe_size(path) is None
    with pytest.raises(FileNotFoundError):
        append(path, 0, [b"x"], limit=10)


def test_a_file_is_made_once(path):
    with pytest.raises(FileExistsError):
        create(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", {}),
        ("name YWJj", {"name": "abc"}),
        ("name 5ZCN,trial", {"name": "名", "trial": ""}),
        (" a YQ== , b Yg== ", {"a": "a", "b": "b"}),
        ("name /w==", {"name": "\ufffd"}),
    ],
)
def test_metadata_is_read(text, said):
    assert headers.metadata(text) == said


@pytest.mark.parametrize("text", ["name !", "name YW", "name ä"])
def test_metadata_that_is_not_base64_is_refused(text):
    with pytest.raises(headers.BadHeader):
        headers.metadata(text)


@pytest.mark.parametrize("text", [None, "", "-1", "1.0", "٣", "0x10", "1" * 19])
def test_what_is_no_count_of_bytes_is_refused(text):
    with pytest.raises(headers.BadHeader):
        headers.whole("Upload-Length", text)


def test_an_expiry_is_written_as_http_writes_dates():
    moment = datetime(2026, 12, 1, 11, 59, 59, tzinfo=UTC)
    assert headers.http_date(moment) == "Tue, 01 Dec 2026 11:59:59 GMT"
