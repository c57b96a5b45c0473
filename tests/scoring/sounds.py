"""Sounds for the tests of recordings and voice activity: made here, or recorded and packaged.

Conventions: mono float32 at 16 kHz; the same seed gives the same sound.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring import audio

Samples = NDArray[np.float32]

ROOT = Path(__file__).parents[2]
PACKAGED = ROOT / "leaderboard" / "demo" / "humdial-mini" / "speech.flac"


def silence(count: int) -> Samples:
    return np.zeros(count, np.float32)


def noise(count: int, seed: int = 0, level: float = 0.1) -> Samples:
    random = np.random.default_rng(seed)
    return (level * random.standard_normal(count)).astype(np.float32)


def tone(count: int, hertz: float = 440.0, level: float = 0.5) -> Samples:
    return (level * np.sin(2 * np.pi * hertz * np.arange(count) / 16_000)).astype(np.float32)


def babble(count: int, seed: int = 0) -> Samples:
    """A pulse train that changes its pitch, through two wandering resonances, in syllables."""
    random = np.random.default_rng(seed)
    time = np.arange(count) / 16_000
    first, second, drift, rest = random.uniform(0, 6, 4)
    pitch = 170 + 40 * np.sin(2 * np.pi * 0.7 * time + drift)
    phase, voice = np.cumsum(pitch) / 16_000, np.zeros(count)
    for harmonic in range(1, 24):
        low = 600 + 300 * np.sin(2 * np.pi * 2.1 * time + first)
        high = 1700 + 700 * np.sin(2 * np.pi * 1.3 * time + second)
        near = [np.exp(-(((harmonic * pitch - peak) / 200) ** 2)) for peak in (low, high)]
        voice += (sum(near) + 0.5 / harmonic) * np.sin(2 * np.pi * harmonic * phase)
    syllables = np.clip(np.sin(2 * np.pi * 3.3 * time) + 0.6, 0, None)
    spoken = np.sin(2 * np.pi * 0.23 * time + rest) > -0.3
    return (0.08 * voice * syllables * spoken).astype(np.float32) + noise(count, seed, 1e-3)


def speech() -> Samples:
    """Some minutes of speech that come with the product."""
    if not PACKAGED.exists():
        pytest.skip("the packaged recordings of the demo are not at hand")
    return audio.read(PACKAGED.read_bytes(), path=PACKAGED.name, containers=("wav", "flac")).samples
