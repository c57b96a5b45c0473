from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from leaderboard.models import Snapshot
from submissions.admin.read_only import ReadOnly

admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("The organisers' desk")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly):
    """A board is frozen, not typed; it never changes and can be cited for ever."""

    list_display = ("id", "split", "created", "cause", "mode")
    list_filter = ("split",)
