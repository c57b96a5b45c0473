"""Make teams, and let people in and out of them.

Conventions: whoever asks has been checked by the view (``permissions``); what two people could do
at the same moment happens under a lock on the team.
"""

import uuid
from contextlib import suppress
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from submissions.contact import and_ask
from submissions.models import Membership, Team
from submissions.services.refused import Refused

Role = Membership.Role
# Limits count per team, so nobody makes teams without end.
OWNED_AT_MOST = 5


class TeamRefused(Refused):
    """A change of a team that is not possible."""


@transaction.atomic
def create(name: str, owner: Any) -> Team:
    """Make a team whose owner is the person that makes it.

    Raises:
        TeamRefused: the name is taken, or the person owns many teams already.
    """
    # The lock on the person lets only one of two equal requests through.
    get_user_model().objects.select_for_update().get(pk=owner.pk)
    if Membership.objects.filter(user=owner, role=Role.OWNER).count() >= OWNED_AT_MOST:
        raise _too_many_teams()
    team = _made(" ".join(name.split()))
    Membership.objects.create(team=team, user=owner, role=Role.OWNER)
    return team


@transaction.atomic
def join(team: Team, user: Any) -> bool:
    """Make somebody a member; whether they were not one before."""
    _lock(team)
    return Membership.objects.get_or_create(team=team, user=user)[1]


@transaction.atomic
def leave(team: Team, user: Any) -> None:
    """Go; what the team has submitted stays with it.

    Raises:
        TeamRefused: the person is the last owner, or no member.
    """
    _lock(team)
    membership = _membership(team, user.pk)
    _keep_an_owner(team, membership)
    membership.delete()


@transaction.atomic
def remove(team: Team, user_id: int) -> Any:
    """Take somebody out, and return the person.

    Raises:
        TeamRefused: the person is the last owner, or no member.
    """
    _lock(team)
    membership = _membership(team, user_id)
    _keep_an_owner(team, membership)
    membership.delete()
    return membership.user


@transaction.atomic
def change_role(team: Team, user_id: int, role: str) -> Any:
    """Make a member an owner, or an owner a member, and return the person.

    Raises:
        TeamRefused: it would leave the team without an owner, or the person is no member.
    """
    _lock(team)
    membership = _membership(team, user_id)
    if role != Role.OWNER:
        _keep_an_owner(team, membership)
    membership.role = Role(role)
    membership.save(update_fields=["role"])
    return membership.user


@transaction.atomic
def hand_over(team: Team, owner: Any, heir_id: int) -> Any:
    """Make somebody else the owner in one's own place, and return the new one.

    Raises:
        TeamRefused: the person is no member, or the one who hands over is no owner any more.
    """
    heir = change_role(team, heir_id, Role.OWNER)
    if heir.pk != owner.pk:
        own = _membership(team, owner.pk)
        own.role = Role.MEMBER
        own.save(update_fields=["role"])
    return heir


def _lock(team: Team) -> None:
    Team.objects.select_for_update().get(pk=team.pk)


def _membership(team: Team, user_id: int) -> Membership:
    found = team.memberships.select_related("user").filter(user_id=user_id).first()
    if found is None:
        raise TeamRefused(
            "not-a-member",
            _("This person is not in the team."),
            _("Load the page again; somebody else may have changed it."),
        )
    return found


def _keep_an_owner(team: Team, membership: Membership) -> None:
    others = team.memberships.filter(role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.exists():
        raise TeamRefused(
            "last-owner",
            _("A team needs an owner, and there is no other."),
            _("Make somebody else an owner first."),
        )


def _made(name: str) -> Team:
    """A new team, also where somebody else takes its name or its address at this very moment."""
    stem = slugify(name)[:40] or "team"
    for slug in (stem, f"{stem}-{uuid.uuid4().hex[:6]}"):
        if Team.objects.filter(name__iexact=name).exists():
            break
        with suppress(IntegrityError), transaction.atomic():
            return Team.objects.create(name=name, slug=slug)
    raise _name_taken()


def _name_taken() -> TeamRefused:
    return TeamRefused(
        "name-taken",
        _("Another team has this name."),
        _("Choose another one, or ask its owners to invite you."),
    )


def _too_many_teams() -> TeamRefused:
    return TeamRefused(
        "too-many-teams",
        _("One person owns at most %(count)d teams.") % {"count": OWNED_AT_MOST},
        and_ask(_("Hand one over to another owner.")),
    )
