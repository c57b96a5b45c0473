"""Errors of the API speak to their reader: a code, the rule, and what to do."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError


class Problem(Schema):
    """Why a request was not answered as asked."""

    code: str
    rule: str
    cure: str


class Refusal(Exception):
    """Something a service refused, with its HTTP status."""

    def __init__(self, status: int, code: str, rule: str, cure: str) -> None:
        super().__init__(f"{rule} {cure}")
        self.status, self.problem = status, Problem(code=code, rule=rule, cure=cure)


def missing() -> Refusal:
    """The answer for what is not there, and for what the reader may not see."""
    return Refusal(404, "not-found", _("There is no such thing here."), _("Look at the address."))


def add_handlers(api: NinjaAPI) -> None:
    """Answer every kind of failure in the one form."""
    for kind, problem_of in PROBLEMS.items():

        def handler(request: HttpRequest, exc: Any, problem_of: Any = problem_of) -> HttpResponse:
            refusal: Refusal = problem_of(exc)
            answer = api.create_response(request, refusal.problem, status=refusal.status)
            if isinstance(exc, Throttled):
                answer["Retry-After"] = str(int(exc.wait or 1) + 1)
            return answer

        api.add_exception_handler(kind, handler)


def _unknown(_exc: AuthenticationError) -> Refusal:
    rule = _("This needs a token of the right scope that has not expired.")
    cure = _("Make one on your account page, and send it as “Authorization: Bearer …”.")
    return Refusal(401, "not-authenticated", rule, cure)


def _invalid(exc: ValidationError) -> Refusal:
    places = [".".join(map(str, one["loc"])) + ": " + one["msg"] for one in exc.errors]
    cure = _("Mend what is named; the schema is at /api/v1/openapi.json.")
    return Refusal(422, "invalid-request", "; ".join(places), cure)


def _throttled(_exc: Throttled) -> Refusal:
    rule, cure = _("Too many requests."), _("Wait as long as Retry-After says.")
    return Refusal(429, "too-many-requests", rule, cure)


def _other(exc: HttpError) -> Refusal:
    cure = _("Look at the address and at the schema.")
    return Refusal(exc.status_code, "request-refused", str(exc), cure)


PROBLEMS: dict[type[Exception], Callable[[Any], Refusal]] = {
    Refusal: lambda refusal: refusal,
    Http404: lambda _exc: missing(),
    AuthenticationError: _unknown,
    ValidationError: _invalid,
    Throttled: _throttled,
    HttpError: _other,
}
