"""What people say against the judge's labels, item by item.

Conventions: a correction stands in the place of the judge's label, in both modes; what the judge
said stays beside it. It makes up for nothing that is missing: without a recording there is nothing
to read. As a file it is CSV with the columns ``item, language, scenario, part, label, reason``.
"""

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.errors import ScoringError
from scoring.judge.labels import LABELS
from scoring.manifest import Item, Manifest

# A spreadsheet would run a cell that begins like this; a quotation mark before it keeps it a text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class CorrectionsError(ScoringError):
    """A list of corrections cannot be used."""

    code = "corrections-unusable"


class Place(NamedTuple):
    """Names of an item that no other item of a split has together."""

    item: str
    language: str
    scenario: str
    part: str = ""

    @classmethod
    def of(cls, item: Item) -> "Place":
        """Return the place of an item."""
        return cls(item.item, item.language, item.scenario, item.part)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person read in one item.

    Attributes:
        label: one of ``scoring.judge.LABELS``.
        reason: why, for everybody who may see the item.
    """

    label: str
    reason: str


COLUMNS = (*Place._fields, "label", "reason")


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of one submission, at most one an item."""

    by_place: Mapping[Place, Correction] = field(default_factory=dict)

    def of(self, item: Item) -> Correction | None:
        """Return what stands against an item's label; ``None`` when nothing does."""
        return self.by_place.get(Place.of(item))

    @property
    def mark(self) -> str:
        """Number and hash of what changes a score, for the signature; empty when there are none.

        Examples:
            >>> Corrections().mark
            ''
            >>> Corrections({Place("1_2", "en", "negation"): Correction("C_RESUME", "so")}).mark
            '1:95b01d2f6337'
        """
        if not self.by_place:
            return ""
        lines = sorted(",".join((*place, one.label)) for place, one in self.by_place.items())
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return f"{len(lines)}:{digest[:12]}"

    @classmethod
    def from_csv(cls, text: str) -> "Corrections":
        """Read the CSV text of corrections.

        Raises:
            CorrectionsError: a column is missing, a label is unknown, a reason is missing, or two
                rows are about the same item.
        """
        reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
        missing = {*COLUMNS} - {"part"} - set(reader.fieldnames or ())
        if missing:
            raise CorrectionsError(
                f"The corrections lack the column(s) {', '.join(sorted(missing))}.",
                cure=f"Their first line must read {','.join(COLUMNS)}.",
            )
        found: dict[Place, Correction] = {}
        for row in reader:
            place, one = _read(row, reader.line_num)
            if place in found:
                raise CorrectionsError(
                    f"Line {reader.line_num}: {place.item!r} is corrected a second time.",
                    cure="Keep the row that counts.",
                )
            found[place] = one
        return cls(found)

    def to_csv(self) -> str:
        """Return the text that ``from_csv`` reads."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        for place, one in self.by_place.items():
            writer.writerow(map(_harmless, (*place, one.label, one.reason)))
        return out.getvalue()

    def demand(self, manifest: Manifest, is_judged: Callable[[Item], bool]) -> None:
        """Demand that every correction is about an item that a judge labels.

        Raises:
            CorrectionsError: one is about something else; the error names it.
        """
        known = {Place.of(item): item for item in manifest.items}
        for place in self.by_place:
            item = known.get(place)
            if item is None:
                raise CorrectionsError(
                    f"{'/'.join(filter(None, place))} is none of the expected items.",
                    cure="Take the corrections of the same split as the manifest.",
                )
            if not is_judged(item):
                raise CorrectionsError(
                    f"{item.key} is not judged, so it has no label to correct.",
                    cure="Leave its row out.",
                )


UNCORRECTED = Corrections()


def collect(rows: Iterable[tuple[Item, Correction]]) -> Corrections:
    """Gather corrections of items, in the order given."""
    return Corrections({Place.of(item): one for item, one in rows})


def _read(row: Mapping[str, str | None], line: int) -> tuple[Place, Correction]:
    values = {name: _plain((row.get(name) or "").strip()) for name in COLUMNS}
    if values["label"] not in LABELS:
        raise CorrectionsError(
            f"Line {line}: {values['label']!r} is no label.",
            cure=f"Write one of {', '.join(LABELS)}.",
        )
    if not values["reason"]:
        raise CorrectionsError(
            f"Line {line}: the correction has no reason.", cure="Say why the judge is wrong."
        )
    place = Place(*(values[name] for name in Place._fields))
    return place, Correction(values["label"], values["reason"])


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("'", *_FORMULA)) else text


def _plain(text: str) -> str:
    """Take back what ``_harmless`` did."""
    return text[1:] if text.startswith("'") and text[1:].startswith(("'", *_FORMULA)) else text
