"""The measurements of the scorer, one after the other: ``make bench``.

    make bench                  the quick ones
    make bench ARGS=--list      which there are, and how long each takes
    make bench ARGS="vad full"  these

Each line says what, the ratio, and against what in the same run. Ends with 1 if something that must
be equal is not, or if less is reached than was promised for judging and for voice activity.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.bench import (
    bench_board,
    bench_bootstrap,
    bench_full,
    bench_items,
    bench_judge,
    bench_scenarios,
    bench_upload,
    bench_vad,
    confusion,
    lines,
)


class Step(NamedTuple):
    """A measurement: how long it takes on two idle cores, what it tells, and how to run it."""

    takes: str
    tells: str
    run: Callable[[], int]


STEPS = {
    "judge": Step(
        "1 min",
        "4,100 judge calls at once against one after the other; nothing paid for twice",
        lambda: bench_judge.main([]),
    ),
    "vad": Step(
        "3 min",
        "voice activity against the package's own call, in one process and in two",
        lambda: bench_vad.main([]),
    ),
    "intervals": Step(
        "1 min",
        "intervals and ranks of a whole board against plain loops",
        lambda: bench_bootstrap.main([]),
    ),
    "board": Step(
        "1 min",
        "a board of 1,000 entries under 50 readers against an empty view on the same server",
        lambda: bench_board.main([]),
    ),
    "items": Step(
        "4 min, 6 GB of disk",
        "the item viewer over 5,000 items of 200 runs",
        lambda: bench_items.main([]),
    ),
    "scenarios": Step(
        "3 min, 1 GB of disk",
        "scenario pages, comparisons and differences of 200 systems with 5,000 items",
        lambda: bench_scenarios.main([]),
    ),
    "labels": Step(
        "1 min", "the offline judge's labels against the known truth", lambda: confusion.main()
    ),
    "upload": Step(
        "2 min, 7 GB of disk",
        "2 GiB over a line that is cut ten times, with a killed server: hash and memory",
        lambda: bench_upload.main([]),
    ),
    "full": Step(
        "40 min, 20 GB of disk",
        "a full entry of 9,100 recordings on a site of its own: first, again, changed, at home",
        lambda: bench_full.main([]),
    ),
}
QUICK = ("labels", "intervals", "board", "judge", "vad")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen steps; return the worst exit code."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="STEP", help="; ".join(STEPS))
    parser.add_argument("--list", action="store_true", help="tell which steps there are")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.steps if name not in STEPS]
    if unknown:
        parser.error(f"there is no step {unknown[0]!r}; choose from {', '.join(STEPS)}")
    if chosen.list:
        _list()
        return 0
    lines.head(lines.machine())
    return max(STEPS[name].run() for name in chosen.steps or QUICK)


def _list() -> None:
    for name, step in STEPS.items():
        when = "" if name in QUICK else " (only when named)"
        lines.fact(f"{name}: about {step.takes}{when}", step.tells)


if __name__ == "__main__":
    sys.exit(main())
