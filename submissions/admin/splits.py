"""Splits: made from a folder, with their items, reported results and boards."""

from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from submissions import rules
from submissions.models import Item, ReportedResult, Split
from submissions.services.import_folder import manifest_in
from submissions.services.import_split import under_way
from submissions.services.import_turns import begin
from submissions.services.refused import Refused
from submissions.signals import board_changed
from submissions.validation import WEIGHTS


class SplitForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """A split, with the server-side folder its items are read from when it is created."""

    folder = forms.CharField(
        label=_("folder on the server"),
        required=False,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=_(
            "Absolute path of a folder with manifest.csv and the recordings, the same for the site "
            "and its workers. Workers read the items, which may take hours; the split comes with "
            "the last of them, and its items never change afterwards."
        ),
    )

    class Meta:
        model = Split
        fields = "__all__"  # noqa: DJ007 (the organiser may set every field of a split)
        help_texts: ClassVar = {
            "opens": _("UTC. Empty: open from the start."),
            "closes": _(
                "UTC. The end of a day anywhere on Earth is 11:59 of the next day. Empty: never."
            ),
            "reveal": _("UTC. Only for publication at the reveal time."),
            "publication": _(
                "By the organiser: until then each team sees its own scores. At the reveal time: "
                "until then nobody but the organisers sees any."
            ),
            "position": _("The place among the splits of the site; 0 is the first."),
        }

    def clean_folder(self) -> str:
        """Require a folder with all its files, and a split without items."""
        folder: str = self.cleaned_data["folder"].strip()
        if not folder:
            return ""
        if not Path(folder).is_absolute():
            raise ValidationError(_("Write the whole path, from / on."), code="folder-not-absolute")
        if self.instance.pk and self.instance.items.exists():
            raise ValidationError(
                _("This split has items already, and they never change. Make a new split."),
                code="split-has-items",
            )
        try:
            self.manifest = manifest_in(Path(folder))
        except Refused as refused:
            raise ValidationError(str(refused), code=refused.code) from refused
        return folder

    def clean(self) -> dict[str, Any]:
        """Leave the slug of a split that is being imported to that import."""
        data = super().clean() or {}
        is_taking = data.get("folder") or "slug" in self.changed_data
        if is_taking and under_way(data.get("slug", "")):
            self.add_error("slug", _("A split of this slug is being imported."))
        return data

    @property
    def settings(self) -> dict[str, Any]:
        """The fields of the split as they were filled in."""
        names = {field.name for field in Split._meta.concrete_fields}
        own = {name: value for name, value in self.cleaned_data.items() if name in names}
        return own | {"organisers": [one.pk for one in self.cleaned_data["organisers"]]}


@admin.register(Split)
class SplitAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    form = SplitForm
    list_display = (
        "name", "slug", "is_draft", "ranking_mode", "opens", "closes", "publication",
        "items_count",
    )  # fmt: skip
    prepopulated_fields = {"slug": ("name",)}
    actions = ("freeze_board",)
    filter_horizontal = ("organisers",)
    readonly_fields = ("in_words",)
    # Every rule of a split, in the order in which ``rules.in_words`` tells them.
    fieldsets = (
        (None, {"fields": ("name", "slug", "description", "is_draft", "organisers", "contact")}),
        (_("Items"), {"fields": ("folder", "benchmark")}),
        (
            _("Window and access"),
            {
                "fields": (
                    "accepts_uploads",
                    "opens",
                    "closes",
                    "needs_approval",
                    "min_document_pages",
                ),
            },
        ),
        (
            _("Limits of a team"),
            {
                "fields": (
                    "limit_total",
                    "limit_per_day",
                    "one_at_a_time",
                    "refused_per_day",
                    "trial_items",
                ),
            },
        ),
        (
            _("Ranking"),
            {
                "fields": (
                    "ranking_mode",
                    "both_modes",
                    "min_coverage",
                    *WEIGHTS,
                    "l_min",
                    "l_base",
                    "reference_name",
                    "latency",
                    "rank_baseline",
                    "counting",
                ),
            },
        ),
        (
            _("What the public sees"),
            {"fields": ("publication", "reveal", "items_public", "is_demo", "position")},
        ),
        (_("The rules in words"), {"fields": ("in_words",)}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Keep the benchmark of a split whose items were read for it."""
        if obj is not None and obj.items.exists():
            return (*self.readonly_fields, "benchmark")
        return self.readonly_fields

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new split begins as a draft: it is shown when its organisers say so."""
        return {"is_draft": True, **super().get_changeform_initial_data(request)}

    @admin.display(description=_("the rules in words, as saved"))
    def in_words(self, split: Split) -> str:
        """Every rule as teams and readers are told it."""
        told = rules.in_words(split)
        lines = format_html_join("", "<li>{}</li>", ((one.sentence,) for one in told))
        return format_html("<ul>{}</ul>", lines)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Split]:
        """Count the items along."""
        return super().get_queryset(request).annotate(count=Count("items"))

    @admin.display(description=_("items"))
    def items_count(self, split: Any) -> int:
        """Number of items."""
        count: int = split.count
        return count

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save; where a folder is named, have its items read, and a new split come with them."""
        folder = form.cleaned_data["folder"]
        if change or not folder:
            super().save_model(request, obj, form, change)
        if folder:
            obj.importing = self._begin(request, obj, form, Path(folder))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save what hangs on a split that is there."""
        if form.instance.pk:
            super().save_related(request, form, formsets, change)

    def response_add(self, request: HttpRequest, obj: Any, *args: Any) -> HttpResponse:
        """Show the import, which there is before the split."""
        return _shown(obj) or super().response_add(request, obj, *args)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Show the import, if the split gets items now."""
        return _shown(obj) or super().response_change(request, obj)

    def _begin(self, request: HttpRequest, obj: Split, form: Any, folder: Path) -> str:
        """Begin; return the address of the import, or of their list if it may not begin."""
        target = {"split": obj} if obj.pk else {"fields": form.settings}
        try:
            job = begin(obj.slug, folder, form.manifest, who=request.user, **target)
        except Refused as refused:
            self.message_user(request, str(refused), messages.ERROR)
            return reverse("admin:submissions_splitimport_changelist")
        told = _("The items of “%(slug)s” are being read now: %(count)d in all.")
        self.message_user(request, told % {"slug": obj.slug, "count": job.total})
        return reverse("admin:submissions_splitimport_change", args=[job.pk])

    @admin.action(description=_("Freeze a new board"), permissions=["change"])
    def freeze_board(self, request: HttpRequest, queryset: QuerySet[Split]) -> None:
        """Freeze a board of each split by hand."""
        for split in queryset:
            board_changed.send(sender=Split, split=split, cause="frozen by an organiser")
        self.message_user(request, _("Done: see the newest boards."))


def _shown(split: Any) -> HttpResponse | None:
    address = getattr(split, "importing", "")
    return redirect(address) if address else None


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

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An item goes with its split only: every board of it counts all of them."""
        return False


@admin.register(ReportedResult)
class ReportedResultAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("team", "split", "kind", "interruption", "rejection", "delay", "source")
    list_filter = ("split", "kind")
