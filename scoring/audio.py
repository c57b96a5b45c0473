"""Recordings: read, check, resample, mix and draw them.

Conventions: samples are float32 between -1 and 1, one channel, 16 kHz; times are seconds from the
start of the file. A recording is never averaged from several channels: users hand in files with
the user on the left and the model on the right (decision D5 of the protocol). Nothing here needs
an external program.
"""

import hashlib
import io
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from scoring import _riff
from scoring.errors import AudioError, Phrase
from scoring.recording import Content, Header, Recording
from scoring.rules import error

SAMPLE_RATE = 16_000

# A dialogue is about half a minute; what is longer than this is not an answer to it.
MAX_SECONDS = 600

# Below 2 kHz there is no speech left, above 384 kHz no recorder: such a header is broken.
RATES = range(2_000, 384_001)

# Peak below which a recording counts as silent: -60 dB of full scale. Dither and coding noise of
# an empty recording stay under it, the quietest speech does not.
SILENCE_PEAK = 10 ** (-60 / 20)

# Part of the loudest sample that counts as sound at the start of a file (-34 dB): above the floor
# of noise that recordings carry, below the first syllable of whoever speaks.
ONSET = 0.02

WAV: tuple[str, ...] = ("wav",)

# Full scale of 16-bit samples; a power of two, so that scaling is exact.
FULL_SCALE = 32_768

_MAGIC = {
    b"fLaC": "flac",
    b"OggS": "ogg",
    b"ID3": "mp3",
    b"\xff\xfb": "mp3",
    b"\xff\xfa": "mp3",
    b"\xff\xf3": "mp3",
    b"\xff\xf2": "mp3",
    b"FORM": "aiff",
    b"RIFX": "big-endian wav",
    b"riff": "Wave64",
    b"PK": "a zip archive",
}
_KINDS = {
    "a zip archive": "sound-zip",
    "big-endian wav": "sound-rifx",
    "another kind of RIFF file": "sound-riff",
}


def read(
    data: bytes, *, path: str = "", channel: int | None = None, containers: Collection[str] = WAV
) -> Recording:
    """Read a recording as mono float32 at 16 kHz (protocol sections 1.3, 1.7 and 5.1).

    Args:
        data: the bytes of the file.
        path: its name, for messages.
        channel: the channel to take, 0 is the first; needed only when there are several.
        containers: the kinds of file to accept. A submission is wav; reference recordings may
            also be packed as ``flac`` or ``ogg``.

    Raises:
        AudioError: with one of the codes ``audio-not-wav``, ``audio-unreadable``,
            ``audio-truncated``, ``audio-empty``, ``audio-too-long``, ``audio-multi-channel``,
            ``audio-channel-missing``, ``audio-not-finite``.
    """
    head = header(data, path=path, containers=containers)
    check(head, path=path, channel=channel)
    samples = _scaled(_decode(data, path)[:, channel or 0])
    _check_finite(samples, path)
    content = Content(_named(data, head, channel), head.duration)
    return Recording(content, resample(samples, head.rate), head)


def read_answer(data: bytes, *, path: str = "", model_channel: int | None = None) -> Recording:
    """Read an answer of a submission, which may say where in it the model is (decision D5).

    Args:
        data: the bytes of the file.
        path: its name, for messages.
        model_channel: the channel of the model, counted from 1 as people do. A recording with one
            channel holds the model alone, whatever was said of the others.

    Raises:
        AudioError: as ``read`` does.
    """
    if model_channel is None or header(data, path=path).channels == 1:
        return read(data, path=path)
    return read(data, path=path, channel=model_channel - 1)


def _named(data: bytes, head: Header, channel: int | None) -> str:
    """Name the content that is heard: one channel of several is not the same as another."""
    digest = hashlib.sha256(data)
    if head.channels > 1:
        digest.update(f"channel {channel}".encode())
    return digest.hexdigest()


