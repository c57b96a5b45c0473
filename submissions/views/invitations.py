"""Invitations: send one, make a link, take it back, and the page that an invited person opens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from submissions.emails import absolute, compose
from submissions.forms.team import InviteForm
from submissions.models import Invitation, Team
from submissions.permissions import is_member
from submissions.services import invite
from submissions.services.invite import Invited
from submissions.services.refused import Refused
from submissions.views.teams import attempt, managed_team, team_page


@login_required
@require_POST
def by_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite one address."""
    team = managed_team(request, slug)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return team_page(request, team, 422, invite_form=form)
    email = form.cleaned_data["email"]
    try:
        invited = invite.invite(team, request.user, timezone.now(), email)
    except Refused as refused:
        form.add_error("email", str(refused))
        return team_page(request, team, 422, invite_form=form)
    return _sent(request, team, invited)


@login_required
@require_POST
def by_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link and show it, this once."""
    team = managed_team(request, slug)
    try:
        invited = invite.invite(team, request.user, timezone.now())
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("team", team.slug)
    return team_page(request, team, new_link=_address(invited))


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an invitation back."""
    team = managed_team(request, slug)
    invite.revoke(team, pk, timezone.now())
    messages.success(request, _("The invitation opens nothing any more."))
    return redirect("team", team.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, secret: str) -> HttpResponse:
    """What an invitation opens: the way to an account first, then the button that joins."""
    try:
        invitation = invite.find(secret, timezone.now())
    except Refused as refused:
        status = 404 if refused.code == "invitation-unknown" else 410
        return render(request, "teams/invitation.html", {"refused": refused}, status=status)
    if request.method == "POST" and request.user.is_authenticated:
        return _accepted(request, invitation)
    if is_member(request.user, invitation.team):
        return redirect("team", invitation.team.slug)
    return _offer(request, invitation)


@login_required
@require_POST
def accept_waiting(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept an invitation that waits for one of the user's verified addresses."""
    waiting = {one.pk: one for one in invite.waiting_for(request.user, timezone.now())}
    if pk not in waiting:
        messages.error(request, _("This invitation does not wait for you any more."))
        return redirect("teams")
    return _accepted(request, waiting[pk])


def _accepted(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    joined = attempt(request, lambda: _join(request, invitation))
    return redirect("team", invitation.team.slug) if joined else _offer(request, invitation, 403)


def _join(request: HttpRequest, invitation: Invitation) -> str:
    invite.accept(invitation, request.user, timezone.now())
    return _("You are in the team %(team)s.") % {"team": invitation.team}


def _offer(request: HttpRequest, invitation: Invitation, status: int = 200) -> HttpResponse:
    user = request.user
    context = {
        "invitation": invitation,
        "fits": user.is_authenticated and invite.fits(invitation, user),
    }
    return render(request, "teams/invitation.html", context, status=status)


def _sent(request: HttpRequest, team: Team, invited: Invited) -> HttpResponse:
    """Send the mail at once, so that the page can say what became of it."""
    invitation = invited.invitation
    values = {"invitation": invitation, "page": ("invitation", invited.secret)}
    message = compose("invited", get_language() or "en", [invitation.email], values)
    try:
        message.send()
    except OSError:
        messages.error(request, _("The mail could not be sent. Give this link to the person."))
        return team_page(request, team, new_link=_address(invited))
    messages.success(request, _("Invited: %(email)s.") % {"email": invitation.email})
    return redirect("team", team.slug)


def _address(invited: Invited) -> str:
    return absolute(reverse("invitation", args=[invited.secret]))
