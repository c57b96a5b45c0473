"""What the headers of tus 1.0 say; pure.

Source: the tus resumable upload protocol, version 1.0.0, with its extensions creation,
creation-with-upload, termination, checksum and expiration.
"""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from datetime import datetime
from email.utils import format_datetime
from typing import NamedTuple

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,termination,checksum,expiration"
ALGORITHMS = ("sha1", "sha256", "md5")
BODY = "application/offset+octet-stream"


class BadHeader(Exception):
    """A header that says nothing we understand; the message is for the sender."""


class Checksum(NamedTuple):
    """What the sender says a piece must add up to."""

    algorithm: str
    digest: bytes

    def hasher(self) -> "hashlib._Hash":
        """A fresh sum of this kind; it detects accidents, so md5 and sha1 are good enough."""
        return hashlib.new(self.algorithm, usedforsecurity=False)


def offered(max_size: int) -> Mapping[str, str]:
    """What this server can do."""
    return {
        "Tus-Version": VERSION,
        "Tus-Extension": EXTENSIONS,
        "Tus-Max-Size": str(max_size),
        "Tus-Checksum-Algorithm": ",".join(ALGORITHMS),
    }


def whole(name: str, text: str | None) -> int:
    """Read a count of bytes."""
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise BadHeader(f"{name} must be a whole number of bytes.")
    return int(text)


def metadata(text: str) -> dict[str, str]:
    """Read ``Upload-Metadata``: names and base64 values, the value may be left out."""
    found: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = pair.partition(" ")
        found[name] = _decoded(value.strip()).decode("utf-8", errors="replace")
    return found


def checksum(text: str) -> Checksum:
    """Read ``Upload-Checksum``: an algorithm and a base64 digest."""
    algorithm, _, value = text.strip().partition(" ")
    if algorithm not in ALGORITHMS:
        raise BadHeader(f"Upload-Checksum knows {', '.join(ALGORITHMS)}.")
    return Checksum(algorithm, _decoded(value.strip()))


def http_date(moment: datetime) -> str:
    """A moment as ``Upload-Expires`` writes it."""
    return format_datetime(moment, usegmt=True)


def _decoded(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as cause:
        raise BadHeader("A value is not base64.") from cause
