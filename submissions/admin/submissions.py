"""The queue: submissions with their events, marks and runs."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from submissions.models import Event, Run, Submission
from submissions.services.publish import disqualify, mark, publish, withdraw
from submissions.services.rescore import rescore
from submissions.services.waiting import ask_again
from submissions.states import IllegalMove, State


class EventInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    model = Event
    extra = 0
    can_delete = False
    readonly_fields = ("at", "who", "from_state", "to_state", "why")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Events are written by moves only."""
        return False


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
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
    readonly_fields = (
        "split",
        "team",
        "system",
        "submitted_by",
        "created",
        "archive_name",
        "size",
        "sha256",
        "state",
        "kind",
        "attempts",
        "sign_of_life",
        "published",
        "check_report",
    )
    exclude = ("archive",)
    inlines = (EventInline,)
    list_select_related = ("system", "team", "split")
    actions = (
        "score_again",
        "ask_judge_again",
        "put_on_board",
        "mark_participant",
        "mark_late",
        "mark_baseline",
        "mark_open",
        "mark_closed",
        "take_back",
        "disqualify_with_reason",
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

    @admin.action(description=_("Score again with today's engines"))
    def score_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Queue again."""
        self._each(request, queryset, lambda one: rescore(one, who=request.user))

    @admin.action(description=_("Ask the judge again, where it is in trouble"))
    def ask_judge_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Ask at once instead of at the next look."""
        self._each(request, queryset, lambda one: ask_again(one, who=request.user))

    @admin.action(description=_("Publish on the board"))
    def put_on_board(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Publish scored submissions."""
        self._each(request, queryset.filter(state=State.SCORED), publish)

    @admin.action(description=_("Withdraw"))
    def take_back(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Withdraw."""
        self._each(request, queryset, lambda one: withdraw(one, who=request.user))

    @admin.action(description=_("Disqualify (reason: the field below, then save)"))
    def disqualify_with_reason(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Disqualify with the reason that stands on the submission."""
        without = [one for one in queryset if not one.reason]
        for one in without:
            text = _("%(name)s has no reason yet: open it, write one, save, and come back.")
            self.message_user(request, text % {"name": one}, messages.ERROR)
        rest = queryset.exclude(pk__in=[one.pk for one in without])
        self._each(request, rest, lambda one: disqualify(one, who=request.user, why=one.reason))

    @admin.action(description=_("Mark as participant"))
    def mark_participant(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.PARTICIPANT)

    @admin.action(description=_("Mark as late"))
    def mark_late(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.LATE)

    @admin.action(description=_("Mark as baseline"))
    def mark_baseline(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.BASELINE)

    @admin.action(description=_("Mark as reference, open model"))
    def mark_open(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        """Mark."""
        self._mark(request, queryset, Submission.Kind.OPEN)

    @admin.action(description=_("Mark as reference, closed model"))
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
            except IllegalMove as error:
                self.message_user(request, str(error), messages.ERROR)
        self.message_user(request, _("Done for %(done)d submission(s).") % {"done": done})


@admin.register(Run)
class RunAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
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
    readonly_fields = (
        "submission",
        "signature",
        "judges",
        "unofficial",
        "created",
        "finished",
        "estimate",
        "results",
    )
    exclude = ("components",)
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

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Runs are made by scoring only."""
        return False


def _usage(run: Run) -> dict[str, Any]:
    usage: dict[str, Any] = (run.results or {}).get("usage", {})
    return usage


def _counted(run: Run, name: str) -> str:
    """A count with thousands apart; empty while there is none."""
    number = _usage(run).get(name)
    return "" if number is None else f"{number:,}"
