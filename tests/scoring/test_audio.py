"""Recordings are read whatever program wrote them, resampled, drawn and written."""

import hashlib
import io
import struct
import zipfile
from functools import partial
from typing import BinaryIO, cast

import numpy as np
import pytest
import soundfile

from scoring import audio
from scoring.errors import AudioError
from scoring.recording import Header, Recording, Unread
from tests.scoring import sounds
from tests.scoring.wavs import BOTH, GOOD, LEFT, PCM, RIGHT, SOUND, chunk, refused, wav, written


def test_sixteen_bit_samples_are_read_exactly() -> None:
    recording = audio.read(GOOD)
    assert recording.samples.dtype == np.float32
    assert np.array_equal(recording.samples * 32_768, PCM)
    assert recording.header == Header(16_000, 1, 8_000, "16-bit PCM")
    assert recording.duration == 0.5
    assert recording.sha256 == hashlib.sha256(GOOD).hexdigest()


@pytest.mark.parametrize(
    ("subtype", "encoding", "error"),
    [
        ("PCM_U8", "8-bit PCM", 1 / 128),
        ("PCM_16", "16-bit PCM", 1 / 32_768),
        ("PCM_24", "24-bit PCM", 2**-23),
        ("PCM_32", "32-bit PCM", 2**-24),
        ("FLOAT", "32-bit float", 0),
        ("DOUBLE", "64-bit float", 0),
        ("ALAW", "A-law", 0.03),
        ("ULAW", "mu-law", 0.03),
    ],
)
@pytest.mark.parametrize("form", ["WAV", "WAVEX", "RF64"])
def test_every_usual_encoding_is_read(form: str, subtype: str, encoding: str, error: float) -> None:
    if not soundfile.check_format(form, subtype):
        pytest.skip(f"{form} has no {subtype}")
    recording = audio.read(written(SOUND, format=form, subtype=subtype))
    assert recording.header == Header(16_000, 1, 8_000, encoding)
    assert np.abs(recording.samples - SOUND).max() <= error


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_24", "PCM_32", "FLOAT", "ALAW", "ULAW"])
def test_a_plain_decoder_reads_the_same_samples(subtype: str) -> None:
    data = written(SOUND, subtype=subtype)
    expected, _ = soundfile.read(io.BytesIO(data), dtype="float32")
    assert np.array_equal(audio.read(data).samples, expected)


def test_twenty_four_bits_in_the_room_of_thirty_two_are_read() -> None:
    form = struct.pack("<HHIIHH", 1, 1, 16_000, 64_000, 4, 24)
    samples = (PCM.astype("<i4") << 16).tobytes()
    data = chunk(b"RIFF", b"WAVE" + chunk(b"fmt ", form) + chunk(b"data", samples))
    recording = audio.read(data)
    assert recording.header.frames == 8_000
    assert np.array_equal(recording.samples, PCM / np.float32(32_768))


def test_a_wrong_frame_size_in_the_header_changes_nothing() -> None:
    position = GOOD.index(b"fmt ") + 8 + 12
    data = GOOD[:position] + struct.pack("<H", 4) + GOOD[position + 2 :]
    assert np.array_equal(audio.read(data).samples, audio.read(GOOD).samples)


@pytest.mark.parametrize(
    "size",
    [
        *[0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0xFFFF_FFFF - 36],
        *[2_000_000_000, 1_000_000_000],
    ],
)
@pytest.mark.parametrize("riff", [None, 0, 0xFFFF_FFFF])
def test_what_a_pipe_left_without_a_length_is_read_in_full(size: int, riff: int | None) -> None:
    data = wav(PCM.tobytes(), size=size, riff=riff)
    assert audio.header(data).frames == 8_000
    assert np.array_equal(audio.read(data).samples, audio.read(GOOD).samples)


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_24", "FLOAT", "ALAW"])
@pytest.mark.parametrize("size", [0, 0xFFFF_FFFF])
def test_other_encodings_without_a_length_are_read_in_full(subtype: str, size: int) -> None:
    data = written(SOUND, subtype=subtype)
    position = data.index(b"data") + 4
    streamed = data[:position] + struct.pack("<I", size) + data[position + 4 :]
    assert audio.header(streamed).frames == 8_000
    assert np.array_equal(audio.read(streamed).samples, audio.read(data).samples)


def test_silence_without_a_length_is_silence_and_not_an_empty_file() -> None:
    recording = audio.read(wav(bytes(3_200), size=0))
    assert recording.header.frames == 1_600
    assert not recording.samples.any()


def test_half_a_sample_at_the_end_of_a_stream_is_left_out() -> None:
    recording = audio.read(wav(PCM.tobytes() + b"\x01", size=0xFFFF_FFFF, riff=0xFFFF_FFFF))
    assert recording.header.frames in (8_000, 8_001)  # the padding byte may complete it
    assert np.array_equal(recording.samples[:8_000], audio.read(GOOD).samples)


