"""Settings of the chat judge: how to ask, how patiently, and for how much money.

Conventions: endpoint, model and key are arguments, never looked up here; times are seconds. What
changes a label is part of the judge's signature; concurrency, patience and money are not.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from scoring.errors import EngineError
from scoring.judge.usage import FREE, Tariff, tariff_of

FORMATS = ("json_schema", "json_object", "text")
# The client library waits as long as Retry-After says, up to this; asked for more, it gives up.
LONGEST_WAIT = 120.0
DEFAULT_PROMPT = "humdial-1"


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How to ask the chat model.

    Attributes:
        base_url: address of the endpoint, up to and including ``/v1``.
        model: name of the model, as asked for.
        api_key: key of the endpoint; empty where none is needed.
        key_needed: whether nothing is asked, and everything pending, while there is no key.
        prompt_file: instruction in ``scoring/judge/prompts``, without ``.txt``.
        temperature: ``None`` leaves it to the endpoint, as the official script does.
        votes: replies asked for per exchange; the majority decides.
        tries: calls per vote until a reply can be used.
        one_label: whether exactly one known label is required, and different answers in a reply
            are none (decisions 25 and 26b, strict).
        formats: response formats to try, in this order; ``("text",)`` is the official call.
        concurrency: calls at the same time.
        timeout: seconds per call.
        max_retries: retries of the client library per call, for HTTP errors.
        pause: seconds before the second try; doubles with each further try.
        tariff: prices, and the budget of a run.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    key_needed: bool = False
    prompt_file: str = DEFAULT_PROMPT
    temperature: float | None = None
    votes: int = 1
    tries: int = 5
    one_label: bool = False
    formats: tuple[str, ...] = FORMATS
    concurrency: int = 64
    timeout: float = 60.0
    max_retries: int = 4
    pause: float = 1.0
    tariff: Tariff = FREE

    @property
    def patience(self) -> float:
        """Seconds after which a call is given up with all its retries and waits.

        The library's own limit is per read, and some endpoints send blank lines for minutes.
        """
        return (self.max_retries + 1) * self.timeout + self.max_retries * LONGEST_WAIT


# Decisions 25, 26 and 28 of protocol section 12.
MODES: dict[str, dict[str, Any]] = {
    "official": {},
    "strict": {
        "temperature": 0.0,
        "votes": 3,
        "tries": 3,
        "one_label": True,
        "prompt_file": "humdial-2",
    },
}
_MONEY = ("price_in", "price_out", "budget")


def prompt_of(mode: str) -> str:
    """Return the name of the instruction by which a mode asks."""
    return str(MODES[mode].get("prompt_file", DEFAULT_PROMPT))


def settings_for(*, mode: str = "official", **settings: Any) -> ChatSettings:
    """Return the settings of a mode, with some of them replaced.

    Args:
        mode: ``official`` or ``strict``.
        settings: fields of ``ChatSettings``, where ``price_in``, ``price_out`` and ``budget``
            stand for its tariff; ``base_url`` and ``model`` are needed.

    Raises:
        EngineError: the mode or a setting is unknown, missing or impossible.
    """
    known = {*ChatSettings.__dataclass_fields__, *_MONEY} - {"tariff"}
    unknown = [*sorted(set(settings) - known), *({mode} - set(MODES))]
    if unknown:
        raise EngineError(
            f"The chat judge knows no setting {unknown[0]!r}.",
            cure=f"Settings are mode (official, strict), {', '.join(sorted(known))}.",
        )
    missing = [name for name in ("base_url", "model") if not settings.get(name)]
    if missing:
        raise EngineError(f"The chat judge needs {missing[0]}.", cure="Name endpoint and model.")
    tariff = tariff_of(**{name: settings.pop(name, None) for name in _MONEY})
    return _possible(ChatSettings(**MODES[mode] | settings, tariff=tariff))


def _possible(chosen: ChatSettings) -> ChatSettings:
    if min(chosen.votes, chosen.tries, chosen.concurrency) < 1 or not chosen.formats:
        raise EngineError(
            "Votes, tries, concurrency and formats must be at least one.", cure="Raise them."
        )
    if not 0 < chosen.timeout < math.inf or chosen.max_retries < 0:
        raise EngineError("The judge needs time to answer.", cure="Raise the time-out.")
    if not set(chosen.formats) <= set(FORMATS):
        raise EngineError("A response format is unknown.", cure=f"Use {', '.join(FORMATS)}.")
    return chosen
