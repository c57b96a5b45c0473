"""Judges of behaviour: how a model's later speech treats what happened on the user's side.

Conventions: *noisy* is the recording with the event, *clean* the one without it; *input* is the
user, *output* the model. A judge answers with one of four labels, or says why it cannot.
"""

from typing import Any

from scoring.errors import EngineError
from scoring.judge.base import UNWATCHED, Exchange, Judge, Verdict, Watch
from scoring.judge.labels import (
    LABELS,
    JudgeReplyError,
    LabelCounts,
    count_labels,
    parse_label,
)
from scoring.judge.usage import Tariff, Usage

__all__ = [
    "LABELS",
    "UNWATCHED",
    "Exchange",
    "Judge",
    "JudgeReplyError",
    "LabelCounts",
    "Tariff",
    "Usage",
    "Verdict",
    "Watch",
    "count_labels",
    "load",
    "parse_label",
]


def load(name: str, **settings: Any) -> Judge:
    """Return the judge called ``name``: ``offline`` (rules, no key) or ``chat`` (a chat model).

    Args:
        name: ``offline`` or ``chat``.
        settings: for ``chat``, see ``scoring.judge.chat_settings``; ``offline`` has none.

    Raises:
        EngineError: there is no such judge, or a setting is missing or unknown.
    """
    # Imported here because the chat client takes a third of a second to load.
    if name == "offline" and not settings:
        from scoring.judge.offline import OfflineJudge

        return OfflineJudge()
    if name == "chat":
        from scoring.judge.chat import ChatJudge, settings_for

        return ChatJudge(settings_for(**settings))
    if name == "offline":
        raise EngineError(
            f"The offline judge has no setting {sorted(settings)[0]!r}.", cure="Leave it out."
        )
    raise EngineError(f"There is no judge {name!r}.", cure="Use 'offline' or 'chat'.")