def test_an_rf64_header_gives_the_length() -> None:
    sizes = struct.pack("<QQQI", 0, 16_000, 8_000, 0)
    after = chunk(b"LIST", b"notes about the recording ")
    data = wav(PCM.tobytes(), size=0xFFFF_FFFF, before=chunk(b"ds64", sizes), after=after)
    recording = audio.read(b"RF64" + data[4:])
    assert np.array_equal(recording.samples, audio.read(GOOD).samples)


@pytest.mark.parametrize("note", [b"INFOISFT odd number", b"INFOISFT\x05\0\0\0Lavf1"])
def test_a_chunk_of_odd_length_that_nobody_filled_up_is_passed_over(note: bytes) -> None:
    unfilled = b"LIST" + struct.pack("<I", len(note)) + note
    data = wav(PCM.tobytes(), before=unfilled)
    assert len(note) % 2
    assert audio.header(data).frames == 8_000
    assert np.array_equal(audio.read(data).samples, audio.read(GOOD).samples)


def test_other_chunks_are_passed_over() -> None:
    notes = chunk(b"LIST", b"INFOISFT odd number")
    data = wav(PCM.tobytes(), before=chunk(b"JUNK", bytes(99_999)) + notes, after=notes)
    assert np.array_equal(audio.read(data).samples, audio.read(GOOD).samples)
    assert audio.header(data).frames == 8_000


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])
def test_any_rate_becomes_sixteen_kilohertz(rate: int) -> None:
    heard = np.sin(2 * np.pi * 440 * np.arange(2 * rate) / rate)
    recording = audio.read(written(0.5 * heard, rate, subtype="FLOAT"))
    assert recording.header.rate == rate
    assert recording.duration == 2.0
    assert recording.samples.shape == (32_000,)
    expected = sounds.tone(32_000)
    assert np.abs(recording.samples - expected)[800:-800].max() < 1e-3


@pytest.mark.parametrize("rate", [24_000, 44_100, 48_000])
def test_what_sixteen_kilohertz_cannot_hold_is_gone_and_not_folded_down(rate: int) -> None:
    hiss = 0.5 * np.sin(2 * np.pi * 9_000 * np.arange(rate) / rate)
    samples = audio.read(written(hiss, rate, subtype="FLOAT")).samples
    assert np.abs(samples[800:-800]).max() < 1e-4


def test_an_odd_length_keeps_its_duration() -> None:
    recording = audio.read(written(sounds.noise(44_103), 44_100))
    assert recording.duration == 44_103 / 44_100
    assert recording.samples.size == round(recording.duration * 16_000)


def test_resampling_leaves_sixteen_kilohertz_alone() -> None:
    assert audio.resample(SOUND, 16_000) is SOUND


def test_several_channels_are_refused_and_never_averaged() -> None:
    error = refused(BOTH)
    assert error.code == "audio-multi-channel"
    assert "2 channels" in error.rule
    assert "say which is the model's" in error.cure


@pytest.mark.parametrize(("channel", "side"), [(0, LEFT), (1, RIGHT)])
@pytest.mark.parametrize("subtype", ["PCM_16", "FLOAT"])
def test_the_named_channel_alone_is_read(channel: int, side: sounds.Samples, subtype: str) -> None:
    data = written(np.stack([LEFT, RIGHT], axis=1), subtype=subtype)
    recording = audio.read(data, channel=channel)
    assert np.abs(recording.samples - side).max() <= 1 / 32_768
    assert recording.header.channels == 2


@pytest.mark.parametrize(("data", "channel"), [(BOTH, 2), (BOTH, -1), (GOOD, 1)])
def test_a_channel_that_is_not_there_is_named(data: bytes, channel: int) -> None:
    error = refused(data, channel=channel)
    assert error.code == "audio-channel-missing"
    assert f"Channel {channel + 1}" in error.rule


def test_the_first_channel_of_one_may_be_named() -> None:
    assert np.array_equal(audio.read(GOOD, channel=0).samples, audio.read(GOOD).samples)


def test_reference_recordings_may_be_packed_when_it_is_asked_for() -> None:
    data = written(SOUND, 24_000, format="FLAC")
    recording = audio.read(data, containers=("wav", "flac"))
    assert recording.header == Header(24_000, 1, 8_000, "Signed 16 bit PCM")
    assert recording.samples.size == round(8_000 / 1.5)
    ogg = audio.read(written(SOUND, format="OGG", subtype="VORBIS"), containers=("ogg",))
    assert ogg.header.frames == ogg.samples.size == 8_000
    assert refused(written(SOUND), containers=("flac",)).code == "audio-not-wav"


