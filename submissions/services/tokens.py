"""Personal keys for programs: made, shown once, recognised by their digest, revoked."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Q

from submissions.models import Token

PREFIX = "fdl_"
SHOWN = 10
# The last use is written down at most so often.
LAST_USE = timedelta(minutes=1)


class NewToken(NamedTuple):
    """A token just made, with the key that nobody can see again."""

    token: Token
    key: str


def create(user: Any, name: str, scope: str, *, expires: datetime | None) -> NewToken:
    """Make a key of 256 random bits and keep its digest."""
    key = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user, name=name, scope=scope, start=key[:SHOWN], digest=_digest(key), expires=expires
    )
    return NewToken(token, key)


def authenticate(header: str, now: datetime) -> Token | None:
    """The living token of an ``Authorization: Bearer …`` header; ``None`` for any other."""
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key.strip().startswith(PREFIX):
        return None
    living = Q(expires=None) | Q(expires__gt=now)
    found = Token.objects.filter(living, digest=_digest(key.strip()), user__is_active=True)
    token = found.select_related("user").first()
    if token is not None:
        _note_use(token, now)
    return token


def allows(token: Token, scope: str) -> bool:
    """Whether a token may do something of a scope; who may submit may read."""
    return token.scope in (scope, Token.Scope.SUBMIT)


def revoke(user: Any, pk: int) -> bool:
    """Take a key out of use for good; whether there was such a key of this user."""
    return bool(Token.objects.filter(user=user, pk=pk).delete()[0])


def _note_use(token: Token, now: datetime) -> None:
    if token.last_used is None or now - token.last_used >= LAST_USE:
        token.last_used = now
        Token.objects.filter(pk=token.pk).update(last_used=now)


def _digest(key: str) -> str:
    """A plain hash is enough: nobody guesses 256 random bits."""
    return hashlib.sha256(key.encode()).hexdigest()
