"""Systems that have something published, as their teams describe them."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Router
from ninja.pagination import paginate

from leaderboard.api.access import EVERYBODY
from leaderboard.api.errors import Problem, missing
from leaderboard.api.schemas import SystemOut
from submissions.models import Submission, System
from submissions.permissions import HIDDEN_FROM_PUBLIC, can_edit_system

router = Router(auth=EVERYBODY, tags=["systems"])


@router.get("/", response=list[SystemOut])
@paginate
def systems(request: HttpRequest) -> QuerySet[System]:
    """All systems with a published submission, by name."""
    return _public().order_by("name")


@router.get("/{slug}", response={200: SystemOut, 404: Problem})
def system(request: HttpRequest, slug: str) -> System:
    """One system; before anything is published, for its team and staff."""
    found = System.objects.select_related("team").filter(slug=slug).first()
    if found is None or not _visible(request, found):
        raise missing()
    return found


def _public() -> QuerySet[System]:
    published = Submission.objects.filter(is_trial=False, published__isnull=False)
    shown = published.filter(split__is_draft=False).exclude(state__in=HIDDEN_FROM_PUBLIC)
    return System.objects.select_related("team").filter(submissions__in=shown).distinct()


def _visible(request: Any, system: System) -> bool:
    is_public = _public().filter(pk=system.pk).exists()
    return is_public or request.auth.is_staff or can_edit_system(request.auth, system.team)
