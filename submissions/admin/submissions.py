"""The queue: submissions with their events, marks and runs."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from submissions.admin.latency import LatencyMixin
from submissions.admin.read_only import ReadOnly
from submissions.models import Event, Run, Submission
from submissions.services.publish import publish
from submissions.services.refused import Refused
from submissions.services.rescore import newest_run, put_on_board, rescore
from submissions.services.standing import disqualify, mark, reinstate, withdraw
from submissions.services.waiting import ask_again

CHANGE = ["change"]


class ReasonForm(forms.Form):
    """Why an entry is disqualified, for everybody to read."""

    reason = forms.CharField(
        label=_("Public reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_("It stands on the page of the entry, in the history of boards and in the API."),
    )


class EventInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    model = Event
    extra = 0
    can_delete = False
    readonly_fields = ("at", "who", "role", "from_state", "to_state", "why", "detail")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Events are written by moves only."""
        return False


@admin.register(Submission)
class SubmissionAdmin(LatencyMixin):
    """Entries are never edited: whatever happens to one is an act with its event."""

    list_display = (
        "system",
        "team",
        "split",
        "state",
        "progress",
        "kind",
        "created",
        "sign_of_life",
        "published",
    )
    list_filter = ("state", "split", "kind")
    search_fields = ("system__name", "team__name", "sha256")
    fields = readonly_fields = (
        "split",
        "team",
        "system",
        "submitted_by",
        "created",
        "archive_name",
        "size",
        "sha256",
        "state",
        "reason",
        "detail",
        "kind",
        "is_trial",
        "is_chosen",
        "document_public",
        "attempts",
        "sign_of_life",
        "published",
        "board_run",
        "check_report",
        "model_channel",
        "measured_delay",
        "measured_how",
    )
    inlines = (EventInline,)
    list_select_related = ("system", "team", "split")
    actions = (
        "score_again",
        "ask_judge_again",
        "put_on_board",
        "put_newest_on_board",
        "mark_participant",
        "mark_late",
        "mark_baseline",
        "mark_open",
        "mark_closed",
        "measure_latency",
        "take_back",
        "disqualify_with_reason",
        "reinstate_chosen",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Submissions come in by upload only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing a user sent is ever lost."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        """Count the items that are done along."""
        done = Count(
            "runs__items", filter=Q(runs__items__judged__isnull=False, runs__finished=None)
        )
        total = Count("runs__items", filter=Q(runs__finished=None))
        return super().get_queryset(request).annotate(done=done, total=total)

    @admin.display(description=_("items done"))
    def progress(self, submission: Any) -> str:
        """Items done and in all of the run under way."""
        return f"{submission.done}/{submission.total}" if submission.total else ""

    @admin.action(description=_("Score again with today's engines"), permissions=CHANGE)
    def score_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Queue again."""
        self._each(request, queryset, lambda one: rescore(one, who=request.user))

    @admin.action(description=_("Ask the judge again, where it is in trouble"), permissions=CHANGE)
    def ask_judge_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Ask at once instead of at the next look."""
        self._each(request, queryset, lambda one: ask_again(one, who=request.user))

    @admin.action(description=_("Publish on the board"), permissions=CHANGE)
    def put_on_board(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Publish entries: all of them on one board, or none."""
        self._together(request, lambda: publish(queryset, who=request.user))

    @admin.action(description=_("Put the newest run on the board"), permissions=CHANGE)
    def put_newest_on_board(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Let the numbers of a new scoring stand for entries, all on one board."""
        self._together(request, lambda: put_on_board(map(newest_run, queryset), who=request.user))

    @admin.action(description=_("Withdraw"), permissions=CHANGE)
    def take_back(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Withdraw."""
        self._each(request, queryset, lambda one: withdraw(one, who=request.user))

    @admin.action(description=_("Disqualify …"), permissions=CHANGE)
    def disqualify_with_reason(
        self, request: HttpRequest, queryset: QuerySet[Submission]
    ) -> HttpResponse | None:
        """Ask for the public reason and say what will happen; then do both in one step."""
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            why = form.cleaned_data["reason"]
            self._each(request, queryset, lambda one: disqualify(one, who=request.user, why=why))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Disqualify"),
            "form": form,
            "submissions": queryset,
            "checkbox": ACTION_CHECKBOX_NAME,
            "opts": self.model._meta,
        }
        return TemplateResponse(request, "admin/submissions/disqualify.html", context)

    @admin.action(description=_("Reinstate: take a disqualification back"), permissions=CHANGE)
    def reinstate_chosen(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Undo a disqualification."""
        self._each(request, queryset, lambda one: reinstate(one, who=request.user))

    @admin.action(description=_("Mark as participant"), permissions=CHANGE)
    def mark_participant(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.PARTICIPANT)

    @admin.action(description=_("Mark as late"), permissions=CHANGE)
    def mark_late(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.LATE)

    @admin.action(description=_("Mark as baseline"), permissions=CHANGE)
    def mark_baseline(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.BASELINE)

    @admin.action(description=_("Mark as reference, open model"), permissions=CHANGE)
    def mark_open(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.OPEN)

    @admin.action(description=_("Mark as reference, closed model"), permissions=CHANGE)
    def mark_closed(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.CLOSED)

    def _mark(self, request: HttpRequest, queryset: QuerySet[Submission], kind: str) -> None:
        self._each(request, queryset, lambda one: mark(one, kind, who=request.user))

    def _each(self, request: HttpRequest, queryset: QuerySet[Submission], verb: Any) -> None:
        done = 0
        for submission in queryset:
            try:
                verb(submission)
                done += 1
            except Refused as refusal:
                self.message_user(request, f"{submission}: {refusal}", messages.ERROR)
        self._done(request, done)

    def _together(self, request: HttpRequest, verb: Callable[[], Sequence[Submission]]) -> None:
        try:
            self._done(request, len(verb()))
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)

    def _done(self, request: HttpRequest, count: int) -> None:
        self.message_user(request, _("Done for %(done)d submission(s).") % {"done": count})


@admin.register(Run)
class RunAdmin(ReadOnly):
    """Runs are made by scoring and never lost: boards are made of them."""

    list_display = (
        "submission",
        "created",
        "finished",
        "calls",
        "tokens",
        "cost",
        "expected_cost",
        "unjudged",
        "signature",
    )
    exclude = ("components",)
    actions = ("put_runs_on_board",)
    list_select_related = ("submission__system", "submission__team", "submission__split")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Leave out what is large and not shown."""
        return super().get_queryset(request).defer("components")

    @admin.display(description=_("judge calls"))
    def calls(self, run: Run) -> str:
        """Answered calls."""
        return _counted(run, "calls")

    @admin.display(description=_("tokens sent + received"))
    def tokens(self, run: Run) -> str:
        """Tokens in both directions."""
        parts = (_counted(run, "tokens_in"), _counted(run, "tokens_out"))
        return " + ".join(filter(None, parts))

    @admin.display(description=_("cost"))
    def cost(self, run: Run) -> str:
        """Money, where the prices are known."""
        return _usage(run).get("cost") or ""

    @admin.display(description=_("cost estimated before"))
    def expected_cost(self, run: Run) -> str:
        """Money expected before judging."""
        return (run.estimate or {}).get("cost") or ""

    @admin.display(description=_("unjudged items"))
    def unjudged(self, run: Run) -> str:
        """Items without a label, in the mode that ranks."""
        mode = run.submission.split.ranking_mode
        totals = (run.results or {}).get(mode, {}).get("totals", {})
        return str(totals.get("unjudged", ""))

    def has_choose_permission(self, request: HttpRequest) -> bool:
        """Whether a run may be put on the board: by whoever may act on submissions."""
        return request.user.has_perm("submissions.change_submission")  # type: ignore[union-attr] # admin only

    @admin.action(description=_("Put these runs on the board"), permissions=["choose"])
    def put_runs_on_board(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Let chosen runs stand for their entries, also older ones than those that stand."""
        try:
            count = len(put_on_board(queryset, who=request.user))
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
        else:
            self.message_user(request, _("Done for %(done)d submission(s).") % {"done": count})


def _usage(run: Run) -> dict[str, Any]:
    usage: dict[str, Any] = (run.results or {}).get("usage", {})
    return usage


def _counted(run: Run, name: str) -> str:
    """A count with thousands apart; empty while there is none."""
    number = _usage(run).get(name)
    return "" if number is None else f"{number:,}"
