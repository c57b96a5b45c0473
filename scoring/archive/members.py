"""Rules for the members of an archive: which are ignored, and which must not be read.

Conventions: a member's *raw* name is the one that the archive or the folder holds; its name is the
same with ``/`` between folders and unprintable characters as escapes. Sizes are bytes. Everything
here is pure: no file is touched.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from scoring.errors import Finding
from scoring.rules import finding

# A recording of ten minutes in float stereo at 48 kHz has 230 MB; no honest output is longer.
MEMBER_LIMIT = 256 * 1024 * 1024
# Digital silence shrinks a thousandfold, so a high ratio alone proves nothing.
BOMB_SIZE, BOMB_RATIO = 100_000_000, 200

# Longer than any system can unpack, and than any report should carry.
LONGEST_NAME, SHOWN_OF_A_NAME = 1_000, 120

SYSTEM_FILES = {"__macosx", "thumbs.db", "desktop.ini"}

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Member(Generic[Entry]):
    """One member as far as it can be told without reading it.

    Attributes:
        raw: name in the archive; a folder's ends in ``/``.
        size: declared size in bytes.
        entry: what the reader needs to find it.
        problem: why it must not be read, or ``None``.
    """

    raw: str
    size: int
    entry: Entry
    problem: Finding | None = None


@dataclass(slots=True)
class Listing(Generic[Entry]):
    """The members that count, and what was found while listing them."""

    members: dict[str, Member[Entry]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def list_members(members: Iterable[Member[Entry]]) -> Listing[Entry]:
    """Name the members, leave out folders and system files, and say which must not be read."""
    listing = Listing[Entry]()
    folded: dict[str, str] = {}
    ignored: list[str] = []
    for member in members:
        name = plain_name(member.raw)
        unsafe = path_problem(member.raw)
        if not unsafe and _is_system_file(name):
            ignored.append(name)
            continue
        repeated = None if is_folder(member.raw) else _repeat_problem(name, member.raw, folded)
        problem = unsafe or repeated or member.problem
        if problem:
            listing.findings.append(problem)
        if not is_folder(member.raw):
            # Of two files with the very same name, only this last one and its problem are kept.
            listing.members[name] = replace(member, problem=problem)
            folded.setdefault(_folded(name), name)
    if ignored:
        listing.findings.append(_ignored_note(ignored))
    return listing


def is_folder(raw: str) -> bool:
    """Whether a raw name stands for a folder."""
    return raw.endswith(("/", "\\"))


def plain_name(raw: str) -> str:
    """Return the name of a member: ``/`` between folders, no empty folders, printable."""
    parts = raw.replace("\\", "/").split("/")
    return printable("/".join(part for part in parts if part not in ("", ".")))


def printable(text: str) -> str:
    """Write characters that no terminal or database takes as escapes, a NUL as four digits."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def path_problem(raw: str) -> Finding | None:
    """Say why a path may lead out of the archive, or is written in a way that not all read."""
    parts = re.split(r"[/\\]", raw)
    if raw[:1] in ("", "/", "\\") or re.match(r"[A-Za-z]:", raw) or ".." in parts or "\0" in raw:
        return finding("member-path-unsafe", shown(raw))
    if len(raw) > LONGEST_NAME:
        return finding(
            "member-name-too-long", shown(raw), count=f"{len(raw):,}", limit=f"{LONGEST_NAME:,}"
        )
    return finding("member-backslash", shown(raw)) if "\\" in raw else None


def shown(raw: str) -> str:
    """A name as a report carries it: printable, and cut where it is absurdly long."""
    cut = raw if len(raw) <= LONGEST_NAME else f"{raw[:SHOWN_OF_A_NAME]}…"
    return printable(cut)


def size_problem(raw: str, *, size: int, packed: int) -> Finding | None:
    """Say why a member is too large to be an honest recording."""
    bomb = size > BOMB_SIZE and size > BOMB_RATIO * packed
    if size <= MEMBER_LIMIT and not bomb:
        return None
    return finding(
        "member-bomb",
        shown(raw),
        packed=f"{packed:,}",
        size=f"{size:,}",
        free=f"{BOMB_SIZE:,}",
        ratio=f"{BOMB_RATIO}",
        limit=f"{MEMBER_LIMIT:,}",
    )


def not_a_file(raw: str) -> Finding:
    """The finding for a link, a device or a pipe."""
    return finding("member-symlink", shown(raw))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_system_file(name: str) -> bool:
    parts = name.split("/")
    return any(part.startswith(".") or part.casefold() in SYSTEM_FILES for part in parts)


def _repeat_problem(name: str, raw: str, folded: dict[str, str]) -> Finding | None:
    twin = folded.get(_folded(name))
    if twin is None:
        return None
    if twin == name:
        return finding("member-duplicate", shown(raw))
    only_capitals = twin.casefold() == name.casefold()
    key = "member-case-clash" if only_capitals else "member-case-clash:form"
    return finding(key, shown(raw), twin=shown(twin))


def _ignored_note(names: list[str]) -> Finding:
    return finding("system-files-ignored", count=f"{len(names):,}", name=shown(names[0]))
