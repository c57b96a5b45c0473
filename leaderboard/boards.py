"""Which board stands first: the one place that chooses the split of the front page."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from leaderboard.models import Snapshot
from submissions.models import Split


def home(splits: "QuerySet[Any] | None" = None) -> Any:
    """The split of the front page, and of every page and picture that names none; in one query.

    It is the first public one, by position, that has a board with entries, so that a new split
    takes nobody's place; before there is any such board, the first public one. ``splits`` brings
    annotations along.
    """
    known = Split.objects.all() if splits is None else splits
    filled = Exists(Snapshot.objects.filter(split=OuterRef("pk")).exclude(rows=[]))
    public = known.filter(is_draft=False).annotate(is_filled=filled)
    return public.order_by("-is_filled", "position", "slug").first()
