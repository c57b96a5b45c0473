"""The list of the files that a split expects, for whoever may not know its items.

Conventions: a CSV file with the one column ``file`` and a path of the expected tree in each line,
as the site gives it out for a blind split. A path of the scoring layout tells its item. A file
with an anonymous id stands for itself: which other file belongs to it, and to which scenario, is
known on the site only (protocol 1.6).
"""

import csv
import io
from collections import Counter

from scoring.errors import ManifestError
from scoring.humdial.names import parse, place_of
from scoring.manifest import ExpectedFile, Item

COLUMN = "file"


def is_file_list(text: str) -> bool:
    """Whether a CSV text is a list of files; a manifest has other columns."""
    return _rows(text)[:1] == [COLUMN]


def files_from_csv(text: str) -> tuple[ExpectedFile, ...]:
    """Read the expected files, in the order of the list.

    Raises:
        ManifestError: the list is empty, a line is no name of an output, or stands there twice.
    """
    files = tuple(_file(number, path) for number, path in enumerate(_rows(text)[1:], 2) if path)
    if not files:
        raise ManifestError("The list names no file.", cure="Take it from the submit page again.")
    path, count = Counter(file.path for file in files).most_common(1)[0]
    if count > 1:
        raise ManifestError(
            f"The file {path!r} stands in more than one line.",
            cure="Take the list from the submit page again.",
        )
    return files


def _rows(text: str) -> list[str]:
    """The first column, without what editors add around it."""
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    return [row[0].strip() if row else "" for row in rows]


def _file(number: int, path: str) -> ExpectedFile:
    *folders, name = path.split("/")
    stem, _, suffix = name.rpartition(".")
    parsed = parse(stem)
    if parsed is None or parsed.side == "user" or suffix != "wav":
        raise ManifestError(
            f"Line {number}: {path!r} is no name of an output.",
            cure="Take the list from the submit page again.",
        )
    place = place_of(path)
    if parsed.family == "challenge" or not place.scenario:
        return ExpectedFile(Item(path, "", ""), parsed.kind, path)
    item = Item(parsed.id, place.language, place.scenario, place.part, folders[-1])
    return ExpectedFile(item, parsed.kind, path)
