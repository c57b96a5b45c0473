"""A recording, read or not yet, and what is known of it.

Conventions: a recording is named by its content; its length is that of its header, in seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.errors import AudioError
from scoring.rules import error


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a recording says.

    Attributes:
        rate: frames per second, as recorded.
        channels: samples per frame.
        frames: length in frames.
        encoding: how the samples are written, in words.
    """

    rate: int
    channels: int
    frames: int
    encoding: str

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return self.frames / self.rate


class Content(NamedTuple):
    """What is known of a file that has been read once.

    Attributes:
        sha256: of the bytes of the file, in hex; the name of its content. Where it has several
            channels, of the bytes and the channel that is heard.
        duration: length in seconds, from the header: resampling must not change it.
    """

    sha256: str
    duration: float


@dataclass(frozen=True)
class _File:
    """A file of known content."""

    content: Content

    @property
    def sha256(self) -> str:
        """Of the bytes of the file, in hex."""
        return self.content.sha256

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return self.content.duration


@dataclass(frozen=True)
class Recording(_File):
    """One channel of a recording, ready for the engines.

    Attributes:
        samples: mono float32 at 16 kHz.
        header: what the file said about itself.
    """

    samples: NDArray[np.float32]
    header: Header


@dataclass(frozen=True)
class Unread(_File):
    """The same, read when somebody first listens: work that is remembered needs no samples.

    Attributes:
        path: the file's name, for messages.
        read: reads the file.
    """

    path: str
    read: Callable[[], Recording]

    @cached_property
    def samples(self) -> NDArray[np.float32]:
        """Mono float32 at 16 kHz.

        Raises:
            AudioError: with code ``audio-changed``: it is not what it was; or as ``read`` does.
        """
        found = self.read()
        if found.content != self.content:
            raise error(AudioError, "audio-changed", self.path)
        return found.samples


Sound = Recording | Unread
