"""The nouns of transcription: what a transcriber is, and what it hands back.

Conventions: recordings are mono float32 at 16 kHz; times are seconds on the recording's own clock.
A note is for the page of the item; strict mode makes an error of ``words-uneven`` (decision 32).
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.dialogue import Segment, Transcript, Word
from scoring.reasons import Said

Samples = NDArray[np.float32]

RATE = 16_000


class Heard(NamedTuple):
    """Words of one recording.

    Attributes:
        transcript: the words with their times; silent when nothing was recognised.
        notes: how they were obtained, for the page of the item.
    """

    transcript: Transcript
    notes: tuple[Said, ...] = ()


class Transcriber(Protocol):
    """Something that turns recordings into words with times."""

    @property
    def name(self) -> str:
        """Short name, as people choose it."""

    @property
    def engine(self) -> str:
        """Stable name with version and every setting that changes the words or their times."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages it hears: ``cn``, ``en``."""

    @property
    def unofficial(self) -> bool:
        """Whether the benchmark's authors used another engine (protocol section 3)."""

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe recordings, each by itself.

        Args:
            recordings: mono, 16 kHz.
            speech: raw voice-activity segments of each recording.

        Returns:
            One result per recording. It depends on that recording and its segments only, so it
            may be remembered by content.

        Raises:
            EngineError: the engine or its weights are not usable here.
        """


SILENT = Heard(Transcript("", ()))


def heard(words: Sequence[Word], notes: Sequence[Said] = ()) -> Heard:
    """Make a result whose text is the words joined by spaces, as in the official files."""
    return Heard(Transcript(" ".join(word.text for word in words), tuple(words)), tuple(notes))


def cut(samples: Samples, start: float, end: float) -> Samples:
    """Return the samples between two times, clamped to the recording."""
    return samples[max(0, round(start * RATE)) : max(0, round(end * RATE))]
