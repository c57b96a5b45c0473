"""Keep what a team says about its systems."""

import uuid

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from submissions.models import System, Team
from submissions.services.refused import Refused


@transaction.atomic
def save(team: Team, system: System) -> System:
    """Store a system of a team; its address never changes.

    Raises:
        Refused: the team has another system of this name.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    if team.systems.filter(name__iexact=system.name).exclude(pk=system.pk).exists():
        raise Refused(
            "system-name-taken",
            _("Your team has a system of this name."),
            _("Describe that one, or choose another name."),
        )
    system.team = team
    if not system.slug:
        system.slug = free_slug(team, system.name)
    system.save()
    return system


def free_slug(team: Team, name: str) -> str:
    """An address for a new system."""
    stem = slugify(f"{team.slug}-{name}")[:40] or "system"
    taken = System.objects.filter(slug=stem).exists()
    return f"{stem}-{uuid.uuid4().hex[:6]}" if taken else stem
