"""Score again with today's tools: a new run beside the old ones."""

from typing import Any

from submissions import queue
from submissions.models import Submission
from submissions.states import State, advance


def rescore(submission: Submission, *, who: Any = None) -> Submission:
    """Queue a scored or failed submission again; its published numbers stay until a new board.

    Raises:
        IllegalMove: it is not scored or failed.
    """
    to = State.RECEIVED if submission.check_report is None else State.QUEUED
    submission = advance(submission, to, who=who, why="Scored again.")
    Submission.objects.filter(pk=submission.pk).update(attempts=0)
    queue.send("check" if to == State.RECEIVED else "start", str(submission.pk))
    return submission
