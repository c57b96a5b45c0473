"""Voice activity says what the package says, sample for sample, only sooner."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import silero_vad
import torch
from numpy.typing import NDArray

from scoring import _silero, audio, segments, vad
from scoring.dialogue import Segment
from scoring.errors import AudioError, EngineError
from tests.scoring import sounds
from tests.scoring.sounds import Samples

FRAME = 512
GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "vad_examples.json"
# The recordings of Full-Duplex-Bench may not be shipped; name the folder to test with them.
EXAMPLES = Path(
    os.environ.get(
        "FULL_DUPLEX_EXAMPLES", sounds.ROOT.parent / "shared" / "examples" / "full-duplex-bench"
    )
)


@cache
def model() -> Any:
    with _silero.one_thread():
        return silero_vad.load_silero_vad()


def by_package(recording: Samples) -> list[Segment]:
    """What the package finds when it walks through the recording by itself."""
    with _silero.one_thread():
        found = silero_vad.get_speech_timestamps(torch.from_numpy(recording.copy()), model())
    return [Segment(one["start"] / 16_000, one["end"] / 16_000) for one in found]


def dialogue(seed: int, seconds: float) -> Samples:
    """Speech, pauses of digital silence and a little noise, in a random order and loudness."""
    random = np.random.default_rng(seed)
    source, left = sounds.speech(), int(seconds * 16_000)
    parts: list[Samples] = []
    while left > 0:
        length = min(left, int(random.uniform(0.1, 4) * 16_000))
        start = random.integers(source.size - length)
        kind, loud = random.random(), np.float32(random.uniform(0.02, 1.2))
        if kind < 0.5:
            parts.append(loud * source[start : start + length])
        elif kind < 0.8:
            parts.append(sounds.silence(length))
        else:
            parts.append(loud * sounds.noise(length, seed, 0.05))
        left -= length
    return np.concatenate(parts)


SOUNDS = {
    "silence": sounds.silence(80_000),
    "noise": sounds.noise(80_001),
    "quiet noise": sounds.noise(80_000, level=1e-5),
    "tone": sounds.tone(79_999),
    "low tone": sounds.tone(80_000, hertz=50, level=1.0),
    "beyond full scale": 4 * sounds.babble(80_000, 1),
    "voice": sounds.babble(192_000, 2),
    "quiet voice": np.float32(0.01) * sounds.babble(192_000, 3),
    "voice in noise": sounds.babble(192_000, 4) + sounds.noise(192_000, 4),
}


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_has_the_segments_of_the_package(name: str) -> None:
    assert vad.detect([SOUNDS[name]]) == [by_package(SOUNDS[name])]


def test_only_voices_are_found_and_they_are_found() -> None:
    found = dict(zip(SOUNDS, vad.detect(list(SOUNDS.values())), strict=True))
    assert {name for name, parts in found.items() if parts} >= {"voice", "beyond full scale"}
    assert found["silence"] == found["noise"] == found["low tone"] == []


@pytest.mark.parametrize("frames", [0, 1, 2, 8, 127, 128, 129, 511, 512, 513])
@pytest.mark.parametrize("more", [-1, 0, 1, 63, 64, 65])
def test_every_odd_length_has_the_segments_of_the_package(frames: int, more: int) -> None:
    recording = VOICE[: max(frames * FRAME + more, 0)]
    assert vad.detect([recording]) == [by_package(recording)]


VOICE = sounds.babble(514 * FRAME, 5)


@pytest.mark.parametrize("seconds", [0.3, 5, 30, 61.7, 180])
def test_recorded_speech_has_the_segments_of_the_package(seconds: float) -> None:
    recordings = [dialogue(seed, seconds) for seed in range(2 if seconds < 60 else 1)]
    expected = [by_package(recording) for recording in recordings]
    assert vad.detect(recordings) == expected
    assert seconds < 1 or all(expected)


def test_three_minutes_of_voice_have_the_segments_of_the_package() -> None:
    recording = np.tile(VOICE, 11)[: 180 * 16_000 + 77]
    (found,) = vad.detect([recording])
    assert found == by_package(recording)
    assert len(found) > 40


def test_recordings_do_not_hear_each_other() -> None:
    lengths = [0, 70_001, 300, 160_000, 512, 1, 96_256, 0, 40_000, 120_123, 16_000, 150_000]
    recordings = [sounds.babble(length, seed) for seed, length in enumerate(lengths)]
    alone = [vad.detect([recording])[0] for recording in recordings]
    assert vad.detect(recordings) == alone
    assert vad.detect(recordings[::-1]) == alone[::-1]
    assert len({tuple(parts) for parts in alone if parts}) == 7  # no two alike
    assert [number for number, parts in enumerate(alone) if not parts] == [0, 2, 4, 5, 7]


def test_nothing_gives_nothing() -> None:
    assert vad.detect([]) == []
    assert vad.detect([sounds.silence(0)]) == [[]]


def test_segments_lie_on_samples() -> None:
    (found,) = vad.detect([SOUNDS["voice"]])
    edges = [edge for segment in found for edge in segment]
    assert edges
    assert edges == [round(edge * 16_000) / 16_000 for edge in edges]
    assert {type(edge) for edge in edges} == {float}


def test_a_view_and_a_read_only_recording_are_heard_alike() -> None:
    both = np.stack([SOUNDS["voice"], SOUNDS["voice in noise"]], axis=1)
    still = SOUNDS["voice"].copy()
    still.setflags(write=False)
    assert vad.detect([both[:, 0], still]) == vad.detect([SOUNDS["voice"]]) * 2


def test_a_recording_is_left_as_it_was() -> None:
    recording = SOUNDS["voice"].copy()
    vad.detect([recording])
    assert np.array_equal(recording, SOUNDS["voice"])


@pytest.mark.parametrize(
    "recording",
    [
        SOUNDS["voice"].astype(np.float64),
        (SOUNDS["voice"] * 32_767).astype(np.int16),
        np.zeros((2, 16_000), np.float32),
        np.float32(0.5) * np.ones((16_000, 1), np.float32),
        np.array([0.0, np.nan], np.float32),
        np.array([np.inf, 0.0], np.float32),
        [0.0, 0.1],
        torch.zeros(16_000),
    ],
    ids=["float64", "int16", "two rows", "one column", "nan", "infinite", "a list", "a tensor"],
)
def test_what_is_not_one_channel_of_samples_is_named(recording: Any) -> None:
    with pytest.raises(AudioError) as caught:
        vad.detect([sounds.silence(100), recording])
    assert caught.value.code == "audio-wrong-samples"
    assert caught.value.path == "recordings[1]"


@pytest.mark.parametrize("threads", [1, 2])
def test_the_number_of_threads_is_put_back(threads: int) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        vad.detect([SOUNDS["voice"]])
        assert torch.get_num_threads() == threads
        with pytest.raises(AudioError):
            vad.detect([np.zeros(3)])  # type: ignore[list-item] # the wrong type is the point
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)


def probabilities_by_package(recording: Samples) -> NDArray[np.float32]:
    padded = np.pad(recording, (0, -recording.size % FRAME)).reshape(-1, FRAME)
    with _silero.one_thread(), torch.no_grad():
        model().reset_states()
        values = [model()(torch.from_numpy(frame), 16_000).item() for frame in padded]
    return np.array(values, np.float32)


def test_bulk_probabilities_stay_within_the_margin() -> None:
    recordings = [*SOUNDS.values(), *(dialogue(seed, 20) for seed in range(5))]
    with _silero.one_thread():
        found = _silero.probabilities(recordings)
    for values, recording in zip(found, recordings, strict=True):
        assert np.abs(values - probabilities_by_package(recording)).max() < vad.MARGIN


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of frames that the package has been asked about."""
    counts: list[int] = []

    def exact(recording: Samples, frames: int) -> Samples:
        counts.append(frames)
        return plain(recording, frames)

    plain = _silero.exact
    monkeypatch.setattr(_silero, "exact", exact)
    return counts


