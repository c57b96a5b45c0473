"""The upload page: what is open, what is left, and the form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from scoring.humdial.names import ROOT
from submissions.forms import SubmitForm
from submissions.models import Split, Team
from submissions.services.submit import Slots, SubmissionRefused, slots, submit


@dataclass(frozen=True, slots=True)
class TeamSlots:
    """What one team may still submit to one split."""

    team: Team
    slots: Slots


@dataclass(frozen=True, slots=True)
class OpenSplit:
    """A split that takes uploads, with what the user's teams may do."""

    split: Split
    items: int
    teams: Sequence[TeamSlots]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest) -> HttpResponse:
    """Show the form; a complete and allowed upload becomes a submission."""
    if request.method != "POST":
        form = SubmitForm(request.user, initial={"split": request.GET.get("split")})
        return _page(request, form)
    form = SubmitForm(request.user, request.POST, request.FILES)
    if form.is_valid():
        submission = _submitted(request, form)
        if submission is not None:
            return redirect("submission", pk=submission.pk)
    return _page(request, form, status=422)


def _submitted(request: HttpRequest, form: SubmitForm) -> Any:
    data = form.cleaned_data
    try:
        return submit(
            split=data["split"],
            team=data["team"],
            system_name=data["system_name"],
            user=request.user,
            upload=data["archive"],
        )
    except SubmissionRefused as refusal:
        form.add_error(None, f"{refusal.rule} {refusal.cure}")
        return None


def _page(request: HttpRequest, form: SubmitForm, status: int = 200) -> HttpResponse:
    teams = list(Team.objects.filter(members=request.user.pk))
    now = timezone.now()
    splits = [
        OpenSplit(
            split,
            split.items.count(),
            [TeamSlots(team, slots(split, team, now)) for team in teams],
        )
        for split in Split.objects.filter(accepts_uploads=True)
    ]
    context = {
        "form": form,
        "splits": splits,
        "teams": teams,
        "root": ROOT,
        "limit": settings.MAX_ARCHIVE_BYTES,
    }
    return render(request, "submissions/submit.html", context, status=status)
