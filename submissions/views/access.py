"""Who is asking: a person with a session, or a program with a personal key.

Conventions: a session is asked for the CSRF token as everywhere; a key needs none, because no
browser sends it by itself. Answers are JSON: code, rule and cure.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from submissions.models import Token
from submissions.services import tokens
from submissions.services.slots import SubmissionRefused

View = Callable[..., HttpResponseBase]


def refused(status: int, code: str, rule: str, cure: str = "") -> JsonResponse:
    """An answer that says what is wrong and what to do."""
    answer = JsonResponse({"code": code, "rule": rule, "cure": cure}, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


def refusal(error: SubmissionRefused, status: int = 403) -> JsonResponse:
    """The same for a submission that cannot be taken."""
    return refused(status, error.code, error.rule, error.cure)


def for_people_and_programs(scope: str) -> Callable[[View], View]:
    """Let in sessions with their CSRF token, and keys of a scope; ``request.user`` is set."""

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if header := request.headers.get("Authorization"):
                stop = _by_key(request, header, scope)
            else:
                stop = _by_session(request)
            return stop or view(request, *args, **kwargs)

        return csrf_exempt(inner)

    return decorate


def _by_key(request: HttpRequest, header: str, scope: str) -> HttpResponse | None:
    token = tokens.authenticate(header, timezone.now())
    if token is None:
        return _unknown(_("The key is unknown, revoked or has expired."))
    if not tokens.allows(token, scope):
        return refused(
            403,
            "key-too-weak",
            _("This key may only read."),
            _("Make one that may submit, on the page of your keys."),
        )
    request.user = token.user
    return None


def _by_session(request: HttpRequest) -> HttpResponse | None:
    if not request.user.is_authenticated:
        return _unknown(_("Nobody is logged in, and no key came along."))
    return _CsrfCheck(lambda _request: HttpResponse()).stop(request)


def _unknown(rule: str) -> HttpResponse:
    cure = _("Log in, or send the header “Authorization: Bearer” with a key.")
    answer = refused(401, "not-logged-in", rule, cure)
    answer["WWW-Authenticate"] = f'Bearer realm="{Token.Scope.SUBMIT}"'
    return answer


class _CsrfCheck(CsrfViewMiddleware):
    """Django's own check, called by hand: these views are exempt from the automatic one."""

    def stop(self, request: HttpRequest) -> HttpResponse | None:
        return self.process_view(request, _nothing, (), {})

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return refused(403, "csrf", _("The page was open too long."), _("Load it again."))


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()