def spoken(frames: range, of: int = 375) -> NDArray[np.float32]:
    """Probabilities of speech in these frames and of silence elsewhere."""
    values = np.zeros(of, np.float32)
    values[frames.start : frames.stop] = 0.9
    return values


def test_where_segments_hang_on_a_close_value_the_package_decides(asked: list[int]) -> None:
    recording = SOUNDS["voice"]
    truth = probabilities_by_package(recording)
    values = spoken(range(200, 300))
    values[199] = vad.THRESHOLDS[0] + vad.MARGIN / 2  # does it start here, or a frame later?
    expected = [*truth[:200], *values[200:]]
    assert vad._segments(values, recording) == vad._cut(np.array(expected), recording.size)
    assert asked == [200]


@pytest.mark.parametrize(
    ("position", "value"), [(250, vad.THRESHOLDS[0]), (100, vad.THRESHOLDS[1])]
)
def test_a_close_value_that_changes_nothing_needs_no_package(
    asked: list[int], position: int, value: float
) -> None:
    values = spoken(range(200, 300))
    whole = vad._cut(values, 375 * FRAME)
    values[position] = value - vad.MARGIN / 2  # amid speech, or where nobody speaks
    assert vad._segments(values, SOUNDS["voice"]) == whole
    assert asked == []


