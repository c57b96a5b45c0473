"""How much sooner voice activity is found than by the package's own call: ``python -m ...``.

Conventions: speed is seconds of audio per second of processor time, one thread, the best of
several rounds after a warm-up. Both ways must find the same segments, or the script fails. Wall
time means something only on an idle machine.
"""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import silero_vad
import soxr
import torch

from scoring import audio, vad
from tests.scoring import sounds
from tests.scoring.sounds import Samples

FILE_RATE = 24_000


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


def from_bytes(contents: Sequence[bytes]) -> list[list[Any]]:
    return vad.detect([audio.read(content).samples for content in contents])


def warm(_: int) -> None:
    vad.detect([sounds.babble(40_000)])


def wall_seconds(files: Sequence[Samples], processes: int) -> float:
    """Share the files out, in hands of 20, after every process has loaded its engine."""
    hands = [files[start : start + 20] for start in range(0, len(files), 20)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(warm, range(4 * processes), chunksize=1)
        start = time.perf_counter()
        pool.map(vad.detect, hands, chunksize=1)
        return time.perf_counter() - start


def say(words: str, audio_seconds: float, spent: float) -> None:
    sys.stdout.write(f"  {words:<40} {audio_seconds / spent:8.0f} s/s\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=28.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(arguments)
    for kind, pause in (("dialogues, half silence", 6.0), ("unbroken speech", 0.0)):
        files = recordings(chosen.files, chosen.seconds, pause)
        sys.stdout.write(f"{kind}: {len(files)} files, {seconds_of(files):.0f} s\n")
        if not compare(files, chosen.rounds):
            sys.stdout.write("The segments differ.\n")
            return 1
        whole_way(files, chosen.rounds)
    return 0


def seconds_of(files: Sequence[Samples]) -> float:
    return sum(file.size for file in files) / 16_000


def compare(files: Sequence[Samples], rounds: int) -> bool:
    """Measure both ways in turn, so that a busy machine slows both."""
    total, threads = seconds_of(files), torch.get_num_threads()
    model = silero_vad.load_silero_vad()
    torch.set_num_threads(1)
    expected, slow = by_package(files, model), []
    torch.set_num_threads(threads)
    equal, fast = vad.detect(files) == expected, []
    for _ in range(rounds):
        torch.set_num_threads(1)
        slow.append(processor_seconds(lambda: by_package(files, model)))
        torch.set_num_threads(threads)
        fast.append(processor_seconds(lambda: vad.detect(files)))
    say("package, file by file", total, min(slow))
    say("detect", total, min(fast))
    sys.stdout.write(f"  {'ratio':<40} {min(slow) / min(fast):8.1f}\n")
    return equal


def whole_way(files: Sequence[Samples], rounds: int) -> None:
    """Measure with reading, and on several processes."""
    total = seconds_of(files)
    for rate in (16_000, FILE_RATE):
        contents = [audio.to_wav(soxr.resample(file, 16_000, rate), rate) for file in files]
        spent = [processor_seconds(partial(from_bytes, contents)) for _ in range(rounds)]
        say(f"read + detect, files at {rate} Hz", total, min(spent))
    for processes in (1, 2):
        say(f"detect, wall time, {processes} process(es)", total, wall_seconds(files, processes))


if __name__ == "__main__":
    sys.exit(main())
