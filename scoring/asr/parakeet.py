"""English words from Parakeet TDT 0.6b v2, the official weights through onnx-asr.

Conventions: the whole recording in one call, as the official script does (protocol section 3). The
engine times the start of each token in steps of 80 ms and nothing else, so words are put together
here: a leading space opens a word, its first token starts it, and it ends where the next word
starts or voice activity stops, whichever is earlier.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from scoring.asr import weights
from scoring.asr.base import RATE, SILENT, Heard, Samples, heard
from scoring.dialogue import Segment, Word
from scoring.errors import EngineError

MODEL = "nemo-parakeet-tdt-0.6b-v2"
REPOSITORY = "istupakov/parakeet-tdt-0.6b-v2-onnx"
FILES = ("config.json", "vocab.txt", "encoder-model.onnx", "decoder_joint-model.onnx")
PLACE = (
    f"Put the files of the hub model {REPOSITORY} into one folder and name that folder as the "
    "model, or name 'hub' to let them be downloaded."
)

# Length of the engine's time step, in seconds.
STEP = 0.08

# The engine's window is 25 ms; less than that is no recording to it.
SHORTEST = RATE * 25 // 1000


class Parakeet:
    """The official English transcriber."""

    name = "parakeet"
    languages = ("en",)
    unofficial = False

    def __init__(self, model: Path | str | None, *, device: str, threads: int) -> None:
        """Check that package and weights are here; see ``scoring.asr.load``."""
        release = weights.package_version("onnx-asr", needs="requirements.txt")
        self._folder = _folder(model)
        mark = weights.fingerprint(self._folder, FILES)
        self.engine = f"onnx-asr-{release}/{MODEL}-{mark}/ends-by-next-word-and-vad"
        self._device, self._threads = device, threads

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe recordings, each by itself; see ``Transcriber``."""
        return list(starmap(self._one, zip(recordings, speech, strict=True)))

    def _one(self, samples: Samples, speech: Sequence[Segment]) -> Heard:
        if len(samples) < SHORTEST:
            return SILENT
        return words_of(self._model.recognize(samples), speech)

    @cached_property
    def _model(self) -> Any:
        import onnx_asr
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        gpu = ["CUDAExecutionProvider"] if self._device.startswith("cuda") else []
        model = onnx_asr.load_model(
            MODEL,
            self._folder,
            sess_options=options,
            providers=[*gpu, "CPUExecutionProvider"],
        )
        return model.with_timestamps()


def words_of(result: Any, speech: Sequence[Segment]) -> Heard:
    """Put the tokens of one recording together to words with times.

    Args:
        result: of the engine: ``text``, ``tokens`` and ``timestamps`` (start of each token).
        speech: voice-activity segments of the recording.

    Raises:
        EngineError: there is text without tokens or times.
    """
    if not str(result.text or "").strip():
        return SILENT
    if not result.tokens or not result.timestamps:
        raise EngineError(
            f"The model loaded as {MODEL} gives words without times.",
            cure="Use a transducer model (TDT) as the hub's has; without times nothing can be "
            "measured.",
            code="engine-without-times",
        )
    spoken = list(_spoken(zip(result.tokens, result.timestamps, strict=True)))
    following = [*(one.start for one in spoken[1:]), None]
    ends = [_end(one, until, speech) for one, until in zip(spoken, following, strict=True)]
    return heard([Word(one.text, one.start, end) for one, end in zip(spoken, ends, strict=True)])


class _Spoken(NamedTuple):
    """A word whose end is still open: its text, and the starts of its first and last token."""

    text: str
    start: float
    last: float


def _spoken(tokens: Iterable[tuple[str, float]]) -> Iterable[_Spoken]:
    word: _Spoken | None = None
    for raw, start in tokens:
        token = raw.replace("\u2581", " ")
        if word is not None and not token.startswith(" "):
            word = _Spoken(word.text + token, word.start, start)
            continue
        if word is not None and word.text:
            yield word
        word = _Spoken(token.strip(), start, start)
    if word is not None and word.text:
        yield word


def _end(word: _Spoken, until: float | None, speech: Sequence[Segment]) -> float:
    """Return the end of a word: the next one's start, or the end of speech before that."""
    stops = [segment.end for segment in speech if segment.start <= word.last < segment.end][:1]
    limits = stops + ([] if until is None else [until])
    return max(word.start, min(limits, default=word.last + STEP))


def _folder(model: Path | str | None) -> Path:
    if model is not None and model != "hub":
        folder = Path(model)
    else:
        folder = weights.from_huggingface(
            REPOSITORY, model=MODEL, place=PLACE, download=model == "hub"
        )
    return weights.check_folder(folder, FILES, model=MODEL, place=PLACE)
