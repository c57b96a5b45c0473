from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from leaderboard.models import Snapshot

admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("The organisers' desk")


@admin.register(Snapshot)
class SnapshotAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("id", "split", "created", "cause", "mode")
    list_filter = ("split",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Boards are frozen, not typed."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A frozen board never changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A frozen board can be cited for ever."""
        return False
