"""Parts of a file over HTTP (RFC 9110, section 14): browsers need them to seek in a sound."""

import io
import re
from typing import BinaryIO, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response

PUBLIC = "public, max-age=600"
# Kept by the reader's browser at most, and asked for anew each time: rights can change.
PRIVATE = "private, no-cache"

_RANGE = re.compile(r"bytes=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*")


class RangeError(ValueError):
    """No such part of the file."""


class Span(NamedTuple):
    """Bytes from ``start`` up to, not including, ``stop``."""

    start: int
    stop: int


class Content(NamedTuple):
    """A file to hand out; ``etag`` names its content."""

    file: BinaryIO
    content_type: str
    etag: str
    is_public: bool


def span(header: str, size: int) -> Span | None:
    """Read a Range header; ``None`` asks for the whole file.

    Several ranges at once may be answered with the whole, and so may units other than bytes.

    Raises:
        RangeError: one range of bytes that the file does not have.
    """
    if not header.startswith("bytes=") or "," in header:
        return None
    match = _RANGE.fullmatch(header)
    if match is None or match[1] == match[2] == "":
        raise RangeError(header)
    found = _last(int(match[2]), size) if not match[1] else _from(int(match[1]), match[2], size)
    if not 0 <= found.start < found.stop:
        raise RangeError(header)
    return found


def _last(count: int, size: int) -> Span:
    return Span(max(size - count, 0), size if count else 0)


def _from(start: int, last: str, size: int) -> Span:
    return Span(start, min(int(last) + 1, size) if last else size)


def respond(request: HttpRequest, content: Content) -> HttpResponseBase:
    """Answer with the file or the asked part of it, or say that the reader's copy is good."""
    with content.file as file:
        size = file.seek(0, io.SEEK_END)
        try:
            part = span(_asked(request, content.etag), size)
        except RangeError:
            refused = HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
            return _with_headers(refused, content)
        answer = _with_headers(_read(file, part, size, content.content_type), content)
    if part is not None:
        return answer
    return get_conditional_response(request, etag=content.etag, response=answer) or answer


def _asked(request: HttpRequest, etag: str) -> str:
    """The Range header, unless it is about an older content (If-Range)."""
    known = request.headers.get("If-Range", etag)
    return request.headers.get("Range", "") if known == etag else ""


def _read(file: BinaryIO, part: Span | None, size: int, content_type: str) -> HttpResponse:
    start, stop = part or Span(0, size)
    file.seek(start)
    answer = HttpResponse(file.read(stop - start), content_type=content_type)
    answer["Content-Length"] = str(stop - start)
    if part is not None:
        answer.status_code = 206
        answer["Content-Range"] = f"bytes {start}-{stop - 1}/{size}"
    return answer


def _with_headers(answer: HttpResponse, content: Content) -> HttpResponse:
    answer["Accept-Ranges"] = "bytes"
    answer["ETag"] = content.etag
    answer["Cache-Control"] = PUBLIC if content.is_public else PRIVATE
    return answer
