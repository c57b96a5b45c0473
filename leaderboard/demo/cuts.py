"""How recordings share one tape: silence, and cuts from a common stretch of speech.

The demo recordings are synthetic: speech clips laid on digital silence, and the same clip stands in
many of them. So every different stretch of speech is kept once, on one tape, and a recording is
its length and a list of cuts. Nothing is lost: the samples come back exactly.

Conventions: samples are 16-bit integers at 16 kHz; positions and lengths count samples.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 16_000

Samples = npt.NDArray[np.int16]


class Cut(NamedTuple):
    """``length`` samples: at ``source`` on the tape, and at ``at`` in the recording."""

    at: int
    source: int
    length: int


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording: its length in samples, the hash of its samples, and where its speech is."""

    length: int
    sha256: str
    cuts: tuple[Cut, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Recording":
        """Read one entry of ``cuts.json``."""
        return cls(data["length"], data["sha256"], tuple(Cut(*cut) for cut in data["cuts"]))

    def to_json(self) -> dict[str, Any]:
        """Return the entry that ``from_json`` reads."""
        return {"length": self.length, "sha256": self.sha256, "cuts": [list(c) for c in self.cuts]}

    def play(self, tape: Samples) -> Samples:
        """Return the samples of the recording, cut from the tape."""
        samples = np.zeros(self.length, np.int16)
        for at, source, length in self.cuts:
            samples[at : at + length] = tape[source : source + length]
        return samples


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every recording of the split: files by path, and archives with their members in order."""

    files: Mapping[str, Recording]
    archives: Mapping[str, Mapping[str, Recording]]

    @classmethod
    def read(cls, path: Path) -> "Catalogue":
        """Read ``cuts.json``."""
        data = json.loads(path.read_text(encoding="utf-8"))
        archives = {name: _recordings(members) for name, members in data["archives"].items()}
        return cls(_recordings(data["files"]), archives)

    def write(self, path: Path) -> None:
        """Write ``cuts.json``, one recording a line."""
        path.write_text(_lines(self), encoding="utf-8")


def fingerprint(samples: Samples) -> str:
    """Return the sha-256 of the samples as little-endian 16-bit integers, without any header."""
    return hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest()


def _recordings(data: Mapping[str, Any]) -> dict[str, Recording]:
    return {name: Recording.from_json(entry) for name, entry in data.items()}


def _lines(catalogue: Catalogue) -> str:
    archives = [
        f"{json.dumps(name)}: {_block(members)}" for name, members in catalogue.archives.items()
    ]
    files, joined = _block(catalogue.files), ",\n".join(archives)
    return f'{{"files": {files},\n"archives": {{\n{joined}}}}}\n'


def _block(recordings: Mapping[str, Recording]) -> str:
    entries = [f"{json.dumps(k)}: {json.dumps(v.to_json())}" for k, v in recordings.items()]
    return "{\n" + ",\n".join(entries) + "}"
