"""The page of one submission: its ladder, its check report and its numbers."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from leaderboard.entry import check_report, costs, ladder
from leaderboard.entry.page import results_of
from leaderboard.entry.progress import costs_of, hindrance, latest_run, progress_of
from submissions import rules
from submissions.check_reports import report_for
from submissions.models import Run, Submission
from submissions.permissions import (
    can_see_costs,
    can_see_document,
    can_see_submission,
    can_show_document,
    can_withdraw,
    fetch_rights,
    is_inside,
    is_organiser,
)
from submissions.states import can_move


def page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Everything the reader may know of a submission."""
    fetch_rights(request.user)
    submission = _visible(request, pk)
    context = _live(request, submission) | _check(request, submission)
    context |= results_of(request.user, submission, context["latest_run"])
    context |= _inside(request, submission, context["latest_run"])
    context |= {
        "submission": submission,
        "is_inside": is_inside(request.user, submission),
        "is_organiser": is_organiser(request.user, submission.split),
        "events": submission.events.select_related("who"),
        "may_read_description": _may_read_description(request, submission),
        "trial_rule": rules.sentence(submission.split, "trial-shows"),
        "may_show_description": can_show_document(request.user, submission),
    }
    return render(request, "submission/page.html", context)


def live(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The ladder as a fragment; asks for the whole page when the state has changed."""
    submission = _visible(request, pk)
    context = {
        "submission": submission,
        "is_organiser": is_organiser(request.user, submission.split),
        **_live(request, submission),
    }
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


def _live(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    run = latest_run(submission)
    progress = progress_of(submission, run, with_costs=can_see_costs(request.user, submission))
    return {
        "latest_run": run,
        "progress": progress,
        "steps": ladder.ladder(progress),
        "next": ladder.next_words(progress),
    }


def _inside(request: HttpRequest, submission: Submission, run: Run | None) -> dict[str, Any]:
    """What only the team and the organisers see: costs, and the way to take it back.

    What keeps the judge is for organisers alone: it has the words of their endpoint.
    """
    context: dict[str, Any] = {}
    if can_see_costs(request.user, submission):
        estimate, usage = costs_of(run)
        context["costs"] = costs.lines(estimate, usage)
        context["pause"] = costs.pause(usage or {})
        context["pause_cure"] = costs.cure(is_staff=request.user.is_staff)
    if is_organiser(request.user, submission.split):
        context["hindrance"] = hindrance(submission, run)
    if can_withdraw(request.user, submission):
        context["may_withdraw"] = can_move(submission, Submission.State.WITHDRAWN)
    return context


def _may_read_description(request: HttpRequest, submission: Submission) -> bool:
    return bool(submission.document) and can_see_document(request.user, submission)


def _check(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    report = report_for(request.user, submission)
    if report is None:
        return {"report": None}
    return {
        "report": report,
        "findings": check_report.findings(report),
        "counts": check_report.counts(report),
    }
