"""The report on an archive as a file, for the team and the organisers."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leaderboard.entry import check_report
from submissions.check_reports import report_for
from submissions.models import Submission


@require_safe
def as_csv(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Every finding of the check; whoever may not see it is told that it does not exist."""
    submission = get_object_or_404(Submission.objects.select_related("team", "split"), pk=pk)
    report = report_for(request.user, submission)
    if report is None:
        raise Http404
    response = HttpResponse(check_report.as_csv(report), content_type="text/csv; charset=utf-8")
    name = f"check-{submission.pk}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
