"""Boards: the current one of a split, a frozen one by its number, and their exports."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from leaderboard import exports, tables
from leaderboard.models import Snapshot
from leaderboard.progress import under_way
from leaderboard.snapshots import latest
from submissions.models import Split


def home(request: HttpRequest) -> HttpResponse:
    """The board of the first split, with links to the others."""
    split = Split.objects.first()
    if split is None:
        return render(request, "board/empty.html")
    return _board(request, split, latest(split), is_current=True, is_home=True)


def split_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The current board of a split, and what is going on there now."""
    split = get_object_or_404(Split, slug=slug)
    return _board(request, split, latest(split), is_current=True)


def split_live(request: HttpRequest, slug: str) -> HttpResponse:
    """What is going on in a split now, as a fragment; asks for the page anew when work ended."""
    split = get_object_or_404(Split, slug=slug)
    snapshot = latest(split)
    response = render(
        request, "board/_queue.html", {"split": split, **_live(request, split, snapshot)}
    )
    if request.GET.get("board", "") != _number(snapshot):
        response["HX-Refresh"] = "true"
    return response


def board_page(request: HttpRequest, number: int) -> HttpResponse:
    """A frozen board by its number."""
    snapshot = _snapshot(number)
    is_current = snapshot == latest(snapshot.split)
    return _board(request, snapshot.split, snapshot, is_current=is_current, is_frozen=True)


def board_export(request: HttpRequest, number: int, form: str) -> HttpResponse:
    """A frozen board as CSV or JSON."""
    return _export(_snapshot(number), form)


def split_export(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """The current board of a split as CSV or JSON."""
    snapshot = latest(get_object_or_404(Split, slug=slug))
    if snapshot is None:
        raise Http404
    return _export(snapshot, form)


def _snapshot(number: int) -> Snapshot:
    return get_object_or_404(Snapshot.objects.select_related("split"), pk=number)


def _board(
    request: HttpRequest, split: Split, snapshot: Snapshot | None, **flags: Any
) -> HttpResponse:
    others = Split.objects.exclude(pk=split.pk)
    context = {"split": split, "snapshot": snapshot, "others": others, **flags}
    if snapshot is not None:
        context |= {
            "board": tables.board(snapshot.rows),
            "origin": tables.origin(snapshot),
            "previous": _neighbour(snapshot),
        }
    if flags["is_current"]:
        context |= _live(request, split, snapshot)
    return render(request, "board/board.html", context)


def _live(request: HttpRequest, split: Split, snapshot: Snapshot | None) -> dict[str, Any]:
    return {"queue": under_way(split, request.user), "board_number": _number(snapshot)}


def _number(snapshot: Snapshot | None) -> str:
    return "" if snapshot is None else str(snapshot.pk)


def _neighbour(snapshot: Snapshot) -> Snapshot | None:
    """The board of the same split before this one."""
    return snapshot.split.snapshots.filter(pk__lt=snapshot.pk).order_by("-pk").first()


def _export(snapshot: Snapshot, form: str) -> HttpResponse:
    name = f"{snapshot.split.slug}-board-{snapshot.pk}"
    if form == "json":
        return JsonResponse(exports.as_json(snapshot), json_dumps_params={"ensure_ascii": False})
    if form != "csv":
        raise Http404
    response = HttpResponse(exports.as_csv(snapshot), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
