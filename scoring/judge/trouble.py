"""What keeps a judge's endpoint from answering, and whether another item would meet it too.

Conventions: trouble is never a word about an item (decision 26a): whatever was to be asked stays
pending. It is told as a key with values, of which the endpoint's own words are one; the key of the
account is blotted out before. HTTP 402, a quota, a refused key or model stop the asking at once;
a crowded or broken endpoint, and a message that it refuses, do when they come ``IN_A_ROW``.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import openai

from scoring.errors import Phrase
from scoring.judge.labels import RAW_LENGTH

# So many items in a row cannot all be at fault.
IN_A_ROW = 3
# How endpoints name an account without money or quota, whatever the status.
_QUOTA = frozenset(("insufficient_quota", "billing_hard_limit_reached", "quota_exceeded"))
_MONEY = frozenset(("insufficient_balance", "insufficient_funds", "credit_balance_too_low"))
_BY_STATUS: Mapping[int, str] = {
    401: "judge-key",
    402: "judge-money",
    403: "judge-key",
    404: "judge-setup",
    405: "judge-setup",
    408: "judge-overload",
    409: "judge-overload",
    429: "judge-overload",
}
# Kinds that the next item surely meets again.
_STOPPING = frozenset(("judge-money", "judge-quota", "judge-key", "judge-setup", "judge-budget"))

Clean = Callable[[str], str]


class Trouble(NamedTuple):
    """Why a call has no answer.

    Attributes:
        said: key and values.
        stops: whether asking about another item is of no use.
    """

    said: Phrase
    stops: bool


# With a status of success, and yet no answer of a chat model.
GARBLED = Trouble(Phrase("judge-garbled"), stops=False)


def of_error(error: openai.OpenAIError, clean: Clean, *, timeout: float) -> Trouble:
    """Say what an error of the client library means.

    Args:
        error: as raised.
        clean: makes a text of the endpoint fit to be kept.
        timeout: seconds that one call may take.
    """
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, clean)
    if isinstance(error, openai.APITimeoutError):
        return late(timeout)
    return _trouble("judge-network", Phrase("told-error", {"name": type(error).__name__}))


def late(seconds: float) -> Trouble:
    """Say that an answer did not come in time."""
    return _trouble("judge-network", Phrase("told-late", {"seconds": f"{seconds:g}"}))


def of_body(error: object, clean: Clean) -> Trouble:
    """Say what an error means that came inside an answer of HTTP 200."""
    known = error if isinstance(error, Mapping) else {"message": str(error)}
    status = known.get("code")
    words = clean(str(known.get("message", "")))[:RAW_LENGTH]
    kind = _kind(status if isinstance(status, int) else 500, known)
    return _trouble(kind, Phrase("told-body", {"words": words}))


def is_about(error: openai.APIStatusError, *names: str) -> bool:
    """Whether an endpoint refuses a parameter by its name, in the field for it or in its words."""
    if error.status_code not in (400, 422):
        return False
    told = f"{getattr(error, 'param', None) or ''} {error.message}".lower()
    return any(name in told for name in names)


def _of_status(error: openai.APIStatusError, clean: Clean) -> Trouble:
    known = _fields(error)
    words = clean(str(known.get("message") or error.message))[:RAW_LENGTH]
    told = Phrase("told-http", {"status": str(error.status_code), "words": words})
    return _trouble(_kind(error.status_code, known), told)


def _kind(status: int, fields: Mapping[str, Any]) -> str:
    names = {str(fields.get(name)).lower() for name in ("code", "type")}
    if names & _QUOTA:
        return "judge-quota"
    if names & _MONEY:
        return "judge-money"
    if names & {"model_not_found", "invalid_model"}:
        return "judge-setup"
    return _BY_STATUS.get(status) or ("judge-overload" if status >= 500 else "judge-refused-item")


def _fields(error: openai.APIStatusError) -> Mapping[str, Any]:
    body: object = error.body
    return body if isinstance(body, Mapping) else {}


def _trouble(kind: str, told: Phrase) -> Trouble:
    return Trouble(Phrase(kind, {"told": told}), stops=kind in _STOPPING)
