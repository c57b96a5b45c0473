"""The offline judge: readable rules in place of a chat model; unofficial, and it needs no key.

Conventions: it sees the same four transcripts as the chat judge and nothing else. Every verdict
says which rule decided, with the words and their seconds on the noisy clock. Continuation through
or after the event counts as resuming (decision 28 of protocol section 12).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.judge import answer as answers
from scoring.judge.base import NONE_BEGUN, UNWATCHED, Begun, Exchange, Verdict, Watch
from scoring.judge.event import Event, find_event
from scoring.judge.labels import RESPOND, RESUME, UNCERTAIN, UNKNOWN
from scoring.judge.phrases import BRIDGES, OPENERS, RESTATES
from scoring.judge.talk import asks_to_repeat, shared_words
from scoring.judge.usage import FREE, NOTHING, Tariff, Usage
from scoring.judge.words import Token, find, quote, starts_with, texts, tokens

RULES = "offline-rules-1"

# A turn that goes on for less than this after the event began was being stopped.
_STOPPING = 0.6
# A turn that outlives the event by this much, and lasts this long into it, was not stopped.
_OUTLIVES, _LASTS = 1.0, 2.5
# Speech that starts later than this after the event needs something in common with it.
_LATE = 5.0
# Events come about five seconds after the question (protocol 1.3): by now it has begun.
_SURELY_LATER = 6.0
# A resumed answer may start a few words early or late.
_SLACK = 3


class Finding(NamedTuple):
    """A label, the sentence that explains it, and whether the evidence is in the words."""

    label: str
    reason: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class OfflineJudge:
    """Labels exchanges by rules about words and times."""

    name: str = "offline"
    signature: str = f"offline/{RULES}"
    prompt: str = RULES
    unofficial: bool = True
    tariff: Tariff = FREE

    def estimate(self, exchanges: Sequence[Exchange]) -> Usage:
        """Return nothing: rules are free."""
        return NOTHING

    def arriving(
        self, exchanges: Sequence[Exchange], *, watch: Watch = UNWATCHED, begun: Begun = NONE_BEGUN
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yield the verdicts in order, each with its position."""
        for position, exchange in enumerate(exchanges):
            if not watch.goes_on():
                return
            yield position, self._verdict(exchange)

    def judge(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        """Return one verdict per exchange, in the same order."""
        return [self._verdict(exchange) for exchange in exchanges]

    def _verdict(self, exchange: Exchange) -> Verdict:
        found = decide(exchange)
        return Verdict((found.label,), found.reason, (), RULES, RULES, self.prompt)


@dataclass(frozen=True, slots=True)
class _Case:
    """One exchange, taken apart.

    Attributes:
        event: what was said on the user's side.
        question: the user's words without the event.
        answer: what the model says without the event.
        before: what it said before the event began.
        tail: how a turn that was running went on.
        pieces: new segments after the event began, in order.
        at: position in ``answer`` reached with ``before`` and ``tail``; ``None`` when the model
            says something else than in the clean recording.
    """

    event: Event
    question: tuple[Token, ...]
    answer: tuple[Token, ...]
    before: tuple[Token, ...]
    tail: tuple[Token, ...]
    pieces: tuple[tuple[Token, ...], ...]
    at: int | None

    @property
    def completed(self) -> bool:
        """Whether the clean answer was said to its end."""
        left = len(self.answer) - (self.at or 0)
        return self.at is not None and left <= max(_SLACK, len(self.answer) // 10)

    @property
    def ran_through(self) -> bool:
        """Whether the running turn went on as if nothing had happened."""
        if not self.tail:
            return False
        end, length = self.tail[-1].end, self.tail[-1].end - self.tail[0].start
        if self.completed:
            return length >= _STOPPING
        return end >= self.event.end + _OUTLIVES and length >= _LASTS


def decide(exchange: Exchange) -> Finding:
    """Return the label of one exchange and why (protocol 4.3)."""
    question = tokens(exchange.input_clean)
    event = find_event(tokens(exchange.input_noisy), question)
    output, answer = tokens(exchange.output_noisy), tokens(exchange.output_clean)
    if not output:
        return Finding(UNKNOWN, "The model is silent in the recording with the event.")
    if event is None:
        return _judge_unheard(question, output, answer)
    case = _take_apart(event, question, output, answer)
    if case.pieces:
        return _judge_pieces(case)
    return _judge_tail(case)


def _judge_unheard(
    question: Sequence[Token], output: Sequence[Token], answer: Sequence[Token]
) -> Finding:
    """No event was transcribed: every sample has one, but a soft "mm" is easily missed."""
    said, _ = answers.departure(output, answer)
    same = min(len(output), len(answer)) - said < answers.NEW_WORDS
    asked = question[-1].end if question else 0.0
    if said and same and output[-1].end >= asked + _SURELY_LATER:
        return Finding(
            RESUME,
            f"The user recordings hold the same words, so the event was not transcribed; the "
            f"model gives the same answer as without it, {quote(output)} until "
            f"{output[-1].end:.2f} s.",
        )
    return Finding(UNKNOWN, "No event: the two user recordings hold the same words.")


def _take_apart(
    event: Event, question: Sequence[Token], output: Sequence[Token], answer: Sequence[Token]
) -> _Case:
    before = [word for word in output if word.start < event.start]
    later = answers.turns([word for word in output if word.start >= event.start])
    at = answers.reached(before, answer)
    running = bool(before and later) and not answers.turns([before[-1], later[0][0]])[1:]
    tail = later.pop(0) if running else []
    if tail and at is not None:
        ours, theirs = answers.departure(tail, answer[at:])
        fresh, left = tail[ours:], answer[at + theirs :]
        if answers.is_new(fresh) and (answers.is_new(left) or _speaks_to(event, fresh, answer)):
            tail, later = tail[:ours], [fresh, *later]
        at += theirs
    return _Case(
        event=event,
        question=tuple(question),
        answer=tuple(answer),
        before=tuple(before),
        tail=tuple(tail),
        pieces=tuple(_joined(later)),
        at=at,
    )


def _joined(later: Sequence[list[Token]]) -> list[tuple[Token, ...]]:
    """Join bare openings ("Okay." ... ) with what follows, and drop hums and broken-off words."""
    pieces: list[tuple[Token, ...]] = []
    opening: list[Token] = []
    for turn in later:
        if answers.is_fragment(turn):
            continue
        opening += turn
        if answers.lead_in(texts(opening)) < len(opening):
            pieces.append(tuple(opening))
            opening = []
    return pieces + ([tuple(opening)] if opening else [])


def _speaks_to(event: Event, words: Sequence[Token], answer: Sequence[Token]) -> bool:
    """Whether words added to a finished answer have to do with the event."""
    said = texts(words)
    return bool(
        asks_to_repeat(said)
        or starts_with(said, OPENERS)
        or shared_words(said, texts(event.words), texts(answer))
    )


def _judge_tail(case: _Case) -> Finding:
    """No new segment: did the model go on, stop, or say nothing?"""
    if not case.tail:
        last = f"its last word ends at {case.before[-1].end:.2f} s" if case.before else "it is mute"
        return Finding(UNKNOWN, f"The model says nothing after {case.event} began: {last}.")
    start, end = case.tail[0].start, case.tail[-1].end
    if end - start < _STOPPING:
        return Finding(
            UNKNOWN,
            f"After {case.event} began the model only finishes {quote(case.tail)} "
            f"({end - start:.2f} s) and is silent from {end:.2f} s on.",
        )
    if case.ran_through or (case.at is None and end >= case.event.end + _STOPPING):
        return Finding(
            RESUME,
            f"The model talks on through {case.event} without a new start: "
            f"{quote(case.tail)} until {end:.2f} s.",
        )
    return Finding(
        UNKNOWN,
        f"The model breaks off at {end:.2f} s, in or just after {case.event}, "
        f"and says nothing more.",
    )


def _judge_pieces(case: _Case) -> Finding:
    found = _judge_piece(case, case.pieces[0])
    if case.ran_through and found.label == RESPOND and not found.plain:
        return Finding(
            RESUME,
            f"The model talks on through {case.event} until {case.tail[-1].end:.2f} s; what it "
            f"says later ({quote(case.pieces[0])}) has nothing to do with the event.",
        )
    return found


def _judge_piece(case: _Case, piece: tuple[Token, ...]) -> Finding:
    said = texts(piece)
    match = answers.locate(piece, case.answer)
    remark = piece[: match.skip] if match else piece
    unheard = asks_to_repeat(texts(remark))
    if _restates(case, piece, match, unheard=unheard):
        return Finding(
            RESPOND,
            f"Asked to repeat by {case.event}, the model says the earlier content again: "
            f"{_when(piece)}.",
        )
    if unheard:
        return Finding(
            UNCERTAIN,
            f"The model asks to hear it again or says it did not understand: {_when(piece)}.",
        )
    if match:
        return _judge_match(case, piece, match)
    return _judge_new(case, piece, said)


def _restates(
    case: _Case, piece: Sequence[Token], match: answers.Match | None, *, unheard: bool
) -> bool:
    """Whether a piece answers a request to repeat (rule 9 of protocol 4.3)."""
    if not case.before:
        return False
    opening = texts(piece[: match.skip + 2] if match else piece[:8])
    announced = bool(find(opening, RESTATES)) and not unheard
    if match and case.at is not None:
        again = match.at < case.at - _SLACK
    else:
        again = answers.locate(piece, case.before) is not None
    if case.event.asks_to_repeat:
        return again or announced
    # The request itself may be misheard; an opening such as "sure, I said" gives it away.
    return again and announced and bool(starts_with(opening, OPENERS))


def _judge_match(case: _Case, piece: Sequence[Token], match: answers.Match) -> Finding:
    """The piece says part of the clean answer, perhaps after a remark."""
    said = texts(piece)
    remark = said[: match.skip]
    leads_back = starts_with(remark[answers.lead_in(remark, bridges=False) :], BRIDGES)
    if match.skip - answers.lead_in(remark) > _SLACK and not leads_back:
        return Finding(
            RESPOND,
            f"Before going on, the model first speaks to {case.event}: "
            f"{_when(piece[: match.skip])}.",
        )
    how = "goes on with its answer" if match.at >= (case.at or 0) - _SLACK else "says it again"
    return Finding(
        RESUME,
        f"After {case.event} began the model {how}: {_when(piece[match.skip :])} agrees with the "
        f"recording without the event from word {match.at + 1} on "
        f"({match.coverage:.0%} of the words).",
    )


def _judge_new(case: _Case, piece: Sequence[Token], said: list[str]) -> Finding:
    """The piece says something that the clean answer does not say there."""
    event, known = texts(case.event.words), texts(case.answer)
    related = shared_words(said, event, known) or shared_words(said, event)
    opener = answers.lead_in(said, bridges=False)
    if not related and starts_with(said[opener:], BRIDGES):
        return Finding(
            RESUME,
            f"The model leads back to its answer after {case.event}: {_when(piece)}.",
        )
    if related:
        words = ", ".join(f'"{word}"' for word in related)
        return Finding(
            RESPOND,
            f"The model takes up {words} from {case.event}: {_when(piece)}.",
        )
    return _judge_unrelated(case, piece, opener)


def _judge_unrelated(case: _Case, piece: Sequence[Token], opener: int) -> Finding:
    said, wait = texts(piece), piece[0].start - case.event.end
    topic = shared_words(said, [*texts(case.question), *texts(case.answer)])
    topic = topic if len(topic) > 1 else []
    if case.event.is_backchannel and topic and not opener:
        words = ", ".join(f'"{word}"' for word in topic)
        return Finding(
            RESUME,
            f"The user only signals listening with {case.event}, and the model stays with "
            f"{words}: {_when(piece)}.",
        )
    if wait > _LATE and not topic and not opener:
        return Finding(
            UNKNOWN,
            f"The model speaks only {wait:.2f} s after {case.event}, about something else: "
            f"{_when(piece)}.",
        )
    what = "an acknowledgement or answer" if opener else "a new turn"
    return Finding(
        RESPOND,
        f"The model leaves its answer and begins {what} {wait:+.2f} s from the end of "
        f"{case.event}: {_when(piece)}.",
        plain=bool(opener) and wait <= _LASTS and not case.event.is_backchannel,
    )


def _when(piece: Sequence[Token]) -> str:
    return f"{quote(piece)} at {piece[0].start:.2f} s"