def test_a_broken_packed_recording_is_unreadable() -> None:
    data = written(sounds.noise(100_000), format="FLAC")
    error = refused(data[: len(data) // 2], containers=("flac",))
    assert error.code in ("audio-truncated", "audio-unreadable")
    assert refused(b"fLaC" + bytes(50), containers=("flac",)).code == "audio-unreadable"


class Forwards(io.RawIOBase):
    """A stream that can only be read, and counts what was."""

    def __init__(self, content: bytes) -> None:
        self.content, self.taken = io.BytesIO(content), 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        piece = self.content.read(size)
        self.taken += len(piece)
        return piece


def test_a_header_is_read_without_its_samples() -> None:
    stream = Forwards(GOOD)
    found = audio.header(cast(BinaryIO, stream), size=len(GOOD))
    assert found == Header(16_000, 1, 8_000, "16-bit PCM")
    assert stream.taken == 44


def test_a_stream_of_unknown_size_is_measured() -> None:
    assert audio.header(cast(BinaryIO, Forwards(GOOD))).frames == 8_000
    with pytest.raises(AudioError) as caught:
        audio.header(cast(BinaryIO, Forwards(GOOD[:-1_000])), path="x.wav")
    assert (caught.value.code, caught.value.path) == ("audio-truncated", "x.wav")


def test_a_member_of_a_zip_is_looked_at_where_it_lies() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.wav", GOOD)
    with zipfile.ZipFile(content) as archive, archive.open("a.wav") as member:
        found = audio.header(cast(BinaryIO, member), size=archive.getinfo("a.wav").file_size)
    assert found == audio.header(GOOD)


@pytest.mark.parametrize(
    ("samples", "silent"),
    [
        (sounds.silence(0), True),
        (sounds.silence(100), True),
        (np.full(100, -0.00099, np.float32), True),
        (np.full(100, -0.00101, np.float32), False),
        (SOUND, False),
    ],
)
def test_silence_is_what_stays_sixty_decibels_below_full_scale(
    samples: sounds.Samples, silent: bool
) -> None:
    assert audio.is_silent(samples) is silent


def test_peaks_are_the_lowest_and_highest_of_each_stretch() -> None:
    samples = sounds.silence(400)
    samples[3], samples[170], samples[159], samples[399] = 0.5, -0.25, -1.0, 0.125
    expected = [[-1.0, 0.5], [-0.25, 0.0], [0.0, 0.125]]
    assert audio.peaks(samples).tolist() == expected


@pytest.mark.parametrize(
    ("count", "per_second", "rows"),
    [
        (0, 100, 0),
        (1, 100, 1),
        (160, 100, 1),
        (161, 100, 2),
        (16_000, 30, 30),
        (16_001, 30, 31),
        (5, 16_000, 5),
    ],
)
def test_peaks_cover_the_whole_recording(count: int, per_second: int, rows: int) -> None:
    found = audio.peaks(sounds.noise(count), per_second)
    assert found.shape == (rows, 2)
    if count:
        assert found[:, 0].min() == sounds.noise(count).min()
        assert found[:, 1].max() == sounds.noise(count).max()


@pytest.mark.parametrize("per_second", [0, -1, 16_001])
def test_peaks_that_cannot_be_drawn_are_refused(per_second: int) -> None:
    with pytest.raises(AudioError, match="stretches"):
        audio.peaks(SOUND, per_second)


@pytest.mark.parametrize("rate", [16_000, 24_000])
def test_a_written_recording_reads_the_same(rate: int) -> None:
    data = audio.to_wav(audio.read(GOOD).samples, rate)
    samples, found = soundfile.read(io.BytesIO(data), dtype="int16")
    assert found == rate
    assert np.array_equal(samples, PCM)


def test_writing_clips_what_exceeds_full_scale() -> None:
    loud = np.array([2.0, -2.0, 1.0, -1.0, 0.0], np.float32)
    samples, _ = soundfile.read(io.BytesIO(audio.to_wav(loud)), dtype="int16")
    assert samples.tolist() == [32_767, -32_768, 32_767, -32_768, 0]


def test_what_is_no_number_is_not_written() -> None:
    with pytest.raises(AudioError, match="finite"):
        audio.to_wav(np.array([np.nan], np.float32))


@pytest.mark.parametrize("longer", ["user", "model"])
def test_a_dialogue_has_the_user_left_and_the_model_right(longer: str) -> None:
    sides = {"user": SOUND[:4_000], "model": SOUND[:4_000]} | {longer: SOUND}
    data = audio.stereo(sides["user"], sides["model"])
    for channel, side in enumerate(sides.values()):
        samples = audio.read(data, channel=channel).samples
        assert samples.size == 8_000
        assert np.abs(samples[: side.size] - side).max() <= 1 / 32_768
        assert not samples[side.size :].any()


def test_a_recording_of_known_content_is_read_when_somebody_listens() -> None:
    reads = []

    def load() -> Recording:
        reads.append(GOOD)
        return audio.read(GOOD)

    known = Unread(audio.read(GOOD).content, "a.wav", load)
    assert (known.duration, known.sha256, reads) == (0.5, hashlib.sha256(GOOD).hexdigest(), [])
    assert np.array_equal(known.samples, audio.read(GOOD).samples)
    assert known.samples.size == 8_000
    assert reads == [GOOD]


def test_a_file_that_changed_since_it_was_checked_is_not_heard() -> None:
    other = audio.to_wav(np.zeros(8_000, np.float32), 16_000)
    changed = Unread(audio.read(GOOD).content, "a.wav", partial(audio.read, other))
    with pytest.raises(AudioError) as raised:
        _ = changed.samples
    assert (raised.value.code, raised.value.path) == ("audio-changed", "a.wav")
