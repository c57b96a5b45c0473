"""The submissions of the user's teams."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.models import Submission, Team

PER_PAGE = 50


@login_required
def my_submissions(request: HttpRequest) -> HttpResponse:
    """List what the user's teams have handed in, newest first."""
    found = Submission.objects.filter(team__members=request.user.pk).select_related(
        "split", "team", "system"
    )
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    teams = Team.objects.filter(members=request.user.pk)
    return render(request, "submissions/my.html", {"page": page, "teams": teams})
