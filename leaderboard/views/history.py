"""The history of boards: by number and date, the difference of any two, and who moved the scale."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from leaderboard.board import history
from leaderboard.board.movement import COMPARED, movement
from leaderboard.models import Snapshot
from submissions.models import Split

PER_PAGE = 50


def boards(request: HttpRequest) -> HttpResponse:
    """Every board of a split, newest first, with its cause."""
    known = Split.objects.visible_to(request.user)
    splits = list(known.filter(snapshots__isnull=False).distinct())
    split = _split(splits, request.GET.get("split", ""))
    found = _boards(split, request.GET.get("until", ""))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "splits": splits,
        "split": split,
        "page": page,
        "ledger": history.ledger(found.values(*history.SCALE)) if split else [],
        "until": history.day(request.GET.get("until", "")),
    }
    return render(request, "history/boards.html", context)


def difference(request: HttpRequest) -> HttpResponse:
    """What differs between two boards of one split, whichever came first."""
    pair = [_board(request, request.GET.get(name, "")) for name in ("a", "b")]
    first, second = sorted(pair, key=lambda board: board.pk)
    if first.split_id != second.split_id:
        raise Http404
    moved = movement(first.pk, _content(first), _content(second))
    context = {"first": first, "second": second, "moved": moved, "split": first.split}
    return render(request, "history/difference.html", context)


def _split(splits: list[Split], slug: str) -> Split | None:
    """The split asked for; without one the first that has boards."""
    if not slug:
        return splits[0] if splits else None
    found = next((split for split in splits if split.slug == slug), None)
    if found is None:
        raise Http404
    return found


def _boards(split: Split | None, until: str) -> QuerySet[Snapshot]:
    """Boards without their rows; up to the end of a day (UTC) where one is given."""
    found = Snapshot.objects.filter(split=split).defer("rows").order_by("-id")
    day = history.day(until)
    return found.filter(created__date__lte=day) if day else found


def _board(request: HttpRequest, number: str) -> Snapshot:
    if not number.isdecimal() or len(number) > history.LONGEST_NUMBER:
        raise Http404
    known = Split.objects.visible_to(request.user)
    found = Snapshot.objects.select_related("split").filter(split__in=known)
    return get_object_or_404(found, pk=int(number))


def _content(board: Snapshot) -> dict[str, Any]:
    return {name: getattr(board, name) for name in COMPARED}
