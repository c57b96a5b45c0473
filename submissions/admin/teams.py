"""Teams with their members, their systems, and their requests to take part."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from submissions.models import Approval, Membership, System, Team


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg] # Django's is not generic at run time
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ("name", "slug", "created")
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)


@admin.register(System)
class SystemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "team", "architecture", "weights")


@admin.register(Approval)
class ApprovalAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ("team", "split", "state", "created", "decided_by")
    list_filter = ("state", "split")
    readonly_fields = ("split", "team", "message", "created", "decided", "decided_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Teams ask; organisers answer."""
        return False

    def save_model(
        self, request: HttpRequest, obj: Approval, form: object, change: bool
    ) -> None:  # Django's signature
        """Note who decided, and when."""
        obj.decided, obj.decided_by_id = timezone.now(), request.user.pk
        obj.save()
