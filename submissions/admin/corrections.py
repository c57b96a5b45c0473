"""Corrections of labels, to look through; they are made on the page of an item."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from submissions.models import Correction


@admin.register(Correction)
class CorrectionAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("at", "submission", "item", "label", "reason", "by")
    list_filter = ("submission__split", "label", "by")
    search_fields = ("item__name", "reason", "submission__system__name")
    list_select_related = ("submission__system", "submission__team", "item", "by")
    date_hierarchy = "at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The page of the item shows what is corrected."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A new word replaces an old one."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The history stays."""
        return False
