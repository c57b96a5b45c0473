"""Transcribers: words with times from recordings, one module per engine.

Conventions: recordings are mono float32 at 16 kHz; times are seconds on the recording's clock.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.dialogue import Segment, Transcript


class Heard(NamedTuple):
    """What a transcriber heard."""

    transcript: Transcript
    notes: tuple[str, ...]


class Transcriber(Protocol):
    """Turns recordings into words."""

    @property
    def engine(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def unofficial(self) -> bool: ...

    def transcribe(
        self, recordings: Sequence[NDArray[np.float32]], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Transcribe recordings, given their voice activity."""


def load(
    name: str, *, model: Path | str | None = None, device: str = "cpu", threads: int = 1
) -> Transcriber:
    """Load one."""
    raise NotImplementedError
