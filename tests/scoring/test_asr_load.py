"""A transcriber that cannot be loaded says what is missing, where it goes, and how to go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import asr
from scoring.asr import weights
from scoring.errors import EngineError
from tests.scoring import sounds

OFFLINE = """
import socket
def refuse(*args, **kwargs): raise SystemExit("a connection was opened")
socket.socket.connect = socket.create_connection = refuse
from scoring import asr
from scoring.errors import EngineError
try:
    asr.load({name!r})
except EngineError as error:
    print(error.code, error)
"""


@pytest.mark.parametrize(
    ("name", "named"), [("paraformer", "paraformer-zh"), ("parakeet", "nemo-parakeet-tdt-0.6b-v2")]
)
def test_first_start_without_weights_opens_no_connection(
    name: str, named: str, tmp_path: Path
) -> None:
    caches = dict.fromkeys(["HF_HOME", "HF_HUB_CACHE", "MODELSCOPE_CACHE"], str(tmp_path))
    told = subprocess.run(
        [sys.executable, "-c", OFFLINE.format(name=name)],
        env=os.environ | caches,
        cwd=sounds.ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert told.startswith("engine-weights-missing ")
    assert named in told
    assert "name that folder as the model" in told
    assert "whisper-tiny-en" in told


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("paraformer", "paraformer-zh"),
        ("parakeet", "nemo-parakeet-tdt-0.6b-v2"),
        ("whisper-tiny-en", "whisper-tiny-en"),
    ],
)
def test_a_folder_that_does_not_exist_is_named(name: str, missing: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="no folder") as caught:
        asr.load(name, model=tmp_path / "nowhere")
    assert caught.value.code == "engine-weights-missing"
    assert missing in caught.value.rule
    assert "nowhere" in caught.value.rule


def test_an_incomplete_folder_names_the_missing_files(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").touch()
    (tmp_path / "config.json").touch()
    with pytest.raises(EngineError, match=r"lacks encoder-model\.onnx, decoder_joint-model\.onnx"):
        asr.load("parakeet", model=str(tmp_path))


def test_an_unknown_transcriber_lists_the_known_ones() -> None:
    with pytest.raises(EngineError, match="whisper-base-cn") as caught:
        asr.load("moonshine")
    assert caught.value.code == "engine-unknown"


def test_a_package_that_is_not_installed_names_the_file_to_install() -> None:
    with pytest.raises(EngineError, match=r"Install requirements-demo\.txt") as caught:
        weights.package_version("no-such-package", needs="requirements-demo.txt")
    assert caught.value.code == "engine-package-missing"


def test_other_weights_have_another_fingerprint(tmp_path: Path) -> None:
    big = bytes(300_000)
    (tmp_path / "model.bin").write_bytes(big)
    first = weights.fingerprint(tmp_path, ["model.bin"])
    assert weights.fingerprint(tmp_path, ["model.bin"]) == first
    (tmp_path / "model.bin").write_bytes(big[:-1] + b"x")
    assert weights.fingerprint(tmp_path, ["model.bin"]) != first
