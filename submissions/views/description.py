"""The description of a submission: a PDF that its team sent, for those who may read it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from submissions.models import Submission
from submissions.permissions import can_see_document, can_show_document


@require_safe
def description(request: HttpRequest, pk: UUID) -> FileResponse:
    """Send the PDF. A stranger wrote it, so it may do nothing on this site but be read."""
    submission = _described(pk)
    if not can_see_document(request.user, submission):
        raise Http404
    try:
        file = submission.document.open()
    except FileNotFoundError as cause:
        raise Http404 from cause
    name = f"{submission.system.slug}-description.pdf"
    answer = FileResponse(file, content_type="application/pdf", filename=name)
    answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
    # Who may read it can change at any moment.
    answer["Cache-Control"] = "private, no-cache"
    return answer


@login_required
@require_POST
def show_description(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Say who may read it; a form's button, whose value is the answer."""
    submission = _described(pk)
    if not can_show_document(request.user, submission):
        raise Http404
    to_everybody = request.POST.get("public") == "1"
    Submission.objects.filter(pk=pk).update(document_public=to_everybody)
    if to_everybody:
        told = _("Everybody may read the description once the entry is published.")
    else:
        told = _("Only your team and the organisers may read the description now.")
    messages.success(request, told)
    return redirect("submission", pk=pk)


def _described(pk: UUID) -> Submission:
    found = Submission.objects.select_related("split", "team", "system").exclude(document="")
    return get_object_or_404(found, pk=pk)
