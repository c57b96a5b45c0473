"""The organisers' desk: splits, the queue, marks, re-scoring and boards."""

from pathlib import Path
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.errors import ScoringError
from scoring.manifest import Manifest
from submissions.models import (
    Event,
    Item,
    ReportedResult,
    Run,
    Split,
    Submission,
    System,
    Team,
)
from submissions.services.engines import tools
from submissions.services.import_split import import_split
from submissions.services.publish import disqualify, mark, publish, withdraw
from submissions.services.rescore import rescore
from submissions.signals import board_changed
from submissions.states import IllegalMove, State


class SplitForm(forms.ModelForm):  # type: ignore[type-arg]
    """A split, with the server-side folder its items are read from when it is created."""

    folder = forms.CharField(
        label=_("folder on the server"),
        required=False,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=_(
            "Absolute path of a folder with manifest.csv and the recordings. Items are read once, "
            "when the split is saved for the first time, and never change afterwards."
        ),
    )

    class Meta:
        model = Split
        fields = "__all__"  # noqa: DJ007 (the organiser may set every field of a split)

    def clean_folder(self) -> str:
        """Require a manifest in the folder."""
        folder: str = self.cleaned_data["folder"]
        if folder and not (Path(folder) / "manifest.csv").is_file():
            raise ValidationError(
                _("There is no manifest.csv in %(folder)s."), params={"folder": folder}
            )
        return folder


@admin.register(Split)
class SplitAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = SplitForm
    list_display = ("name", "slug", "ranking_mode", "opens", "closes", "publication", "items_count")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("freeze_board",)
    fieldsets = (
        (None, {"fields": ("name", "slug", "description", "position", "folder")}),
        (
            _("Window and limits"),
            {
                "fields": ("accepts_uploads", "opens", "closes", "limit_total", "limit_per_day"),
            },
        ),
        (_("Ranking"), {"fields": ("ranking_mode", "l_min", "l_base", "reference_name")}),
        (
            _("What the public sees"),
            {
                "fields": ("publication", "reveal", "items_public", "is_demo"),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Split]:
        """Count the items along."""
        return super().get_queryset(request).annotate(count=Count("items"))

    @admin.display(description=_("items"))
    def items_count(self, split: Any) -> int:
        """Number of items."""
        count: int = split.count
        return count

    def save_model(self, request: HttpRequest, obj: Split, form: Any, change: bool) -> None:
        """Save, and read the items when a folder is named."""
        super().save_model(request, obj, form, change)
        folder = form.cleaned_data.get("folder")
        if not folder:
            return
        try:
            text = (Path(folder) / "manifest.csv").read_text(encoding="utf-8")
            import_split(obj.slug, Path(folder), Manifest.from_csv(text), tools=tools())
        except (ScoringError, OSError) as error:
            self.message_user(request, str(error), messages.ERROR)

    @admin.action(description=_("Freeze a new board"))
    def freeze_board(self, request: HttpRequest, queryset: QuerySet[Split]) -> None:
        """Freeze a board of each split by hand."""
        for split in queryset:
            board_changed.send(sender=Split, split=split, cause=f"frozen by {request.user}")
        self.message_user(request, _("Done: see the newest boards."))


class EventInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Event
    extra = 0
    can_delete = False
    readonly_fields = ("at", "who", "from_state", "to_state", "why")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Events are written by moves only."""
        return False


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
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
class RunAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("submission", "created", "finished", "signature")
    readonly_fields = (
        "submission",
        "signature",
        "judges",
        "unofficial",
        "created",
        "finished",
        "results",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Runs are made by scoring only."""
        return False


@admin.register(Item)
class ItemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "split", "language", "scenario", "part", "duration")
    list_filter = ("split", "language", "scenario")
    search_fields = ("name",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Items come with their split."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The items of a split never change."""
        return False


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "slug", "created")
    prepopulated_fields = {"slug": ("name",)}
    filter_horizontal = ("members",)


@admin.register(System)
class SystemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "team", "architecture", "weights")


@admin.register(ReportedResult)
class ReportedResultAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("team", "split", "kind", "interruption", "rejection", "delay", "source")
    list_filter = ("split", "kind")
