"""How tests read mails: what the file backend has written, and the links in a text."""

import re
from email import message_from_bytes
from email.message import Message
from email.policy import default
from pathlib import Path
from urllib.parse import urlsplit

LINK = re.compile(r"https?://\S+")


def letters(folder: Path) -> list[Message]:
    """Mails that lie in a folder of the file backend, the oldest first."""
    files = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime_ns)
    parts = [part for path in files for part in path.read_bytes().split(b"-" * 79 + b"\n")]
    return [message_from_bytes(part, policy=default) for part in parts if part.strip()]


def link_in(text: str, word: str = "") -> str:
    """The path of the first link that has a word in it."""
    found = next(link for link in LINK.findall(text) if word in link)
    parts = urlsplit(found)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
