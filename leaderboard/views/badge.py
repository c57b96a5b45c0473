"""The badge of one entry: its place on the newest board of its split, for everybody."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import override
from django.views.decorators.cache import cache_control

from leaderboard import sentences
from leaderboard.board import badge, provenance
from leaderboard.models import Snapshot
from submissions.models import Split


@cache_control(public=True, max_age=300)
def picture(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What is on no board has no badge: boards hold published entries only."""
    splits = Split.objects.public().filter(submissions__pk=pk)
    board = (
        Snapshot.objects.filter(split__in=splits).select_related("split").order_by("-pk").first()
    )
    row = _row(board, str(pk)) if board else None
    if board is None or row is None:
        raise Http404
    # It stands on pages that are not ours, in English.
    with override("en"):
        split, warning = sentences.known(board.split.name), provenance.stamp_of(board.split, row)
    text = badge.words(row, board.pk, split, warning)
    content = badge.svg(settings.SITE_NAME, text)
    return HttpResponse(content, content_type="image/svg+xml")


def _row(board: Snapshot, link: str) -> dict[str, Any] | None:
    rows = (row for row in board.rows if row["origin"] == "scored" and row["link"] == link)
    return next(rows, None)
