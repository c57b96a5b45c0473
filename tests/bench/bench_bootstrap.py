"""How long the intervals of a whole board take: ``python -m tests.bench.bench_bootstrap``.

Conventions: seconds of wall time, the best of several rounds. The plain loop and scipy's own
bootstrap make a smaller board in the same run; their times are scaled to the full size by the
number of systems, items and draws, which is what both grow with.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from scoring import uncertainty
from scoring.components import Components
from scoring.humdial import SCRIPTS
from scoring.humdial.statistic import COLUMNS, totals
from scoring.ranking import HUMDIAL_2025_12

LIMIT = 1.0
STATISTIC = partial(totals, mode="strict", reference=HUMDIAL_2025_12)


def system(items: int, seed: int) -> Components:
    """A system whose items came out by chance."""
    random = np.random.default_rng(seed)
    strata = [f"{language}/{script}" for language in ("cn", "en") for script in SCRIPTS]
    layout = tuple((stratum, items // len(strata)) for stratum in strata)
    size = sum(count for _, count in layout)
    values = np.zeros((size, len(COLUMNS)))
    values[:, 0], values[:, 1] = random.random(size) < 0.7, 1
    for column in (2, 4, 6):
        values[:, column + 1] = random.integers(1, 3, size)
        values[:, column] = values[:, column + 1] * random.exponential(1.0, size)
    return Components(layout, values)


def whole_board(systems: Sequence[Components], draws: int) -> None:
    """All that a freeze asks for: intervals, ranks, tie groups, best of every column."""
    made = uncertainty.resample(systems, STATISTIC, draws=draws)
    order = [int(one) for one in np.argsort(-made.points["total"])]
    for column in made.points:
        for number in order:
            made.interval(column, number)
        uncertainty.best(made, column, order, higher_is_better=True)
    uncertainty.rank_intervals(made.draws["total"])
    uncertainty.tie_groups(made, "total", order)


def plain_loop(systems: Sequence[Components], draws: int) -> None:
    """Draw after draw, system after system, as one would write it first."""
    random = np.random.default_rng(0)
    for _ in range(draws):
        picks = {name: random.choice(rows, len(rows)) for name, rows in systems[0].strata.items()}
        for one in systems:
            sums = {name: one.values[rows].sum(axis=0)[None] for name, rows in picks.items()}
            STATISTIC(sums)


def by_scipy(systems: Sequence[Components], draws: int) -> None:
    """One system after the other with ``scipy.stats.bootstrap``, one sample per stratum."""
    for one in systems:
        samples = [np.arange(len(rows)) for rows in one.strata.values()]
        stats.bootstrap(
            samples, total_of(one), n_resamples=draws, vectorized=False, method="percentile", rng=0
        )


def total_of(one: Components) -> Callable[..., Any]:
    strata = one.strata

    def statistic(*picks: Any) -> Any:
        rows = zip(strata.items(), picks, strict=True)
        sums = {name: one.values[rows[pick]].sum(axis=0)[None] for (name, rows), pick in rows}
        return STATISTIC(sums)["total"][0]

    return statistic


def best_of(rounds: int, work: Callable[[], None]) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--draws", type=int, default=uncertainty.DRAWS)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(arguments)
    systems = [system(chosen.items, seed) for seed in range(chosen.systems)]
    spent = best_of(chosen.rounds, lambda: whole_board(systems, chosen.draws))
    sys.stdout.write(
        f"{chosen.systems} systems x {chosen.items} items x {chosen.draws} draws\n"
        f"  matrix products            {spent:8.2f} s\n"
    )
    for name, work in (("plain loop", plain_loop), ("scipy.stats.bootstrap", by_scipy)):
        few, draws = systems[:2], 20
        scale = len(systems) / len(few) * chosen.draws / draws
        slow = scale * best_of(1, partial(work, few, draws))
        sys.stdout.write(f"  {name:<26} {slow:8.2f} s (scaled), {slow / spent:.0f} times\n")
    return 0 if spent < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
