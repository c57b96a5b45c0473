"""What was said, word by word, for a page on which words can be clicked.

Pure: transcripts come as they are stored. English words are parted by blanks, Chinese is written
letter by letter without them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from leaderboard.items.scene import Pair
from scoring.dialogue import Annotation, Transcript, Word
from scoring.humdial.preparation import second_question
from scoring.segments import USER_GAP


@dataclass(frozen=True, slots=True)
class Spoken:
    """One word or letter; ``start`` and ``end`` are empty when its time is not known.

    Attributes:
        is_meant: whether the reader's link is about it.
        is_new_turn: whether the speaker paused before it for longer than a turn has pauses.
    """

    text: str
    start: str = ""
    end: str = ""
    is_meant: bool = False
    is_new_turn: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """One side in words; ``gap`` stands between two of them."""

    words: tuple[Spoken, ...]
    gap: str

    @property
    def lacks_times(self) -> bool:
        """Whether some words cannot be found in the sound."""
        return any(not word.start for word in self.words)


def said(
    stored: Mapping[str, Any] | None,
    language: str,
    moment: Pair | None = None,
    *,
    shift: float = 0.0,
    pause: float = inf,
) -> Said | None:
    """Prepare a stored transcript; ``None`` when there is none.

    Args:
        stored: the transcript's JSON.
        language: of the item.
        moment: stretch that the reader's link is about; its words are marked.
        shift: seconds between the clock of the page and that of the transcript.
        pause: seconds of silence that end a turn, if turns are to be told apart.
    """
    if stored is None:
        return None
    words = Transcript.from_json(stored).words
    return Said(tuple(_turns(words, moment, shift, pause)), _gap(language))


def said_by_annotation(
    annotation: Annotation, language: str, moment: Pair | None = None
) -> Said | None:
    """The annotated texts, for an item whose user side nobody has transcribed."""
    parts = [part for part in annotation.segments if part.text]
    words = [Word(part.text, part.start, part.end) for part in parts]
    return Said(tuple(_turns(words, moment, 0.0, USER_GAP)), " ") if words else None


def user_shift(script: str, annotation: Annotation) -> float:
    """When the user's stored transcript begins: it is cut for speech directed at others."""
    return second_question(annotation)[0] if script == "directed_at_others" else 0.0


def _turns(
    words: Iterable[Word], moment: Pair | None, shift: float, pause: float
) -> Iterator[Spoken]:
    end: float | None = None
    for word in words:
        is_new = end is not None and word.start is not None and word.start - end > pause
        yield replace(_spoken(word, moment, shift), is_new_turn=is_new)
        end = end if word.end is None else word.end


def _spoken(word: Word, moment: Pair | None, shift: float) -> Spoken:
    if word.start is None or word.end is None:
        return Spoken(word.text)
    start, end = word.start + shift, word.end + shift
    meant = moment is not None and start <= moment[1] and end >= moment[0]
    return Spoken(word.text, f"{start:.3f}", f"{end:.3f}", meant)


def _gap(language: str) -> str:
    return "" if language == "cn" else " "
