"""What a second process adds, and what this machine adds for a second process at all.

Processors of a rented machine may be two halves of one: then two processes that calculate share
its arithmetic, and neither gets the speed it has alone. So the same is measured with plain matrix
products, in the same run; what they lose is the machine's, the rest would be ours.

Conventions: processes are warm (engine loaded) before a clock starts; one and two processes take
turns for several rounds and the best of each counts. As workers do, they read their recordings
themselves: nothing large goes from process to process. Wall time means something only when nobody
else calculates, so the share that others took is told too.
"""

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import psutil
import torch

from scoring import vad
from tests.bench import lines
from tests.scoring import sounds
from tests.scoring.sounds import Samples

# Recordings that a process takes at a time; matrix products, of a size that stays in its cache.
HAND = 8
SIZE, PRODUCTS, HANDS = 256, 400, 8
# Promised of two processes: times the package's speed on one thread.
PROMISED = 40.0
# The share of the processors that others may take before clocks mean nothing.
QUIET = 0.05


class Spent(NamedTuple):
    """Seconds by the clock, and of processors."""

    wall: float
    processor: float

    def least(self, other: "Spent") -> "Spent":
        """Return the better of both."""
        return Spent(*map(min, self, other))


def hear(hand: Sequence[Path]) -> float:
    """Read recordings and find voice activity; return the seconds of processor."""
    start = time.process_time()
    vad.detect([np.load(path) for path in hand])
    return time.process_time() - start


def multiply(products: int) -> float:
    """Multiply matrices on one thread; return the seconds of processor."""
    torch.set_num_threads(1)
    matrix = torch.ones(SIZE, SIZE)
    start = time.process_time()
    for _ in range(products):
        torch.mm(matrix, matrix)
    return time.process_time() - start


def warm(_: int) -> None:
    vad.detect([sounds.babble(40_000)])
    multiply(10)


@contextmanager
def pool(processes: int) -> Iterator[Any]:
    with multiprocessing.get_context("spawn").Pool(processes) as made:
        made.map(warm, range(4 * processes), chunksize=1)
        yield made


def spent(workers: Any, work: Callable[[Any], float], hands: Sequence[Any]) -> Spent:
    start = time.perf_counter()
    processor = sum(workers.map(work, hands, chunksize=1))
    return Spent(time.perf_counter() - start, processor)


def measure(files: Sequence[Samples], rounds: int) -> tuple[list[Spent], list[Spent], float]:
    """Return what one and two processes spend on hearing and on products, and others' share."""
    with TemporaryDirectory(prefix="bench-") as folder:
        return measure_written(list(written(files, Path(folder))), rounds)


def written(files: Sequence[Samples], folder: Path) -> Iterator[Path]:
    """Write the recordings; yield their paths."""
    for number, file in enumerate(files):
        path = folder / f"{number}.npy"
        np.save(path, file)
        yield path


def measure_written(paths: Sequence[Path], rounds: int) -> tuple[list[Spent], list[Spent], float]:
    """Measure with the recordings at these paths."""
    hands = [paths[start : start + HAND] for start in range(0, len(paths), HAND)]
    jobs: list[tuple[Callable[[Any], float], Sequence[Any]]] = [
        (hear, hands),
        (multiply, [PRODUCTS] * HANDS),
    ]
    best = {(job, count): Spent(np.inf, np.inf) for job in range(2) for count in (1, 2)}
    own = 0.0
    with pool(1) as one, pool(2) as two:
        start, before = time.perf_counter(), busy()
        for _ in range(rounds):
            for job, (work, handed) in enumerate(jobs):
                for count, workers in ((1, one), (2, two)):
                    now = spent(workers, work, handed)
                    best[job, count] = best[job, count].least(now)
                    own += now.processor
        passed = (time.perf_counter() - start) * (psutil.cpu_count() or 1)
        others = max(0.0, busy() - before - own) / passed
    heard, multiplied = ([best[job, count] for count in (1, 2)] for job in range(2))
    return heard, multiplied, others


def busy() -> float:
    """Seconds that the processors have worked, for anybody, or were taken by the host."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - _guests(times))


def _guests(times: Any) -> float:
    """Time of guests is within the user's time already."""
    return float(getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0))


def tell(files: Sequence[Samples], rounds: int, package: float) -> bool:
    """Measure and print; return whether the promise is kept, as far as can be told.

    Args:
        files: recordings.
        rounds: how often each is measured.
        package: seconds by the clock of the package's own call on these files, one thread.
    """
    (one, two), (single, double), others = measure(files, rounds)
    total = sum(file.size for file in files) / 16_000
    speed = partial("{:.0f} s/s".format)
    clock, products = one.wall / two.wall, single.wall / double.wall
    lines.versus(
        "two processes, by the clock",
        speed(total / two.wall),
        "one process",
        speed(total / one.wall),
        clock,
    )
    lines.versus(
        "two processes, by processor time",
        speed(total / two.processor),
        "one process",
        speed(total / one.processor),
        one.processor / two.processor,
    )
    lines.versus(
        "matrix products alone, by the clock",
        f"{double.wall:.2f} s",
        "one process",
        f"{single.wall:.2f} s",
        products,
    )
    lines.versus(
        "two processes, by the clock",
        speed(total / two.wall),
        "package, file by file, one thread, by the clock",
        speed(total / package),
        package / two.wall,
    )
    lines.note(f"Meanwhile others took {others:.0%} of the processors.")
    if others > QUIET:
        lines.note("That is too much: the clocks above tell of them, and not of voice activity.")
        return True
    lines.note(
        f"Of what this machine gives to a second process ({products:.2f} times), voice "
        f"activity gets {clock / products:.0%}."
    )
    kept = package / two.wall >= PROMISED
    lines.fact(f"promised: two processes {PROMISED:.0f} times", "kept" if kept else "NOT KEPT")
    return kept
