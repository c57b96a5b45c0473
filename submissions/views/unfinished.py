"""What a person can do to an upload that is no submission yet, without a program."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from submissions.models import Upload
from submissions.services import upload as uploads
from submissions.services.slots import SubmissionRefused


@login_required
@require_POST
def make_submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Make a complete upload a submission, with a description if one is sent along."""
    upload = get_object_or_404(Upload, pk=pk, user=request.user.pk)
    try:
        if document := request.FILES.get("document"):
            uploads.describe(upload, document)
            is_public = "description_public" in request.POST
            uploads.show_description(upload, to_everybody=is_public)
        submission = uploads.finish(upload)
    except SubmissionRefused as error:
        messages.error(request, f"{error.rule} {error.cure}")
        return redirect("submit")
    except uploads.NotFinished:
        messages.error(request, _("This upload is not complete yet. Choose its file to go on."))
        return redirect("submit")
    return redirect("submission", pk=submission.pk)


@login_required
@require_POST
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Forget an upload and what has arrived of it."""
    upload = get_object_or_404(Upload, pk=pk, user=request.user.pk, submission=None)
    uploads.discard(upload)
    messages.success(request, _("The unfinished upload was deleted."))
    return redirect("submit")
