"""Chinese words from FunASR's Paraformer, called as the official script calls it.

Conventions: one recording a call (several arrays in a call would share a key), its own voice
activity (fsmn-vad), no punctuation model; a token is one Chinese character or one English word
(protocol section 3). Times come in milliseconds and leave in seconds.
"""

import contextlib
import io
import logging
import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import starmap
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from scoring.asr import weights
from scoring.asr.base import RATE, SILENT, Heard, Samples, cut, heard
from scoring.dialogue import Segment, Word
from scoring.errors import EngineError, Phrase
from scoring.reasons import UNEVEN, Said

REVISION = "v2.0.4"
BATCH_SIZE_S = 300

# name in the scripts -> (folder on the hub, files without which it does not load)
MODELS = {
    "paraformer-zh": (
        "iic/speech_seaco_paraformer_large_asr_nat-zh-cn-16k-common-vocab8404-pytorch",
        ("config.yaml", "model.pt", "am.mvn", "tokens.json"),
    ),
    "fsmn-vad": (
        "iic/speech_fsmn_vad_zh-cn-16k-common-pytorch",
        ("config.yaml", "model.pt", "am.mvn"),
    ),
}
PLACE = (
    f"Put the files of the hub models paraformer-zh and fsmn-vad ({REVISION}) into the sub-folders "
    "paraformer-zh and fsmn-vad of one folder and name that folder as the model, or name 'hub' to "
    "let them be downloaded."
)

# The feature extractor refuses less than one frame of 25 ms.
SHORTEST = RATE * 25 // 1000

AGAIN = (
    "The whole recording came back empty though speech was heard; it was transcribed again "
    "segment by segment."
)
STILL_SILENT = "No word was recognised in it, segment by segment either."


class Paraformer:
    """The official Chinese transcriber."""

    name = "paraformer"
    languages = ("cn",)
    unofficial = False

    def __init__(self, model: Path | str | None, *, device: str, threads: int) -> None:
        """Check that package and weights are here; see ``scoring.asr.load``."""
        release = weights.package_version("funasr", needs="requirements.txt")
        self._folders = {name: _folder(name, model) for name in MODELS}
        marks = [
            f"{name}-{weights.fingerprint(folder, MODELS[name][1])}"
            for name, folder in self._folders.items()
        ]
        self.engine = f"funasr-{release}/{'+'.join(marks)}/batch{BATCH_SIZE_S}s"
        self._device, self._threads = device, threads
        self._lock = Lock()  # the engine rewrites its own settings during a call

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe recordings, each by itself; see ``Transcriber``."""
        return list(starmap(self._one, zip(recordings, speech, strict=True)))

    def _one(self, samples: Samples, speech: Sequence[Segment]) -> Heard:
        if len(samples) < SHORTEST:
            return SILENT
        with self._lock, _contained():
            whole = words_of(self._model.generate(input=samples, batch_size_s=BATCH_SIZE_S))
            if whole.transcript.words or not speech:
                return whole
            return self._by_segment(samples, speech)

    def _by_segment(self, samples: Samples, speech: Sequence[Segment]) -> Heard:
        """Hear each segment by itself: one empty segment can empty the whole recording."""
        words: list[Word] = []
        notes: list[Said] = [AGAIN]
        for segment in speech:
            clip = cut(samples, *segment)
            if len(clip) >= SHORTEST:
                # ``inference`` is ``generate`` without the engine's own voice activity.
                part = words_of(self._model.inference(clip), offset_ms=round(segment.start * 1000))
                words += part.transcript.words
                notes += part.notes
        return heard(words, notes if words else [*notes, STILL_SILENT])

    @cached_property
    def _model(self) -> Any:
        from funasr import AutoModel

        return AutoModel(
            model=str(self._folders["paraformer-zh"]),
            vad_model=str(self._folders["fsmn-vad"]),
            device=self._device,
            ncpu=self._threads,
            disable_update=True,
            disable_pbar=True,
        )


def words_of(result: object, *, offset_ms: int = 0) -> Heard:
    """Read what the engine returned for one recording.

    Args:
        result: a list with one ``{"text": ..., "timestamp": [[start_ms, end_ms], ...]}``. A missing
            item, and a text of nothing but spaces with or without times, mean silence.
        offset_ms: milliseconds to add to every time.

    Returns:
        Tokens and times paired by position. When their numbers differ the shorter list wins, as
        in the official script, and a note says so (decision 32).

    Raises:
        EngineError: there are words without any times.
    """
    item = result[0] if isinstance(result, list) and result else {}
    tokens, times = str(item.get("text") or "").split(), item.get("timestamp") or []
    if not tokens:
        return SILENT
    if not times:
        raise EngineError(
            "The model loaded as paraformer-zh gives words without times.",
            cure="Use a Paraformer with a timestamp predictor, as the hub's paraformer-zh "
            f"{REVISION} has; without times nothing can be measured.",
            code="engine-without-times",
        )
    words = [
        Word(token, (offset_ms + start) / 1000, (offset_ms + end) / 1000)
        for token, (start, end) in zip(tokens, times, strict=False)
    ]
    return heard(words, _uneven(len(tokens), len(times)))


def _uneven(tokens: int, times: int) -> list[Phrase]:
    if tokens == times:
        return []
    return [Phrase(UNEVEN, {"words": str(tokens), "times": str(times)})]


def _folder(name: str, model: Path | str | None) -> Path:
    repo, files = MODELS[name]
    if model is not None and model != "hub":
        folder = Path(model) / name
    else:
        folder = weights.from_modelscope(
            repo, revision=REVISION, model=name, place=PLACE, download=model == "hub"
        )
    return weights.check_folder(folder, files, model=name, place=PLACE)


@contextlib.contextmanager
def _contained() -> Iterator[None]:
    """Undo what the engine does to the process.

    Importing and calling it seeds every random generator with 0, sets the number of threads,
    configures the root logger and prints.
    """
    import torch

    root = logging.getLogger()
    handlers, level, threads = list(root.handlers), root.level, torch.get_num_threads()
    dice, numbers, tensors = random.getstate(), np.random.get_state(), torch.get_rng_state()
    root.addHandler(logging.NullHandler())  # a logger with a handler is left alone by basicConfig
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        random.setstate(dice)
        np.random.set_state(numbers)
        torch.set_rng_state(tensors)
        torch.set_num_threads(threads)
        root.handlers[:] = handlers
        root.setLevel(level)
