"""Let the judge of a waiting submission be asked at once; the button stands on its page."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from submissions.models import Submission
from submissions.permissions import is_organiser
from submissions.services.refused import Refused
from submissions.services.waiting import ask_again


@login_required
@require_POST
def ask_judge_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask again, instead of at the next look of the sweep; organisers only."""
    submission = get_object_or_404(Submission.objects.select_related("split"), pk=pk)
    if not is_organiser(request.user, submission.split):
        raise Http404
    try:
        ask_again(submission, who=request.user)
        messages.success(request, _("The judge is asked again. What is judged is kept."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("submission", pk=submission.pk)
