"""Judges of behaviour: how a model's later speech treats what happened on the user's side.

Conventions: *noisy* is the recording with the event, *clean* the one without it; *input* is the
user, *output* the model. A judge answers with one of four labels, or says why it cannot.
"""

from collections.abc import Sequence
from typing import Any

from scoring.errors import EngineError
from scoring.judge import chat_settings
from scoring.judge.base import (
    UNWATCHED,
    Exchange,
    Judge,
    Verdict,
    Vote,
    Watch,
    verdict_from_json,
    verdict_to_json,
    vote_from_json,
    vote_to_json,
)
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
    "Vote",
    "Watch",
    "count_labels",
    "load",
    "load_by_mode",
    "modes_of",
    "parse_label",
    "verdict_from_json",
    "verdict_to_json",
    "vote_from_json",
    "vote_to_json",
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


def load_by_mode(name: str, modes: Sequence[str], **settings: Any) -> dict[str, Judge]:
    """Return a judge for each mode: one that asks as the mode asks, or one that serves them all.

    Args:
        name: as for ``load``.
        modes: ``official``, ``strict``, or both.
        settings: as for ``load``, without the mode.

    Raises:
        EngineError: as for ``load``.
    """
    if name == "chat":
        return {mode: load(name, mode=mode, **settings) for mode in modes}
    return dict.fromkeys(modes, load(name, **settings))


def modes_of(prompt: str, modes: Sequence[str]) -> tuple[str, ...]:
    """Return the modes whose judge is asked by an instruction; all where it is no mode's own."""
    files = {mode: chat_settings.prompt_of(mode) for mode in modes}
    own = tuple(mode for mode in modes if prompt.partition("+")[0] == files[mode])
    return own or tuple(modes)
