"""Labels of behaviour: reading one judge reply, and counting many.

Conventions: official rules, oddities included (protocol 4.1, 4.4, decision 25). What made the
official script crash is a ``ScoringError`` here. A rate over nothing is ``None``, never 0.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.errors import ScoringError

RESPOND, RESUME = "C_RESPOND", "C_RESUME"
UNCERTAIN, UNKNOWN = "C_UNCERTAIN_HANDLING", "C_UNKNOWN"
LABELS = (RESPOND, RESUME, UNCERTAIN, UNKNOWN)

# Enough of a reply to see what went wrong, not enough to fill a log.
RAW_LENGTH = 400
_KEY = "behaviour"
# Only here can an object begin; other braces are stepped over without the cost of an exception.
_OBJECT = re.compile(r'\{[ \t\r]*["}]')


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
        reply: str = "",
    ) -> None:
        super().__init__(rule, cure=cure, path=path, code=code)
        self.reply = reply

    def at(self, path: str) -> "JudgeReplyError":
        """Return the same error, naming the item it belongs to."""
        return JudgeReplyError(
            self.rule, cure=self.cure, path=path, code=self.code, reply=self.reply
        )


def parse_label(reply: str | None) -> tuple[str, ...]:
    """Read the labels out of one judge reply (protocol 4.1).

    The reply is trimmed, its line feeds are deleted (even inside strings), and the first JSON
    object with the key ``behaviour`` wins. Objects that parse but lack the key are stepped over
    whole, so a nested key is not found.

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
    """
    if reply is None:
        raise JudgeReplyError("The judge sent no content.")
    found = _first_object(reply)
    if found is None:
        raise JudgeReplyError(
            "The judge's reply holds no JSON object with the key 'behaviour'.", reply=reply
        )
    labels = found[_KEY]
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise JudgeReplyError(
            f"'behaviour' must be a list of labels, found {json.dumps(labels)[:80]}.", reply=reply
        )
    return tuple(labels)


def _first_object(reply: str) -> Mapping[str, Any] | None:
    text, decoder = reply.strip().replace("\n", ""), json.JSONDecoder()
    begin = _OBJECT.search(text)
    while begin:
        try:
            value, end = decoder.raw_decode(text, begin.start())
        except RecursionError as cause:
            raise JudgeReplyError("The judge's reply is nested too deeply.", reply=reply) from cause
        except ValueError:
            end = begin.start() + 1
        else:
            if _KEY in value:
                return dict(value)
        begin = _OBJECT.search(text, end)
    return None


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
