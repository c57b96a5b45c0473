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

# A recording of ten minutes in float stereo at 48 kHz has 230 MB; no honest output is longer.
MEMBER_LIMIT = 256 * 1024 * 1024
# Digital silence shrinks a thousandfold, so a high ratio alone proves nothing.
BOMB_SIZE, BOMB_RATIO = 100_000_000, 200

ZIP_AGAIN = "Zip the folder again, for example with `zip -r HD-Track2.zip HD-Track2`."

_SYSTEM_FILES = {"__macosx", "thumbs.db", "desktop.ini"}

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
        return Finding(
            "member-path-unsafe",
            printable(raw),
            "A path in the archive must stay inside it: not absolute, no drive, no '..', no NUL.",
            f"Zip from inside the parent folder. {ZIP_AGAIN}",
        )
    if "\\" in raw:
        return Finding(
            "member-backslash",
            printable(raw),
            "Folders in a zip are separated by '/', found a back-slash.",
            f"Use a current zip program. {ZIP_AGAIN}",
        )
    return None


def size_problem(raw: str, *, size: int, packed: int) -> Finding | None:
    """Say why a member is too large to be an honest recording."""
    bomb = size > BOMB_SIZE and size > BOMB_RATIO * packed
    if size <= MEMBER_LIMIT and not bomb:
        return None
    return Finding(
        "member-bomb",
        printable(raw),
        f"The file unpacks from {packed:,} to {size:,} bytes. Above {BOMB_SIZE:,} bytes it may be"
        f" {BOMB_RATIO} times its packed size, and never larger than {MEMBER_LIMIT:,} bytes.",
        "Hand in plain recordings, as long as the input and some seconds more.",
    )


def not_a_file(raw: str) -> Finding:
    """The finding for a link, a device or a pipe."""
    return Finding(
        "member-symlink",
        printable(raw),
        "Only plain files can be scored, found a link or a special file.",
        "Put the file itself in its place; zip does so without the option --symlinks.",
    )


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_system_file(name: str) -> bool:
    parts = name.split("/")
    return any(part.startswith(".") or part.casefold() in _SYSTEM_FILES for part in parts)


def _repeat_problem(name: str, raw: str, folded: dict[str, str]) -> Finding | None:
    twin = folded.get(_folded(name))
    if twin is None:
        return None
    if twin == name:
        return Finding(
            "member-duplicate",
            printable(raw),
            "The archive holds two files of this name, so it is open which one counts.",
            f"Keep one. {ZIP_AGAIN}",
        )
    return Finding(
        "member-case-clash",
        printable(raw),
        f"The name differs from {twin} in capitals only; many systems keep just one of them.",
        "Keep one of the two, or rename it.",
    )


def _ignored_note(names: list[str]) -> Finding:
    count = "1 system file was" if len(names) == 1 else f"{len(names)} system files were"
    return Finding(
        "system-files-ignored",
        "",
        f"{count} ignored, such as {names[0]}.",
        "Nothing needs to be done.",
        severity="note",
    )
