"""Choose the submission that counts."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from submissions.models import Submission
from submissions.permissions import can_choose
from submissions.services.choose import choose
from submissions.services.refused import Refused


@login_required
@require_POST
def choose_submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let this one count; its page says so afterwards."""
    found = Submission.objects.select_related("split", "team", "system")
    submission = get_object_or_404(found, pk=pk)
    if not can_choose(request.user, submission):
        raise Http404
    try:
        choose(submission, who=request.user)
        messages.success(request, _("This submission counts now for your team."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("submission", pk=submission.pk)
