"""The chat judge: a chat model behind any OpenAI-compatible endpoint reads the four transcripts.

Conventions: endpoint, model and key are arguments, never looked up here. HTTP errors are retried
by the client library with its own waits; what is retried here is a reply without a usable label
(decision 26). Every reply is counted and paid from the purse of its judging. Trouble of the
endpoint, an empty purse included, is no word about an item (decision 26a): what is left is pending,
and what was paid for is handed on so that nobody pays it again. The key stands in no text that
leaves this module.
"""

import asyncio
import hashlib
from collections.abc import Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from json import JSONDecodeError
from typing import Any, NamedTuple, TypeGuard, TypeVar
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from scoring.errors import EngineError, Phrase
from scoring.judge.arriving import Deliver, arriving
from scoring.judge.base import (
    NONE_BEGUN,
    UNWATCHED,
    Begun,
    Exchange,
    Verdict,
    Vote,
    Watch,
)
from scoring.judge.chat_settings import ChatSettings, settings_for
from scoring.judge.formats import RESPONSE_FORMATS
from scoring.judge.labels import LABELS, RAW_LENGTH, Answer, JudgeReplyError, read_answer
from scoring.judge.trouble import (
    GARBLED,
    IN_A_ROW,
    Trouble,
    is_about,
    late,
    of_body,
    of_error,
)
from scoring.judge.usage import (
    NOTHING,
    REPLY_TOKENS,
    Purse,
    Tariff,
    Usage,
    estimated_tokens,
)
from scoring.judge.votes import verdict_of
from scoring.visible import visible

__all__ = ["ChatJudge", "ChatSettings", "settings_for"]

T = TypeVar("T")

# Keys that are shorter are placeholders for endpoints that need none.
SHORTEST_KEY = 8
# How servers refuse a response format; some answer 500 to a schema they do not know.
_REFUSALS = (
    openai.BadRequestError,
    openai.UnprocessableEntityError,
    openai.InternalServerError,
)


class _Reply(NamedTuple):
    """One answered call: the text, the model that wrote it, how it was asked, what it cost.

    ``trouble`` says that what came is no answer of a chat model, or an error inside one.
    """

    text: str | None
    model: str = ""
    left_out: tuple[str, ...] = ()
    usage: Usage = NOTHING
    trouble: Trouble | None = None


