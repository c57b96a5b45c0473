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
import hashlib
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard.demo.unpack import ZIP_TIME, unpack, wav
from scoring.audio import SAMPLE_RATE, read
from scoring.dialogue import AnnotatedSegment, Annotation, Segment, Transcript, Word
from scoring.evidence import Reference
from scoring.hearing import hear_users
from scoring.home import Engines
from scoring.humdial.names import expected_files
from scoring.manifest import ExpectedFile, Item, Manifest
from scoring.reference import user_side
from tests.planned import SYSTEMS, manifest_of

ARCHIVE = "HD-Track2.zip"
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

Samples = NDArray[np.int16]


class Planned(NamedTuple):
    """One answer of a demonstration system: its samples and its words."""

    samples: Samples
    words: Transcript


@dataclass(frozen=True, slots=True)
class Mini:
    """The demonstration, read once."""

    references: Mapping[tuple[str, str], Reference]
    answers: Mapping[tuple[str, str, str, str], Planned]


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
    for language in ("cn", "en"):
        (entry.transcripts / language).mkdir(parents=True, exist_ok=True)
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
    path.parent.mkdir(parents=True, exist_ok=True)
    mini = _mini(entry.folder)
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    altered = _changed(entry.manifest, changed)
    with zipfile.ZipFile(path, "w", compresslevel=1) as archive:
        for number, file in enumerate(expected_files(entry.manifest)):
            planned = mini.answers[_source(file)]
            seed = 1 if file.key in altered else 0
            data = wav(_mixed(planned.samples, _index(file.item), _noise(seed), number))
            info = zipfile.ZipInfo(file.path, ZIP_TIME)
            info.compress_type = method
            archive.writestr(info, data)
            _write_words(entry, file, planned.words, data)


def _write_words(entry: Entry, file: ExpectedFile, words: Transcript, data: bytes) -> None:
    name = f"{hashlib.sha256(data).hexdigest()}.json"
    content = json.dumps(_later(words, _shift(_index(file.item))).to_json(), ensure_ascii=False)
    (entry.transcripts / file.item.language / name).write_text(content, encoding="utf-8")


def _changed(manifest: Manifest, count: int) -> set[tuple[str, str]]:
    """Keys of the files that differ: answers to recordings with the event, evenly spread."""
    keys = [file.key for file in expected_files(manifest) if file.kind == "test"]
    return {keys[place * len(keys) // count] for place in range(count)}


def _source(file: ExpectedFile) -> tuple[str, str, str, str]:
    item = file.item
    return SYSTEMS[_index(item) % len(SYSTEMS)], item.language, item.script, file.kind


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
    answers = {key: one for system in SYSTEMS for key, one in _answers(source, system, manifest)}
    return Mini(references, answers)


def _answers(
    source: Path, system: str, manifest: Manifest
) -> Iterator[tuple[tuple[str, str, str, str], Planned]]:
    folder = source / "submissions" / system
    with zipfile.ZipFile(folder / ARCHIVE) as archive:
        for file in expected_files(manifest):
            samples = np.rint(read(archive.read(file.path)).samples * 32768).astype(np.int16)
            text = (folder / "transcripts" / f"{Path(file.path).stem}.json").read_text("utf-8")
            key = (system, file.item.language, file.item.script, file.kind)
            # Room for the noise at full scale.
            yield key, Planned(np.clip(samples, -32766, 32766), Transcript.from_json(text))


def _moved(source: Reference, number: int) -> Reference:
    """The reference of one more item like this one, which begins later."""
    by = _shift(number)
    item = replace(
        source.item,
        item=f"{number // 10:04d}_{number:04d}" + source.item.item[9:],
        test_id=f"{number:04d}",
        clean_id=f"{number:04d}" if source.item.clean_id else "",
    )
    # Words of a cut recording run on the clock of the cut, which moves along.
    is_cut = item.scenario == "directed_at_others"
    return Reference(
        item,
        _annotation(source.annotation, by),
        source.duration + by,
        speech=tuple(Segment(one.start + by, one.end + by) for one in source.speech),
        noisy=source.noisy if is_cut or source.noisy is None else _later(source.noisy, by),
        clean=None if source.clean is None else _later(source.clean, by),
    )


def _annotation(annotation: Annotation, by: float) -> Annotation:
    segments = tuple(
        AnnotatedSegment(_plus(one.start, by), _plus(one.end, by), one.text)
        for one in annotation.segments
    )
    return Annotation(segments, _plus(annotation.final_duration, by))


def _later(transcript: Transcript, by: float) -> Transcript:
    words = (
        Word(word.text, _plus(word.start, by), _plus(word.end, by)) for word in transcript.words
    )
    return replace(transcript, words=tuple(words))


def _plus(time: float | None, by: float) -> float | None:
    return None if time is None else round(time + by, 6)


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
