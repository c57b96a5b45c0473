"""What can be heard of a dialogue: both sides in one stereo file, and each side as a drawing.

Conventions: the user is left, the model is right. Made on demand and kept by content: the name of
a made file holds the hashes of what it was made of, so it can never be stale. Who may hear it is
asked before anything of this module is.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from django.conf import settings
from numpy.typing import NDArray

from leaderboard.items import waveform
from leaderboard.items.file_cache import FileCache
from scoring import audio
from submissions.models import Item, Submission
from submissions.services.stored import archive_of, member_of

# Change it when the files are made differently: kept ones are then made anew.
VERSION = "1"
# Kinds of file that a reference recording may have; an answer is always wav.
REFERENCE_KINDS = ("wav", "flac", "ogg")


@dataclass(frozen=True, slots=True)
class Side:
    """One recording of a dialogue, not read before it is needed.

    Attributes:
        key: hash that stands for its content.
        read: returns the bytes of its file.
        model_channel: which of several channels is heard, counted from 1; ``None`` if not said.
    """

    key: str
    read: Callable[[], bytes]
    model_channel: int | None = None

    def samples(self) -> NDArray[np.float32]:
        """Decode it: mono, 16 kHz.

        Raises:
            AudioError: it cannot be decoded.
            ArchiveError, KeyError: it cannot be read out of its archive.
        """
        data = self.read()
        if self.model_channel is not None:
            return audio.read_answer(data, model_channel=self.model_channel).samples
        return audio.read(data, containers=REFERENCE_KINDS).samples


def user_side(item: Item) -> Side | None:
    """The user's recording, if the split has one.

    Raises:
        FileNotFoundError: its file is gone.
    """
    if not item.recording:
        return None
    with item.recording.open("rb") as file:
        data = file.read()
    return Side(hashlib.sha256(data).hexdigest(), lambda: data)


def model_side(submission: Submission, item: Item) -> Side | None:
    """The answer in a submission's archive; ``None`` if it was not handed in."""
    member = member_of(submission, item, "test")
    if member is None:
        return None

    def read() -> bytes:
        with archive_of(submission) as outputs:
            return outputs.read(member)

    # The archive's hash and a place in it say what the content is without reading it.
    channel = submission.model_channel
    place = [submission.sha256, member, *([f"{channel}"] if channel else [])]
    return Side(_hash(*place), read, channel)


def stereo(user: Side | None, model: Side | None) -> BinaryIO:
    """Both sides as one FLAC: a quarter of the size of the wav, and the very same samples.

    A side that is not there is silent.

    Raises:
        AudioError, ArchiveError, KeyError, FileNotFoundError: a side cannot be read.
    """
    name = _hash("stereo", VERSION, *(side.key if side else "" for side in (user, model)))
    return _cache().open(f"{name}.flac", lambda: _flac(_samples(user), _samples(model)))


def wave(side: Side) -> BinaryIO:
    """The waveform of one side as an SVG file.

    Raises:
        AudioError, ArchiveError, KeyError, FileNotFoundError: it cannot be read.
    """
    name = _hash("wave", VERSION, side.key)
    return _cache().open(f"{name}.svg", lambda: _drawing(side).encode())


def etag(kind: str, *sides: Side | None) -> str:
    """Name of a made file's content, for the reader's browser."""
    return f'"{_hash(kind, VERSION, *(side.key if side else "" for side in sides))[:32]}"'


def _samples(side: Side | None) -> NDArray[np.float32]:
    return np.empty(0, np.float32) if side is None else side.samples()


def _flac(user: NDArray[np.float32], model: NDArray[np.float32]) -> bytes:
    frames, rate = soundfile.read(BytesIO(audio.stereo(user, model)), dtype="int16")
    out = BytesIO()
    soundfile.write(out, frames, rate, format="FLAC", subtype="PCM_16")
    return out.getvalue()


def _drawing(side: Side) -> str:
    return waveform.drawing(audio.peaks(side.samples(), waveform.PER_SECOND))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _cache() -> FileCache:
    return FileCache(Path(settings.MEDIA_ROOT) / "made", settings.SOUND_CACHE_MIB * 2**20)
