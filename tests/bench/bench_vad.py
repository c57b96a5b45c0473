"""How much sooner voice activity is found than by the package's own call.

    python -m tests.bench.bench_vad [--files N] [--seconds S] [--rounds N]

Conventions: speed is seconds of audio per second of processor time, one thread, the best of
several rounds after a warm-up, both ways in turn. Where ours reads wav files the other way does
too: its reading is measured by itself and added. Two processes are measured by the clock. Both ways
must find the same segments, or the script fails; so it does when it is not so much sooner as
promised.
"""

import argparse
import io
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import silero_vad
import soundfile
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


def read_one_by_one(contents: Sequence[bytes]) -> list[Samples]:
    """Read as whoever calls the package has to, with the libraries that we use too."""
    read = [soundfile.read(io.BytesIO(content), dtype="float32") for content in contents]
    return [soxr.resample(samples, rate, 16_000, quality="HQ") for samples, rate in read]


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
    """Whether all segments are equal and all promises kept; the package's seconds by the clock."""

    good: bool
    clock: float


class Way(NamedTuple):
    """One way of ours, what the package's way needs besides its own call, and the promise."""

    ours: Callable[[], Any]
    reading: Callable[[], Any] | None
    promised: float


def ways(files: Sequence[Samples]) -> dict[str, Way]:
    """All that is measured, by name."""
    found = {"found": Way(partial(vad.detect, files), None, FOUND)}
    for rate in (16_000, FILE_RATE):
        contents = [audio.to_wav(soxr.resample(file, 16_000, rate), rate) for file in files]
        found[f"wav at {rate} Hz read, found"] = Way(
            partial(from_bytes, contents), partial(read_one_by_one, contents), READ
        )
    return found


def compare(files: Sequence[Samples], rounds: int) -> Compared:
    """Measure all ways in turn, so that a busy machine slows all."""
    model = silero_vad.load_silero_vad()
    equal = vad.detect(files) == by_package(files, model)
    measured = ways(files)
    package = clock = np.inf
    ours, reading = dict.fromkeys(measured, np.inf), dict.fromkeys(measured, np.inf)
    for _ in range(rounds):
        start = time.perf_counter()
        package = min(package, on_one_thread(partial(by_package, files, model)))
        clock = min(clock, time.perf_counter() - start)
        for name, way in measured.items():
            ours[name] = min(ours[name], processor_seconds(way.ours))
            spent = on_one_thread(way.reading) if way.reading else 0.0
            reading[name] = min(reading[name], spent)
    for name in measured:
        _tell(name, seconds_of(files), ours[name], package + reading[name])
    lines.fact("equal segments on every file", "yes" if equal else "NO")
    kept = all(
        (package + reading[name]) / ours[name] >= way.promised for name, way in measured.items()
    )
    promise = f"promised: {FOUND:.0f} times, with reading {READ:.0f}"
    lines.fact(promise, "kept" if kept else "NOT KEPT")
    return Compared(equal and kept, clock)


def _tell(name: str, total: float, ours: float, others: float) -> None:
    lines.versus(
        f"{name}, by processor time",
        f"{total / ours:.0f} s/s",
        "package, file by file, one thread, as much read",
        f"{total / others:.0f} s/s",
        others / ours,
    )


def seconds_of(files: Sequence[Samples]) -> float:
    return sum(file.size for file in files) / 16_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=48)
    parser.add_argument("--seconds", type=float, default=28.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(arguments)
    good = True
    for kind, pause in (("dialogues, half silence", 6.0), ("unbroken speech", 0.0)):
        files = recordings(chosen.files, chosen.seconds, pause)
        lines.head(f"Voice activity, {kind}: {len(files)} files, {seconds_of(files):.0f} s")
        compared = compare(files, chosen.rounds)
        good &= compared.good & two_processes.tell(files, chosen.rounds, compared.clock)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
