"""Turns for the embedded transcribers: which stretch of audio is heard at once, and as whose words.

Conventions: a turn joins voice-activity segments over short pauses and is at most as long as the
model's window. It is heard with a margin of real audio on both sides, but its words lie inside the
turn: the first starts where voice activity starts. Whisper by itself stretches first words back
into the silence before them, by up to half a second; with this rule the first-response delay is
as exact as voice activity is.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scoring.dialogue import Segment, Word

# Seconds: longest pause inside a turn, audio heard on either side, longest turn.
PAUSE = 0.5
MARGIN = 0.2
LONGEST = 28.0


class Piece(NamedTuple):
    """A stretch of text as the model spells it (a leading space opens a word), with its times."""

    text: str
    start: float
    end: float


def turns_of(speech: Sequence[Segment]) -> list[Segment]:
    """Join segments into turns; a segment longer than the window is cut into equal parts."""
    turns: list[Segment] = []
    for segment in (part for whole in sorted(speech) for part in _parts(Segment(*whole))):
        if turns and _joins(turns[-1], segment):
            turns[-1] = Segment(turns[-1].start, max(turns[-1].end, segment.end))
        else:
            turns.append(segment)
    return turns


def english(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join pieces to words; punctuation stays on its word."""
    word: Piece | None = None
    for piece in pieces:
        if word is not None and not piece.text.startswith(" "):
            word = Piece(word.text + piece.text, word.start, piece.end)
            continue
        if word is not None and _says_something(word.text):
            yield word
        word = Piece(piece.text.strip(), piece.start, piece.end)
    if word is not None and _says_something(word.text):
        yield word


def chinese(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Split pieces into characters, evenly in time; foreign words stay whole, punctuation goes."""
    foreign: Piece | None = None
    for one in (one for piece in pieces for one in _characters(piece)):
        if _is_foreign(one.text):
            known = foreign or Piece("", one.start, one.end)
            foreign = Piece(known.text + one.text, known.start, one.end)
            continue
        if foreign is not None:
            yield foreign
            foreign = None
        if _says_something(one.text):
            yield one
    if foreign is not None:
        yield foreign


def inside(turn: Segment, words: Iterable[Piece]) -> list[Word]:
    """Place the words of a turn: inside it, in order, the first at its very start."""
    placed: list[Word] = []
    latest = turn.start
    for word in words:
        start = min(max(word.start, latest), turn.end) if placed else turn.start
        end = min(max(word.end, start), turn.end)
        placed.append(Word(word.text, round(start, 3), round(end, 3)))
        latest = start
    return placed


def _joins(turn: Segment, segment: Segment) -> bool:
    return segment.start - turn.end <= PAUSE and segment.end - turn.start <= LONGEST


def _parts(segment: Segment) -> list[Segment]:
    count = max(1, -int(-segment.length // LONGEST))
    step = segment.length / count
    starts = [segment.start + number * step for number in range(count)]
    return [Segment(*pair) for pair in zip(starts, [*starts[1:], segment.end], strict=True)]


def _characters(piece: Piece) -> Iterator[Piece]:
    step = (piece.end - piece.start) / max(1, len(piece.text))
    for number, character in enumerate(piece.text):
        start = piece.start + number * step
        yield Piece(character, start, start + step)


def _says_something(text: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in text)


def _is_foreign(character: str) -> bool:
    """Whether a character belongs to a word of letters, digits and apostrophes."""
    return character == "'" or (character.isascii() and character.isalnum())
