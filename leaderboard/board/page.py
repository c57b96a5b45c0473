"""The changing part of a board page, and whole pages for readers without an account, in memory.

Conventions: a frozen board never changes, so its table is made once per view, language and process.
Whole pages live for seconds only, since the split's own texts may change. Kept bytes are gzipped.
Whoever is logged in, or has a message waiting, gets a page of their own.
"""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

import scoring
from leaderboard.board import choices, paired, provenance, strips, tables, weights_panel
from leaderboard.board.columns import special
from leaderboard.board.rules import of_board
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Snapshot

# Seconds that a whole page is kept, and a table.
PAGE_LIFE, TABLE_LIFE = 30, 3600
FAST = 5  # gzip level: most of the gain at a fraction of the time


@dataclass(frozen=True, slots=True)
class Region:
    """The part of the page that a view changes, with what the rest of the page says of it."""

    html: str
    takeaway: str
    unofficial: str
    is_empty: bool
    about: provenance.About


class _Kept(NamedTuple):
    body: bytes
    etag: str


def region(snapshot: Snapshot, state: ViewState, *, embedded: bool = False) -> Region:
    """Return the table of a board in one view, made at most once per language."""
    key = f"region:{_version()}:{snapshot.pk}:{get_language()}:{embedded}:{_digest(state.query())}"
    kept = caches["pages"].get(key)
    if kept is not None:
        return Region(gzip.decompress(kept[0]).decode(), *kept[1:])
    made = _made(snapshot, state, embedded=embedded)
    packed = gzip.compress(made.html.encode(), FAST)
    if not state.q:
        caches["pages"].set(
            key, (packed, made.takeaway, made.unofficial, made.is_empty, made.about), TABLE_LIFE
        )
    return made


def _made(snapshot: Snapshot, state: ViewState, *, embedded: bool) -> Region:
    gaps = paired.gaps(snapshot.rows, state)
    board = tables.board(snapshot.rows, state, gaps, of_board(snapshot))
    html = render_to_string("board/_region.html", context(snapshot, board, state, embedded))
    about = provenance.about(snapshot)
    return Region(html, board.takeaway, board.unofficial, not snapshot.rows, about)


def context(
    snapshot: Snapshot, board: tables.Board, state: ViewState, embedded: bool
) -> dict[str, Any]:
    """What the template of the region needs."""
    return {
        "snapshot": snapshot,
        "board": board,
        "state": state,
        "query": state.query().removesuffix("?"),
        "heads": {name: special(name, state) for name in ("rank", "name", "total")},
        "filters": choices.filters(snapshot.rows, state),
        "is_filtered": bool(state.kind or state.weights or state.arch),
        "columns": choices.columns(state),
        "languages": choices.languages(state),
        "search_hidden": choices.hidden_fields(state, "q"),
        "picker_hidden": choices.hidden_fields(state, "cols"),
        "pages": choices.pages(board, state),
        "links": choices.links(board, state),
        "about_intervals": _about_intervals(snapshot, board),
        "about_latency": strips.about_latency(snapshot.rows),
        "moved": strips.moved(snapshot),
        "weights": of_board(snapshot).weights._asdict(),
        "panel": weights_panel.panel(snapshot.rows, state, of_board(snapshot)),
        "panel_hidden": choices.hidden_fields(state, "w"),
        "embedded": embedded,
    }


def _about_intervals(snapshot: Snapshot, board: tables.Board) -> str:
    if board.compared_to:
        return strips.about_differences(board.has_gaps)
    return strips.about_intervals(snapshot)


def anonymous(
    request: HttpRequest, state: ViewState, token: str, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Answer from memory where the reader has no account and the address is a usual one.

    Args:
        request: from whom.
        state: the view that the address asks for.
        token: what else decides the page: number of the board, and whether it is the newest.
        make: makes the page.
    """
    if not _is_anonymous(request) or not _is_usual(request, state):
        return make()
    parts = (_version(), get_language(), request.build_absolute_uri(), _theme(request), token)
    key = f"page:{_digest(repr(parts))}"
    kept = caches["pages"].get(key)
    if kept is None:
        response = make()
        if response.status_code != 200:
            return response
        kept = _Kept(gzip.compress(response.content, FAST), f'"{_digest(response.content)}"')
        caches["pages"].set(key, kept, PAGE_LIFE)
    return _answer(request, kept)


def token(slug: str | None) -> str | None:
    """What was found out about the newest board of a split a moment ago; ``None`` if nothing."""
    return caches["pages"].get(f"token:{slug}")


def keep_token(slug: str | None, found: str) -> str:
    """Trust for a moment that nothing newer came, so that most readers ask no database."""
    caches["pages"].set(f"token:{slug}", found, settings.BOARD_TRUSTED)
    return found


def _answer(request: HttpRequest, kept: _Kept) -> HttpResponse:
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(kept.body if takes_gzip else gzip.decompress(kept.body))
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = f"W/{kept.etag}"
    response["Cache-Control"] = "private, max-age=0, must-revalidate"
    patch_vary_headers(response, ["Accept-Encoding", "Accept-Language", "Cookie"])
    return get_conditional_response(request, response["ETag"], response=response) or response


def _is_anonymous(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME not in request.COOKIES and not len(get_messages(request))


def _is_usual(request: HttpRequest, state: ViewState) -> bool:
    """Whether the address is one that we write ourselves, and not one search out of many."""
    asked = request.META.get("QUERY_STRING", "")
    query = state.query().removeprefix("?") if asked else ""
    return not state.q and asked in (query, query.replace(",", "%2C"))


def _theme(request: HttpRequest) -> str:
    return request.COOKIES.get("theme", "")


def _version() -> str:
    return scoring.__version__


def _digest(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()[:32]
