"""Teams with their members, their systems, and their requests to take part."""

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from submissions.models import Approval, Membership, System, Team
from submissions.services.approve import decide


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
class SystemAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    list_display = ("name", "team", "architecture", "weights")


class AnswerForm(ActionForm):
    """What the team reads with the decision."""

    answer = forms.CharField(label=_("Answer"), required=False, max_length=500)


@admin.register(Approval)
class ApprovalAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ("team", "split", "state", "created", "decided_by")
    list_filter = ("state", "split")
    readonly_fields = ("split", "team", "state", "message", "created", "decided", "decided_by")
    actions = ("grant", "refuse")
    action_form = AnswerForm

    @admin.action(description=_("Grant, and tell the team"), permissions=["change"])
    def grant(self, request: HttpRequest, chosen: QuerySet[Approval]) -> None:
        self._decide(request, chosen, Approval.State.GRANTED)

    @admin.action(description=_("Refuse, and tell the team"), permissions=["change"])
    def refuse(self, request: HttpRequest, chosen: QuerySet[Approval]) -> None:
        self._decide(request, chosen, Approval.State.REFUSED)

    def _decide(self, request: HttpRequest, chosen: QuerySet[Approval], state: str) -> None:
        answer = request.POST.get("answer", "").strip()
        for approval in chosen:
            decide(approval, state, by=request.user, answer=answer, now=timezone.now())
        told = _("Told the teams: %(count)d.") % {"count": chosen.count()}
        self.message_user(request, told)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Teams ask; organisers answer."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Approval | None = None) -> bool:
        """A decision is made with an action of the list, which tells the team."""
        return obj is None and super().has_change_permission(request)