def header(
    data: bytes | BinaryIO,
    *,
    path: str = "",
    containers: Collection[str] = WAV,
    size: int | None = None,
) -> Header:
    """Read the header of a recording without decoding it.

    Args:
        data: the bytes of the file, or the file opened for reading at its start.
        path: its name, for messages.
        containers: the kinds of file to accept.
        size: length of the file in bytes, when it is known. With it a wav is read up to its
            first sample, and further only where more follows behind its samples; without it, to
            its end.

    Raises:
        AudioError: ``audio-not-wav``, ``audio-unreadable`` or ``audio-truncated``.
    """
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    start = stream.read(_riff.HEAD)
    kind = _kind(start)
    if kind not in containers:
        raise _not_wav(start, kind, path)
    if kind != "wav":
        return _packed_header(start + stream.read(), path)
    if isinstance(data, bytes):
        size = len(data)
    elif size is None:
        rest = stream.read()
        size, stream = len(start) + len(rest), io.BytesIO(rest)
    form = _riff.layout(stream, size=size, path=path)
    if form.rate not in RATES:
        raise error(AudioError, "audio-unreadable:rate", path, rate=f"{form.rate}")
    return Header(form.rate, form.channels, form.frames, form.encoding)


def check(head: Header, *, path: str = "", channel: int | None = None) -> None:
    """Check what can be checked without decoding: length and channels.

    Args:
        head: what the header says.
        path: the file's name, for messages.
        channel: the channel that holds the model, when the submission names one.

    Raises:
        AudioError: ``audio-empty``, ``audio-too-long``, ``audio-multi-channel`` (never averaged:
            decision D5) or ``audio-channel-missing``.
    """
    if not head.frames:
        raise error(AudioError, "audio-empty", path)
    if head.duration > MAX_SECONDS:
        seconds = f"{head.duration:.0f}"
        raise error(AudioError, "audio-too-long", path, seconds=seconds, limit=f"{MAX_SECONDS}")
    _check_channel(head.channels, channel, path)


def is_silent(samples: NDArray[np.float32]) -> bool:
    """Whether nothing is to be heard: no sample above ``SILENCE_PEAK``, or no sample at all."""
    return not samples.size or float(np.abs(samples).max()) <= SILENCE_PEAK


def starts_with_sound(samples: NDArray[np.float32], seconds: float) -> bool:
    """Whether something is heard in the first moments, measured by the loudest sample of all."""
    if not samples.size:
        return False
    loudest = float(np.abs(samples).max())
    first = float(np.abs(samples[: round(seconds * SAMPLE_RATE)]).max())
    return first > max(SILENCE_PEAK, ONSET * loudest)


