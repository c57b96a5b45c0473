"""Lay out the packaged demo split as recordings, transcripts and submission archives.

Conventions: the audio comes back sample for sample (16-bit mono wav, 16 kHz), and the same package
always gives the same bytes, archives included.
"""

import shutil
import wave
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import soundfile

from leaderboard.demo.cuts import SAMPLE_RATE, Catalogue, Recording, Samples

HOME = Path(__file__).parent / "humdial-mini"
CUTS = "cuts.json"
TAPE = "speech.flac"
# Files that are kept as they are.
PLAIN = ("manifest.csv", "truth.json", "reference/**/*.json", "submissions/*/transcripts/*.json")

# A fixed time (the oldest that a zip can hold), so that the archives' bytes never change.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def unpack(target: Path, home: Path = HOME) -> Path:
    """Write the demo split into ``target`` and return that folder.

    The layout is ``manifest.csv``, ``truth.json``, ``reference/{language}/{folder}/`` and
    ``submissions/{system}/`` with ``HD-Track2.zip`` and ``transcripts/``. Files that are there
    already are overwritten.
    """
    catalogue = Catalogue.read(home / CUTS)
    tape, _ = soundfile.read(home / TAPE, dtype="int16")
    for pattern in (*PLAIN, "README.md"):
        for path in home.glob(pattern):
            shutil.copyfile(path, _place(target, path.relative_to(home).as_posix()))
    for name, recording in catalogue.files.items():
        _place(target, name).write_bytes(wav(recording.play(tape)))
    for name, members in catalogue.archives.items():
        _write_archive(_place(target, name), members, tape)
    return target


def unpacked(target: Path) -> Path:
    """Return ``target``, and lay the demo split out there if it is not yet: whole or not at all."""
    if not target.exists():
        begun = target.with_name(f"{target.name}.begun")
        shutil.rmtree(begun, ignore_errors=True)
        unpack(begun).rename(target)
    return target


def wav(samples: Samples) -> bytes:
    """Return the samples as a 16-bit mono wav file."""
    content = BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples.astype("<i2").tobytes())
    return content.getvalue()


def _write_archive(path: Path, members: Mapping[str, Recording], tape: Samples) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, recording in members.items():
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, wav(recording.play(tape)))


def _place(target: Path, name: str) -> Path:
    path = target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
