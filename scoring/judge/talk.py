"""What an utterance does: asks to hear something again, or takes up somebody's words.

Conventions: utterances are lists of tokens in normal form (``scoring.judge.words``).
"""

from collections.abc import Sequence
from itertools import pairwise

from scoring.judge.phrases import (
    ANNOUNCES_REPEAT,
    ASKS_TO_REPEAT,
    HUMS,
    OPENERS,
    POLITE_CHARACTERS,
    POLITE_WORDS,
)
from scoring.judge.words import alike, find, is_chinese, is_content

# A repeat request may name what was missed; more content than this is an answer.
_MOST_WORDS, _MOST_CHARACTERS = 3, 6
_SAYS_AGAIN = frozenset(("repeat", "again", "再", "重"))


def asks_to_repeat(said: Sequence[str]) -> bool:
    """Whether the utterance asks for a repeat, or says it was not understood, and no more."""
    spans = [span for span in find(said, ASKS_TO_REPEAT) if not _announces(said, span)]
    if not spans:
        return False
    covered = {at for start, end in spans for at in range(start, end)}
    covered |= {at for start, end in find(said, (*OPENERS, *HUMS)) for at in range(start, end)}
    rest = [word for at, word in enumerate(said) if at not in covered and _says_something(word)]
    characters = sum(map(is_chinese, rest))
    return characters <= _MOST_CHARACTERS and len(rest) - characters <= _MOST_WORDS


def _announces(said: Sequence[str], span: tuple[int, int]) -> bool:
    """Whether the repeat is the model's own offer ("I can say that again")."""
    start, end = span
    if _SAYS_AGAIN.isdisjoint(said[start:end]):
        return False
    return bool(find(said[max(start - 3, 0) : start + 1], ANNOUNCES_REPEAT))


def _says_something(word: str) -> bool:
    return is_content(word) and word not in (
        POLITE_CHARACTERS if is_chinese(word) else POLITE_WORDS
    )


def shared_words(said: Sequence[str], heard: Sequence[str], known: Sequence[str] = ()) -> list[str]:
    """Return what ``said`` takes up from ``heard`` and did not take from ``known``.

    One English word is enough. Chinese characters are shared by accident, so two that stand
    together are needed.
    """
    new = [word for word in heard if is_content(word) and word not in known]
    words = [one for one in new if not is_chinese(one) and any(alike(one, word) for word in said)]
    return list(dict.fromkeys([*words, *_shared_pairs(said, heard, new)]))


def _shared_pairs(said: Sequence[str], heard: Sequence[str], new: Sequence[str]) -> list[str]:
    spoken = set(pairwise(said))
    return [
        one + other
        for one, other in pairwise(heard)
        if is_chinese(one)
        and is_chinese(other)
        and {one, other} & set(new)
        and (one, other) in spoken
    ]
