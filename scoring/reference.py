"""Read the user side of a split, or a whole official folder, from disk.

Conventions: two layouts are understood. A *reference folder* is ``{language}/{folder}/`` with
``X.wav``, ``clean_X.wav``, ``X_sentence.json`` and, where transcripts exist, ``X.json`` and
``clean_X.json``. The *official layout* has the model's ``X_output.wav`` and transcripts beside
them (protocol 1.4). In the public release ``X.json`` is the annotation and ``X_timestamp.json``
the transcript: which is which is told by their keys, never by their names (decision D3).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.audio import header, read, read_answer
from scoring.dialogue import Annotation, Transcript
from scoring.errors import AnnotationError, AudioError, ManifestError, ScoringError
from scoring.evidence import Evidence, without_answer
from scoring.hearing import Side
from scoring.humdial import is_judged, script
from scoring.humdial.names import needs_clean, place_of
from scoring.manifest import Item, Manifest
from scoring.recording import Recording

AUDIO = (".wav", ".flac", ".ogg")
CONTAINERS = ("wav", "flac", "ogg")


@dataclass(frozen=True, slots=True)
class Folder:
    """Files of one scenario in one language."""

    root: Path
    path: Path

    def audio(self, stem: str) -> Path | None:
        """Return the recording with this stem; ``None`` when there is none."""
        paths = (self.path / f"{stem}{suffix}" for suffix in AUDIO)
        return next((path for path in paths if path.is_file()), None)

    def recording(self, stem: str) -> Recording | None:
        """Read the recording with this stem; ``None`` when there is none."""
        path = self.audio(stem)
        if path is None:
            return None
        return read(path.read_bytes(), path=self._name(path), containers=CONTAINERS)

    def answer(self, stem: str, model_channel: int | None = None) -> Recording | None:
        """Read the model's recording with this stem; ``None`` when there is none."""
        path = self.audio(stem)
        if path is None or path.suffix.lower() != ".wav" or model_channel is None:
            return self.recording(stem)
        return read_answer(path.read_bytes(), path=self._name(path), model_channel=model_channel)

    def seconds(self, stem: str) -> float | None:
        """Length of the recording with this stem, from its header; ``None`` if there is none."""
        path = self.audio(stem)
        if path is None:
            return None
        with path.open("rb") as file:
            size = path.stat().st_size
            head = header(file, path=self._name(path), containers=CONTAINERS, size=size)
        return head.duration

    def annotation(self, stem: str) -> Annotation:
        """Read the annotation of an item, by whichever name it goes.

        Raises:
            AnnotationError: there is none.
        """
        for name in (f"{stem}_sentence.json", f"{stem}.json"):
            data = self._json(name)
            if data is not None and "speech_segments" in data:
                return Annotation.from_json(data)
        raise AnnotationError(
            "The annotation is missing.",
            cure=f"Add {stem}_sentence.json with the key 'speech_segments'.",
            path=self._name(self.path / stem),
        )

    def transcript(self, stem: str) -> Transcript | None:
        """Read the transcript of a recording, by whichever name; ``None`` when there is none."""
        for name in (f"{stem}.json", f"{stem}_timestamp.json"):
            data = self._json(name)
            if data is not None and "chunks" in data:
                return Transcript.from_json(data)
        return None

    def _json(self, name: str) -> Mapping[str, Any] | None:
        path = self.path / name
        if not path.is_file():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as cause:
            raise ScoringError(
                f"The file is not JSON: {cause}.", cure="Write it anew.", path=self._name(path)
            ) from cause
        return data if isinstance(data, dict) else None

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def user_side(root: Path, item: Item) -> Side:
    """Read the user recordings of an item from a reference folder.

    Raises:
        ScoringError: a file is missing or cannot be used; the error names it.
    """
    folder = find_folder(root, item)
    annotation = folder.annotation(item.item)
    _require_segments(item, annotation, folder)
    noisy = _required(folder, item.item)
    _require_possible(item, annotation, folder, noisy.duration)
    clean = _required(folder, f"clean_{item.item}") if is_judged(item) else None
    return Side(item, annotation, noisy, clean, _transcripts(folder, item.item, "clean_{}"))


def user_seconds(root: Path, manifest: Manifest) -> dict[str, float]:
    """Read the lengths of the user's recordings, by item key, from a reference folder.

    Raises:
        ScoringError: a recording is missing or cannot be used; the error names it.
    """
    lengths = {item.key: find_folder(root, item).seconds(item.item) for item in manifest.items}
    return {key: seconds for key, seconds in lengths.items() if seconds is not None}


