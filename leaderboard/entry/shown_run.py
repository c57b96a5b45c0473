"""Which run of a submission a reader sees: a new scoring is public with its board, not before.

An organiser who scores a published entry again sees at once what moves. Everybody else, its team
included, sees the run behind the newest board until a new one is frozen.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from leaderboard.models import Snapshot
from submissions.models import Run, Split, Submission
from submissions.permissions import is_organiser

NUMBERS = ("interruption", "rejection", "delay")


class Shown(NamedTuple):
    """The run for a reader, and the board's one where it is another."""

    run: Run | None
    on_board: Run | None = None


def shown_run(user: Any, submission: Submission, board: Snapshot | None) -> Shown:
    """Choose among the finished runs; ``board`` is the newest of the split."""
    finished = submission.runs.filter(finished__isnull=False).defer("components")
    runs = list(finished.order_by("-created"))
    if not runs:
        return Shown(None)
    frozen = _behind(runs, submission, board)
    if frozen is runs[0]:
        return Shown(frozen)
    return Shown(runs[0], frozen) if is_organiser(user, submission.split) else Shown(frozen)


def known_until(user: Any, split: Split) -> datetime | None:
    """Until when runs of published entries are known to a reader; ``None``: all of them."""
    if is_organiser(user, split):
        return None
    return split.snapshots.order_by("-id").values_list("created", flat=True).first()


def newest(runs: Sequence[Run], submission: Submission, until: datetime | None) -> Run | None:
    """The newest of the finished runs, newest first, that was there when the board was frozen."""
    if until is None or submission.published is None:
        return next(iter(runs), None)
    known = (run for run in runs if run.finished and run.finished <= until)
    return next(known, next(iter(runs), None))


def row_of(submission: Submission, board: Snapshot | None) -> dict[str, Any] | None:
    """The row of a submission on a board."""
    rows = board.rows if board else []
    return next((row for row in rows if row["link"] == str(submission.pk)), None)


def _behind(runs: list[Run], submission: Submission, board: Snapshot | None) -> Run:
    """The newest run that the board could know; with its numbers, where it has a row."""
    if board is None or submission.published is None:
        return runs[0]
    known = [run for run in runs if run.finished and run.finished <= board.created]
    if not known:
        return runs[0]
    row = row_of(submission, board)
    if row is None:
        return known[0]
    return next((run for run in known if _made(run, row, board.mode)), known[0])


def _made(run: Run, row: dict[str, Any], mode: str) -> bool:
    totals = (run.results or {})[mode]["totals"]
    shown = {name: totals[name] or "" for name in NUMBERS}
    same = all(row[name] == text for name, text in shown.items())
    # Older boards have the signature of both modes.
    return same and row["signature"] in (run.signature_of(mode), run.full_signature)
