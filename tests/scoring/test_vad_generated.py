"""Voice activity on 200 generated recordings is what the package finds in each by itself.

Recordings come from seeds alone: silence, noise and packaged speech in a random order, between
nothing and three minutes long, with lengths around the edges of frames, clipped or hardly audible.
The reference is the package's own model and its own call, one recording at a time.
"""

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pytest

from scoring import vad
from tests.scoring import sounds
from tests.scoring.sounds import Samples
from tests.scoring.test_vad import FRAME, by_package

COUNT = 200
# Samples over (or under) a whole number of frames.
TAILS = (-1, 0, 1, 63, 64, 65, 255, 256, 511)
THREE_MINUTES = 180 * 16_000
# The package walks through about 90 seconds in a second: most are short, each tenth longer.
SECONDS: Mapping[str, tuple[float, float]] = {
    "short": (0.0, 6.0),
    "longer": (12.0, 30.0),
    "long": (45.0, 90.0),
}

Random = np.random.Generator


def silence(length: int, random: Random) -> Samples:
    return sounds.silence(length)


def noise(length: int, random: Random) -> Samples:
    level = 10 ** random.uniform(-4, -0.5)
    return sounds.noise(length, int(random.integers(1 << 30)), float(level))


@cache
def packaged() -> Samples:
    return sounds.speech()


def speech(length: int, random: Random) -> Samples:
    source = packaged()
    start = int(random.integers(source.size - length))
    return source[start : start + length]


def noisy_speech(length: int, random: Random) -> Samples:
    return speech(length, random) + np.float32(0.3) * noise(length, random)


def quiet_speech(length: int, random: Random) -> Samples:
    """So quiet that voice activity comes and goes."""
    return np.float32(10 ** random.uniform(-3, -1.3)) * speech(length, random)


def clipped_speech(length: int, random: Random) -> Samples:
    return np.clip(np.float32(random.uniform(3, 30)) * speech(length, random), -1, 1)


def overflowing_speech(length: int, random: Random) -> Samples:
    """Beyond full scale, as a float file may be."""
    return np.float32(random.uniform(2, 8)) * speech(length, random)


def offset_speech(length: int, random: Random) -> Samples:
    """On top of a constant, as a bad sound card gives it."""
    return speech(length, random) + np.float32(random.uniform(-0.3, 0.3))


def stepped_speech(length: int, random: Random) -> Samples:
    """In few steps of loudness, as an 8-bit telephone gives it."""
    steps = float(random.choice([16, 64, 128]))
    return np.asarray(np.round(speech(length, random) * steps) / steps, np.float32)


KINDS: tuple[Callable[[int, Random], Samples], ...] = (
    silence, noise, speech, noisy_speech, quiet_speech, clipped_speech, overflowing_speech,
    offset_speech, stepped_speech,
)  # fmt: skip


def generated(number: int) -> Samples:
    """Return one of the recordings; the same number gives the same samples."""
    random = np.random.default_rng([2026, number])
    parts: list[Samples] = []
    length = length_of(number, random)
    pure = number % 4 == 0  # one kind all through, else kinds in turn, with pauses
    while length > 0:
        kind = KINDS[(number // 4 if pure else int(random.integers(len(KINDS)))) % len(KINDS)]
        if not pure and len(parts) % 2:
            kind = silence if random.random() < 0.7 else noise
        some = min(length, int(random.uniform(0.02, 20 if pure else 1.5) * 16_000))
        parts.append(kind(some, random))
        length -= some
    return np.concatenate([sounds.silence(0), *parts]).astype(np.float32)


def length_of(number: int, random: Random) -> int:
    """Choose a length: the edges first, then around whole frames, two of three minutes."""
    edges = [0, 1, 2, 63, 64, 65, 511, 512, 513, 575, 576, 577, 1023, 1024, 1025]
    if number < len(edges):
        return edges[number]
    if number >= COUNT - 2:
        return THREE_MINUTES - (COUNT - 1 - number)
    size = "long" if number % 50 == 49 else "longer" if number % 10 == 9 else "short"
    frames = int(random.uniform(*SECONDS[size]) * 16_000) // FRAME
    return max(0, frames * FRAME + TAILS[number % len(TAILS)])


@pytest.mark.slow
def test_200_generated_recordings_have_the_segments_of_the_package_sample_for_sample() -> None:
    recordings = [generated(number) for number in range(COUNT)]
    found = vad.detect(recordings)
    differing = [
        number
        for number, (parts, recording) in enumerate(zip(found, recordings, strict=True))
        if parts != by_package(recording)
    ]
    assert differing == []
    # The comparison would mean little if hardly anything were found.
    assert sum(bool(parts) for parts in found) > COUNT // 2
    assert sum(map(len, found)) > 2 * COUNT


def test_the_generated_recordings_are_what_they_claim_to_be() -> None:
    recordings = [generated(number) for number in range(COUNT)]
    lengths = [one.size for one in recordings]
    assert (min(lengths), max(lengths)) == (0, THREE_MINUTES)
    assert {length % FRAME for length in lengths} >= {tail % FRAME for tail in TAILS}
    assert len({one.tobytes() for one in recordings if one.any()}) > 0.85 * COUNT
    assert any(one.size and not one.any() for one in recordings)
    assert any(one.size > FRAME and 0 < np.abs(one).max() < 0.05 for one in recordings)
    assert any(np.abs(one).max(initial=0) > 1 for one in recordings)
    assert {one.dtype for one in recordings} == {np.dtype(np.float32)}
    assert np.array_equal(generated(77), recordings[77])
