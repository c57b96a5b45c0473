"""Judges of behaviour: how a model's later speech treats what happened on the user's side.

Conventions: *noisy* is the recording with the event, *clean* the one without it; *input* is the
user, *output* the model. A judge answers with one of four labels, or says why it cannot.
"""

from scoring.judge.base import Exchange, Judge, Verdict, load
from scoring.judge.labels import (
    LABELS,
    JudgeReplyError,
    LabelCounts,
    count_labels,
    parse_label,
)

__all__ = [
    "LABELS",
    "Exchange",
    "Judge",
    "JudgeReplyError",
    "LabelCounts",
    "Verdict",
    "count_labels",
    "load",
    "parse_label",
]
