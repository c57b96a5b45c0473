"""The expected items of a split: the denominator of every rate.

A manifest is a CSV file with the columns ``item, language, scenario, part, folder, test_id,
clean_id``. It says which recordings a submission must answer; what a zip happens to hold never
changes it (protocol 1.2, 1.6, decision D4).
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from typing import Literal

from scoring.errors import ManifestError

LANGUAGES = ("cn", "en")


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """One user recording that a system must answer.

    Attributes:
        item: dialogue id, for example ``0001_5538`` or ``0010_8393_add`` (an ``_add`` item is a
            different dialogue that happens to share the number).
        language: ``cn`` or ``en``; scored separately.
        scenario: slug of protocol 1.1.
        part: ``after`` or ``before`` for third-party speech, else empty.
        folder: name of the folder in the reference and scoring layouts.
        test_id: anonymous id of the recording with the event, empty when names are not anonymous.
        clean_id: the same for the recording without it; empty where none is needed.
    """

    item: str
    language: str
    scenario: str
    part: str = ""
    folder: str = ""
    test_id: str = ""
    clean_id: str = ""

    @property
    def script(self) -> str:
        """Slug with the part: ``third_party_after``, or simply the scenario."""
        return f"{self.scenario}_{self.part}" if self.part else self.scenario

    @property
    def is_named_by_dialogue(self) -> bool:
        """Whether its files go by its dialogue, and not by anonymous ids."""
        return not (self.test_id or self.clean_id)

    @property
    def key(self) -> str:
        """A name that no other item of the manifest has."""
        return f"{self.language}/{self.script}/{self.item}"


Kind = Literal["test", "clean"]


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """One output recording that a submission must hold.

    Attributes:
        item: the item it answers.
        kind: ``test`` for the answer to the recording with the event, ``clean`` for the other.
        path: where it lies in the expected tree, with ``/`` between folders.
    """

    item: Item
    kind: Kind
    path: str

    @property
    def key(self) -> tuple[str, str]:
        """Item key and kind: a name that no other expected file has."""
        return self.item.key, self.kind

    @property
    def stands_alone(self) -> bool:
        """Whether only its path is known, neither its scenario nor the file it belongs to."""
        return not self.item.scenario


COLUMNS = tuple(field.name for field in fields(Item))


@dataclass(frozen=True, slots=True)
class Manifest:
    """All items of a split, in the order of the file."""

    items: tuple[Item, ...]

    @classmethod
    def from_csv(cls, text: str) -> "Manifest":
        """Read the CSV text of a manifest.

        Raises:
            ManifestError: a column is missing, a value is unknown, or two rows are the same item.
        """
        reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
        if reader.fieldnames == ["file"]:
            raise ManifestError(
                "This is a list of files; it does not tell the items.",
                cure="It serves to check an archive; to score, take a split with public items.",
            )
        missing = {"item", "language", "scenario"} - set(reader.fieldnames or ())
        if missing:
            raise ManifestError(
                f"The manifest lacks the column(s) {', '.join(sorted(missing))}.",
                cure=f"Its first line must read {','.join(COLUMNS)}.",
            )
        items = tuple(
            Item(**{name: (row.get(name) or "").strip() for name in COLUMNS}) for row in reader
        )
        _validate(items)
        return cls(items)

    def to_csv(self) -> str:
        """Return the text that ``from_csv`` reads."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(astuple, self.items))
        return out.getvalue()

    @property
    def sha256(self) -> str:
        """Hash of the expected set, whatever the order of its rows."""
        lines = sorted(",".join(astuple(item)) for item in self.items)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _validate(items: tuple[Item, ...]) -> None:
    if not items:
        raise ManifestError("The manifest names no item.", cure="Add one row per recording.")
    for number, item in enumerate(items, 2):
        if item.language not in LANGUAGES:
            raise ManifestError(
                f"Line {number}: language {item.language!r} is not one of cn, en.",
                cure="Write cn for Chinese and en for English.",
            )
    for name, values in (
        ("item", [item.key for item in items]),
        ("test_id", [item.test_id for item in items if item.test_id]),
        ("clean_id", [item.clean_id for item in items if item.clean_id]),
    ):
        _no_repeats(name, values)


def _no_repeats(column: str, values: Iterable[str]) -> None:
    repeated = [value for value, count in Counter(values).items() if count > 1]
    if repeated:
        raise ManifestError(
            f"The {column} {repeated[0]!r} stands in more than one row.",
            cure="Each expected recording has one row and one name of its own.",
        )
