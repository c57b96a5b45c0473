"""Cards: pictures of a board, or of one system's place, for pages elsewhere that show a link."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, override
from django.views.decorators.cache import cache_control

from leaderboard import boards
from leaderboard.board import card, card_drawing
from leaderboard.items.file_cache import FileCache
from leaderboard.models import Snapshot
from scoring import __version__
from submissions.models import Split

BIG_FIELDS = ("rows", "moved")
LIFE = 300  # seconds; a frozen board's card changes only with the names of site and split
LIMIT = 64 * 2**20


@cache_control(public=True, max_age=LIFE)
def board(request: HttpRequest, number: int | None = None) -> HttpResponseBase:
    """The card of a frozen board, or of the front page's."""
    splits = Split.objects.public()
    found = Snapshot.objects.defer(*BIG_FIELDS).select_related("split").filter(split__in=splits)
    if number is None:
        found = found.filter(split=boards.home()).order_by("-pk")
        snapshot = found.first()
        if snapshot is None:
            raise Http404
    else:
        snapshot = get_object_or_404(found, pk=number)
    return _answer(request, snapshot, "", lambda: card.of_board(snapshot, settings.SITE_NAME))


@cache_control(public=True, max_age=LIFE)
def system(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The card of a system: its place on the first current board that has it."""
    found = (
        (board, row)
        for split in Split.objects.public()
        if (board := split.snapshots.select_related("split").order_by("-pk").first())
        if (row := card.row_of(board.rows, slug))
    )
    snapshot, row = next(found, (None, None))
    if snapshot is None or row is None:
        raise Http404
    return _answer(
        request, snapshot, slug, lambda: card.of_system(snapshot, settings.SITE_NAME, row)
    )


def _answer(
    request: HttpRequest, snapshot: Snapshot, about: str, make: Callable[[], card.Card]
) -> HttpResponseBase:
    """Send the picture from the folder of made ones; what decides it is its name."""
    found = card_drawing.faces(settings.CARD_FONT)
    language = str(get_language()) if found else "en"
    parts = (
        card_drawing.VERSION, __version__, snapshot.pk, about, language, settings.SITE_NAME,
        snapshot.split.name, snapshot.split.is_demo, found,
    )  # fmt: skip
    name = hashlib.sha256(repr(parts).encode()).hexdigest()

    def draw() -> bytes:
        with override(language):
            return card_drawing.png(make(), found)

    etag = f'"{name[:32]}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    folder = FileCache(Path(settings.MEDIA_ROOT) / "cards", LIMIT)
    response = FileResponse(folder.open(f"{name}.png", draw), content_type="image/png")
    response["ETag"] = etag
    return response
