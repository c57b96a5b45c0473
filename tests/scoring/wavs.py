"""Wav files for the tests: as libsndfile writes them, or by hand and wrong where it is asked."""

import io
import struct
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from scoring import audio
from scoring.errors import AudioError
from tests.scoring import sounds

SOUND = sounds.babble(8_000, 1)  # half a second
PCM = np.rint(SOUND * 32_767).astype("<i2")


def written(samples: NDArray[Any], rate: int = 16_000, **how: Any) -> bytes:
    """Write with libsndfile, which is not what wrote the code under test."""
    content = io.BytesIO()
    soundfile.write(content, samples, rate, **{"format": "WAV", "subtype": "PCM_16", **how})
    return content.getvalue()


def chunk(name: bytes, content: bytes, size: int | None = None) -> bytes:
    length = len(content) if size is None else size
    return name + struct.pack("<I", length) + content + b"\0" * (len(content) % 2)


def wav(
    samples: bytes,
    *,
    tag: int = 1,
    channels: int = 1,
    rate: int = 16_000,
    bits: int = 16,
    size: int | None = None,
    riff: int | None = None,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Write a wav by hand, wrong where it is asked to be."""
    frame = channels * (bits // 8)
    form = struct.pack("<HHIIHH", tag, channels, rate, rate * frame, frame, bits)
    body = b"WAVE" + before + chunk(b"fmt ", form) + chunk(b"data", samples, size) + after
    return chunk(b"RIFF", body, riff)


GOOD = wav(PCM.tobytes())


def refused(data: bytes, path: str = "a.wav", **how: Any) -> AudioError:
    with pytest.raises(AudioError) as caught:
        audio.read(data, path=path, **how)
    assert caught.value.path == path
    assert caught.value.rule
    assert caught.value.cure
    return caught.value


LEFT, RIGHT = SOUND, sounds.tone(8_000)
BOTH = written(np.stack([LEFT, RIGHT], axis=1), subtype="FLOAT")
