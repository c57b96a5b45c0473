"""The unpacked demonstration, read into memory: what each side says, and where.

Conventions: samples are 16-bit integers at 16 kHz. A *script* is a scenario with its part, a *kind*
is ``test`` (with the event) or ``clean``.
"""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from leaderboard.demo.cuts import Samples
from leaderboard.demo.moved import Planned
from scoring.audio import read
from scoring.dialogue import Annotation, Transcript
from scoring.humdial.names import expected_files
from scoring.manifest import Item, Kind, Manifest
from scoring.recording import Sound
from scoring.reference import user_side

SYSTEMS = ("prompt", "steamroller", "jumpy")
ARCHIVE = "HD-Track2.zip"


class Place(NamedTuple):
    """Where an answer belongs."""

    system: str
    language: str
    script: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class User:
    """The user side of one dialogue: recordings by kind, and words where they are written down."""

    annotation: Annotation
    samples: Mapping[Kind, Samples]
    words: Mapping[Kind, Transcript]


@dataclass(frozen=True, slots=True)
class Mini:
    """The demonstration: one dialogue of each script in each language, and all answers to it."""

    manifest: Manifest
    users: Mapping[str, User]
    answers: Mapping[Place, Planned]

    @classmethod
    def read(cls, folder: Path) -> "Mini":
        """Read an unpacked demonstration."""
        manifest = manifest_of(folder)
        return cls(
            manifest,
            {item.key: _user(folder, item) for item in manifest.items},
            {place: one for system in SYSTEMS for place, one in answers(folder, system)},
        )


def manifest_of(folder: Path) -> Manifest:
    """Read the list of the demonstration's items."""
    return Manifest.from_csv((folder / "manifest.csv").read_text(encoding="utf-8"))


def answers(folder: Path, system: str) -> Iterator[tuple[Place, Planned]]:
    """Read every answer of a system, with its words."""
    home = folder / "submissions" / system
    with zipfile.ZipFile(home / ARCHIVE) as archive:
        for file in expected_files(manifest_of(folder)):
            path = home / "transcripts" / f"{Path(file.path).stem}.json"
            words = Transcript.from_json(path.read_text(encoding="utf-8"))
            samples = _samples(read(archive.read(file.path)))
            place = Place(system, file.item.language, file.item.script, file.kind)
            yield place, Planned(samples, words)


def _user(folder: Path, item: Item) -> User:
    side = user_side(folder, item)
    recordings: dict[Kind, Sound | None] = {"test": side.noisy, "clean": side.clean}
    names: dict[Kind, str] = {"test": "noisy", "clean": "clean"}
    return User(
        side.annotation,
        {kind: _samples(one) for kind, one in recordings.items() if one is not None},
        {kind: side.transcripts[one] for kind, one in names.items() if one in side.transcripts},
    )


def _samples(recording: Sound) -> Samples:
    return np.rint(recording.samples * 32768).astype(np.int16)
