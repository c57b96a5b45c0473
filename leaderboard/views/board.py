"""Boards: the current one of a split, a frozen one by its number, and their exports."""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt

from leaderboard import boards
from leaderboard.board import exports, print_exports, provenance, strips, viewstate
from leaderboard.board import page as board_page
from leaderboard.entry.ladder import UNDER_WAY
from leaderboard.entry.progress import under_way
from leaderboard.models import Snapshot
from scoring.signature import Signature
from submissions.models import Split, Submission

BIG_FIELDS = ("rows", "moved")


def home(request: HttpRequest) -> HttpResponse:
    """The board of the front page's split, with links to the others."""
    return _current(request, None, is_home=True) or render(request, "board/empty.html")


def split_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The current board of a split, and what is going on there now."""
    response = _current(request, slug)
    if response is None:
        raise Http404
    return response


def split_live(request: HttpRequest, slug: str) -> HttpResponse:
    """What is going on in a split now, as a fragment; asks for the page anew when work ended."""
    split = get_object_or_404(_splits(request), slug=slug)
    response = render(request, "board/_queue.html", {"split": split, **_live(request, split)})
    if request.GET.get("board", "") != _number(split):
        response["HX-Refresh"] = "true"
    return response


def frozen(request: HttpRequest, number: int) -> HttpResponse:
    """A frozen board by its number."""
    state = _state(request)

    def make() -> HttpResponse:
        split = get_object_or_404(_splits(request), snapshots__pk=number)
        flags = {"is_current": split.newest == number, "is_frozen": True}
        return _board(request, split, _light(number), state, **flags)

    return board_page.anonymous(request, state, str(number), make)


def board_export(request: HttpRequest, number: int, form: str) -> HttpResponse:
    """One view of a frozen board for other programs."""
    found = Snapshot.objects.select_related("split")
    known = found.filter(split__in=Split.objects.visible_to(request.user))
    snapshot = get_object_or_404(known, pk=number)
    return _export(request, snapshot, form)


def split_export(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """One view of the current board of a split for other programs."""
    split = get_object_or_404(Split.objects.visible_to(request.user), slug=slug)
    snapshot = split.snapshots.order_by("-pk").first()
    if snapshot is None:
        raise Http404
    return _export(request, snapshot, form)


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
def embedded(request: HttpRequest, number: int | None = None) -> HttpResponse:
    """A board without anything around it, for the pages of others."""
    public = _annotated(Split.objects.public())
    split = boards.home(public) if number is None else public.filter(snapshots__pk=number).first()
    if split is None:
        raise Http404
    pk = split.newest if number is None else number
    context: dict[str, Any] = {"split": split}
    if pk is not None:
        snapshot = _light(pk)
        region = board_page.region(snapshot, _state(request), embedded=True)
        warnings = provenance.warnings(split, region.about.engines)
        context |= {"snapshot": snapshot, "region": region, "warnings": warnings}
    return render(request, "board/embed.html", context)


def _splits(request: HttpRequest) -> "QuerySet[Any]":
    """The splits that the reader may know of."""
    return _annotated(Split.objects.visible_to(request.user))


def _annotated(splits: "QuerySet[Split]") -> "QuerySet[Any]":
    """Splits with the number of their newest board, and whether anything is under way there."""
    newest = Snapshot.objects.filter(split=OuterRef("pk")).order_by("-pk")
    busy = Submission.objects.filter(split=OuterRef("pk"), state__in=UNDER_WAY)
    return splits.annotate(newest=Subquery(newest.values("pk")[:1]), is_busy=Exists(busy))


def _light(number: int) -> Snapshot:
    """A board without its rows, which a kept table does not need."""
    return Snapshot.objects.defer(*BIG_FIELDS).get(pk=number)


def _current(request: HttpRequest, slug: str | None, **flags: Any) -> HttpResponse | None:
    """The newest board of a split (of the front page's without a slug); ``None`` without one.

    What is remembered is remembered for those without an account, of what is public.
    """
    state, token = _state(request), board_page.token(slug)

    def make(split: Any = None) -> HttpResponse:
        known = split or _split(request, slug)
        if known is None:
            raise Http404
        snapshot = None if known.newest is None else _light(known.newest)
        return _board(request, known, snapshot, state, is_current=True, **flags)

    if token is not None and not request.user.is_authenticated:
        return board_page.anonymous(request, state, token, make)
    split = _split(request, slug)
    if split is None:
        return None
    if split.is_busy or request.user.is_authenticated:
        return make(split)
    token = board_page.keep_token(slug, f"{slug}:{split.newest}:current")
    return board_page.anonymous(request, state, token, lambda: make(split))


def _state(request: HttpRequest) -> viewstate.ViewState:
    return viewstate.read(request.GET) if request.GET else viewstate.DEFAULT


def _split(request: HttpRequest, slug: str | None) -> Any:
    """A split by its name; a draft is nobody's first one."""
    if slug is None:
        return boards.home(_annotated(Split.objects.public()))
    return _splits(request).filter(slug=slug).first()


def _board(
    request: HttpRequest,
    split: Any,
    snapshot: Snapshot | None,
    state: viewstate.ViewState,
    **flags: Any,
) -> HttpResponse:
    others = Split.objects.public().exclude(pk=split.pk)
    context = {"split": split, "snapshot": snapshot, "others": others, **flags}
    if snapshot is not None:
        region = board_page.region(snapshot, state)
        context |= {
            "region": region,
            "warnings": provenance.warnings(split, region.about.engines),
            "origin": strips.origin(snapshot),
            "previous": _previous(snapshot),
            "scorer": _scorers(snapshot),
            "citation": _bibtex(request, snapshot, region.about),
        }
    if flags["is_current"]:
        context |= _live(request, split)
    return render(request, "board/board.html", context)


def _live(request: HttpRequest, split: Any) -> dict[str, Any]:
    return {"queue": under_way(split, request.user), "board_number": _number(split)}


def _number(split: Any) -> str:
    return "" if split.newest is None else str(split.newest)


def _previous(snapshot: Snapshot) -> int | None:
    """Number of the board of the same split before this one."""
    earlier = Snapshot.objects.filter(split_id=snapshot.split_id, pk__lt=snapshot.pk)
    return earlier.order_by("-pk").values_list("pk", flat=True).first()


def _scorers(snapshot: Snapshot) -> str:
    """Protocol and scorer of the rows scored here, in short."""
    known = [Signature.parse(line) for line in snapshot.signatures]
    return ", ".join(sorted({f"{one.protocol} · scorer {one.scorer}" for one in known}))


def _address(request: HttpRequest, snapshot: Snapshot) -> str:
    return request.build_absolute_uri(reverse("board", args=[snapshot.pk]))


def _bibtex(request: HttpRequest, snapshot: Snapshot, about: provenance.About | None = None) -> str:
    address = _address(request, snapshot)
    return print_exports.as_bibtex(snapshot, about, address=address, site=settings.SITE_NAME)


def _export(request: HttpRequest, snapshot: Snapshot, form: str) -> HttpResponse:
    state = _state(request)
    if form == "json":
        content = exports.as_json(snapshot, state)
        return JsonResponse(content, json_dumps_params={"ensure_ascii": False})
    address, site = _address(request, snapshot), settings.SITE_NAME
    makers: dict[str, tuple[str, Callable[[], str]]] = {
        "csv": ("text/csv", lambda: exports.as_csv(snapshot, state)),
        "tex": (
            "application/x-tex",
            lambda: print_exports.as_latex(snapshot, state, address=address, site=site),
        ),
        "bib": (
            "application/x-bibtex",
            lambda: _bibtex(request, snapshot),
        ),
    }
    if form not in makers:
        raise Http404
    kind, make = makers[form]
    response = HttpResponse(make(), content_type=f"{kind}; charset=utf-8")
    name = f"{snapshot.split.slug}-board-{snapshot.pk}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
