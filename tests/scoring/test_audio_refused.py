"""What cannot be scored is refused by name, with the rule and a cure."""

from typing import Any, cast

import numpy as np
import pytest

from scoring import audio
from scoring.errors import AudioError
from tests.scoring.wavs import GOOD, LEFT, PCM, RIGHT, SOUND, chunk, refused, wav, written


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "empty"),
        (b"ID3\x04\x00\x00\x00\x00\x00\x00" + bytes(100), "mp3"),
        (b"\xff\xfb\x90\x64" + bytes(100), "mp3"),
        (b"PK\x03\x04" + bytes(100), "zip"),
        (b"<!DOCTYPE html><html>", "no sound file"),
        (b"RIFF\x10\x00\x00\x00AVI LIST", "RIFF"),
        (b"RIFF", "RIFF"),
        (bytes(4_000), "no sound file"),
        (written(SOUND, format="FLAC"), "flac"),
        (written(SOUND, format="OGG", subtype="VORBIS"), "ogg"),
        (written(SOUND, format="AIFF"), "aiff"),
    ],
)
def test_what_is_no_wav_is_named(data: bytes, found: str) -> None:
    error = refused(data)
    assert error.code == "audio-not-wav"
    assert found in error.rule


@pytest.mark.parametrize(
    "data",
    [
        wav(b""),
        wav(b"", after=chunk(b"LIST", b"INFOISFT one more program")),
        wav(b"\x01", size=1),
        written(np.zeros((0,), np.float32)),
    ],
    ids=["no samples", "only notes behind", "half a sample", "by libsndfile"],
)
def test_no_samples_are_not_silence(data: bytes) -> None:
    assert refused(data).code == "audio-empty"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("subtype", ["FLOAT", "DOUBLE"])
def test_samples_that_are_no_numbers_are_refused(value: float, subtype: str) -> None:
    samples = SOUND.astype(np.float64)
    samples[4_321] = value
    assert refused(written(samples, subtype=subtype)).code == "audio-not-finite"


def test_a_bad_number_in_the_other_channel_does_no_harm() -> None:
    data = written(np.stack([LEFT, np.full_like(LEFT, np.nan)], axis=1), subtype="FLOAT")
    assert np.array_equal(audio.read(data, channel=0).samples, LEFT)
    assert refused(data, channel=1).code == "audio-not-finite"


def test_three_hours_are_refused_and_ten_minutes_are_not() -> None:
    hours = wav(bytes(3 * 3_600 * 8_000), rate=8_000, bits=8)
    error = refused(hours)
    assert error.code == "audio-too-long"
    assert "10800 s" in error.rule
    assert "600 s" in error.rule
    assert audio.read(wav(bytes(600 * 8_000), rate=8_000, bits=8)).duration == 600.0
    assert refused(wav(bytes(600 * 8_000 + 1), rate=8_000, bits=8)).code == "audio-too-long"


@pytest.mark.parametrize("kept", [100, 1_000, 16_000])
def test_a_file_that_was_cut_is_told_from_a_short_one(kept: int) -> None:
    error = refused(GOOD[:kept])
    assert error.code == "audio-truncated"
    assert "0.50 s" in error.rule
    with pytest.raises(AudioError, match="promises"):
        audio.header(GOOD[:kept])


@pytest.mark.parametrize("pieces", [2, 3])
def test_joined_recordings_are_named_and_never_cut_to_the_first(pieces: int) -> None:
    third = PCM[: len(PCM) // 3].tobytes()
    error = refused(wav(third) * pieces)
    assert error.code == "audio-unreadable"
    assert "Several wav files are joined" in error.rule
    with pytest.raises(AudioError, match="Several wav files are joined"):
        audio.header(wav(third) * pieces)


@pytest.mark.parametrize("kept", [12, 20, 30, 40, 43])
def test_a_cut_header_is_unreadable(kept: int) -> None:
    assert refused(GOOD[:kept]).code == "audio-unreadable"


@pytest.mark.parametrize(
    ("how", "found"),
    [
        ({"tag": 0x55}, "MP3"),
        ({"tag": 0x11, "bits": 8}, "IMA ADPCM"),
        ({"tag": 0x1234}, "0x1234"),
        ({"tag": 0xFFFE}, "0xFFFE"),
        ({"bits": 64}, "64 bits"),
        ({"tag": 3}, "16 bits"),
        ({"channels": 0}, "0 channels"),
        ({"rate": 0}, "0 Hz"),
        ({"rate": 40}, "40 Hz"),
        ({"rate": 384_001}, "384001 Hz"),
        ({"channels": 30_000}, "30000 channels"),
    ],
)
def test_a_header_that_cannot_be_meant_is_unreadable(how: dict[str, int], found: str) -> None:
    error = refused(wav(PCM.tobytes(), **cast("dict[str, Any]", how)))
    assert error.code == "audio-unreadable"
    assert found in error.rule


def test_samples_without_a_format_are_unreadable() -> None:
    data = chunk(b"RIFF", b"WAVE" + chunk(b"data", PCM.tobytes()))
    assert refused(data).code == "audio-unreadable"


SHORT = {
    "PCM_16": written(SOUND[:200], 24_000),
    "PCM_24": written(np.stack([LEFT, RIGHT], axis=1)[:90], 8_000, subtype="PCM_24"),
    "FLOAT": written(SOUND[:100], subtype="FLOAT", format="WAVEX"),
    "RF64": written(SOUND[:100], format="RF64"),
}


@pytest.mark.parametrize("kind", SHORT)
def test_damaged_bytes_raise_nothing_but_named_errors(kind: str) -> None:
    random, codes = np.random.default_rng(1), set()
    for _ in range(1_500):
        data = bytearray(SHORT[kind])
        for position in random.integers(0, 100, random.integers(1, 4)):
            data[position] = random.choice(np.array([0, 1, 2, 255, random.integers(256)]))
        kept = random.integers(len(data)) if random.random() < 0.5 else len(data)
        codes.add(code_of(bytes(data[:kept])))
    assert codes >= {"", "audio-not-wav", "audio-unreadable", "audio-truncated"}


def code_of(data: bytes) -> str:
    try:
        audio.read(data, channel=0)
    except AudioError as error:
        return error.code
    return ""
