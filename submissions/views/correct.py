"""Organisers' acts on one entry: correct a label, score again, put the numbers on the board."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from submissions.forms.correction import CorrectionForm
from submissions.models import Submission
from submissions.permissions import can_correct
from submissions.services.correct import correct
from submissions.services.refused import Refused
from submissions.services.rescore import put_on_board, rescore
from submissions.states import IllegalMove


@login_required
@require_POST
def correct_label(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    """Add a correction, or take one back; the card of the judge tells what happened."""
    submission = _submission(request, pk)
    item = get_object_or_404(submission.split.items, slug=name)
    # The service knows whether there is anything to take back.
    form = CorrectionForm(request.POST, stands=True)
    if form.is_valid():
        try:
            made = correct(submission, item, by=request.user, **form.cleaned_data)
        except Refused as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _said(made.get_label_display()))
    else:
        errors = [str(error) for field in form.errors.values() for error in field]
        rule = _("The label was not corrected: a label and a reason are needed.")
        messages.error(request, " ".join([rule, *errors]))
    return redirect(_card(request, submission, name))


@login_required
@require_POST
def score_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Queue a submission again, so that its corrections count."""
    submission = _submission(request, pk)
    try:
        rescore(submission, who=request.user)
        messages.success(request, _("Queued: it is scored again, with all corrections."))
    except IllegalMove:
        # In another window, or by somebody else, something has happened to it meanwhile.
        state = Submission.objects.get(pk=submission.pk).get_state_display()
        rule = _("It cannot be scored again now: its state is “%(state)s”.")
        messages.error(request, rule % {"state": state})
    return redirect("submission", pk=submission.pk)


@login_required
@require_POST
def put_run_on_board(request: HttpRequest, pk: UUID, run: int) -> HttpResponse:
    """Let a run that was scored again stand for its entry; a new board says so."""
    submission = _submission(request, pk)
    chosen = get_object_or_404(submission.runs, pk=run)
    try:
        put_on_board([chosen], who=request.user)
        messages.success(request, _("These numbers stand for the entry now."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("submission", pk=submission.pk)


def _submission(request: HttpRequest, pk: UUID) -> Submission:
    """One whose labels the reader may correct; for others it does not exist."""
    found = Submission.objects.select_related("split", "team", "system")
    submission = get_object_or_404(found, pk=pk)
    if not can_correct(request.user, submission):
        raise Http404
    return submission


def _said(label: str) -> str:
    if not label:
        return _("Taken back: the judge's label counts again from the next scoring on.")
    return _("Corrected to %(label)s: it counts from the next scoring on.") % {"label": label}


def _card(request: HttpRequest, submission: Submission, name: str) -> str:
    """The card that the form stood on, with the systems and the filter of its page."""
    query = request.GET.copy() if "sys" in request.GET else QueryDict(f"sys={submission.pk}")
    address = reverse("item", args=[submission.split.slug, name])
    return f"{address}?{query.urlencode(safe=',')}#judge-{submission.pk}"
