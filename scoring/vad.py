"""Voice activity: when somebody speaks, for many recordings at once.

Conventions: recordings are mono float32 at 16 kHz; segments are raw (not merged into turns) and
lie on samples, given in seconds as sample / 16000. The engine is Silero VAD with its defaults, as
the official timing script calls it (protocol section 5.1), in the pinned version that ``ENGINE``
names: versions differ by more than half a second in places (decision D9).
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scoring.audio import SAMPLE_RATE
from scoring.dialogue import Segment
from scoring.errors import AudioError, EngineError

Samples = NDArray[np.float32]

# Speech starts at the first and ends below the second: the defaults of the engine.
THRESHOLDS = (0.5, 0.35)

# Probabilities computed in bulk differ from the package's by less than this (6.5e-5 is the most
# ever seen). Closer to a threshold both sides of it are tried, with so many values at most; where
# it makes a difference, the package decides.
MARGIN = 1e-4
MOST_CLOSE = 4


def engine() -> str:
    """Return the engine's name and version, for the signature of a run.

    Raises:
        EngineError: the package is not installed.
    """
    try:
        return f"silero-{version('silero-vad')}"
    except PackageNotFoundError as cause:
        raise EngineError(
            "Voice activity needs the package silero-vad.", cure="Install requirements.txt."
        ) from cause


ENGINE = engine()


def detect(recordings: Sequence[NDArray[np.float32]]) -> list[list[Segment]]:
    """Find the stretches of speech in recordings (protocol section 5.1).

    Gives, sample for sample, what ``silero_vad.get_speech_timestamps`` gives for each recording
    by itself, in a small part of its time. Runs on one thread; use processes for more.

    Args:
        recordings: mono, 16 kHz, shape (samples,) each, of any lengths. An empty recording holds
            no speech.

    Returns:
        For each recording, in the order given, its segments in seconds, sorted.

    Raises:
        AudioError: a recording is not one-dimensional, not float32 or not finite.
        EngineError: the engine cannot be loaded.
    """
    for number, recording in enumerate(recordings):
        _check(recording, f"recordings[{number}]")
    from scoring import _silero  # torch takes seconds to load; reading a report needs none of it

    with _silero.one_thread():
        return [
            _segments(values, recording)
            for values, recording in zip(_silero.probabilities(recordings), recordings, strict=True)
        ]


def _segments(values: Samples, recording: Samples) -> list[Segment]:
    """Find the segments; the package decides where they hang on a value too close to tell."""
    close = _close(values)
    if close.size <= MOST_CLOSE:
        first, *others = (_cut(one, recording.size) for one in _readings(values, close))
        if all(other == first for other in others):
            return first
    return _cut(_settled(values, recording, close), recording.size)


def _close(values: Samples) -> NDArray[np.intp]:
    """Positions of the values too close to a threshold."""
    distances = [np.abs(values - threshold) for threshold in THRESHOLDS]
    return np.flatnonzero(np.minimum(*distances) < MARGIN)


def _readings(values: Samples, close: NDArray[np.intp]) -> Iterator[Samples]:
    """Put the close values below their thresholds and above, in every combination."""
    start, end = THRESHOLDS
    thresholds = np.where(values[close] > (start + end) / 2, start, end)
    for sides in product((-MARGIN, MARGIN), repeat=close.size):
        reading = values.copy()
        reading[close] = thresholds + np.array(sides)
        yield reading


def _settled(values: Samples, recording: Samples, close: NDArray[np.intp]) -> Samples:
    """Replace the close values, and all before them, by the package's own."""
    from scoring import _silero

    count = int(close[-1]) + 1
    return np.concatenate([_silero.exact(recording, count), values[count:]])


def _cut(values: Samples, length: int) -> list[Segment]:
    """Turn probabilities into segments, as the package does."""
    from scoring import _silero

    found = _silero.package().get_speech_timestamps_from_probs(
        values.tolist(), audio_length_samples=length
    )
    return [Segment(one["start"] / SAMPLE_RATE, one["end"] / SAMPLE_RATE) for one in found]


def _check(recording: object, path: str) -> None:
    if not isinstance(recording, np.ndarray):
        found = type(recording).__name__
    elif recording.ndim != 1 or recording.dtype != np.float32:
        found = f"{recording.dtype} of shape {recording.shape}"
    elif not np.isfinite(recording).all():
        found = "values that are not finite"
    else:
        return
    raise AudioError(
        f"Voice activity needs one channel of finite float32 samples, found {found}.",
        cure="Read the file with scoring.audio.read.",
        path=path,
        code="audio-wrong-samples",
    )
