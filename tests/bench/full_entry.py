"""A full entry made from the demonstration: 5,000 items, a zip of 9,100 recordings, transcripts.

    python -m tests.bench.full_entry FOLDER [--items N] [--changed N] [--stored]

Every item is a dialogue of the demonstration, moved later by a time of its own, with a floor of
noise of one step of 16-bit sound mixed in, which runs on for a while at the end; so no two
recordings are the same. Systems take turns. Reference values and planned transcripts move along.
Nothing is random: the same call makes the same bytes. Recordings are deflated (level 1), as teams
hand them in, unless ``--stored``.

Conventions: times in seconds, samples at 16 kHz.
"""

import argparse
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from leaderboard.demo.at_size import write_archive, write_words
from leaderboard.demo.cuts import Samples
from leaderboard.demo.mini import ARCHIVE, SYSTEMS, Place, answers, manifest_of
from leaderboard.demo.moved import Planned, later_annotation, later_words, renumbered
from leaderboard.demo.unpack import unpack, wav
from scoring.audio import SAMPLE_RATE
from scoring.dialogue import Segment
from scoring.evidence import Reference
from scoring.hearing import hear_users
from scoring.home import Engines
from scoring.humdial.names import expected_files
from scoring.manifest import ExpectedFile, Item, Manifest
from scoring.reference import user_side

FULL = 5000
# Items per script and language of the full test set (protocol 1.2).
COUNTS = {
    **dict.fromkeys(
        (
            "follow_up",
            "negation",
            "repetition",
            "topic_switch",
            "silence_stop",
            "backchannels",
            "pause_handling",
        ),
        300,
    ),
    "third_party_after": 150,
    "third_party_before": 150,
    "directed_at_others": 100,
}
STEP, STEPS = 160, 200
# The user's recording runs on for a while after the last words, and so do the answers.
TAIL = 5 * SAMPLE_RATE
# Distance of two recordings on the tape of noise; all of them, and the longest, fit on it.
NOISE_STEP, NOISE = 307, 1 << 22


@dataclass(frozen=True, slots=True)
class Mini:
    """The demonstration, read once."""

    references: Mapping[tuple[str, str], Reference]
    answers: Mapping[Place, Planned]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a generated folder holds."""

    folder: Path
    references: Sequence[Reference]

    @property
    def manifest(self) -> Manifest:
        """The expected items."""
        return Manifest(tuple(one.item for one in self.references))

    def archive(self, *, changed: bool = False) -> Path:
        """Path of the entry, or of the same with some recordings changed."""
        return self.folder / ("changed" if changed else "entry") / ARCHIVE

    @property
    def transcripts(self) -> Path:
        """Folder with ``{language}/{sha256}.json`` of all recordings of both."""
        return self.folder / "transcripts"


def describe(folder: Path, items: int = FULL) -> Entry:
    """Return the items of an entry with their reference values; no recording is made."""
    mini = _mini(folder)
    number, references = 0, []
    for language in ("cn", "en"):
        for script, count in COUNTS.items():
            source = mini.references[language, script]
            for _ in range(round(count * items / FULL)):
                references.append(_moved(source, number))
                number += 1
    return Entry(folder, references)


def make(folder: Path, items: int = FULL, *, changed: int = 100, stored: bool = False) -> Entry:
    """Write the entry, the changed entry and the transcripts of both."""
    entry = describe(folder, items)
    with ProcessPoolExecutor(2) as pool:
        writing = [
            pool.submit(_write, entry, entry.archive(changed=bool(count)), count, stored=stored)
            for count in {0, changed}
        ]
    for one in writing:
        one.result()
    (folder / "manifest.csv").write_text(entry.manifest.to_csv(), encoding="utf-8")
    return entry


def _write(entry: Entry, path: Path, changed: int, *, stored: bool) -> None:
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    write_archive(path, _members(entry, _changed(entry.manifest, changed)), method)


def _members(entry: Entry, altered: set[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    mini = _mini(entry.folder)
    for number, file in enumerate(expected_files(entry.manifest)):
        planned, index = mini.answers[_source(file)], _index(file.item)
        noise = _noise(1 if file.key in altered else 0)
        data = wav(_mixed(planned.samples, index, noise, number))
        words = later_words(planned.words, _shift(index))
        write_words(entry.transcripts, file.item.language, data, words)
        yield file.path, data


def _changed(manifest: Manifest, count: int) -> set[tuple[str, str]]:
    """Keys of the files that differ: answers to recordings with the event, evenly spread."""
    keys = [file.key for file in expected_files(manifest) if file.kind == "test"]
    return {keys[place * len(keys) // count] for place in range(count)}


def _source(file: ExpectedFile) -> Place:
    item = file.item
    return Place(SYSTEMS[_index(item) % len(SYSTEMS)], item.language, item.script, file.kind)


def _index(item: Item) -> int:
    return int(item.test_id)


def _shift(number: int) -> float:
    return STEP * (number % STEPS) / SAMPLE_RATE


def _mixed(samples: Samples, number: int, noise: Samples, place: int) -> Samples:
    """Move a recording later and mix in its own stretch of noise."""
    before = STEP * (number % STEPS)
    start = place * NOISE_STEP
    mixed = noise[start : start + before + samples.size + TAIL].copy()
    mixed[before : before + samples.size] += samples
    return mixed


@lru_cache(maxsize=2)
def _noise(seed: int) -> Samples:
    return np.random.default_rng(seed).integers(-1, 2, NOISE, dtype=np.int16)


# ---- the demonstration, and its values moved later ----------------------------------------------


@lru_cache(maxsize=1)
def _mini(folder: Path) -> Mini:
    source = unpack(folder / "humdial-mini")
    manifest = manifest_of(source)
    tools = Engines(judge="none").tools(imported=True)
    sides = [user_side(source, item) for item in manifest.items]
    references = {(one.item.language, one.item.script): one for one in hear_users(sides, tools)}
    known = (pair for system in SYSTEMS for pair in answers(source, system))
    return Mini(references, {place: _with_room(one) for place, one in known})


def _with_room(planned: Planned) -> Planned:
    """Leave room for the noise at full scale."""
    return planned._replace(samples=np.clip(planned.samples, -32766, 32766))


def _moved(source: Reference, number: int) -> Reference:
    """The reference of one more item like this one, which begins later."""
    by = _shift(number)
    item = renumbered(source.item, number)
    # Words of a cut recording run on the clock of the cut, which moves along.
    is_cut = item.scenario == "directed_at_others"
    return Reference(
        item,
        later_annotation(source.annotation, by),
        source.duration + by,
        speech=tuple(Segment(one.start + by, one.end + by) for one in source.speech),
        noisy=source.noisy if is_cut or source.noisy is None else later_words(source.noisy, by),
        clean=None if source.clean is None else later_words(source.clean, by),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--items", type=int, default=FULL)
    parser.add_argument("--changed", type=int, default=100)
    parser.add_argument("--stored", action="store_true")
    chosen: Any = parser.parse_args(arguments)
    entry = make(chosen.folder, chosen.items, changed=chosen.changed, stored=chosen.stored)
    files = expected_files(entry.manifest)
    sys.stdout.write(f"{len(entry.references)} items, {len(files)} recordings\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
