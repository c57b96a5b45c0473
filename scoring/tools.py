"""The engines of a scoring, and where their work is remembered.

Conventions: engines are values that the caller chooses; work is remembered by content (hash of a
recording or of a judge's message) and engine name, so what was heard or judged once is not done
again, by whichever submission it comes.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
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
from scoring.evidence import MODES
from scoring.judge import Judge, Tariff
from scoring.judge.usage import FREE
from scoring.manifest import Manifest
from scoring.signature import BOTH, NO_JUDGE, NOT_ASKED, Signature, both

Samples = NDArray[np.float32]
Detector = Callable[[Sequence[Samples]], list[list[Segment]]]


class Memory(Protocol):
    """Where work is remembered: plain JSON values by engine and content key."""

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """Return the values that are known, by key."""

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        """Remember values by key; keeping the same key twice is harmless."""

    def forget(self, engine: str, keys: Sequence[str]) -> None:
        """Forget values by key; unknown keys are harmless."""


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

    def forget(self, engine: str, keys: Sequence[str]) -> None:
        """Forget values by key."""
        for key in keys:
            self._values.pop((engine, key), None)


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
        judges: by mode; a mode without one is not judged. One judge may serve both.
        memory: where work is remembered.
    """

    detect: Detector
    vad: str
    transcribers: Mapping[str, Transcriber]
    judges: Mapping[str, Judge] = field(default_factory=dict)
    memory: Memory = field(default_factory=Notebook)

    def signature(
        self,
        benchmark: Benchmark,
        manifest: Manifest,
        mode: str,
        corrections: Corrections = UNCORRECTED,
        *,
        asked: Collection[str] = MODES,
    ) -> Signature:
        """Name everything that changes a number made with these tools.

        Args:
            benchmark: which rules.
            manifest: the expected items.
            mode: ``official``, ``strict``, or ``both`` for a run that stores both.
            corrections: labels of people.
            asked: the modes in which the judge is asked.
        """
        if mode == BOTH:
            pair = (
                self.signature(benchmark, manifest, one, corrections, asked=asked) for one in MODES
            )
            return both(*pair)
        judge = self.judges.get(mode) if mode in asked else None
        nobody = NO_JUDGE if mode in asked else NOT_ASKED
        asr = {name: one.engine for name, one in self.transcribers.items()}
        return Signature(
            protocol=f"{benchmark.slug}-{benchmark.version}",
            mode=mode,
            manifest=manifest.sha256[:12],
            vad=self.vad,
            asr_cn=asr.get("cn", "none"),
            asr_en=asr.get("en", "none"),
            judge=judge.signature if judge else nobody,
            prompt=judge.prompt if judge else "none",
            corrections=corrections.mark,
        )

    @property
    def tariff(self) -> Tariff:
        """Prices and budget of the judges, which are the same in every mode."""
        return next((one.tariff for one in self.judges.values()), FREE)

    @property
    def unofficial(self) -> tuple[str, ...]:
        """Names of the engines that are not the official ones."""
        engines = {one.name for one in self.transcribers.values() if one.unofficial}
        judges = {one.name for one in self.judges.values() if one.unofficial}
        return tuple(sorted(engines | judges))