@dataclass(slots=True)
class _Desk:
    """What all calls of one judging share; it closes for good when asking on is of no use."""

    client: openai.AsyncOpenAI
    line: asyncio.Semaphore
    purse: Purse
    closed: Phrase | None = None
    answered: bool = False
    in_a_row: int = 0

    @property
    def refusal(self) -> Phrase | None:
        """Why no further call is made; ``None`` while there is no reason."""
        return self.closed or self.purse.refusal

    def note_answer(self) -> None:
        """Take note that the endpoint works."""
        self.answered, self.in_a_row = True, 0

    def note_trouble(self, trouble: Trouble) -> Phrase:
        """Count what went wrong, and close the desk where the next item would meet it too."""
        self.in_a_row += 1
        said = trouble.said
        if said.key == "judge-refused-item" and not self.answered:
            # An endpoint that has taken nothing yet does not refuse an item, but all of them.
            said = Phrase("judge-setup", said.values)
        if trouble.stops or self.in_a_row >= IN_A_ROW:
            self.closed = self.closed or said
        return said


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
        # ``None`` as soon as the model refuses it (decision 26 asks for 0 in strict mode).
        self._temperature = settings.temperature

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

        An exchange that gets no usable reply is unjudged, one whose asking met trouble of the
        endpoint is pending; its verdict says why.
        """
        found = dict(self.arriving(exchanges))
        return [found[position] for position in range(len(exchanges))]

    def arriving(
        self, exchanges: Sequence[Exchange], *, watch: Watch = UNWATCHED, begun: Begun = NONE_BEGUN
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yield verdicts as they come, each with the position of its exchange.

        When the endpoint is in trouble, or the budget is reached, what has not been asked comes
        as pending, with that reason; the calls under way are awaited, so the cost may exceed the
        budget by theirs.
        """
        purse = Purse(self.tariff, watch.used())

        def goes_on() -> bool:
            purse.elsewhere = watch.used()
            return watch.goes_on()

        async def work(deliver: Deliver[tuple[int, Verdict]]) -> None:
            await self._judge_all(exchanges, begun, purse, deliver)

        if exchanges:
            yield from arriving(work, goes_on=goes_on)

    async def _judge_all(
        self,
        exchanges: Sequence[Exchange],
        begun: Begun,
        purse: Purse,
        deliver: Deliver[tuple[int, Verdict]],
    ) -> None:
        chosen, left = self.settings, iter(enumerate(exchanges))
        async with openai.AsyncOpenAI(
            base_url=chosen.base_url,
            api_key=chosen.api_key or "none",
            timeout=chosen.timeout,
            max_retries=chosen.max_retries,
        ) as client:
            line = asyncio.Semaphore(chosen.concurrency)
            keyless = chosen.key_needed and not chosen.api_key
            closed = Phrase("judge-key-missing") if keyless else None
            desk = _Desk(client, line, purse, closed)

            async def go_through(todo: Iterator[tuple[int, Exchange]]) -> None:
                for position, exchange in todo:
                    votes = begun.get(position, ())
                    await deliver((position, await self._judge_one(desk, exchange, votes)))

            if not self._format_is_known:
                # One goes alone: it finds out which response format is accepted.
                await go_through(iter([next(left)]))
            await _together(
                [go_through(left) for _ in range(min(chosen.concurrency, len(exchanges)))]
            )

    async def _judge_one(self, desk: _Desk, exchange: Exchange, begun: Sequence[Vote]) -> Verdict:
        message = exchange.message()
        known = [*(vote.resumed() for vote in begun), *[Vote()] * self.settings.votes]
        votes = [self._vote(desk, message, vote) for vote in known[: self.settings.votes]]
        return verdict_of(await _together(votes), model=self.settings.model, prompt=self.prompt)

    async def _vote(self, desk: _Desk, message: str, vote: Vote) -> Vote:
        """Ask until a reply can be used; only replies of the judge use up the tries."""
        trouble: Trouble | None = None
        for number in range(self.settings.tries):
            if vote.labels is not None or len(vote.raw) >= self.settings.tries:
                break
            if number:
                await asyncio.sleep(self.settings.pause * 2 ** (number - 1))
            async with desk.line:
                if refusal := desk.refusal:
                    return replace(vote, trouble=refusal)
                reply = await self._ask(desk.client, message)
                desk.purse.pay(reply.usage)
            vote = replace(vote, usage=vote.usage.plus(reply.usage))
            trouble = reply.trouble
            if trouble is None:
                desk.note_answer()
                vote = self._heard(vote, reply)
            elif not reply.usage.calls:
                # The library has retried already; asking on would only add to the load.
                break
        return vote if trouble is None else replace(vote, trouble=desk.note_trouble(trouble))

    def _heard(self, vote: Vote, reply: _Reply) -> Vote:
        """Return the vote with one more reply of the judge."""
        heard = replace(
            vote,
            raw=(*vote.raw, self._clean(reply.text or "")[:RAW_LENGTH]),
            returned=reply.model or vote.returned,
            left_out=tuple(sorted({*vote.left_out, *reply.left_out})),
        )
        try:
            answer = self._answer(reply.text)
        except JudgeReplyError as error:
            return replace(heard, why=error.said or error.rule)
        return replace(heard, labels=answer.labels, why=None, note=answer.note)

    def _answer(self, text: str | None) -> Answer:
        answer = read_answer(text)
        if not self.settings.one_label:
            return answer
        if answer.note:
            raise JudgeReplyError.of(answer.note, reply=text or "")
        if len(answer.labels) != 1 or answer.labels[0] not in LABELS:
            told = {"labels": str(list(answer.labels))[:RAW_LENGTH]}
            raise JudgeReplyError.of(Phrase("reply-not-one-label", told), reply=text or "")
        return answer

    async def _ask(self, client: openai.AsyncOpenAI, message: str) -> _Reply:
        """Call the model, leaving out what it does not take, step by step."""
        position = self._format
        while True:
            # Others may find out meanwhile that the model does not take it.
            temperature = self._temperature
            try:
                reply = await self._call(client, message, position, temperature)
            except openai.APIStatusError as error:
                if temperature is not None and is_about(error, "temperature"):
                    self._temperature = None
                    continue
                further = self._further(error, position)
                if further is None:
                    return self._failed(error)
                position = further
            except openai.OpenAIError as error:
                return self._failed(error)
            except TimeoutError:
                return _Reply(None, trouble=late(self.settings.patience))
            else:
                if reply.trouble is None:
                    self._format, self._format_is_known = max(self._format, position), True
                return reply

    def _further(self, error: openai.APIStatusError, position: int) -> int | None:
        """Return the response format to go on with; ``None`` where another would be of no use."""
        if position + 1 >= len(self.settings.formats):
            return None
        named = is_about(error, "response_format", "json_schema", "json_object")
        unknown = not self._format_is_known and isinstance(error, _REFUSALS)
        return position + 1 if named or unknown else None

    def _failed(self, error: openai.OpenAIError) -> _Reply:
        # The library's error carries the request with the key: it goes no further.
        return _Reply(None, trouble=of_error(error, self._clean, timeout=self.settings.timeout))

    async def _call(
        self, client: openai.AsyncOpenAI, message: str, position: int, temperature: float | None
    ) -> _Reply:
        kind = self.settings.formats[position]
        extra: dict[str, Any] = {}
        if kind in RESPONSE_FORMATS:
            extra["response_format"] = RESPONSE_FORMATS[kind]
        if temperature is not None:
            extra["temperature"] = temperature
        left_out = [*self.settings.formats[:position]]
        if temperature is None and self.settings.temperature is not None:
            left_out.append("temperature")
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
            # A body that was cut on the way.
            answer = None
        sent = self._instruction + message
        return self._reply(answer, sent)._replace(left_out=tuple(left_out))

    def _reply(self, answer: object, sent: str) -> _Reply:
        """Read an answer of the library, which hands on bodies of any shape."""
        if error := getattr(answer, "error", None):
            return _Reply(None, trouble=of_body(error, self._clean))
        choices = getattr(answer, "choices", None)
        if not isinstance(answer, ChatCompletion) or not choices:
            return _Reply(None, usage=_usage(answer, sent, ""), trouble=GARBLED)
        content = getattr(choices[0].message, "content", None)
        text = content if isinstance(content, str) else None
        model = self._clean(str(answer.model or ""))
        return _Reply(text, model, usage=_usage(answer, sent, text or ""))

    def _clean(self, text: str) -> str:
        """Make a text of the endpoint fit to be kept; some echo the key."""
        key = self.settings.api_key
        return visible(text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text)


def _usage(answer: object, sent: str, text: str) -> Usage:
    """Read what an answered call cost; where the endpoint does not say, estimate it."""
    said = getattr(answer, "usage", None)
    tokens_in, tokens_out = (
        getattr(said, name, None) for name in ("prompt_tokens", "completion_tokens")
    )
    return Usage(
        1,
        tokens_in if _is_count(tokens_in) else estimated_tokens(sent),
        tokens_out if _is_count(tokens_out) else estimated_tokens(text),
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
