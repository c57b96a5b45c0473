"""The demonstration at size: every dialogue of humdial-mini several times, each time later.

A small split says nothing about chance. This one has as many dialogues of each script and language
as an interval needs, and the entries of the made-up systems of ``cast``; both are laid out on disk
as an organiser and a team would hand them in.

Conventions: whole dialogues move by frames of voice activity, so that what is heard moves with
them. The words of every answer are known and lie apart, under the hash of their recording. The
same call writes the same bytes.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import soundfile

from leaderboard.demo.cast import FRAME, Player, choices
from leaderboard.demo.cuts import SAMPLE_RATE, Samples
from leaderboard.demo.mini import Mini, Place, User
from leaderboard.demo.moved import Planned, later_annotation, later_words, renumbered
from leaderboard.demo.unpack import ZIP_TIME, wav
from scoring.dialogue import Transcript
from scoring.humdial.names import expected_files
from scoring.manifest import ExpectedFile, Item, Kind, Manifest
from scoring.uncertainty import MIN_ITEMS

# Frames between the beginnings of two dialogues that are otherwise the same.
STEP = 4


class Dialogue(NamedTuple):
    """One item, the one of humdial-mini that it is made of, and how many samples later it is."""

    item: Item
    source: Item
    by: int


class Entry(NamedTuple):
    """Where the recordings of a system lie, and their words."""

    archive: Path
    words: Path


def dialogues(mini: Manifest, each: int = MIN_ITEMS) -> list[Dialogue]:
    """List the items: ``each`` of every item of humdial-mini, all at different times."""
    moves = [(source, copy) for source in mini.items for copy in range(each)]
    return [
        Dialogue(renumbered(source, number), source, FRAME * STEP * (copy + 1))
        for number, (source, copy) in enumerate(moves)
    ]


def manifest_of(those: Iterable[Dialogue]) -> Manifest:
    """The list of expected items."""
    return Manifest(tuple(one.item for one in those))


def write_split(folder: Path, mini: Mini, those: Iterable[Dialogue]) -> Path:
    """Lay out the user side as a reference folder, and return it."""
    for one in those:
        place = folder / one.item.language / one.item.folder
        place.mkdir(parents=True, exist_ok=True)
        _write_user(place, one, mini.users[one.source.key])
    return folder


def write_entry(folder: Path, mini: Mini, those: Sequence[Dialogue], player: Player) -> Entry:
    """Write the zip of a made-up system, and the words of its recordings beside it."""
    entry = Entry(folder / "HD-Track2.zip", folder / "words")
    write_archive(entry.archive, _members(entry, mini, those, player))
    return entry


def write_archive(
    path: Path, members: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> None:
    """Write an archive as a team would, quickly packed; the same members give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", compresslevel=1) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = method
            archive.writestr(info, data)


def write_words(folder: Path, language: str, recording: bytes, words: Transcript) -> None:
    """Write down what is said in a recording, where an import looks for it."""
    path = folder / language / f"{hashlib.sha256(recording).hexdigest()}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(words.to_json(), ensure_ascii=False), encoding="utf-8")


def _members(
    entry: Entry, mini: Mini, those: Sequence[Dialogue], player: Player
) -> Iterator[tuple[str, bytes]]:
    made = dict(zip((one.item.key for one in those), those, strict=True))
    chosen = dict(zip(made, choices(player, len(those)), strict=True))
    for file in expected_files(manifest_of(those)):
        choice = chosen[file.item.key]
        if choice.missing and file.kind == "test":
            continue
        answer = _answer(mini, made[file.item.key], file, choice.style).later(choice.delay)
        samples, words = answer.silenced() if choice.silent else answer
        recording = wav(samples)
        write_words(entry.words, file.item.language, recording, words)
        yield file.path, recording


def _answer(mini: Mini, one: Dialogue, file: ExpectedFile, style: str) -> Planned:
    place = Place(style, one.source.language, one.source.script, file.kind)
    return mini.answers[place].heard().later(one.by)


def _write_user(place: Path, one: Dialogue, user: User) -> None:
    seconds = one.by / SAMPLE_RATE
    annotation = later_annotation(user.annotation, seconds).to_json()
    _write_json(place / f"{one.item.item}_sentence.json", annotation)
    for kind, samples in user.samples.items():
        moved = Planned(samples, Transcript("")).later(one.by).samples
        (place / f"{_stem(one, kind)}.flac").write_bytes(_flac(moved))
    for kind, words in user.words.items():
        _write_json(place / f"{_stem(one, kind)}.json", later_words(words, seconds).to_json())


def _stem(one: Dialogue, kind: Kind) -> str:
    return f"clean_{one.item.item}" if kind == "clean" else one.item.item


def _flac(samples: Samples) -> bytes:
    out = BytesIO()
    soundfile.write(out, samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    return out.getvalue()


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
