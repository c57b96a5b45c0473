"""The chat judge: a chat model behind any OpenAI-compatible endpoint reads the four transcripts.

Conventions: endpoint, model and key are arguments, never looked up here. HTTP errors are retried
by the client library with its own waits; what is retried here is a reply without a usable label
(decision 26). The key stands in no text that leaves this module.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from json import JSONDecodeError
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from scoring.errors import EngineError
from scoring.judge.base import Exchange, Verdict
from scoring.judge.labels import LABELS, RAW_LENGTH, JudgeReplyError, parse_label

FORMATS = ("json_schema", "json_object", "text")

_SCHEMA = {
    "type": "object",
    "properties": {
        "behaviour": {"type": "array", "items": {"type": "string", "enum": list(LABELS)}}
    },
    "required": ["behaviour"],
    "additionalProperties": False,
}
_RESPONSE_FORMATS: dict[str, dict[str, Any]] = {
    "json_schema": {
        "type": "json_schema",
        "json_schema": {"name": "behaviour", "strict": True, "schema": _SCHEMA},
    },
    "json_object": {"type": "json_object"},
}
# Errors that the next item would meet again: they are about the set-up, not about the item.
_SETUP_ERRORS = (
    openai.AuthenticationError,
    openai.PermissionDeniedError,
    openai.NotFoundError,
)
# How servers refuse a response format; some answer 500 to a schema they do not know.
_REFUSALS = (
    openai.BadRequestError,
    openai.UnprocessableEntityError,
    openai.InternalServerError,
)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How to ask the chat model.

    Attributes:
        base_url: address of the endpoint, up to and including ``/v1``.
        model: name of the model, as asked for.
        api_key: key of the endpoint; empty where none is needed.
        prompt_file: instruction in ``scoring/judge/prompts``, without ``.txt``.
        temperature: ``None`` leaves it to the endpoint, as the official script does.
        votes: replies asked for per exchange; the majority decides.
        tries: calls per vote until a reply can be used.
        one_label: whether exactly one known label is required (decision 25, strict).
        formats: response formats to try, in this order; ``("text",)`` is the official call.
        concurrency: calls at the same time.
        timeout: seconds per call.
        max_retries: retries of the client library per call, for HTTP errors.
        pause: seconds before the second try; doubles with each further try.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    prompt_file: str = "humdial-1"
    temperature: float | None = None
    votes: int = 1
    tries: int = 5
    one_label: bool = False
    formats: tuple[str, ...] = FORMATS
    concurrency: int = 8
    timeout: float = 60.0
    max_retries: int = 4
    pause: float = 1.0


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


def settings_for(*, mode: str = "official", **settings: Any) -> ChatSettings:
    """Return the settings of a mode, with some of them replaced.

    Args:
        mode: ``official`` or ``strict``.
        settings: fields of ``ChatSettings``; ``base_url`` and ``model`` are needed.

    Raises:
        EngineError: the mode or a setting is unknown, missing or impossible.
    """
    known = set(ChatSettings.__dataclass_fields__)
    unknown = [*sorted(set(settings) - known), *({mode} - set(MODES))]
    if unknown:
        raise EngineError(
            f"The chat judge knows no setting {unknown[0]!r}.",
            cure=f"Settings are mode (official, strict), {', '.join(sorted(known))}.",
        )
    missing = [name for name in ("base_url", "model") if not settings.get(name)]
    if missing:
        raise EngineError(f"The chat judge needs {missing[0]}.", cure="Name endpoint and model.")
    chosen = ChatSettings(**MODES[mode] | settings)
    if min(chosen.votes, chosen.tries, chosen.concurrency) < 1 or not chosen.formats:
        raise EngineError(
            "Votes, tries, concurrency and formats must be at least one.", cure="Raise them."
        )
    if not set(chosen.formats) <= set(FORMATS):
        raise EngineError("A response format is unknown.", cure=f"Use {', '.join(FORMATS)}.")
    return chosen


class _Reply(NamedTuple):
    """One call: the text, the model that wrote it, and what went wrong on the way."""

    text: str | None
    model: str = ""
    trouble: str = ""


class _Vote(NamedTuple):
    """The outcome of one vote; ``labels`` is ``None`` when no reply could be used."""

    labels: tuple[str, ...] | None
    replies: tuple[_Reply, ...]
    trouble: str = ""


class ChatJudge:
    """Labels exchanges by asking a chat model."""

    name = "chat"
    unofficial = False

    def __init__(self, settings: ChatSettings) -> None:
        self.settings = settings
        self._instruction = _instruction(settings.prompt_file)
        digest = hashlib.sha256(self._instruction.encode()).hexdigest()[:12]
        self.prompt = f"{settings.prompt_file}+{digest}"
        # Position in settings.formats; moves on when the endpoint refuses one.
        self._format = 0

    def __repr__(self) -> str:
        return f"ChatJudge({self.signature})"

    @property
    def signature(self) -> str:
        """Everything that can change a label, as one line; never the key."""
        chosen = self.settings
        temperature = "unset" if chosen.temperature is None else f"{chosen.temperature:g}"
        return (
            f"chat/{chosen.model}@{urlsplit(chosen.base_url).hostname or 'unknown'}"
            f" prompt={self.prompt} temperature={temperature} votes={chosen.votes}"
            f" tries={chosen.tries} one_label={'yes' if chosen.one_label else 'no'}"
            f" formats={'>'.join(chosen.formats)}"
        )

    def judge(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        """Return one verdict per exchange, in the same order.

        An exchange that gets no usable reply is unjudged; its verdict says why.

        Raises:
            EngineError: the endpoint refuses the key, or does not know the model.
        """
        return asyncio.run(self._judge_all(exchanges)) if exchanges else []

    async def _judge_all(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        chosen = self.settings
        async with openai.AsyncOpenAI(
            base_url=chosen.base_url,
            api_key=chosen.api_key or "none",
            timeout=chosen.timeout,
            max_retries=chosen.max_retries,
        ) as client:
            line = asyncio.Semaphore(chosen.concurrency)
            # The first exchange goes alone: it finds out which response format is accepted.
            first = await self._judge_one(client, line, exchanges[0])
            rest = (self._judge_one(client, line, exchange) for exchange in exchanges[1:])
            return [first, *await asyncio.gather(*rest)]

    async def _judge_one(
        self, client: openai.AsyncOpenAI, line: asyncio.Semaphore, exchange: Exchange
    ) -> Verdict:
        message = exchange.message()
        votes = [self._vote(client, line, message) for _ in range(self.settings.votes)]
        return self._verdict(await asyncio.gather(*votes))

    async def _vote(
        self, client: openai.AsyncOpenAI, line: asyncio.Semaphore, message: str
    ) -> _Vote:
        replies: list[_Reply] = []
        trouble = ""
        for number in range(self.settings.tries):
            if number:
                await asyncio.sleep(self.settings.pause * 2 ** (number - 1))
            async with line:
                replies.append(await self._ask(client, message))
            if trouble := replies[-1].trouble:
                # The library has retried already; asking on would only add to the load.
                break
            try:
                return _Vote(self._labels(replies[-1].text), tuple(replies))
            except JudgeReplyError as error:
                trouble = error.rule
        return _Vote(None, tuple(replies), trouble)

    def _labels(self, text: str | None) -> tuple[str, ...]:
        labels = parse_label(text)
        if self.settings.one_label and (len(labels) != 1 or labels[0] not in LABELS):
            raise JudgeReplyError(
                f"Exactly one known label is needed, found {list(labels)}.", reply=text or ""
            )
        return labels

    async def _ask(self, client: openai.AsyncOpenAI, message: str) -> _Reply:
        """Call the model, stepping down the response formats when one is refused."""
        formats = self.settings.formats
        for position in range(self._format, len(formats)):
            try:
                reply = await self._call(client, message, formats[position])
            except _SETUP_ERRORS as error:
                # Without its cause: the library's error carries the request with the key.
                raise self._setup_error(error) from None
            except _REFUSALS as error:
                reply = _Reply(None, trouble=self._told(error))
            except openai.APIResponseValidationError:
                return _Reply(None)
            except openai.OpenAIError as error:
                return _Reply(None, trouble=self._told(error))
            except JSONDecodeError:
                # A body that was cut on the way: as good as no content, and asked for again.
                return _Reply(None)
            else:
                self._format = max(self._format, position)
                return reply
        return reply

    async def _call(self, client: openai.AsyncOpenAI, message: str, kind: str) -> _Reply:
        extra: dict[str, Any] = {}
        if kind in _RESPONSE_FORMATS:
            extra["response_format"] = _RESPONSE_FORMATS[kind]
        if self.settings.temperature is not None:
            extra["temperature"] = self.settings.temperature
        answer = await client.chat.completions.create(
            model=self.settings.model,
            messages=[
                {"role": "system", "content": self._instruction},
                {"role": "user", "content": message},
            ],
            **extra,
        )
        return _reply(answer)

    def _verdict(self, votes: Sequence[_Vote]) -> Verdict:
        ballots = Counter(vote.labels for vote in votes if vote.labels is not None)
        labels, count = ballots.most_common(1)[0] if ballots else ((), 0)
        decided = 2 * count > len(votes)
        replies = [reply for vote in votes for reply in vote.replies]
        return Verdict(
            labels=labels if decided else (),
            reason=self._reason(votes, labels if decided else (), count),
            raw=tuple(self._clean(reply.text or "")[:RAW_LENGTH] for reply in replies),
            asked=self.settings.model,
            returned=next((reply.model for reply in replies if reply.model), ""),
            prompt=self.prompt,
            agreement=count / len(votes) if decided and len(votes) > 1 else None,
        )

    def _reason(self, votes: Sequence[_Vote], labels: tuple[str, ...], count: int) -> str:
        if labels:
            share = f" ({count} of {len(votes)} votes)" if len(votes) > 1 else ""
            return f"{self.settings.model} answered {', '.join(labels)}{share}."
        trouble = next((vote.trouble for vote in votes if vote.trouble), "")
        if trouble:
            calls = sum(len(vote.replies) for vote in votes)
            return f"Unjudged after {calls} call(s) to {self.settings.model}: {trouble}"
        if count * 2 > len(votes):
            return f"Unjudged: {self.settings.model} answered with an empty list of labels."
        return f"Unjudged: no label has a majority of the {len(votes)} votes."

    def _setup_error(self, error: openai.APIStatusError) -> EngineError:
        return EngineError(
            f"The judge endpoint refuses to work: {self._told(error)}",
            cure="Check the address, the key and the name of the model.",
            code="judge-refused",
        )

    def _told(self, error: openai.OpenAIError) -> str:
        """Say what an error of the client library means, without the key."""
        if isinstance(error, openai.APIStatusError):
            return f"HTTP {error.status_code}: {self._clean(error.message)[:RAW_LENGTH]}"
        if isinstance(error, openai.APITimeoutError):
            return f"No answer within {self.settings.timeout:g} s."
        return f"The endpoint cannot be reached, or it hung up ({type(error).__name__})."

    def _clean(self, text: str) -> str:
        """Blot out the key, which some endpoints echo."""
        return text.replace(self.settings.api_key, "[key]") if self.settings.api_key else text


def _reply(answer: object) -> _Reply:
    """Read an answer of the library, which hands on bodies of any shape."""
    choices = getattr(answer, "choices", None)
    if not isinstance(answer, ChatCompletion) or not choices:
        return _Reply(None)
    content = getattr(choices[0].message, "content", None)
    return _Reply(content if isinstance(content, str) else None, str(answer.model or ""))


def _instruction(name: str) -> str:
    files = resources.files("scoring.judge") / "prompts"
    try:
        return (files / f"{name}.txt").read_text(encoding="utf-8")
    except OSError as cause:
        raise EngineError(
            f"There is no judge instruction {name!r}.", cure="Use humdial-1 or humdial-2."
        ) from cause
