"""Item results and the score report of a submission as files, for those who may see its items."""

from collections.abc import Callable, Iterator
from typing import TypeVar
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leaderboard.boards import newest_mode
from leaderboard.entry.downloads import Source, as_corrections, as_csv, as_json, as_report
from leaderboard.entry.shown_run import shown_run
from scoring.evidence import MODES
from submissions.models import Submission
from submissions.permissions import can_see_items, can_see_results, can_see_submission

Made = Callable[[Source], Iterator[str]]
R = TypeVar("R", bound=HttpResponseBase)
CSV = "text/csv; charset=utf-8"
ITEMS: dict[str, tuple[Made, str]] = {
    "csv": (as_csv, CSV),
    "json": (as_json, "application/json"),
}


@require_safe
def items(request: HttpRequest, pk: UUID, form: str) -> StreamingHttpResponse:
    """Every item result, in the mode that ranks or the one that ``?mode=`` names."""
    if form not in ITEMS:
        raise Http404
    source = _source(request, pk)
    made, kind = ITEMS[form]
    return _file(made(source), kind, f"items-{pk}-{source.mode}.{form}")


@require_safe
def report(request: HttpRequest, pk: UUID) -> StreamingHttpResponse:
    """The report as ``python -m scoring score --json`` writes it."""
    source = _source(request, pk)
    return _file(as_report(source), "application/json", f"report-{pk}-{source.mode}.json")


@require_safe
def corrections(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The labels that people corrected and that are in the numbers, to score with them at home."""
    made = as_corrections(_source(request, pk).run)
    return _named(HttpResponse(made, CSV), f"corrections-{pk}.csv")


def _source(request: HttpRequest, pk: UUID) -> Source:
    """A run that the reader may see item by item; for others it does not exist."""
    known = Submission.objects.select_related("split", "team", "system")
    submission = get_object_or_404(known, pk=pk)
    allowed = (
        can_see_submission(request.user, submission)
        and can_see_results(request.user, submission)
        and can_see_items(request.user, submission.split, submission)
    )
    mode = request.GET.get("mode", newest_mode(submission.split))
    if not allowed or mode not in MODES:
        raise Http404
    run = shown_run(request.user, submission).run
    if run is None or run.results is None:
        raise Http404
    run.submission = submission
    return Source(run, mode)


def _file(parts: Iterator[str], kind: str, name: str) -> StreamingHttpResponse:
    return _named(StreamingHttpResponse(parts, content_type=kind), name)


def _named(response: R, name: str) -> R:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