def model_side(
    folder: Folder, item: Item, annotation: Annotation, *, model_channel: int | None = None
) -> Side | Evidence:
    """Read the model's recordings of an item from the official layout, or say that none came."""
    noisy = folder.answer(f"{item.item}_output", model_channel)
    needed = needs_clean(item)
    clean = folder.answer(f"clean_{item.item}_output", model_channel) if needed else None
    if noisy is None:
        return without_answer(clean.sha256 if clean else None)
    return Side(
        item, annotation, noisy, clean, _transcripts(folder, f"{item.item}_output", "clean_{}")
    )


def find_folder(root: Path, item: Item) -> Folder:
    """Return the folder of an item below ``root`` (or below its ``reference`` folder).

    Raises:
        ManifestError: no folder of this language and scenario holds the item.
    """
    base = root / "reference" if (root / "reference").is_dir() else root
    named = base / item.language / item.folder
    if item.folder and named.is_dir():
        return Folder(base, named)
    for path in sorted(base.rglob(f"{item.item}.*")):
        place = place_of(path.relative_to(base).as_posix())
        if path.suffix in AUDIO and not place.contradicts(item):
            return Folder(base, path.parent)
    raise ManifestError(
        f"No recording of {item.item} was found.",
        cure=f"Put it at {item.language}/{item.folder or item.script}/{item.item}.wav.",
        path=base.name,
    )


def discover(root: Path, *, language: str = "") -> Manifest:
    """List the items of an official folder layout by its annotations (protocol 1.4).

    Args:
        root: folder that holds one folder per scenario, perhaps one per language above it.
        language: used where the path names none.

    Raises:
        ManifestError: nothing was found, or a path does not name language and scenario.
    """
    items = tuple(dict.fromkeys(_discovered(root, language)))
    if not items:
        raise ManifestError(
            "No annotation (X_sentence.json) was found.",
            cure="Name the folder that holds one folder per scenario.",
            path=root.name,
        )
    return Manifest(items)


def _discovered(root: Path, language: str) -> Iterator[Item]:
    for path in sorted(root.rglob("*_sentence.json")):
        stem = path.name.removesuffix("_sentence.json")
        if stem.startswith("clean_"):
            continue
        name = path.relative_to(root).as_posix()
        place = place_of(f"{root.resolve().parent.name}/{root.resolve().name}/{name}")
        found = place.language or language
        if not (found and place.scenario):
            raise ManifestError(
                "The folders above this file do not name its "
                f"{'scenario' if found else 'language'}.",
                cure="Use {language}/{scenario}/, or give --language.",
                path=name,
            )
        yield Item(stem, found, place.scenario, place.part, path.parent.name)


def _required(folder: Folder, stem: str) -> Recording:
    recording = folder.recording(stem)
    if recording is not None:
        return recording
    raise AudioError(
        "The user recording is missing.",
        cure="Add it to the reference folder.",
        path=f"{folder.path.relative_to(folder.root).as_posix()}/{stem}.wav",
        code="audio-missing",
    )


def _require_possible(item: Item, annotation: Annotation, folder: Folder, duration: float) -> None:
    """Stop an annotation that cannot belong to its recording, with all that is wrong with it."""
    if problems := annotation.problems(duration):
        raise AnnotationError(
            " ".join(problems),
            cure="Correct the times and texts; all times are seconds of the recording.",
            path=_annotation_name(item, folder),
            code="annotation-impossible",
        )


def _annotation_name(item: Item, folder: Folder) -> str:
    return (folder.path.relative_to(folder.root) / f"{item.item}_sentence.json").as_posix()


def _require_segments(item: Item, annotation: Annotation, folder: Folder) -> None:
    needed = script(item.script).segments
    try:
        annotation.start_of(needed - 1)
        annotation.end_of(needed - 1)
    except AnnotationError as error:
        raise error.at(_annotation_name(item, folder)) from error


def _transcripts(folder: Folder, stem: str, clean: str) -> dict[str, Transcript]:
    stems = {"noisy": stem, "clean": clean.format(stem)}
    found = {kind: folder.transcript(name) for kind, name in stems.items()}
    return {kind: one for kind, one in found.items() if one is not None}


def read_transcripts(root: Path, stems: Iterable[str]) -> dict[str, Transcript]:
    """Read ``{stem}.json`` transcripts from one folder; stems without a file are left out."""
    folder = Folder(root, root)
    found = {stem: folder.transcript(stem) for stem in stems}
    return {stem: one for stem, one in found.items() if one is not None}
