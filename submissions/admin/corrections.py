"""Corrections of labels, to look through; they are made on the page of an item."""

from django.contrib import admin

from submissions.admin.read_only import ReadOnly
from submissions.models import Correction


@admin.register(Correction)
class CorrectionAdmin(ReadOnly):
    """A new word replaces an old one, and the history stays."""

    list_display = ("at", "submission", "item", "label", "reason", "by")
    list_filter = ("submission__split", "label", "by")
    search_fields = ("item__name", "reason", "submission__system__name")
    list_select_related = ("submission__system", "submission__team", "item", "by")
    date_hierarchy = "at"
