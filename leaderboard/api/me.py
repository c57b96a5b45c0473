"""The reader: teams, and what they may still submit."""

from typing import Any

from django.utils import timezone
from ninja import Router
from ninja.pagination import paginate

from leaderboard.api.access import READER
from leaderboard.api.schemas import MeOut, SlotsOut
from submissions.models import Split, Team
from submissions.services.slots import slots

router = Router(auth=READER, tags=["me"])


@router.get("/", response=MeOut)
def me(request: Any) -> dict[str, Any]:
    """Who the token or the session belongs to."""
    memberships = request.auth.memberships.select_related("team").prefetch_related("team__systems")
    teams = [
        {
            "slug": one.team.slug,
            "name": one.team.name,
            "role": one.role,
            "systems": [system.name for system in one.team.systems.all()],
        }
        for one in memberships
    ]
    return {"username": request.auth.get_username(), "teams": teams}


@router.get("/slots", response=list[SlotsOut])
@paginate
def left(request: Any, trial: bool = False) -> list[dict[str, Any]]:
    """What each team may still submit to each split that takes uploads."""
    return _left(request, trial=trial)


def _left(request: Any, *, trial: bool) -> list[dict[str, Any]]:
    now = timezone.now()
    return [
        {"split": split.slug, "team": team.slug} | slots(split, team, now, is_trial=trial)._asdict()
        for split in Split.objects.taking_uploads()
        for team in Team.objects.filter(members=request.auth.pk)
    ]
