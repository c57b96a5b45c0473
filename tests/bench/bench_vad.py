"""How much sooner voice activity is found than by the package's own call.

    python -m tests.bench.bench_vad [--files N] [--seconds S] [--rounds N]

Conventions: speed is seconds of audio per second of processor time, one thread, the best of
several rounds after a warm-up, both ways in turn. Both ways must find the same segments, or the
script fails; so it does when it is not so much sooner as promised.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import silero_vad
import soxr
import torch

from scoring import audio, vad
from tests.bench import lines, two_processes
from tests.scoring import sounds
from tests.scoring.sounds import Samples

FILE_RATE = 24_000
# Promised: times the package's speed, without and with reading; by processor time.
FOUND, READ = 20.0, 15.0


def recordings(count: int, seconds: float, pause: float) -> list[Samples]:
    """Cut dialogues out of the packaged speech, with pauses of digital silence up to a length."""
    random, source, files = np.random.default_rng(0), sounds.speech(), []
    for _ in range(count):
        file = sounds.silence(int(random.uniform(0.8, 1.2) * seconds * 16_000))
        position = 0
        while position < file.size:
            length = min(int(random.uniform(0.5, 6) * 16_000), file.size - position)
            start = random.integers(source.size - length)
            file[position : position + length] = source[start : start + length]
            position += length + int(random.uniform(0, pause) * 16_000)
        files.append(file)
    return files


def by_package(files: Sequence[Samples], model: Any) -> list[list[tuple[float, float]]]:
    """Walk through the files one by one, as the official script does."""
    found = [silero_vad.get_speech_timestamps(torch.from_numpy(file), model) for file in files]
    return [[(one["start"] / 16_000, one["end"] / 16_000) for one in parts] for parts in found]


def processor_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def on_one_thread(work: Callable[[], Any]) -> float:
    """Measure the package as it asks to be run; ``detect`` sees to its threads itself."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    spent = processor_seconds(work)
    torch.set_num_threads(threads)
    return spent


def from_bytes(contents: Sequence[bytes]) -> list[list[Any]]:
    return vad.detect([audio.read(content).samples for content in contents])


class Compared(NamedTuple):
    """Whether all segments are equal and all promises kept, and the package's own seconds."""

    good: bool
    package: float


def compare(files: Sequence[Samples], rounds: int) -> Compared:
    """Measure all ways in turn, so that a busy machine slows all."""
    model = silero_vad.load_silero_vad()
    contents = {
        rate: [audio.to_wav(soxr.resample(file, 16_000, rate), rate) for file in files]
        for rate in (16_000, FILE_RATE)
    }
    equal = vad.detect(files) == by_package(files, model)
    ways: dict[str, Callable[[], Any]] = {
        "found": partial(vad.detect, files),
        **{
            f"wav at {rate} Hz read, found": partial(from_bytes, content)
            for rate, content in contents.items()
        },
    }
    slow, fast = [], {name: [np.inf] for name in ways}
    for _ in range(rounds):
        slow.append(on_one_thread(partial(by_package, files, model)))
        for name, way in ways.items():
            fast[name].append(processor_seconds(way))
    package = min(slow)
    for name, spent in fast.items():
        _tell(name, seconds_of(files), min(spent), package)
    lines.fact("equal segments on every file", "yes" if equal else "NO")
    kept = [
        package / min(spent) >= (FOUND if name == "found" else READ) for name, spent in fast.items()
    ]
    promise = f"promised: {FOUND:.0f} times, with reading {READ:.0f}"
    lines.fact(promise, "kept" if all(kept) else "NOT KEPT")
    return Compared(equal and all(kept), package)


def _tell(name: str, total: float, ours: float, package: float) -> None:
    lines.versus(
        f"{name}, by processor time",
        f"{total / ours:.0f} s/s",
        "package, file by file, one thread",
        f"{total / package:.0f} s/s",
        package / ours,
    )


def seconds_of(files: Sequence[Samples]) -> float:
    return sum(file.size for file in files) / 16_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=28.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(arguments)
    compared: list[Compared] = []
    for kind, pause in (("dialogues, half silence", 6.0), ("unbroken speech", 0.0)):
        files = recordings(chosen.files, chosen.seconds, pause)
        lines.head(f"Voice activity, {kind}: {len(files)} files, {seconds_of(files):.0f} s")
        compared.append(compare(files, chosen.rounds))
    two_processes.tell(files, chosen.rounds, compared[-1].package)
    return 0 if all(one.good for one in compared) else 1


if __name__ == "__main__":
    sys.exit(main())
