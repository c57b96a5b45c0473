"""Dialogues that begin later: sound, words and annotation move alike, so they go on agreeing.

Conventions: sound moves by whole samples at 16 kHz, words and annotation by the same time in
seconds. Times that are absent stay absent.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from leaderboard.demo.cuts import SAMPLE_RATE, Samples
from scoring.dialogue import AnnotatedSegment, Annotation, Transcript, Word
from scoring.manifest import Item


class Planned(NamedTuple):
    """One recording whose words are known because it was made from them."""

    samples: Samples
    words: Transcript

    def later(self, by: int) -> "Planned":
        """Return it with so many samples of silence before it."""
        silence = np.zeros(by, np.int16)
        moved = np.concatenate([silence, self.samples])
        return Planned(moved, later_words(self.words, by / SAMPLE_RATE))

    def heard(self) -> "Planned":
        """Return it without the words that its recording ends too early for."""
        end = self.samples.size / SAMPLE_RATE
        kept = tuple(one for one in self.words.words if one.start is None or one.start < end)
        if len(kept) == len(self.words.words):
            return self
        # Chinese is written without blanks.
        blank = " " if " " in self.words.text else ""
        text = blank.join(one.text for one in kept)
        return self._replace(words=Transcript(text, kept))

    def silenced(self) -> "Planned":
        """Return a recording of the same length in which nothing is said."""
        return Planned(np.zeros_like(self.samples), Transcript(""))


def later_words(transcript: Transcript, by: float) -> Transcript:
    """Return the words so many seconds later."""
    words = (Word(one.text, _plus(one.start, by), _plus(one.end, by)) for one in transcript.words)
    return replace(transcript, words=tuple(words))


def later_annotation(annotation: Annotation, by: float) -> Annotation:
    """Return the annotation of a recording that begins so many seconds later."""
    segments = tuple(
        AnnotatedSegment(_plus(one.start, by), _plus(one.end, by), one.text)
        for one in annotation.segments
    )
    return Annotation(segments, _plus(annotation.final_duration, by))


def renumbered(item: Item, number: int) -> Item:
    """Return one more item like this one, under names of its own."""
    return replace(
        item,
        item=f"{number // 10:04d}_{number:04d}" + item.item[9:],
        test_id=f"{number:04d}",
        clean_id=f"{number:04d}" if item.clean_id else "",
    )


def _plus(time: float | None, by: float) -> float | None:
    return None if time is None else round(time + by, 6)
