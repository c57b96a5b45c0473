"""Labels of behaviour: reading one judge reply, and counting many.

Conventions: official rules, oddities included (protocol 4.1, 4.4, decision 25). What made the
official script crash is a ``ScoringError`` here. A rate over nothing is ``None``, never 0.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeGuard

from scoring.errors import Phrase, ScoringError
from scoring.reasons import worded
from scoring.visible import visible

RESPOND, RESUME = "C_RESPOND", "C_RESUME"
UNCERTAIN, UNKNOWN = "C_UNCERTAIN_HANDLING", "C_UNKNOWN"
LABELS = (RESPOND, RESUME, UNCERTAIN, UNKNOWN)

# Enough of a reply to see what went wrong, not enough to fill a log.
RAW_LENGTH = 400
_KEY = "behaviour"
# Only here can an object begin; other braces are stepped over without the cost of an exception.
_OBJECT = re.compile(r'\{[ \t\r]*["}]')
# How reasoning models mark their thoughts.
_TAG = re.compile(
    r"<(?P<close>/?)(?:think|thinking|thought|thoughts|reasoning)\b[^<>]*>", re.IGNORECASE
)


class JudgeReplyError(ScoringError):
    """A judge's reply has no usable label.

    Attributes:
        reply: the raw text, as received; empty when there was none.
    """

    code = "judge-reply-unusable"

    def __init__(
        self,
        rule: str,
        *,
        cure: str = 'Ask again for one line like {"behaviour": ["C_RESUME"]}.',
        path: str = "",
        code: str | None = None,
        said: Phrase | None = None,
        reply: str = "",
    ) -> None:
        super().__init__(rule, cure=cure, path=path, code=code, said=said)
        self.reply = reply

    @classmethod
    def of(cls, said: Phrase, *, reply: str = "") -> "JudgeReplyError":
        """Return the error that says this."""
        return cls(worded(said), said=said, reply=reply)

    def at(self, path: str) -> "JudgeReplyError":
        """Return the same error, naming the item it belongs to."""
        return JudgeReplyError(
            self.rule, cure=self.cure, path=path, code=self.code, said=self.said, reply=self.reply
        )


class Answer(NamedTuple):
    """What one reply says.

    Attributes:
        labels: those that count, as written.
        others: different answers in the same reply, in their order.
    """

    labels: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()

    @property
    def note(self) -> Phrase | None:
        """That the reply holds different answers; ``None`` when it does not (decision 26b)."""
        if not self.others:
            return None
        told = " / ".join(", ".join(one) for one in (self.labels, *self.others))
        return Phrase("reply-two-answers", {"answers": told[:RAW_LENGTH]})


def parse_label(reply: str | None) -> tuple[str, ...]:
    """Read the labels out of one judge reply (protocol 4.1).

    Thoughts are cut away (decision 26b). The rest is trimmed, its line feeds are deleted (even
    inside strings), and the first JSON object with the key ``behaviour`` wins. Objects that parse
    but lack the key are stepped over whole, so a nested key is not found.

    Args:
        reply: text of the chat model; ``None`` when it sent no content.

    Returns:
        The labels as written: usually one; unknown labels and stray blanks are kept, an empty
        list gives ``()``.

    Raises:
        JudgeReplyError: there is no such object, or its value is no list of strings.

    Examples:
        >>> parse_label('Sure: {"behaviour": ["C_RESUME"]}')
        ('C_RESUME',)
        >>> parse_label('<think>{"behaviour": ["C_RESUME"]}?</think>{"behaviour": ["C_RESPOND"]}')
        ('C_RESPOND',)
    """
    return read_answer(reply).labels


def read_answer(reply: str | None) -> Answer:
    """Read one judge reply as ``parse_label`` does, and tell of other answers in it.

    Raises:
        JudgeReplyError: as ``parse_label``.
    """
    if reply is None:
        raise JudgeReplyError.of(Phrase("reply-without-content"))
    found = _objects(without_thoughts(reply), reply)
    if not found:
        raise JudgeReplyError.of(Phrase("reply-without-object"), reply=reply)
    first = _labels(found[0][_KEY], reply)
    others = (tuple(map(visible, one[_KEY])) for one in found[1:] if _is_list(one[_KEY]))
    return Answer(first, tuple(one for one in dict.fromkeys(others) if one != first))


def without_thoughts(reply: str) -> str:
    """Return what a reasoning model answers, without the thoughts before it (decision 26b).

    Thoughts stand between two tags, before a closing tag whose opening one was swallowed, or
    behind an opening one that was never closed.

    Examples:
        >>> without_thoughts("Is it A? No.</think> B")
        ' B'
    """
    kept: list[str] = []
    end, thinking = 0, False
    for tag in _TAG.finditer(reply):
        if tag["close"]:
            # Without an opening one, everything before it was a thought.
            kept, end, thinking = kept if thinking else [], tag.end(), False
        elif not thinking:
            kept.append(reply[end : tag.start()])
            thinking = True
    return "".join(kept if thinking else [*kept, reply[end:]])


def _labels(value: object, reply: str) -> tuple[str, ...]:
    if not _is_list(value):
        told = visible(json.dumps(value)[:80])
        raise JudgeReplyError.of(Phrase("reply-without-list", {"found": told}), reply=reply)
    return tuple(map(visible, value))


def _is_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(label, str) for label in value)


def _objects(answer: str, reply: str) -> list[Mapping[str, Any]]:
    """All JSON objects with the key, in their order; what does not parse is stepped over."""
    text, decoder = answer.strip().replace("\n", ""), json.JSONDecoder()
    found: list[Mapping[str, Any]] = []
    begin = _OBJECT.search(text)
    while begin:
        try:
            value, end = decoder.raw_decode(text, begin.start())
        except RecursionError as cause:
            if found:
                break
            raise JudgeReplyError.of(Phrase("reply-too-deep"), reply=reply) from cause
        except ValueError:
            end = begin.start() + 1
        else:
            found += [value] if _KEY in value else []
        begin = _OBJECT.search(text, end)
    return found


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How often each label was given: components first, rates on demand."""

    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Labels counted; not samples (decision 25)."""
        return sum(self.counts.values())

    def ratio(self, label: str) -> float | None:
        """Share of ``label``; an absent label has share 0, and ``None`` means nothing counted."""
        return self.counts.get(label, 0) / self.total if self.total else None

    def rounded(self, label: str) -> float | None:
        """The share with 2 decimals, rounded as Python rounds: 0.825 gives 0.82 (decision 16)."""
        share = self.ratio(label)
        return None if share is None else round(share, 2)


def count_labels(replies: Iterable[Sequence[str]]) -> LabelCounts:
    """Count the labels of many replies the official way (protocol 4.4).

    Two labels in one reply count twice, an empty reply leaves the denominator, and an unlisted
    label that starts with C stays in it.

    Args:
        replies: labels of each sample, as ``parse_label`` returns them.

    Raises:
        ScoringError: a label does not start with C (the official script stops there), or a reply
            is a bare string instead of a list.
    """
    counts: Counter[str] = Counter()
    for labels in replies:
        if isinstance(labels, str):
            raise _bad_label(labels, "stands alone instead of in a list")
        for label in labels:
            if not label.startswith("C"):
                raise _bad_label(label, "does not start with the letter C")
            counts[label] += 1
    return LabelCounts(dict(counts))


def _bad_label(label: str, trouble: str) -> ScoringError:
    return ScoringError(
        f"The label {label!r} {trouble}.",
        cure=f"Judge this sample again; the labels are {', '.join(LABELS)}.",
        code="judge-label-unusable",
    )
