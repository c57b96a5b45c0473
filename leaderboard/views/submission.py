"""The page of one submission: its ladder, its check report and its numbers."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from leaderboard import ladder, results, tables
from leaderboard.progress import progress_of
from leaderboard.snapshots import latest
from submissions.models import Run, Submission
from submissions.permissions import (
    can_see_items,
    can_see_results,
    can_see_submission,
    is_member,
)
from submissions.queries import finished_run

ITEMS_PER_PAGE = 200


def page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Everything the reader may know of a submission."""
    submission = _visible(request, pk)
    context = _live(submission) | _check(submission) | _results(request, submission)
    is_inside = request.user.is_staff or is_member(request.user, submission.team)
    context |= {
        "submission": submission,
        "is_inside": is_inside,
        "events": submission.events.select_related("who"),
    }
    return render(request, "submission/page.html", context)


def live(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The ladder as a fragment; asks for the whole page when the state has changed."""
    submission = _visible(request, pk)
    context = {"submission": submission, **_live(submission)}
    response = render(request, "submission/_ladder.html", context)
    if request.GET.get("state") != submission.state:
        response["HX-Refresh"] = "true"
    return response


def _visible(request: HttpRequest, pk: UUID) -> Submission:
    """A submission that the reader may see; for others it does not exist."""
    submission = get_object_or_404(
        Submission.objects.select_related("split", "team", "system"), pk=pk
    )
    if not can_see_submission(request.user, submission):
        raise Http404
    return submission


def _live(submission: Submission) -> dict[str, Any]:
    progress = progress_of(submission)
    return {
        "progress": progress,
        "steps": ladder.ladder(progress),
        "next": ladder.next_words(progress),
    }


def _check(submission: Submission) -> dict[str, Any]:
    report = submission.check_report
    if report is None:
        return {"report": None}
    return {"report": report, "findings": results.findings(report)}


def _results(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    """Numbers, for those who may see them."""
    run = finished_run(submission)
    if run is None or run.results is None:
        return {"run": None}
    if not can_see_results(request.user, submission):
        return {"run": None, "is_blind": True}
    mode = submission.split.ranking_mode
    other = "strict" if mode == "official" else "official"
    own = run.results[mode]
    return {
        "run": run,
        "mode": mode,
        "other_mode": other,
        "totals": results.totals(run.results),
        "reasons": [*own["totals"]["reasons"], *own.get("warnings", [])],
        "diagnostics": results.diagnostics(own.get("diagnostics", {})),
        "other_reasons": run.results[other]["totals"]["reasons"],
        "rankable": own["totals"]["rankable"],
        "place": _place(submission),
        "coverage": results.coverage(own["totals"]),
        "scenarios": results.scenarios(own["scenarios"]),
        "other_scenarios": results.scenarios(run.results[other]["scenarios"]),
        "signature": results.signature(run.full_signature),
        "unofficial": tables.engine_words(run.unofficial),
        **_items(request, submission, run),
    }


def _place(submission: Submission) -> dict[str, Any] | None:
    """Where the newest board of the split has it; ``None`` when it is not on it."""
    board = latest(submission.split)
    rows = board.rows if board else []
    row = next((row for row in rows if row["link"] == str(submission.pk)), None)
    return {"board": board, "rank": row["rank"], "total": row["total"]} if row else None


def _items(request: HttpRequest, submission: Submission, run: Run) -> dict[str, Any]:
    if not can_see_items(request.user, submission.split, submission):
        return {"items": None}
    found = run.items.select_related("item").order_by("item__position").defer("evidence")
    shown = Paginator(found, ITEMS_PER_PAGE).get_page(request.GET.get("page"))
    lines = results.items(shown.object_list, submission.split.ranking_mode)
    return {"items": lines, "items_page": shown}
