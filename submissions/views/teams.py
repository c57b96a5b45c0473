"""Teams: make one, look at it, change who is in it, ask to take part."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from submissions.forms.team import AskForm, InviteForm, MemberForm, TeamForm
from submissions.models import Approval, Membership, Split, Team
from submissions.permissions import can_manage_team, can_see_team, is_member
from submissions.services import approve, invite, teams
from submissions.services.refused import Refused


class Participation(NamedTuple):
    """A split that asks for approval, and how far the team is with it."""

    split: Split
    approval: Approval | None
    form: AskForm

    @property
    def may_ask(self) -> bool:
        """A team asks once, and once more after a refusal."""
        return self.approval is None or self.approval.state == Approval.State.REFUSED


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """The user's teams, invitations that wait, and a form for a new team."""
    form = TeamForm(request.POST or None)
    if form.is_valid():
        try:
            team = teams.create(form.cleaned_data["name"], request.user)
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            said = _("The team is made. Invite the others below, or go on to Submit.")
            messages.success(request, said)
            return redirect("team", team.slug)
    context = {
        "form": form,
        "memberships": Membership.objects.filter(user=request.user.pk).select_related("team"),
        "invitations": invite.waiting_for(request.user, timezone.now()),
    }
    return render(request, "teams/index.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """One team: members, systems, invitations, requests to take part."""
    return team_page(request, seen_team(request, slug))


def team_page(
    request: HttpRequest, team: Team, status: int = 200, **extra: Any
) -> HttpResponse:  # also for the views that stay on this page
    """Show a team to one of its members."""
    manages = can_manage_team(request.user, team)
    memberships = list(team.memberships.select_related("user"))
    context = {
        "team": team,
        "memberships": memberships,
        "owners": sum(one.role == Membership.Role.OWNER for one in memberships),
        "manages": manages,
        "is_member": is_member(request.user, team),
        "invitations": invite.usable(timezone.now()).filter(team=team) if manages else [],
        "invite_form": InviteForm(),
        "systems": team.systems.all(),
        "participations": _participations(team),
        **extra,
    }
    return render(request, "teams/page.html", context, status=status)


@login_required
@require_POST
def member(request: HttpRequest, slug: str) -> HttpResponse:
    """An owner gives a role, takes somebody out, or hands the team over."""
    team = managed_team(request, slug)
    form = MemberForm(request.POST)
    if not form.is_valid():
        raise Http404
    user_id, change = form.cleaned_data["user"], form.cleaned_data["change"]
    attempt(request, lambda: _change(request, team, user_id, change))
    # Who has taken himself out does not see the team any more.
    return redirect("team", team.slug) if is_member(request.user, team) else redirect("teams")


@login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a team."""
    team = seen_team(request, slug)
    left = attempt(request, lambda: _leave(request, team))
    return redirect("teams") if left else redirect("team", team.slug)


@login_required
@require_POST
def ask(request: HttpRequest, slug: str, split: str) -> HttpResponse:
    """Ask the organisers to let the team take part in a split."""
    team = managed_team(request, slug)
    chosen = get_object_or_404(Split.objects.taking_uploads(), slug=split)
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Nothing was sent. Write a message to the organisers."))
    else:
        attempt(request, lambda: _ask(request, chosen, team, form.cleaned_data["message"]))
    return redirect("team", team.slug)


def seen_team(request: HttpRequest, slug: str) -> Team:
    """A team that the user may see; for all others it does not exist."""
    team = get_object_or_404(Team, slug=slug)
    if not can_see_team(request.user, team):
        raise Http404
    return team


def managed_team(request: HttpRequest, slug: str) -> Team:
    """A team that the user may change."""
    team = seen_team(request, slug)
    if not can_manage_team(request.user, team):
        raise PermissionDenied
    return team


def attempt(request: HttpRequest, change: Callable[[], str]) -> bool:
    """Do something; say what was done, or why not."""
    try:
        messages.success(request, change())
    except Refused as refused:
        messages.error(request, str(refused))
        return False
    return True


def _change(request: HttpRequest, team: Team, user_id: int, change: str) -> str:
    if change == MemberForm.REMOVE:
        return _("%(who)s is no longer in the team.") % {"who": teams.remove(team, user_id)}
    if change == MemberForm.HAND_OVER:
        heir = teams.hand_over(team, request.user, user_id)
        return _("%(who)s owns the team now, and you are a member.") % {"who": heir}
    person = teams.change_role(team, user_id, change)
    role = Membership.Role(change).label
    return _("%(who)s is now: %(role)s.") % {"who": person, "role": role}


def _leave(request: HttpRequest, team: Team) -> str:
    teams.leave(team, request.user)
    return _("You have left %(team)s. What it has submitted stays with it.") % {"team": team}


def _ask(request: HttpRequest, split: Split, team: Team, message: str) -> str:
    approve.ask(split, team, message)
    return _("Sent. The organisers answer by mail.")


def _participations(team: Team) -> list[Participation]:
    approvals = {one.split_id: one for one in team.approvals.all()}
    splits = Split.objects.taking_uploads().filter(needs_approval=True)
    return [Participation(split, approvals.get(split.pk), AskForm()) for split in splits]