def resample(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """Bring one channel to 16 kHz (protocol section 5.1).

    Args:
        samples: shape (n,).
        rate: samples per second as they come.

    Returns:
        float32 of shape (n * 16000 / rate, rounded); the very same array when nothing is to do.
    """
    if rate == SAMPLE_RATE:
        return np.ascontiguousarray(samples, np.float32)
    resampled: NDArray[np.float32] = soxr.resample(
        np.ascontiguousarray(samples, np.float32), rate, SAMPLE_RATE, quality="HQ"
    )
    return resampled


def peaks(samples: NDArray[np.float32], per_second: int = 100) -> NDArray[np.float32]:
    """Return the lowest and highest sample of every short stretch, to draw a waveform.

    Args:
        samples: shape (n,), at 16 kHz.
        per_second: stretches per second, 1 to 16000.

    Returns:
        float32 of shape (stretches, 2): lowest and highest; the last stretch may be short.

    Raises:
        AudioError: ``audio-peaks-rate``.
    """
    if not 1 <= per_second <= SAMPLE_RATE:
        raise AudioError(
            f"{per_second} stretches per second cannot be drawn from {SAMPLE_RATE} samples.",
            cure=f"Ask for 1 to {SAMPLE_RATE}.",
            code="audio-peaks-rate",
        )
    if not samples.size:
        return np.empty((0, 2), np.float32)
    count = -(-samples.size * per_second // SAMPLE_RATE)
    edges = np.arange(count) * SAMPLE_RATE // per_second
    low, high = np.minimum.reduceat(samples, edges), np.maximum.reduceat(samples, edges)
    return np.stack([low, high], axis=1).astype(np.float32, copy=False)


def to_wav(samples: NDArray[np.float32], rate: int = SAMPLE_RATE) -> bytes:
    """Write one channel, shape (n,), as a 16-bit PCM wav; what exceeds full scale is clipped.

    Raises:
        AudioError: ``audio-not-finite``.
    """
    return _write(samples[:, np.newaxis], rate)


def stereo(user: NDArray[np.float32], model: NDArray[np.float32]) -> bytes:
    """Write both sides of a dialogue as a 16-bit PCM wav, to listen to.

    Args:
        user: goes to the left; shape (n,), 16 kHz.
        model: goes to the right; shape (m,), 16 kHz. The shorter side is padded with silence.

    Raises:
        AudioError: ``audio-not-finite``.
    """
    both = np.zeros((max(user.size, model.size), 2), np.float32)
    both[: user.size, 0], both[: model.size, 1] = user, model
    return _write(both, SAMPLE_RATE)


def _write(frames: NDArray[np.float32], rate: int) -> bytes:
    _check_finite(frames, "")
    scaled = np.clip(np.rint(frames * np.float32(FULL_SCALE)), -FULL_SCALE, FULL_SCALE - 1)
    form = _riff.Layout(_riff.PCM, frames.shape[1], rate, width=2)
    return _riff.build(scaled.astype("<i2").tobytes(), form)


def _decode(data: bytes, path: str) -> NDArray[np.int16] | NDArray[np.float32]:
    """Return all channels, shape (frames, channels): int16 where they are, float32 otherwise."""
    if _kind(data) != "wav":
        return _packed_samples(data, path)
    stream = io.BytesIO(data)
    stream.seek(_riff.HEAD)
    form = _riff.layout(stream, size=len(data), path=path)
    samples = memoryview(data)[form.start : form.start + form.length]
    if (form.tag, form.width) == (_riff.PCM, 2):
        return np.frombuffer(samples, "<i2").reshape(-1, form.channels)
    # A plain header around the same samples spares the decoder what streaming programs leave.
    return _packed_samples(_riff.build(bytes(samples), form), path)


def _scaled(samples: NDArray[np.int16] | NDArray[np.float32]) -> NDArray[np.float32]:
    return np.multiply(
        samples, np.float32(1 / FULL_SCALE if samples.dtype == np.int16 else 1), dtype=np.float32
    )


def _packed_samples(data: bytes, path: str) -> NDArray[np.float32]:
    with _opened(data, path) as file:
        promised = file.frames
        samples: NDArray[np.float32] = file.read(dtype="float32", always_2d=True)
    if len(samples) < promised:
        there = {"promised": f"{promised:,}", "found": f"{len(samples):,}"}
        raise error(AudioError, "audio-truncated:samples", path, **there)
    return samples


def _packed_header(data: bytes, path: str) -> Header:
    with _opened(data, path) as file:
        return Header(file.samplerate, file.channels, file.frames, file.subtype_info)


@contextmanager
def _opened(data: bytes, path: str) -> Iterator[soundfile.SoundFile]:
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            yield file
    except soundfile.LibsndfileError as cause:
        raise error(AudioError, "audio-unreadable:decode", path, why=cause.error_string) from cause


def _kind(start: bytes) -> str:
    if start[:4] in _riff.FORMS:
        return "wav" if start[8:12] == b"WAVE" else "another kind of RIFF file"
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), "")


def _not_wav(start: bytes, kind: str, path: str) -> AudioError:
    if not start:
        found = Phrase("sound-empty")
    elif not kind:
        found = Phrase("sound-unknown")
    else:
        found = Phrase(_KINDS.get(kind, "sound-kind"), {"kind": kind})
    return error(AudioError, "audio-not-wav", path, found=found)


def _check_channel(channels: int, channel: int | None, path: str) -> None:
    if channel is None and channels > 1:
        raise error(AudioError, "audio-multi-channel", path, channels=f"{channels}")
    if channel is not None and not 0 <= channel < channels:
        named = {"channel": f"{channel + 1}", "channels": f"{channels}"}
        raise error(AudioError, "audio-channel-missing", path, **named)


def _check_finite(samples: NDArray[np.float32], path: str) -> None:
    if not np.isfinite(samples).all():
        raise error(AudioError, "audio-not-finite", path)
