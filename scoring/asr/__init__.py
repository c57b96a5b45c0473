"""Transcribers: from recordings to words with times, one module per engine.

Conventions: mono float32 at 16 kHz in, seconds on the recording's own clock out. Engines load
their weights once, on the first recording. The official engines are ``paraformer`` (Chinese) and
``parakeet`` (English); the embedded ones need no weights beyond Python packages and are marked
unofficial.
"""

from pathlib import Path

from scoring.asr.base import Heard, Samples, Transcriber
from scoring.errors import EngineError

__all__ = ["NAMES", "Heard", "Samples", "Transcriber", "load", "weights_in"]

OFFICIAL = ("paraformer", "parakeet")
NAMES = (*OFFICIAL, "whisper-tiny-en", "whisper-base-cn")


def weights_in(models: str, name: str) -> Path | str | None:
    """Return where an engine's weights lie when each has a folder of its name in ``models``.

    Args:
        models: a folder, ``"hub"``, or empty for what is already on this machine.
        name: one of ``NAMES``; the embedded engines bring their weights along.

    Returns:
        The ``model`` argument of ``load``.
    """
    if models == "hub" or not models:
        return models or None if name in OFFICIAL else None
    folder = Path(models) / name
    return folder if name in OFFICIAL or folder.is_dir() else None


def load(
    name: str, *, model: Path | str | None = None, device: str = "cpu", threads: int = 1
) -> Transcriber:
    """Return a transcriber, after checking that its package and weights are here.

    Args:
        name: one of ``NAMES``.
        model: folder with the weights. ``None`` takes what is already on this machine (the cache
            of the model hub, or the package of an embedded transcriber) and never opens a
            connection. ``"hub"`` lets an official engine download its weights.
        device: ``cpu`` or ``cuda``.
        threads: processor threads to use.

    Raises:
        EngineError: the name is unknown (``engine-unknown``), a package is missing
            (``engine-package-missing``) or the weights are (``engine-weights-missing``).
    """
    if name == "paraformer":
        from scoring.asr.paraformer import Paraformer

        return Paraformer(model, device=device, threads=threads)
    if name == "parakeet":
        from scoring.asr.parakeet import Parakeet

        return Parakeet(model, device=device, threads=threads)
    if name in NAMES:
        from scoring.asr.whisper import Whisper

        return Whisper(name, model, device=device, threads=threads)
    raise EngineError(
        f"There is no transcriber called {name!r}.",
        cure=f"Choose one of: {', '.join(NAMES)}.",
        code="engine-unknown",
    )
