"""Unfinished uploads and keys: looked at, discarded, revoked; never written, never told."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from submissions.admin.read_only import ReadOnly
from submissions.models import Token, Upload
from submissions.services import tokens
from submissions.services.upload import discard


class ToLookAt(ReadOnly):
    """Rows that only an action ends, with a line in the admin's log.

    People begin uploads and make keys themselves. A row alone must not go: its file, or its
    owner's trust, hangs on it.
    """

    def has_end_permission(self, request: HttpRequest) -> bool:
        """Whether the actions are offered: to whoever may delete rows of this kind."""
        # What Django says of the person, where this class says no to everybody.
        return super(ReadOnly, self).has_delete_permission(request)

    def end(self, request: HttpRequest, chosen: QuerySet[Any], verb: Any) -> None:
        """Do it for each, note it, and say how many there were."""
        self.log_deletions(request, chosen)
        rows = list(chosen)
        for one in rows:
            verb(one)
        self.message_user(request, _("Done: %(count)d.") % {"count": len(rows)})


@admin.register(Upload)
class UploadAdmin(ToLookAt):
    list_display = (
        "file_name", "user", "team", "split", "system", "is_trial", "arrived", "created",
        "touched", "expires",
    )  # fmt: skip
    list_filter = ("split", "is_trial")
    search_fields = ("file_name", "user__username", "team__name")
    list_select_related = ("user", "team", "split", "system")
    actions = ("discard_chosen",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        """Those that are no submission yet; the others stand in the queue."""
        return super().get_queryset(request).filter(submission=None)

    @admin.display(description=_("arrived"))
    def arrived(self, upload: Upload) -> str:
        """How much of it is here."""
        return f"{100 * upload.offset // upload.length} %"

    @admin.action(
        description=_("Discard, with what has arrived; its sender begins anew"), permissions=["end"]
    )
    def discard_chosen(self, request: HttpRequest, chosen: QuerySet[Upload]) -> None:
        """Forget uploads and their bytes."""
        self.end(request, chosen, discard)


@admin.register(Token)
class TokenAdmin(ToLookAt):
    list_display = ("name", "user", "scope", "start", "created", "expires", "last_used")
    list_filter = ("scope",)
    search_fields = ("name", "user__username", "start")
    list_select_related = ("user",)
    exclude = ("digest",)
    actions = ("revoke_chosen",)

    @admin.action(description=_("Revoke; they open nothing any more"), permissions=["end"])
    def revoke_chosen(self, request: HttpRequest, chosen: QuerySet[Token]) -> None:
        """Take keys out of use for good."""
        self.end(request, chosen, lambda one: tokens.revoke(one.user, one.pk))
