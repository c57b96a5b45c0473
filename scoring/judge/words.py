"""Speech as comparable tokens: normal forms, fuzzy equality, and where one text sits in another.

Conventions: a token is one Chinese character or one other word, in normal form, with its seconds.
Chunks that hold several tokens share their time evenly. Words without readable times take the
time of the word before. Comparisons forgive what a transcriber mishears.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from math import isfinite

from scoring.dialogue import Transcript, Word
from scoring.judge.phrases import (
    SIMPLIFIED,
    STOP_CHARACTERS,
    STOP_WORDS,
    TRADITIONAL,
)

_CJK = "\u3400-\u9fff"
_TOKEN = re.compile(f"[{_CJK}]|[^\\W{_CJK}_]+")
_TO_SIMPLIFIED = str.maketrans(TRADITIONAL, SIMPLIFIED)
_CONTRACTIONS = (
    (re.compile(r"\bwo n?'?t\b|\bwon't\b"), "will not"),
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(did|does|could|would|should|has|have|is|are|was|were)nt\b"), r"\1 not"),
    (re.compile(r"\bdont\b"), "do not"),
    (re.compile(r"\bi'?m\b"), "i am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\b(it|that|what|there|here|where|he|she|who)'s\b"), r"\1 is"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"'"), ""),
    (re.compile(r"\bok\b"), "okay"),
)

# Stop words say little about whether two texts are the same.
_STOP_WEIGHT = 0.4
# Two spellings this close are one word, misheard.
_SPELLING = 0.76


@dataclass(frozen=True, slots=True)
class Token:
    """One character or word in normal form; ``shown`` is what the transcript wrote."""

    text: str
    start: float
    end: float
    shown: str


def normal(text: str) -> list[str]:
    """Return the tokens of ``text`` in normal form.

    Examples:
        >>> normal("I didn't, 說好!")
        ['i', 'did', 'not', '说', '好']
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_TO_SIMPLIFIED)
    text = text.replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    for pattern, written in _CONTRACTIONS:
        text = pattern.sub(written, text)
    return _TOKEN.findall(text)


def tokens(transcript: Transcript) -> list[Token]:
    """Return the spoken tokens of a transcript in its own order."""
    found: list[Token] = []
    for word in transcript.words:
        found += _split(word, found[-1].end if found else 0.0)
    return found


def _split(word: Word, latest: float) -> list[Token]:
    start = word.start if word.start is not None and isfinite(word.start) else latest
    end = word.end if word.end is not None and isfinite(word.end) else start
    texts = normal(word.text)
    step = max(end - start, 0.0) / max(len(texts), 1)
    return [
        Token(text, start + step * at, start + step * (at + 1), "" if at else word.text.strip())
        for at, text in enumerate(texts)
    ]


def texts(speech: Sequence[Token]) -> list[str]:
    """Return only the normal forms."""
    return [token.text for token in speech]


def is_chinese(text: str) -> bool:
    """Whether a token is a Chinese character."""
    return "\u3400" <= text[:1] <= "\u9fff"


def quote(speech: Sequence[Token], limit: int = 12) -> str:
    """Return the words in quotation marks, shortened, for a reader."""
    shown = ""
    for token in speech[:limit]:
        blank = shown and token.shown and not (is_chinese(shown[-1]) or is_chinese(token.shown))
        shown += (" " if blank else "") + token.shown
    return f'"{shown}{" …" if len(speech) > limit else ""}"'


def is_content(text: str) -> bool:
    """Whether a token carries meaning of its own."""
    return text not in (STOP_CHARACTERS if is_chinese(text) else STOP_WORDS)


def weight(words: Sequence[str]) -> float:
    """How much the tokens say: 1 each, stop words less."""
    return sum(1.0 if is_content(word) else _STOP_WEIGHT for word in words)


@lru_cache(maxsize=20_000)
def alike(one: str, other: str) -> bool:
    """Whether two tokens are the same word, perhaps misheard (Chinese: the same character)."""
    if one == other:
        return True
    if min(len(one), len(other)) < 4 or is_chinese(one):
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _SPELLING


def respelled(words: Sequence[str], like: Sequence[str]) -> list[str]:
    """Return ``words`` with misheard ones written as in ``like``."""
    known = dict.fromkeys(like)
    return [
        word if word in known else next((one for one in known if alike(word, one)), word)
        for word in words
    ]


def pairs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of equal tokens in an alignment that keeps the order of both."""
    matcher = SequenceMatcher(None, respelled(one, other), list(other), autojunk=False)
    return [
        (block.a + step, block.b + step)
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    ]


@lru_cache(maxsize=2_000)
def _phrase(text: str) -> tuple[str, ...]:
    return tuple(normal(text))


def find(words: Sequence[str], phrases: Sequence[str]) -> list[tuple[int, int]]:
    """Return ``(start, end)`` of every phrase found, allowing a misheard token in longer ones."""
    return [
        (at, at + len(phrase))
        for phrase in map(_phrase, phrases)
        for at in range(len(words) - len(phrase) + 1)
        if _same(words[at : at + len(phrase)], phrase)
    ]


def starts_with(words: Sequence[str], phrases: Sequence[str]) -> int:
    """Return the length of the longest phrase that ``words`` begins with; 0 when none does."""
    return max(
        (
            len(phrase)
            for phrase in map(_phrase, phrases)
            if len(words) >= len(phrase) and _same(words[: len(phrase)], phrase)
        ),
        default=0,
    )


def _same(words: Sequence[str], phrase: Sequence[str]) -> bool:
    allowed = 0 if len(phrase) < 5 else 1 if len(phrase) < 8 else 2
    return sum(not alike(*both) for both in zip(words, phrase, strict=True)) <= allowed
