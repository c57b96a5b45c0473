"""Take in transcripts that an organiser made elsewhere, each under the hash of its recording.

Two ways to name them, anywhere below one folder: ``{sha256 of the wav}.json``, or ``X_output.json``
beside ``X_output.wav``. They stand in for the words of the transcriber of their language, and every
item and run that uses them names their origin.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction

from scoring.dialogue import Transcript
from scoring.errors import ManifestError, ScoringError, TranscriptError
from scoring.hearing import imported
from scoring.humdial.names import expected_files, place_of
from scoring.manifest import LANGUAGES
from scoring.tools import Tools
from submissions.models import Remembered, Split

BATCH = 500
# Stands in signatures and on pages, so it holds nothing that separates their parts.
ORIGIN = re.compile(r"[^\s|,;=:]{1,60}")

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Report:
    """What an import did.

    Attributes:
        kept: number of transcripts that are remembered now.
        known: number of recordings whose words were known already; they stay as they were.
        problems: one for each file that cannot be used.
    """

    kept: int
    known: int
    problems: tuple[ScoringError, ...]


class _Words(NamedTuple):
    engine: str
    key: str
    value: dict[str, Any]


def import_transcripts(
    folder: Path,
    origin: str,
    *,
    tools: Tools,
    split: Split | None = None,
    language: str = "",
    partial: bool = False,
    replace: bool = False,
) -> Report:
    """Remember the transcripts of a folder; all of them, or none when one cannot be used.

    Args:
        folder: holds the files, in any folders.
        origin: who made them, in one word, such as ``paraformer-zh@gpu-cluster``.
        tools: engines; the transcribers' names are those that the words stand in for.
        split: tells the language of ``X_output.json`` by its items, and which names are expected.
        language: ``cn`` or ``en`` for files of which neither split nor folders tell it.
        partial: import what can be used although other files cannot.
        replace: words that are known already give way.

    Raises:
        ScoringError: the origin cannot stand in a signature.
    """
    if not ORIGIN.fullmatch(origin):
        raise ScoringError(
            f"{origin!r} cannot name an origin.",
            cure="Use up to 60 letters, digits and signs, without blanks and | , ; = : .",
            code="origin-unusable",
        )
    found, problems = _read(folder, origin, tools, _Languages(split, language))
    if problems and not partial:
        return Report(0, 0, tuple(problems))
    kept = _keep(list(found.values()), replace=replace)
    return Report(kept, len(found) - kept, tuple(problems))


def _read(
    folder: Path, origin: str, tools: Tools, languages: "_Languages"
) -> tuple[dict[tuple[str, str], _Words], list[ScoringError]]:
    """Read every file; what cannot be used becomes a problem that names it."""
    found: dict[tuple[str, str], _Words] = {}
    problems: list[ScoringError] = []
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            engine = tools.transcribers[languages.of(name)].engine
            _add(found, _Words(engine, _key(path), imported(_transcript(path), origin)))
        except ScoringError as error:
            problems.append(error.at(name))
    return found, problems


def _files(folder: Path) -> Iterator[Path]:
    """Yield transcripts, and recordings that lack one."""
    for path in sorted(folder.rglob("*")):
        lone = path.suffix == ".wav" and not path.with_suffix(".json").exists()
        if path.is_file() and (path.suffix == ".json" or lone):
            yield path


class _Languages:
    """Tells the language of a file by the split's items, then its folders, then the choice."""

    def __init__(self, split: Split | None, chosen: str) -> None:
        files = expected_files(split.manifest) if split else ()
        self._by_stem: dict[str, set[str]] = {}
        for file in files:
            self._by_stem.setdefault(Path(file.path).stem, set()).add(file.item.language)
        self._chosen = chosen

    def of(self, name: str) -> str:
        """Return the language of one file.

        Raises:
            ManifestError: the split expects no recording of this name.
            TranscriptError: nothing tells it.
        """
        stem = Path(name).stem
        if self._by_stem and stem not in self._by_stem and not _HASH.fullmatch(stem):
            raise ManifestError(
                "No recording of this split has this name.",
                cure="Check the split, or name the file after the hash of its recording.",
                code="transcript-no-match",
            )
        known = self._by_stem.get(stem, set())
        # One dialogue id may stand in both languages; then the folders tell.
        told = next(iter(known)) if len(known) == 1 else ""
        found = told or place_of(name).language or self._chosen
        if found not in LANGUAGES:
            raise TranscriptError(
                "Its language is unknown.",
                cure="Put it below a folder cn or en, or give --language or --split.",
                code="transcript-language-unknown",
            )
        return found


def _key(path: Path) -> str:
    """Hash of the recording: in the name, or of the file beside it."""
    if path.suffix == ".wav":
        raise TranscriptError(
            "The recording has no transcript beside it.",
            cure=f"Add {path.stem}.json, or leave the recording out.",
            code="transcript-missing",
        )
    if _HASH.fullmatch(path.stem):
        return path.stem
    recording = path.with_suffix(".wav")
    if not recording.is_file():
        raise TranscriptError(
            "It belongs to no recording: its name is no hash, and no wav lies beside it.",
            cure=f"Add {recording.name}, or name it {{sha256 of the wav}}.json.",
            code="transcript-no-match",
        )
    with recording.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _transcript(path: Path) -> Transcript:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as cause:
        raise TranscriptError(
            f"The file is not JSON: {cause}.", cure="Write it anew.", code="transcript-not-json"
        ) from cause
    if not isinstance(data, dict) or not {"text", "chunks"} <= set(data):
        raise TranscriptError(
            "A transcript needs 'text' and 'chunks'.",
            cure="Write {'text': ..., 'chunks': [{'text': ..., 'timestamp': [start, end]}]}.",
        )
    transcript = Transcript.from_json(data)
    untimed = [word.text for word in transcript.words if word.start is None or word.end is None]
    if untimed or (transcript.text.strip() and not transcript.words):
        raise TranscriptError(
            f"{len(untimed) or 'All'} word(s) have no start and end in seconds"
            + (f", the first is {untimed[0]!r}." if untimed else "."),
            cure="Use a transcriber that gives word times, and write them as two numbers.",
            code="transcript-without-times",
        )
    return transcript


def _add(found: dict[tuple[str, str], _Words], words: _Words) -> None:
    first = found.setdefault((words.engine, words.key), words)
    if first.value != words.value:
        raise TranscriptError(
            "Another file gives other words for the very same recording.",
            cure="Keep one of the two.",
            code="transcript-contradicts",
        )


@transaction.atomic
def _keep(words: list[_Words], *, replace: bool) -> int:
    """Write them all; return how many are new or replaced."""
    kept = 0
    for first in range(0, len(words), BATCH):
        rows = words[first : first + BATCH]
        if not replace:
            rows = _unknown(rows)
        Remembered.objects.bulk_create(
            [Remembered(engine=one.engine, key=one.key, value=one.value) for one in rows],
            update_conflicts=True,
            update_fields=["value"],
            unique_fields=["engine", "key"],
        )
        kept += len(rows)
    return kept


def _unknown(rows: list[_Words]) -> list[_Words]:
    known = set(
        Remembered.objects.filter(
            engine__in={one.engine for one in rows}, key__in=[one.key for one in rows]
        ).values_list("engine", "key")
    )
    return [one for one in rows if (one.engine, one.key) not in known]
