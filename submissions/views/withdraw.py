"""Take a submission back: a page that asks, and the form on it that does it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from submissions.models import Split, Submission
from submissions.permissions import can_withdraw
from submissions.services.choose import is_choice_over
from submissions.services.slots import gives_slot_back, slots
from submissions.services.standing import withdraw
from submissions.states import UNFINISHED, IllegalMove, State, can_move


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first; a confirmed answer withdraws, and the submission's page tells what happened."""
    submission = get_object_or_404(
        Submission.objects.select_related("split", "team", "system"), pk=pk
    )
    if not can_withdraw(request.user, submission):
        raise Http404
    if request.method == "POST":
        _withdraw(request, submission)
        return redirect("submission", pk=submission.pk)
    if not can_move(submission, State.WITHDRAWN):
        messages.error(request, _too_late(submission))
        return redirect("submission", pk=submission.pk)
    context = {
        "submission": submission,
        "is_under_way": submission.state in (State.UPLOADING, *UNFINISHED),
        "gives_slot_back": gives_slot_back(submission),
        "leaves_team_without": _leaves_team_without(submission),
    }
    return render(request, "submissions/withdraw.html", context)


def _withdraw(request: HttpRequest, submission: Submission) -> None:
    was_public = submission.published is not None
    try:
        withdraw(submission, who=request.user)
    except IllegalMove:
        # In another window, or by a teammate, something else has happened to it meanwhile.
        messages.error(request, _too_late(Submission.objects.get(pk=submission.pk)))
        return
    board = _("It has left the board.") if was_public else _("Nothing more is done for it.")
    lines = (_("The submission is withdrawn."), board, _quota(submission))
    messages.success(request, " ".join(lines))


def _quota(submission: Submission) -> str:
    """Say what a withdrawal means for the quota of the team."""
    now = slots(submission.split, submission.team, timezone.now(), is_trial=submission.is_trial)
    costs = _("It costs no slot.") if gives_slot_back(submission) else _("Its slot stays used.")
    if not now.allowed:
        return f"{costs} {now.reason}"
    if now.left is None:
        return costs
    left = ngettext(
        "The team may hand in %(number)d more now.",
        "The team may hand in %(number)d more now.",
        now.left,
    )
    return f"{costs} {left % {'number': now.left}}"


def _leaves_team_without(submission: Submission) -> bool:
    """Whether no other entry of the team would take its place."""
    split = submission.split
    takes_one = split.counting != Split.Counting.EVERY
    return takes_one and not submission.is_trial and is_choice_over(split)


def _too_late(submission: Submission) -> str:
    return _("This submission cannot be withdrawn: its state is “%(state)s”.") % {
        "state": submission.get_state_display()
    }
