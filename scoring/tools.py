"""The engines of a scoring, and where their work is remembered.

Conventions: engines are values that the caller chooses; work is remembered by content (hash of a
recording or of a judge's message) and engine name, so what was heard or judged once is not done
again, by whichever submission it comes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring import asr
from scoring.asr import Heard, Transcriber
from scoring.benchmark import Benchmark
from scoring.corrections import UNCORRECTED, Corrections
from scoring.dialogue import Segment
from scoring.errors import EngineError
from scoring.judge import Judge
from scoring.manifest import Manifest
from scoring.signature import Signature

Samples = NDArray[np.float32]
Detector = Callable[[Sequence[Samples]], list[list[Segment]]]


class Memory(Protocol):
    """Where work is remembered: plain JSON values by engine and content key."""

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values that are known, by key."""

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        """Remember values by key; keeping the same key twice is harmless."""


class Notebook:
    """A memory that lasts as long as the object."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], Any] = {}

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values that are known, by key."""
        return {key: self._values[engine, key] for key in keys if (engine, key) in self._values}

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        """Remember values by key."""
        self._values.update({(engine, key): value for key, value in values.items()})


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A transcriber that is not here; it complains only when there is something to transcribe.

    So a submission whose words were all made elsewhere is scored without any weights.
    """

    name: str
    error: EngineError
    languages: tuple[str, ...] = ()

    @property
    def engine(self) -> str:
        """Name that says so."""
        return f"{self.name}/absent"

    @property
    def unofficial(self) -> bool:
        """Whether the one that is missing is unofficial."""
        return self.name not in asr.OFFICIAL

    def transcribe(
        self, recordings: Sequence[Samples], speech: Sequence[Sequence[Segment]]
    ) -> list[Heard]:
        """Raise why there is no transcriber, unless there is nothing to do."""
        if recordings:
            raise self.error
        return []


# Why a transcriber may be missing without anybody having written something wrong.
_ABSENT = ("engine-package-missing", "engine-weights-missing")


def transcriber(name: str, *, models: str, device: str = "cpu", threads: int = 1) -> Transcriber:
    """Return a transcriber; one without its package or weights complains only when it is needed.

    Args:
        name: one of ``scoring.asr.NAMES``.
        models: see ``scoring.asr.weights_in``.
        device: ``cpu`` or ``cuda``.
        threads: processor threads to use.

    Raises:
        EngineError: there is no transcriber of this name, or its weights cannot be used.
    """
    try:
        return asr.load(name, model=asr.weights_in(models, name), device=device, threads=threads)
    except EngineError as error:
        if error.code not in _ABSENT:
            raise
        return Unavailable(name, error)


@dataclass(frozen=True, slots=True)
class Tools:
    """The engines of a scoring.

    Attributes:
        detect: voice activity of many recordings at once.
        vad: its name.
        transcribers: by language.
        judge: labels exchanges; ``None`` leaves them pending.
        memory: where work is remembered.
    """

    detect: Detector
    vad: str
    transcribers: Mapping[str, Transcriber]
    judge: Judge | None = None
    memory: Memory = field(default_factory=Notebook)

    def signature(
        self,
        benchmark: Benchmark,
        manifest: Manifest,
        mode: str,
        corrections: Corrections = UNCORRECTED,
    ) -> Signature:
        """Name everything that changes a number made with these tools."""
        asr = {name: one.engine for name, one in self.transcribers.items()}
        return Signature(
            protocol=f"{benchmark.slug}-{benchmark.version}",
            mode=mode,
            manifest=manifest.sha256[:12],
            vad=self.vad,
            asr_cn=asr.get("cn", "none"),
            asr_en=asr.get("en", "none"),
            judge=self.judge.signature if self.judge else "pending",
            prompt=self.judge.prompt if self.judge else "none",
            corrections=corrections.mark,
        )

    @property
    def unofficial(self) -> tuple[str, ...]:
        """Names of the engines that are not the official ones."""
        engines = {one.name for one in self.transcribers.values() if one.unofficial}
        judges = {self.judge.name} if self.judge and self.judge.unofficial else set()
        return tuple(sorted(engines | judges))
