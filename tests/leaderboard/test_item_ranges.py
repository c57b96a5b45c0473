"""Parts of a file over HTTP: right bytes, and a plain no for what the file does not have."""

import io

import pytest
from django.test import RequestFactory

from leaderboard.items.ranges import Content, RangeError, Span, respond, span

DATA = bytes(range(100))


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-", Span(0, 100)),
        ("bytes=10-19", Span(10, 20)),
        ("bytes=10-9999", Span(10, 100)),
        ("bytes=-5", Span(95, 100)),
        ("bytes=-500", Span(0, 100)),
        ("", None),
        ("seconds=1-2", None),
        ("bytes=0-1,5-6", None),
    ],
)
def test_a_range_is_read(header, part):
    assert span(header, 100) == part


@pytest.mark.parametrize(
    "header",
    ["bytes=100-", "bytes=20-10", "bytes=-0", "bytes=-", "bytes=a-b", f"bytes={'9' * 5000}-"],
)
def test_a_range_that_the_file_does_not_have_is_refused(header):
    with pytest.raises(RangeError):
        span(header, 100)


def test_nothing_of_an_empty_file_can_be_asked_for():
    with pytest.raises(RangeError):
        span("bytes=-5", 0)


def ask(is_public=False, **headers):
    request = RequestFactory().get("/sound", headers=headers)
    return respond(request, Content(io.BytesIO(DATA), "audio/flac", '"abc"', is_public))


def test_a_part_comes_with_206_and_its_place():
    answer = ask(range="bytes=10-19")
    assert (answer.status_code, answer.content) == (206, DATA[10:20])
    assert answer["Content-Range"] == "bytes 10-19/100"
    assert answer["Content-Length"] == "10"


def test_a_part_that_is_not_there_is_refused_with_the_size():
    answer = ask(range="bytes=100-")
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer["Content-Range"] == "bytes */100"


def test_the_whole_says_that_parts_can_be_had():
    answer = ask()
    assert (answer.status_code, answer.content) == (200, DATA)
    assert answer["Accept-Ranges"] == "bytes"


def test_what_the_reader_has_already_is_not_sent_again():
    assert ask(if_none_match='"abc"').status_code == 304
    assert ask(if_none_match='"old"').status_code == 200


def test_a_part_of_an_older_content_is_answered_with_the_whole():
    assert ask(range="bytes=0-1", if_range='"old"').status_code == 200
    assert ask(range="bytes=0-1", if_range='"abc"').status_code == 206


def test_only_what_everybody_may_hear_is_kept_by_others():
    assert ask()["Cache-Control"] == "private, no-cache"
    assert ask(is_public=True)["Cache-Control"] == "public, max-age=600"
