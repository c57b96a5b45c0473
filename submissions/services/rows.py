"""Item results as rows: what both modes make of an item, and many rows in one statement."""

from collections.abc import Sequence

from scoring.evidence import MODES, Evidence, Reference
from scoring.humdial import BENCHMARK
from scoring.pipeline import Scored
from scoring.report import item_to_json
from submissions.models import ItemResult, Run

# Rows in one statement.
BATCH = 100


def measure(row: ItemResult, reference: Reference, evidence: Evidence, *, run: Run) -> None:
    """Put what both modes make of an item into its row."""
    for mode in MODES:
        result = BENCHMARK.measure(reference, evidence, mode=mode, absent=run.absence(mode))
        setattr(row, mode, item_to_json(result))


def put(rows: Sequence[ItemResult], scored: Scored) -> list[ItemResult]:
    """Put the results of one mode into all rows of a run; return those to which they are news."""
    news = []
    for row, result in zip(rows, scored.items, strict=True):
        value = item_to_json(result)
        if getattr(row, scored.mode) != value:
            setattr(row, scored.mode, value)
            news.append(row)
    return news


def write(rows: Sequence[ItemResult], fields: Sequence[str]) -> None:
    """Write some fields of rows that exist.

    An insert that always meets its row costs a third of what ``bulk_update`` does, whose statement
    names every row again for every field.
    """
    ItemResult.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["id"], update_fields=fields, batch_size=BATCH
    )
