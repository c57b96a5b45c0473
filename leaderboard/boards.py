"""Which board stands first, which is a split's newest, and what its pages read of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from leaderboard.models import Snapshot
from submissions.models import Run, Split, Submission


def latest(split: Split) -> Snapshot | None:
    """Return the newest board of a split."""
    return split.snapshots.order_by("-id").first()


def mode_of(split: Split, board: Snapshot | None) -> str:
    """The mode that pages of a split show: its newest board's, until there is another one."""
    return split.ranking_mode if board is None else board.mode


def newest_mode(split: Split) -> str:
    """The same, for those who do not have the newest board."""
    modes = split.snapshots.order_by("-id").values_list("mode", flat=True)
    return modes.first() or split.ranking_mode


def row_of(submission: Submission, board: Snapshot | None) -> dict[str, Any] | None:
    """The row of a submission on a board."""
    rows = board.rows if board else []
    return next((row for row in rows if row["link"] == str(submission.pk)), None)


def run_numbers(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The run behind each scored row of a board, by the row's submission."""
    return {row["link"]: row["run"] for row in rows if row.get("run") is not None}


def baseline_of(board: Snapshot | None) -> Run | None:
    """The run behind the baseline of a board; ``None`` where none was scored here."""
    rows = [row for row in (board.rows if board else []) if row["kind"] == "baseline"]
    numbers = list(run_numbers(rows).values())
    runs = Run.objects.select_related("submission__system", "submission__team")
    return runs.filter(pk__in=numbers[:1]).first()


def home(splits: "QuerySet[Any] | None" = None) -> Any:
    """The split of the front page, and of every page and picture that names none; in one query.

    It is the first public one, by position, that has a board with entries, so that a new split
    takes nobody's place; before there is any such board, the first public one. ``splits`` brings
    annotations along.
    """
    known = Split.objects.public() if splits is None else splits
    filled = Exists(Snapshot.objects.filter(split=OuterRef("pk")).exclude(rows=[]))
    return known.annotate(is_filled=filled).order_by("-is_filled", "position", "slug").first()
