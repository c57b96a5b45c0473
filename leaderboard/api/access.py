"""Who is asking: the holder of a token, somebody logged in, or anybody."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import APIKeyCookie, HttpBearer

from submissions.models import Token
from submissions.services import tokens


class TokenAuth(HttpBearer):
    """A personal token of a scope."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Return the token's user; ``None`` where the token is no living one of this scope."""
        found = tokens.authenticate(f"Bearer {token}", timezone.now())
        if found is None or not tokens.allows(found, self.scope):
            return None
        return found.user


class SessionAuth(APIKeyCookie):
    """Somebody logged in on the site; writing asks for the form's token as every form does."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        """Return the user of the session."""
        return request.user if request.user.is_authenticated else None


def anybody(request: HttpRequest) -> Any:
    """A reader without a name; but a token that does not work is never taken for none."""
    return None if "Authorization" in request.headers else AnonymousUser()


READER = [TokenAuth(Token.Scope.READ), SessionAuth()]
SENDER = [TokenAuth(Token.Scope.SUBMIT), SessionAuth()]
EVERYBODY = [*READER, anybody]
