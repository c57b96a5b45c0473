"""How a team describes its systems."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from submissions.forms.system import SystemForm
from submissions.models import System, Team
from submissions.permissions import can_edit_system
from submissions.services import systems
from submissions.services.refused import Refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Describe a new system."""
    return _edit(request, _team(request, slug), None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str, system: str) -> HttpResponse:
    """Describe a system again."""
    team = _team(request, slug)
    return _edit(request, team, get_object_or_404(System, team=team, slug=system))


def _edit(request: HttpRequest, team: Team, system: System | None) -> HttpResponse:
    form = SystemForm(request.POST or None, instance=system)
    if form.is_valid() and _saved(request, team, form):
        return redirect("team", team.slug)
    context = {"form": form, "team": team, "system": system}
    return render(request, "systems/edit.html", context, status=422 if form.errors else 200)


def _saved(request: HttpRequest, team: Team, form: SystemForm) -> bool:
    try:
        system = systems.save(team, form.save(commit=False))
    except Refused as refused:
        form.add_error("name", str(refused))
        return False
    messages.success(request, _("%(system)s is described.") % {"system": system})
    return True


def _team(request: HttpRequest, slug: str) -> Team:
    team = get_object_or_404(Team, slug=slug)
    if not can_edit_system(request.user, team):
        raise Http404
    return team
