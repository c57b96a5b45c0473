"""Make the packaged demo split from a folder with its recordings.

    python -m leaderboard.demo.pack SOURCE

Run by hand when the recordings change. ``SOURCE`` has the layout that ``unpack`` gives back.

Conventions: as in ``cuts``. A stretch of speech that is on the tape already is found by its blocks
of ``BLOCK`` samples; what is new is added to the end of the tape.
"""

import io
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile

from leaderboard.demo.cuts import SAMPLE_RATE, Catalogue, Cut, Recording, Samples, fingerprint
from leaderboard.demo.unpack import CUTS, HOME, PLAIN, TAPE

BLOCK = 64
# Shorter repetitions are not worth a cut of their own.
SHORTEST = 1_000
# Shorter silence between two sounds stays part of the speech.
PAUSE = 400


class Tape:
    """The speech so far, with an index of its blocks."""

    def __init__(self) -> None:
        self.samples: Samples = np.zeros(0, np.int16)
        self._index: dict[bytes, int] = {}

    def record(self, samples: Samples) -> Recording:
        """Add what is new of a recording, and return the recording as cuts from the tape."""
        cuts = [cut for start, end in _sounds(samples) for cut in self._cuts(samples, start, end)]
        return Recording(len(samples), fingerprint(samples), tuple(cuts))

    def _cuts(self, samples: Samples, start: int, end: int) -> Iterator[Cut]:
        """Yield the cuts of one stretch of sound, longest known stretches first come."""
        fresh = at = start
        while at < end - BLOCK:
            known = self._longest(samples, at, fresh, end)
            if known is None:
                at += 1
                continue
            if known.at > fresh:
                yield self._append(samples, fresh, known.at)
            yield known
            fresh = at = known.at + known.length
        if end > fresh:
            yield self._append(samples, fresh, end)

    def _longest(self, samples: Samples, at: int, first: int, end: int) -> Cut | None:
        """Return the known stretch around ``at``, grown both ways inside ``first`` to ``end``."""
        source = self._index.get(samples[at : at + BLOCK].tobytes())
        if source is None:
            return None
        ahead = _same(samples[at:end], self.samples[source:])
        back = _same(samples[first:at][::-1], self.samples[:source][::-1])
        cut = Cut(at - back, source - back, ahead + back)
        return cut if cut.length >= SHORTEST else None

    def _append(self, samples: Samples, start: int, end: int) -> Cut:
        source = len(self.samples)
        self.samples = np.concatenate([self.samples, samples[start:end]])
        for position in range(source - source % BLOCK, len(self.samples) - BLOCK + 1, BLOCK):
            self._index.setdefault(self.samples[position : position + BLOCK].tobytes(), position)
        return Cut(start, source, end - start)


def pack(source: Path, home: Path = HOME) -> None:
    """Write tape, cuts and the plain files of ``source`` into ``home``."""
    tape = Tape()
    archives = {
        path.relative_to(source).as_posix(): {n: tape.record(x) for n, x in _members(path)}
        for path in sorted(source.glob("submissions/*/*.zip"))
    }
    files = {
        path.relative_to(source).as_posix(): tape.record(_samples(path.read_bytes(), path.name))
        for path in sorted(source.glob("reference/**/*.wav"))
    }
    _copy_plain(source, home)
    Catalogue(files, archives).write(home / CUTS)
    soundfile.write(home / TAPE, tape.samples, SAMPLE_RATE, subtype="PCM_16", compression_level=1.0)


def _members(path: Path) -> Iterator[tuple[str, Samples]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, _samples(archive.read(name), name)


def _samples(content: bytes, name: str) -> Samples:
    samples, rate = soundfile.read(io.BytesIO(content), dtype="int16")
    if rate != SAMPLE_RATE or samples.ndim != 1:
        raise ValueError(f"{name} must be 16 kHz mono, found {rate} Hz, shape {samples.shape}")
    return samples


def _sounds(samples: Samples) -> Iterator[tuple[int, int]]:
    """Yield the stretches that are not digital silence, joined over short pauses."""
    loud = np.flatnonzero(samples)
    breaks = np.flatnonzero(np.diff(loud) > PAUSE) + 1
    for stretch in np.split(loud, breaks):
        if stretch.size:
            yield int(stretch[0]), int(stretch[-1]) + 1


def _same(one: Samples, other: Samples) -> int:
    """Count the equal samples at the start of both."""
    length = min(len(one), len(other))
    different = np.flatnonzero(one[:length] != other[:length])
    return int(different[0]) if different.size else length


def _copy_plain(source: Path, home: Path) -> None:
    for pattern in PLAIN:
        for path in sorted(source.glob(pattern)):
            copy = home / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
