"""The model's speech after the event, laid beside the answer it gives without the event.

Conventions: positions count tokens of the clean answer. A *turn* ends with half a second of
silence (protocol 5.2). A *piece* is what is judged: the tail of a turn that was running when the
event began, a later turn, or new words inside the running turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.judge.phrases import BRIDGES, HUMS, OPENERS
from scoring.judge.words import (
    Token,
    is_chinese,
    pairs,
    respelled,
    starts_with,
    texts,
    weight,
)
from scoring.segments import MODEL_GAP

# A comparison looks at this many tokens: a sentence, not a whole answer.
_HEAD = 16
# Agreement ends where misses begin to outweigh hits; a miss weighs this much of a hit.
_MISS = 0.6
# New words inside a running turn count from this many on; fewer may be misheard ones.
NEW_WORDS = 5


@dataclass(frozen=True, slots=True)
class Match:
    """Where speech agrees with the clean answer.

    Attributes:
        skip: tokens of the speech before the agreement begins.
        at: position in the clean answer.
        coverage: share of the compared words that agree, 0 to 1.
    """

    skip: int
    at: int
    coverage: float


def turns(speech: Sequence[Token]) -> list[list[Token]]:
    """Split speech at silences of more than half a second."""
    found: list[list[Token]] = []
    for token in speech:
        if found and token.start - found[-1][-1].end <= MODEL_GAP:
            found[-1].append(token)
        else:
            found.append([token])
    return found


def reached(spoken: Sequence[Token], answer: Sequence[Token]) -> int | None:
    """Return the position in ``answer`` that ``spoken`` has come to; ``None`` if it differs."""
    last = spoken[-_HEAD:]
    if not last:
        return 0
    match = _best(texts(last), texts(answer))
    if match is None:
        return None
    window = texts(answer[match.at : match.at + len(last) + 2])
    ours, theirs = pairs(texts(last), window)[-1]
    return min(match.at + theirs + len(last) - ours, len(answer))


def locate(speech: Sequence[Token], answer: Sequence[Token]) -> Match | None:
    """Find the stretch of ``answer`` that ``speech`` says, after any opening remark."""
    said, known = texts(speech), texts(answer)
    for skip in dict.fromkeys((0, lead_in(said))):
        match = _best(said[skip:], known)
        if match:
            return Match(skip, match.at, match.coverage)
    return _after_remark(said, known)


def _after_remark(said: list[str], known: list[str]) -> Match | None:
    """Look behind a longer remark: the agreement must then be plain."""
    for skip in _runs(pairs(said, known)):
        match = _best(said[skip:], known)
        if match and match.coverage >= 0.6 and len(said) - skip >= 6:
            return Match(skip, match.at, match.coverage)
    return None


def _runs(same: Sequence[tuple[int, int]]) -> list[int]:
    """Starts of the stretches of three equal tokens or more."""
    known = set(same)
    return [
        a
        for a, b in same
        if (a - 1, b - 1) not in known and {(a + 1, b + 1), (a + 2, b + 2)} <= known
    ]


def _best(said: Sequence[str], known: Sequence[str]) -> Match | None:
    head = respelled(said[:_HEAD], known)
    full, best = weight(head), Match(0, 0, 0.0)
    for at in range(len(known)):
        window = known[at : at + len(head) + 2]
        if weight([word for word in head if word in window]) <= best.coverage * full:
            continue
        same = pairs(head, window)
        share = weight([head[a] for a, _ in same]) / full
        # What agrees only later has a remark of its own before it.
        if share > best.coverage and same[0][0] <= max(2, len(head) // 4):
            best = Match(0, at, share)
    return _settled(best, head, known) if full and best.coverage >= _needed(len(head)) else None


def _settled(match: Match, head: Sequence[str], known: Sequence[str]) -> Match:
    """Move to the first word that really agrees: windows are a little wider than the speech."""
    window = known[match.at : match.at + len(head) + 2]
    ours, theirs = pairs(head, window)[0]
    return Match(0, max(match.at + theirs - ours, 0), match.coverage)


def _needed(length: int) -> float:
    """Share of agreeing words that is no accident, for this many words."""
    return 0.45 if length >= 12 else 0.6 if length >= 6 else 0.75 if length >= 3 else 1.0


def lead_in(said: Sequence[str], *, bridges: bool = True) -> int:
    """Count the tokens at the start that only acknowledge, hum or lead back to the topic."""
    phrases = (*OPENERS, *HUMS, *BRIDGES) if bridges else (*OPENERS, *HUMS)
    count = 0
    while count < len(said):
        length = starts_with(said[count:], phrases)
        if not length:
            break
        count += length
    return count


def departure(tail: Sequence[Token], rest: Sequence[Token]) -> tuple[int, int]:
    """Return where a running turn leaves the rest of the clean answer, as positions in both.

    Args:
        tail: what the model goes on to say, without a pause.
        rest: what it would have said without the event.
    """
    same = dict(pairs(texts(tail), texts(rest[: len(tail) + 6])))
    score = best = 0.0
    where = (0, 0)
    for ours in range(len(tail)):
        score += 1.0 if ours in same else -_MISS
        if score > best:
            best, where = score, (ours + 1, same[ours] + 1)
    return where


def is_new(words: Sequence[Token]) -> bool:
    """Whether these are enough words to be more than misheard ones."""
    return len(words) >= NEW_WORDS


def is_fragment(piece: Sequence[Token]) -> bool:
    """Whether a piece is only a hum, or a bit of a word that breaks off."""
    said = texts(piece)
    if all(starts_with([word], HUMS) for word in said):
        return True
    short = len(said) <= (2 if is_chinese(said[0]) else 1)
    return short and piece[-1].end - piece[0].start < MODEL_GAP and not lead_in(said)
