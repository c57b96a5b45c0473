"""Imports of splits: how far they are, how they ended, and what stood in their way."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from submissions.admin.access import ToLookAt
from submissions.models import SplitImport
from submissions.services.import_turns import discard, try_again
from submissions.services.refused import Refused


@admin.register(SplitImport)
class SplitImportAdmin(ToLookAt):
    list_display = (
        "slug", "state", "progress", "outcome", "who", "created", "sign_of_life", "finished"
    )  # fmt: skip
    list_filter = ("state",)
    list_select_related = ("who",)
    search_fields = ("slug", "folder")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "slug", "split", "folder", "state", "progress", "problem_list", "why",
                    "who", "created", "sign_of_life", "finished",
                ),
                "description": _(
                    "While items are being read, refresh this page to see how far it is. The split "
                    "comes with its last item. An import is tried again, or discarded, in the list."
                ),
            },
        ),
    )  # fmt: skip
    actions = ("try_again_chosen", "discard_chosen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SplitImport]:
        """Leave out what is large and not shown."""
        return super().get_queryset(request).defer("manifest", "fields")

    def has_begin_permission(self, request: HttpRequest) -> bool:
        """Whether an import may be tried again: by whoever may make splits."""
        return request.user.has_perm("submissions.add_split")  # type: ignore[union-attr] # admin only

    @admin.display(description=_("items done"))
    def progress(self, job: SplitImport) -> str:
        """Items done and in all."""
        return f"{job.done:,} / {job.total:,}"

    @admin.display(description=_("outcome"))
    def outcome(self, job: SplitImport) -> str:
        """In the list: how many files cannot be used, else what stopped it."""
        count = len(job.problems)
        told = ngettext("%(count)d file cannot be used", "%(count)d files cannot be used", count)
        return told % {"count": count} if count else self.why(job)

    @admin.display(description=_("files that cannot be used"))
    def problem_list(self, job: SplitImport) -> SafeString:
        """A line for each, with what to do."""
        return format_html_join("\n", "<p>{}</p>", ((one,) for one in job.problems))

    @admin.display(description=_("reason"))
    def why(self, job: SplitImport) -> str:
        """What stopped it, and how to mend it; also of a turn that is going to be repeated."""
        return gettext(job.reason) if job.reason else ""

    @admin.action(description=_("Try again, with the folder as it is now"), permissions=["begin"])
    def try_again_chosen(self, request: HttpRequest, chosen: QuerySet[SplitImport]) -> None:
        """Begin stopped imports anew."""
        begun = 0
        for job in chosen.filter(state=SplitImport.State.FAILED):
            try:
                try_again(job)
                begun += 1
            except Refused as refused:
                self.message_user(request, f"{job}: {refused}", messages.ERROR)
        self.message_user(request, _("Done: %(count)d.") % {"count": begun})

    @admin.action(
        description=_("Discard, with what was read; a split that is complete stays"),
        permissions=["end"],
    )
    def discard_chosen(self, request: HttpRequest, chosen: QuerySet[SplitImport]) -> None:
        """Stop imports and forget them."""
        self.end(request, chosen, discard)
