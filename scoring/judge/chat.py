"""The chat judge: a chat model behind any OpenAI-compatible endpoint reads the four transcripts.

Conventions: endpoint, model and key are arguments, never looked up here. HTTP errors are retried
by the client library with its own waits; what is retried here is a reply without a usable label
(decision 26). Every reply is counted and paid from the purse of its judging; when that is used up,
what is left is unjudged. The key stands in no text that leaves this module.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from json import JSONDecodeError
from typing import Any, NamedTuple, TypeGuard, TypeVar
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from scoring.errors import EngineError
from scoring.judge.arriving import Deliver, arriving
from scoring.judge.base import UNWATCHED, Exchange, Verdict, Watch
from scoring.judge.chat_settings import ChatSettings, settings_for
from scoring.judge.labels import LABELS, RAW_LENGTH, JudgeReplyError, parse_label
from scoring.judge.usage import (
    NOTHING,
    REPLY_TOKENS,
    Purse,
    Tariff,
    Usage,
    estimated_tokens,
)

__all__ = ["ChatJudge", "ChatSettings", "settings_for"]

T = TypeVar("T")

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


class _Reply(NamedTuple):
    """One call: the text, the model that wrote it, what went wrong, and what it cost."""

    text: str | None
    model: str = ""
    trouble: str = ""
    usage: Usage = NOTHING


class _Vote(NamedTuple):
    """The outcome of one vote; ``labels`` is ``None`` when no reply could be used."""

    labels: tuple[str, ...] | None
    replies: tuple[_Reply, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _Desk:
    """What all calls of one judging share."""

    client: openai.AsyncOpenAI
    line: asyncio.Semaphore
    purse: Purse


class ChatJudge:
    """Labels exchanges by asking a chat model."""

    name = "chat"
    unofficial = False

    def __init__(self, settings: ChatSettings) -> None:
        self.settings = settings
        self._instruction = _instruction(settings.prompt_file)
        digest = hashlib.sha256(self._instruction.encode()).hexdigest()[:12]
        self.prompt = f"{settings.prompt_file}+{digest}"
        # Position in settings.formats; moves on when the endpoint refuses one, until it takes one.
        self._format = 0
        self._format_is_known = False

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

    @property
    def tariff(self) -> Tariff:
        """Prices of the endpoint, and the budget of a run."""
        return self.settings.tariff

    def estimate(self, exchanges: Sequence[Exchange]) -> Usage:
        """Estimate what judging will use from the characters, if every first reply is good."""
        head = estimated_tokens(self._instruction)
        messages = sum(estimated_tokens(one.message()) for one in exchanges)
        count = len(exchanges)
        once = Usage(count, head * count + messages, REPLY_TOKENS * count)
        return once.times(self.settings.votes)

    def judge(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        """Return one verdict per exchange, in the same order.

        An exchange that gets no usable reply is unjudged; its verdict says why.

        Raises:
            EngineError: the endpoint refuses the key, or does not know the model.
        """
        found = dict(self.arriving(exchanges))
        return [found[position] for position in range(len(exchanges))]

    def arriving(
        self, exchanges: Sequence[Exchange], *, watch: Watch = UNWATCHED
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yield verdicts as they come, each with the position of its exchange.

        When the budget is reached, what has not been asked comes as unjudged, with that reason;
        the calls under way are awaited, so the cost may exceed the budget by theirs.

        Raises:
            EngineError: the endpoint refuses the key, or does not know the model.
        """
        purse = Purse(self.tariff, watch.used())

        def goes_on() -> bool:
            purse.elsewhere = watch.used()
            return watch.goes_on()

        async def work(deliver: Deliver[tuple[int, Verdict]]) -> None:
            await self._judge_all(exchanges, purse, deliver)

        if exchanges:
            yield from arriving(work, goes_on=goes_on)

    async def _judge_all(
        self, exchanges: Sequence[Exchange], purse: Purse, deliver: Deliver[tuple[int, Verdict]]
    ) -> None:
        chosen, left = self.settings, iter(enumerate(exchanges))
        async with openai.AsyncOpenAI(
            base_url=chosen.base_url,
            api_key=chosen.api_key or "none",
            timeout=chosen.timeout,
            max_retries=chosen.max_retries,
        ) as client:
            desk = _Desk(client, asyncio.Semaphore(chosen.concurrency), purse)

            async def go_through(todo: Iterator[tuple[int, Exchange]]) -> None:
                for position, exchange in todo:
                    await deliver((position, await self._judge_one(desk, exchange)))

            if not self._format_is_known:
                # One goes alone: it finds out which response format is accepted.
                await go_through(iter([next(left)]))
            await _together(
                [go_through(left) for _ in range(min(chosen.concurrency, len(exchanges)))]
            )

    async def _judge_one(self, desk: _Desk, exchange: Exchange) -> Verdict:
        message = exchange.message()
        votes = [self._vote(desk, message) for _ in range(self.settings.votes)]
        return self._verdict(await _together(votes))

    async def _vote(self, desk: _Desk, message: str) -> _Vote:
        replies: list[_Reply] = []
        trouble = ""
        for number in range(self.settings.tries):
            if number:
                await asyncio.sleep(self.settings.pause * 2 ** (number - 1))
            async with desk.line:
                if trouble := desk.purse.refusal:
                    break
                replies.append(await self._ask(desk.client, message))
                desk.purse.pay(replies[-1].usage)
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
        """Call the model, stepping down the response formats until one has been accepted."""
        formats = self.settings.formats
        last = self._format + 1 if self._format_is_known else len(formats)
        for position in range(self._format, last):
            try:
                reply = await self._call(client, message, formats[position])
            except _SETUP_ERRORS as error:
                # Without its cause: the library's error carries the request with the key.
                raise self._setup_error(error) from None
            except _REFUSALS as error:
                reply = _Reply(None, trouble=self._told(error))
            except openai.OpenAIError as error:
                return _Reply(None, trouble=self._told(error))
            except TimeoutError:
                waited = f"{self.settings.patience:g}"
                return _Reply(None, trouble=f"No answer within {waited} s, retries included.")
            else:
                self._format, self._format_is_known = max(self._format, position), True
                return reply
        return reply

    async def _call(self, client: openai.AsyncOpenAI, message: str, kind: str) -> _Reply:
        extra: dict[str, Any] = {}
        if kind in _RESPONSE_FORMATS:
            extra["response_format"] = _RESPONSE_FORMATS[kind]
        if self.settings.temperature is not None:
            extra["temperature"] = self.settings.temperature
        try:
            async with asyncio.timeout(self.settings.patience):
                answer = await client.chat.completions.create(
                    model=self.settings.model,
                    messages=[
                        {"role": "system", "content": self._instruction},
                        {"role": "user", "content": message},
                    ],
                    **extra,
                )
        except (openai.APIResponseValidationError, JSONDecodeError):
            # A body that was cut on the way: as good as no content, and asked for again.
            answer = None
        sent = self._instruction + message
        return _reply(answer)._replace(usage=_usage(answer, sent))

    def _verdict(self, votes: Sequence[_Vote]) -> Verdict:
        ballots = Counter(vote.labels for vote in votes if vote.labels is not None)
        labels, count = ballots.most_common(1)[0] if ballots else ((), 0)
        decided = 2 * count > len(votes)
        replies = [reply for vote in votes for reply in vote.replies]
        used = Usage(*map(sum, zip(NOTHING, *(reply.usage for reply in replies), strict=True)))
        return Verdict(
            labels=labels if decided else (),
            reason=self._reason(votes, labels if decided else (), count),
            raw=tuple(self._clean(reply.text or "")[:RAW_LENGTH] for reply in replies),
            asked=self.settings.model,
            returned=next((reply.model for reply in replies if reply.model), ""),
            prompt=self.prompt,
            agreement=count / len(votes) if decided and len(votes) > 1 else None,
            votes=tuple(", ".join(vote.labels or ()) for vote in votes if len(votes) > 1),
            **used._asdict(),
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


def _usage(answer: object, sent: str) -> Usage:
    """Read what an answered call cost; where the endpoint does not say, estimate it."""
    said = getattr(answer, "usage", None)
    tokens_in, tokens_out = (
        getattr(said, name, None) for name in ("prompt_tokens", "completion_tokens")
    )
    return Usage(
        1,
        tokens_in if _is_count(tokens_in) else estimated_tokens(sent),
        tokens_out if _is_count(tokens_out) else estimated_tokens(_reply(answer).text or ""),
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and value >= 0


async def _together(work: Sequence[Coroutine[None, None, T]]) -> list[T]:
    """Await all; when one fails, or the caller gives up, stop the others before going on."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _instruction(name: str) -> str:
    files = resources.files("scoring.judge") / "prompts"
    try:
        return (files / f"{name}.txt").read_text(encoding="utf-8")
    except OSError as cause:
        raise EngineError(
            f"There is no judge instruction {name!r}.", cure="Use humdial-1 or humdial-2."
        ) from cause
