"""The upload page: what is open, what is left, what was begun, and the form."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from scoring.humdial.names import ROOT, expected_files
from scoring.manifest import Manifest
from submissions.forms import SubmitForm
from submissions.models import Split, Submission, Team, Upload
from submissions.permissions import can_see_items
from submissions.services.slots import Slots, slots_of
from submissions.services.submit import SubmissionRefused, submit
from submissions.services.upload import unfinished
from submissions.views.upload_words import upload_words

DOCUMENT_CODES = ("document-missing", "document-too-large", "document-too-short", "not-a-pdf")


@dataclass(frozen=True, slots=True)
class TeamSlots:
    """What one team may still submit to one split."""

    team: Team
    slots: Slots
    trials: Slots


@dataclass(frozen=True, slots=True)
class OpenSplit:
    """A split that takes uploads, with what the user's teams may do."""

    split: Split
    items: int
    teams: Sequence[TeamSlots]


@dataclass(frozen=True, slots=True)
class Begun:
    """An upload that is no submission yet."""

    upload: Upload
    percent: int
    arrived: str
    whole: str
    is_complete: bool


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest) -> HttpResponse:
    """Show the form; a complete and allowed upload becomes a submission."""
    if request.method != "POST":
        return _page(request, SubmitForm(request.user, initial=request.GET.dict()))
    form = SubmitForm(request.user, request.POST, request.FILES)
    # Reading the form has read the last byte.
    received = timezone.now()
    if form.is_valid():
        submission = _submitted(request, form, received)
        if submission is not None:
            return redirect("submission", pk=submission.pk)
    return _page(request, form, status=422)


@login_required
@require_safe
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """The names of the files that a split, or its trial, expects.

    Sorted by name, so that the list says nothing of what belongs together.
    """
    split = get_object_or_404(Split.objects.taking_uploads(), slug=slug)
    is_trial = request.GET.get("trial") == "1"
    items = split.trial if is_trial else split.items.all()
    name = f"{split.slug}-trial-files.csv" if is_trial else f"{split.slug}-files.csv"
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    writer = csv.writer(answer, lineterminator="\n")
    writer.writerow(["file"])
    expected = expected_files(Manifest(tuple(item.spec for item in items)))
    writer.writerows(sorted([file.path] for file in expected))
    return answer


@login_required
@require_safe
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    """The manifest of a split, for the checker at home; only where single items may be known."""
    split = get_object_or_404(Split.objects.taking_uploads(), slug=slug)
    if not can_see_items(request.user, split):
        raise Http404
    answer = HttpResponse(split.manifest.to_csv(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{split.slug}-manifest.csv"'
    return answer


def _submitted(request: HttpRequest, form: SubmitForm, received: datetime) -> Submission | None:
    data = form.cleaned_data
    try:
        return submit(
            split=data["split"],
            team=data["team"],
            system_name=data["system_name"],
            user=request.user,
            upload=data["archive"],
            is_trial=data["trial"],
            document=data["document"],
            document_public=data["description_public"],
            model_channel=data["model_channel"],
            received=received,
        )
    except SubmissionRefused as refusal:
        field = "document" if refusal.code in DOCUMENT_CODES else None
        form.add_error(field, f"{refusal.rule} {refusal.cure}")
        return None


def _page(request: HttpRequest, form: SubmitForm, status: int = 200) -> HttpResponse:
    teams, now = list(Team.objects.filter(members=request.user.pk)), timezone.now()
    splits = list(Split.objects.taking_uploads().annotate(count=Count("items")))
    left = slots_of(splits, teams, now)
    context = {
        "form": form,
        "splits": [_open(split, teams, left) for split in splits],
        "teams": teams,
        "root": ROOT,
        "limit": settings.MAX_ARCHIVE_BYTES,
        "keep_days": settings.UPLOAD_KEEP_DAYS,
        "begun": [_begun(upload) for upload in unfinished(request.user, now)],
        "words": upload_words(),
        "plain_url": request.build_absolute_uri(reverse("upload-plain")),
        "tus_url": request.build_absolute_uri(reverse("uploads")),
    }
    return render(request, "submissions/submit.html", context, status=status)


def _open(
    split: Any, teams: Sequence[Team], left: Mapping[tuple[Split, Team, bool], Slots]
) -> OpenSplit:
    own = [TeamSlots(team, left[split, team, False], left[split, team, True]) for team in teams]
    return OpenSplit(split, split.count, own)


def _begun(upload: Upload) -> Begun:
    return Begun(
        upload,
        percent=100 * upload.offset // upload.length,
        arrived=_size(upload.offset),
        whole=_size(upload.length),
        is_complete=upload.offset == upload.length,
    )


def _size(number: int) -> str:
    """A size as the upload script writes it, in powers of a thousand."""
    size, units = float(number), ["B", "kB", "MB", "GB"]
    while size >= 1000 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{size:.1f} {units[0]}" if units[0] != "B" else f"{number} B"
