"""What the items of a finished run add up from, kept with the run for boards to freeze soon."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.benchmark import Benchmark
from scoring.components import Components, from_json, to_json
from scoring.errors import ScoringError
from scoring.evidence import MODES
from scoring.humdial import BENCHMARK
from submissions.models import ItemResult, Run


def of_rows(
    rows: Iterable[Mapping[str, Any]], *, benchmark: Benchmark = BENCHMARK
) -> dict[str, Any] | None:
    """Return what to store for item results (``official`` and ``strict``) in the split's order."""
    make, known = benchmark.components, list(rows)
    if make is None or not known:
        return None
    modes = {mode: make([row[mode] for row in known], mode) for mode in MODES}
    return to_json(modes, benchmark.parts)


def of_item_results(rows: Sequence[ItemResult]) -> dict[str, Any] | None:
    """Return what to store for the rows of a run that is being finished."""
    return of_rows({mode: getattr(row, mode) for mode in MODES} for row in rows)


def of_run(run: Run, mode: str, *, benchmark: Benchmark = BENCHMARK) -> Components | None:
    """Return a finished run's components; runs from before they were stored are filled in.

    ``None`` where the benchmark has none, or an item of the run has no result.
    """
    if run.components is None:
        rows = list(run.items.order_by("item__position").values(*MODES))
        if any(row[name] is None for row in rows for name in MODES):
            return None
        run.components = of_rows(rows, benchmark=benchmark)
        run.save(update_fields=["components"])
    if run.components is None:
        return None
    try:
        return from_json(run.components, mode, benchmark.parts)
    except ScoringError:
        # Another version of the scorer knew other parts: make them anew.
        run.components = None
        return of_run(run, mode, benchmark=benchmark)
