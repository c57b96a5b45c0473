"""The event: what the noisy user recording holds and the clean one does not.

Conventions: times are seconds on the clock of the noisy recording. The clean recording may run on
another clock (speech directed at others is cut, protocol section 7), so the two are laid over each
other by their words first and by their times second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scoring.judge.phrases import BACKCHANNELS, REPEAT_REQUESTS
from scoring.judge.words import Token, find, pairs, quote, starts_with, texts

# Word times of two transcripts of one sound differ by about this much.
_JITTER = 0.25
# More unmatched words than this inside the question belong to somebody speaking over it.
_TALKED_OVER = 3


@dataclass(frozen=True, slots=True)
class Event:
    """The words of the event and when they are spoken."""

    words: tuple[Token, ...]

    @property
    def start(self) -> float:
        """Overlap start (rule 2 of protocol 4.3)."""
        return min(word.start for word in self.words)

    @property
    def end(self) -> float:
        """Overlap end."""
        return max(word.end for word in self.words)

    @property
    def asks_to_repeat(self) -> bool:
        """Whether it asks the model to say something again."""
        return bool(find(texts(self.words), REPEAT_REQUESTS))

    @property
    def is_backchannel(self) -> bool:
        """Whether it is nothing but sounds and words of listening."""
        rest = texts(self.words)
        while rest:
            length = starts_with(rest, BACKCHANNELS)
            if not length:
                return False
            rest = rest[length:]
        return True

    def __str__(self) -> str:
        return f"the event {quote(self.words)} ({self.start:.2f}-{self.end:.2f} s)"


def find_event(noisy: Sequence[Token], clean: Sequence[Token]) -> Event | None:
    """Return the event, or ``None`` when the two recordings say the same."""
    same = pairs(texts(noisy), texts(clean))
    first = _first_after(noisy, clean, same)
    before = noisy[:first]
    # Third parties may start before the question ends; then the question holds too many words.
    surplus = len(before) - len(clean)
    if surplus >= _TALKED_OVER and clean:
        matched = {at for at, _ in same}
        strange = [at for at in range(first) if at not in matched]
        words = [*(noisy[at] for at in strange[-surplus:]), *noisy[first:]]
    else:
        words = list(noisy[first:])
    return Event(tuple(words)) if words else None


def _first_after(
    noisy: Sequence[Token], clean: Sequence[Token], same: Sequence[tuple[int, int]]
) -> int:
    """Position of the first noisy word that starts after the clean recording has fallen silent."""
    if not clean:
        return _last_turn(noisy)
    shift = median(noisy[a].start - clean[b].start for a, b in same) if len(same) > 1 else 0.0
    silence = max(word.end for word in clean) + shift
    after = (at for at, word in enumerate(noisy) if word.start >= silence - _JITTER)
    first = next(after, len(noisy))
    # The question's last word may be timed late, or be another word in one of the transcripts.
    shared = {a for a, b in same if b == len(clean) - 1}
    while first < len(noisy) and noisy[first].start < silence + _JITTER:
        if first not in shared and first >= len(clean):
            break
        first += 1
    return first


def _last_turn(noisy: Sequence[Token]) -> int:
    """Without a clean transcript: the last stretch after a long silence, else everything."""
    breaks = [at for at in range(1, len(noisy)) if noisy[at].start - noisy[at - 1].end > 1.5]
    return breaks[-1] if breaks else 0
