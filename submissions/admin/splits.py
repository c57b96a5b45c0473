"""Splits: made from a folder, with their items, reported results and boards."""

from pathlib import Path
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.errors import ScoringError
from scoring.manifest import Manifest
from submissions.models import Item, ReportedResult, Split
from submissions.services.engines import tools
from submissions.services.import_split import import_split
from submissions.signals import board_changed


class SplitForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
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
class SplitAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
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


@admin.register(Item)
class ItemAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("name", "split", "language", "scenario", "part", "duration")
    list_filter = ("split", "language", "scenario")
    search_fields = ("name",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Items come with their split."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The items of a split never change."""
        return False


@admin.register(ReportedResult)
class ReportedResultAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("team", "split", "kind", "interruption", "rejection", "delay", "source")
    list_filter = ("split", "kind")
