"""Invite people into a team: by mail to one address, or by a link for whoever holds it.

Only the digest of a link's secret is stored, so the link is shown once. An invitation by mail is
bound to its address and works once; a link works until it expires or is taken back.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from submissions.models import Invitation, Team
from submissions.permissions import is_member
from submissions.services import teams
from submissions.services.teams import TeamRefused

GOOD_FOR = timedelta(days=14)
# Invitations that a team makes in 24 hours, taken back or not: nobody sends mails without end.
PER_DAY = 30


class Invited(NamedTuple):
    """A new invitation, with the secret that nobody can read again."""

    invitation: Invitation
    secret: str


@transaction.atomic
def invite(team: Team, by: Any, now: datetime, email: str = "") -> Invited:
    """Open a door; a second invitation to the same address takes the place of the first.

    Raises:
        TeamRefused: the person is in the team, or it has sent many invitations today.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    email = email.strip()
    if team.invitations.filter(created__gt=now - timedelta(hours=24)).count() >= PER_DAY:
        raise _too_many()
    if email:
        _refuse_member(team, email)
        _close(team.invitations.filter(email__iexact=email, used=None), now)
    secret = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        team=team, email=email, digest=digest(secret), invited_by=by, expires=now + GOOD_FOR
    )
    return Invited(invitation, secret)


def find(secret: str, now: datetime) -> Invitation:
    """Return the invitation that a secret opens.

    Raises:
        TeamRefused: there is none, or it is used or expired.
    """
    found = Invitation.objects.select_related("team").filter(digest=digest(secret)).first()
    if found is None:
        raise _gone()
    if found.used is not None:
        raise _used()
    if found.expires <= now:
        raise _expired()
    return found


@transaction.atomic
def accept(invitation: Invitation, user: Any, now: datetime) -> bool:
    """Let somebody in; whether they were not in before.

    Raises:
        TeamRefused: the invitation is for another address, or was used or taken back meanwhile.
    """
    Team.objects.select_for_update().get(pk=invitation.team_id)
    # The digest too: "now" may be a moment before it was closed.
    still = usable(now).filter(pk=invitation.pk, digest=invitation.digest).first()
    if still is None:
        if is_member(user, invitation.team):
            # Pressed twice: the first press has let the person in.
            return False
        raise _gone()
    if not fits(still, user):
        raise _for_somebody_else(still.email)
    new = teams.join(still.team, user)
    if still.email:
        still.used = now
        still.save(update_fields=["used"])
    return new


def fits(invitation: Invitation, user: Any) -> bool:
    """Whether an invitation is for this person: a link is for everybody."""
    return not invitation.email or _verified(user).filter(email__iexact=invitation.email).exists()


def waiting_for(user: Any, now: datetime) -> list[Invitation]:
    """Open invitations by mail to the addresses that a person has shown to be theirs."""
    addresses = {address.email.lower() for address in _verified(user)}
    found = usable(now).exclude(email="").select_related("team", "invited_by")
    found = found.exclude(team__members=user)
    return [one for one in found if one.email.lower() in addresses] if addresses else []


def usable(now: datetime) -> QuerySet[Invitation]:
    """Invitations that still open something."""
    return Invitation.objects.filter(used=None, expires__gt=now)


@transaction.atomic
def revoke(team: Team, pk: int, now: datetime) -> None:
    """Take an invitation back; its link opens nothing any more. Who is in already stays in."""
    Team.objects.select_for_update().get(pk=team.pk)
    _close(team.invitations.filter(pk=pk, used=None), now)


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _close(invitations: QuerySet[Invitation], now: datetime) -> None:
    """Let some links open nothing; the rows stay and count."""
    for invitation in invitations:
        # No secret has this digest.
        invitation.digest, invitation.expires = f"closed-{invitation.pk}", now
        invitation.save(update_fields=["digest", "expires"])


def _verified(user: Any) -> QuerySet[EmailAddress]:
    found: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user, verified=True)
    return found


def _refuse_member(team: Team, email: str) -> None:
    owners = EmailAddress.objects.filter(email__iexact=email, verified=True).values("user")
    if team.memberships.filter(user__in=owners).exists():
        raise TeamRefused(
            "already-a-member",
            _("The person with this address is in the team."),
            _("Nothing is left to do."),
        )


def _too_many() -> TeamRefused:
    return TeamRefused(
        "too-many-invitations",
        _("A team sends at most %(count)d invitations in 24 hours.") % {"count": PER_DAY},
        _("Wait until tomorrow, or make one link for several people."),
    )


def _gone() -> TeamRefused:
    return TeamRefused(
        "invitation-unknown",
        _("This invitation does not exist, or it was taken back."),
        _("Check that the link is complete, or ask for a new one."),
    )


def _used() -> TeamRefused:
    return TeamRefused(
        "invitation-used",
        _("This invitation has been used; one by mail works once."),
        _("If it was not you, tell the owners of the team and ask for a new one."),
    )


def _expired() -> TeamRefused:
    return TeamRefused(
        "invitation-expired",
        _("This invitation has expired; it was good for %(days)d days.") % {"days": GOOD_FOR.days},
        _("Ask for a new one."),
    )


def _for_somebody_else(email: str) -> TeamRefused:
    return TeamRefused(
        "invitation-for-somebody-else",
        _("This invitation is for %(email)s.") % {"email": email},
        _("Log in with the account that has this address, or add the address to yours."),
    )