def test_with_many_close_values_the_package_decides(asked: list[int]) -> None:
    values = spoken(range(200, 300))
    values[250 : 251 + vad.MOST_CLOSE] = vad.THRESHOLDS[0]
    vad._segments(values, SOUNDS["voice"])
    assert asked == [251 + vad.MOST_CLOSE]


def test_close_values_lie_on_both_sides_of_their_own_threshold() -> None:
    values = np.array([0.1, 0.35, 0.5, 0.9], np.float32)
    close = vad._close(values)
    assert close.tolist() == [1, 2]
    sides = {
        tuple(one >= limit for one, limit in zip(reading[[1, 2]], (0.35, 0.5), strict=True))
        for reading in vad._readings(values, close)
    }
    assert sides == {(False, False), (False, True), (True, False), (True, True)}


def test_the_engine_is_named_with_its_version() -> None:
    assert vad.ENGINE == vad.engine() == "silero-6.2.3"


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(EngineError, match="silero-vad"):
        vad.engine()


GOLDEN_ITEMS = json.loads(GOLDEN.read_text(encoding="utf-8"))["versions"]["silero-vad 6.2.3"]


def example(item: str, side: str) -> Samples:
    path = EXAMPLES / item / f"{side}.wav"
    if not path.exists():
        pytest.skip("the recordings of Full-Duplex-Bench are not at hand")
    return audio.read(path.read_bytes(), path=str(path)).samples


@pytest.mark.parametrize("item", GOLDEN_ITEMS)
def test_an_example_has_the_segments_turns_and_latencies_of_the_official_script(item: str) -> None:
    golden, sides = GOLDEN_ITEMS[item], ("input", "output")
    found = vad.detect([example(item, side) for side in sides])
    for side, parts in zip(sides, found, strict=True):
        assert parts == [(s / 16_000, e / 16_000) for s, e in golden[side]["samples_16k"]]
    user, model = segments.merge(found[0], 0.6), segments.merge(found[1], 0.5)
    assert rounded(user) == golden["input"]["merged_seconds"]
    assert rounded(model) == golden["output"]["merged_seconds"]
    assert rounded(segments.overlaps(user, model)) == golden["latency_stop_list"]
    assert rounded(segments.response_gaps(user, model)) == golden["latency_resp_list"]


def rounded(parts: list[Segment]) -> list[list[float]]:
    return [[round(start, 3), round(end, 3)] for start, end in parts]
