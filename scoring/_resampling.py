"""Draws over the items of a stratum, and what systems add up to in each.

Conventions: a draw of ``n`` items with replacement is kept as how often each item was drawn, so
that all sums of all systems are one matrix product. The seed of a stratum comes from its name:
other strata, or more systems, never change its draws.
"""

import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from scoring.components import Array, Components

# Systems whose sums are held in memory at once.
BLOCK = 64

Sums = dict[str, Array]


def drawn(stratum: str, size: int, *, draws: int, seed: int) -> Array:
    """Return how often each item is drawn, as ``(draws, items)``."""
    generator = np.random.default_rng([seed, zlib.crc32(stratum.encode())])
    picks = generator.integers(size, size=(draws, size))
    picks += size * np.arange(draws)[:, None]
    counts = np.bincount(picks.ravel(), minlength=draws * size)
    return counts.reshape(draws, size).astype(np.float64)


def point_sums(systems: Sequence[Components]) -> Sums:
    """Return what each system adds up to, as ``(systems, columns)`` per stratum."""
    return {
        stratum: np.stack([one.values[rows].sum(axis=0) for one in systems])
        for stratum, rows in systems[0].strata.items()
    }


def drawn_sums(systems: Sequence[Components], *, draws: int, seed: int) -> Iterator[Sums]:
    """Yield the sums of every draw for a block of systems, as ``(draws, systems, columns)``."""
    strata = systems[0].strata
    weights = {
        stratum: drawn(stratum, len(rows), draws=draws, seed=seed)
        for stratum, rows in strata.items()
    }
    for start in range(0, len(systems), BLOCK):
        values = np.stack([one.values for one in systems[start : start + BLOCK]], axis=1)
        yield {name: _product(counts, values[strata[name]]) for name, counts in weights.items()}


def _product(counts: Array, values: Array) -> Array:
    items, systems, columns = values.shape
    return (counts @ values.reshape(items, -1)).reshape(len(counts), systems, columns)
