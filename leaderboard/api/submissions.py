"""Submissions: handed in, watched, read, withdrawn, chosen."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import File, Form, Router, Status, UploadedFile
from ninja.pagination import paginate

from leaderboard.api.access import EVERYBODY, READER, SENDER
from leaderboard.api.errors import Problem, Refusal, missing
from leaderboard.api.schemas import EventOut, ItemResultOut, SubmissionDetail, SubmissionOut
from leaderboard.entry import ladder
from leaderboard.entry.progress import progress_of
from leaderboard.entry.shown_run import shown_run
from scoring.evidence import MODES
from scoring.report import readable
from submissions.check_reports import report_for
from submissions.models import ItemResult, Run, Split, Submission, Team
from submissions.permissions import (
    HIDDEN_FROM_PUBLIC,
    can_choose,
    can_see_items,
    can_see_results,
    can_see_submission,
    can_submit,
    can_withdraw,
    is_inside,
)
from submissions.services import choose as choosing
from submissions.services import standing
from submissions.services.channel import channel_of
from submissions.services.refused import Refused
from submissions.services.submit import SubmissionRefused, submit
from submissions.states import IllegalMove

router = Router(auth=EVERYBODY, tags=["submissions"])


@router.get("/", response=list[SubmissionOut])
@paginate
def submissions(
    request: Any, split: str = "", team: str = "", mine: bool = False
) -> QuerySet[Submission]:
    """Published submissions, and those of the reader's teams, newest first."""
    found = _visible(request.auth, mine=mine)
    if split:
        found = found.filter(split__slug=split)
    if team:
        found = found.filter(team__slug=team)
    return found.order_by("-created")


@router.post("/", response={201: SubmissionOut, 409: Problem, 422: Problem}, auth=SENDER)
def hand_in(
    request: Any,
    split: Form[str],
    team: Form[str],
    system: Form[str],
    archive: File[UploadedFile],
    trial: Form[bool] = False,
    description: File[UploadedFile] | None = None,
    description_public: Form[bool] = False,
    model_channel: Form[str] = "",
) -> Status[Submission]:
    """Hand in an archive in one form; what is large goes better to ``/uploads/``, which resumes."""
    # The form was read before we came here, and with it the last byte.
    received = timezone.now()
    place = Split.objects.public().filter(slug=split).first()
    whose = Team.objects.filter(slug=team, members=request.auth.pk).first()
    if place is None or whose is None or not can_submit(request.auth, place, whose):
        raise missing()
    if not system.strip():
        rule = _("The system has no name.")
        raise Refusal(422, "system-without-name", rule, _("Send its name as “system”."))
    try:
        made = submit(
            split=place,
            team=whose,
            system_name=system,
            user=request.auth,
            upload=archive,
            is_trial=trial,
            document=description,
            document_public=description_public,
            model_channel=channel_of(model_channel),
            received=received,
        )
    except SubmissionRefused as refusal:
        raise Refusal(409, refusal.code, refusal.rule, refusal.cure) from refusal
    return Status(201, made)


@router.get("/{uuid:pk}", response={200: SubmissionDetail, 404: Problem})
def submission(request: Any, pk: UUID) -> dict[str, Any]:
    """One submission: where it stands, and its numbers for those who may see them."""
    found = _found(request.auth, pk)
    return _detail(request.auth, found)


@router.get("/{uuid:pk}/items", response={200: list[ItemResultOut], 404: Problem})
@paginate
def items(request: Any, pk: UUID) -> QuerySet[ItemResult]:
    """Every item of the newest finished run, where the reader may see single items."""
    found = _found(request.auth, pk)
    run = shown_run(request.auth, found).run
    if run is None or not can_see_items(request.auth, found.split, found):
        raise missing()
    rows = run.items.select_related("item", "run__submission__split")
    return rows.order_by("item__position").defer("evidence")


@router.get("/{uuid:pk}/check", response={200: dict[str, Any], 404: Problem}, auth=READER)
def check(request: Any, pk: UUID) -> dict[str, Any]:
    """The report of the archive's check, for its team and organisers."""
    found = _found(request.auth, pk)
    report = report_for(request.auth, found)
    if report is None:
        raise missing()
    return report


@router.get("/{uuid:pk}/events", response={200: list[EventOut], 404: Problem}, auth=READER)
@paginate
def events(request: Any, pk: UUID) -> QuerySet[Any]:
    """Every move of a submission, for its team and organisers."""
    found = _found(request.auth, pk)
    if not is_inside(request.auth, found):
        raise missing()
    return found.events.all()


@router.post("/{uuid:pk}/withdraw", response={200: SubmissionOut, 409: Problem}, auth=SENDER)
def withdraw(request: Any, pk: UUID) -> Submission:
    """Take a submission back; it leaves the board. Its slot stays used once it was scored."""
    found = _found(request.auth, pk)
    if not can_withdraw(request.auth, found):
        raise missing()
    try:
        standing.withdraw(found, who=request.auth)
    except IllegalMove as move:
        rule = _("In its state it cannot be withdrawn.")
        raise Refusal(409, "cannot-withdraw", rule, _("Look at its events.")) from move
    return found


@router.post("/{uuid:pk}/choose", response={200: SubmissionOut, 409: Problem}, auth=SENDER)
def choose(request: Any, pk: UUID) -> Submission:
    """Let this submission count for its team, where the split leaves the choice."""
    found = _found(request.auth, pk)
    if not can_choose(request.auth, found):
        raise missing()
    try:
        choosing.choose(found, who=request.auth)
    except Refused as refusal:
        raise Refusal(409, refusal.code, refusal.rule, refusal.cure) from refusal
    return found


def _visible(user: Any, *, mine: bool) -> QuerySet[Submission]:
    rows = Submission.objects.select_related("split", "team", "system")
    own = Q(team__members=user.pk) if user.pk else Q(pk=None)
    if mine:
        return rows.filter(own).distinct()
    public = Q(published__isnull=False, split__is_draft=False) & ~Q(state__in=HIDDEN_FROM_PUBLIC)
    return rows.filter(own | public).distinct()


def _found(user: Any, pk: UUID) -> Submission:
    """A submission that the reader may see; for others it does not exist."""
    rows = Submission.objects.select_related("split", "team", "system")
    found = rows.filter(pk=pk).first()
    if found is None or not can_see_submission(user, found):
        raise missing()
    return found


def _detail(user: Any, one: Submission) -> dict[str, Any]:
    sees = can_see_results(user, one)
    run = shown_run(user, one).run if sees else None
    return {
        "submission": one,
        "progress": _progress(one),
        "receipt": _receipt(one) if is_inside(user, one) else None,
        **_numbers(run),
    }


def _progress(one: Submission) -> dict[str, Any]:
    progress = progress_of(one)
    counts = {name: getattr(progress, name) for name in ("items", "heard", "judged", "ahead")}
    return counts | {"next": str(ladder.next_words(progress))}


def _receipt(one: Submission) -> dict[str, Any]:
    names = ("archive_name", "size", "model_channel")
    return {name: getattr(one, name) for name in names} | {"sha256": one.sha256 or None}


def _numbers(run: Run | None) -> dict[str, Any]:
    """Numbers with what they are made with; the costs of judging are on the page only."""
    if run is None or run.results is None:
        return {"signature": None, "unofficial": [], "results": None}
    results = {
        mode: {"signature": run.signature_of(mode), **readable(run.results[mode])} for mode in MODES
    }
    return {"signature": run.full_signature, "unofficial": run.unofficial, "results": results}
