"""The way of a submission as steps: what is done, what is next, and what has stopped.

Pure over plain values; the view asks the database, the template draws.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leaderboard import words
from submissions.models import Split, Submission

State = Submission.State
UNDER_WAY = (State.UPLOADING, State.RECEIVED, State.CHECKING, State.QUEUED, State.SCORING)


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known about a submission's progress.

    Attributes:
        state: where it stands.
        checked: whether the archive was found acceptable; ``None`` before the check.
        items: expected items.
        heard, judged: how many of them are done.
        finished: whether the totals are there.
        published: when it went on the board.
        publication: the split's rule.
        reveal: the split's reveal time.
        ahead: submissions before it in the queue.
        spent: how much of what judging was expected to use is used, in words; only for those who
            may see costs.
        is_waiting: whether the judge is in trouble, so that the run waits for it.
        is_trial: whether it is a private dry run, which never comes to a board.
    """

    state: str
    checked: bool | None
    items: int
    heard: int
    judged: int
    finished: bool
    published: datetime | None
    publication: str
    reveal: datetime | None
    ahead: int = 0
    spent: str = ""
    is_trial: bool = False
    is_waiting: bool = False

    @property
    def under_way(self) -> bool:
        """Whether the page should look again soon."""
        return self.state in UNDER_WAY


@dataclass(frozen=True, slots=True)
class Step:
    """One rung: ``status`` is ``done``, ``now``, ``todo`` or ``stopped``."""

    name: str
    status: str
    status_word: str
    detail: str = ""
    done: int | None = None
    total: int | None = None


def ladder(progress: Progress) -> list[Step]:
    """Return the steps from the upload to the board; those of a trial end with the totals."""
    return [_step(*rung) for rung in _rungs(progress)]


Rung = tuple[str, str, str, int | None, int | None]


def _rungs(progress: Progress) -> Iterable[Rung]:
    yield _("Received"), "todo" if progress.state == State.UPLOADING else "done", "", None, None
    yield _("Checked"), _check_status(progress), _check_detail(progress), None, None
    for name, done, before, detail in (
        (_("Voice activity and transcripts"), progress.heard, progress.items, ""),
        (_("Judge"), progress.judged, progress.heard, _judge_detail(progress)),
    ):
        yield name, _work_status(progress, done, before), detail, done, progress.items
    yield _("Totals"), _totals_status(progress), "", None, None
    if not progress.is_trial:
        yield _("On the board"), _board_status(progress), _board_detail(progress), None, None


def _step(name: str, status: str, detail: str, done: int | None, total: int | None) -> Step:
    word = {
        "done": _("done"),
        "now": _("under way"),
        "todo": _("to come"),
        "stopped": _("stopped"),
    }[status]
    shown = done is not None and status in ("now", "done", "stopped")
    return Step(name, status, word, detail, done if shown else None, total if shown else None)


def _check_status(progress: Progress) -> str:
    if progress.state == State.CHECKING:
        return "now"
    if progress.checked is None:
        return "stopped" if progress.state in (State.FAILED, State.WITHDRAWN) else "todo"
    return "done" if progress.checked else "stopped"


def _check_detail(progress: Progress) -> str:
    if progress.checked is None:
        return ""
    return _("acceptable") if progress.checked else _("refused; see the report below")


def _work_status(progress: Progress, done: int, before: int) -> str:
    if progress.finished or (progress.items and done >= progress.items):
        return "done"
    if progress.state == State.SCORING:
        return "now" if before else "todo"
    is_stopped = progress.state in (State.FAILED, State.WITHDRAWN) and done > 0
    return "stopped" if is_stopped else "todo"


def _judge_detail(progress: Progress) -> str:
    waits = _("waiting for the judge") if progress.is_waiting else ""
    return " · ".join(filter(None, (waits, progress.spent)))


def _totals_status(progress: Progress) -> str:
    if progress.finished and progress.state not in (State.QUEUED, State.SCORING):
        return "done"
    all_judged = progress.items and progress.judged >= progress.items
    return "now" if progress.state == State.SCORING and all_judged else "todo"


def _board_status(progress: Progress) -> str:
    if progress.state in (State.WITHDRAWN, State.DISQUALIFIED):
        return "stopped"
    return "done" if progress.published else "todo"


def _board_detail(progress: Progress) -> str:
    if progress.state == State.DISQUALIFIED:
        return _("disqualified")
    if progress.state == State.WITHDRAWN:
        return _("withdrawn")
    if progress.published:
        return _("since %s") % words.utc(progress.published)
    if progress.publication == Split.Publication.REVEAL and progress.reveal:
        return _("at the reveal time, %s") % words.utc(progress.reveal)
    if progress.publication == Split.Publication.BY_HAND:
        return _("when the organisers publish it")
    return _("as soon as it is scored")


def next_words(progress: Progress) -> str:
    """Say what happens next, and who has to do it."""
    return {
        State.UPLOADING: _("The upload is not complete yet."),
        State.RECEIVED: _("The archive will be checked in a moment."),
        State.CHECKING: _("Every file name and every recording is being compared with the split."),
        State.REJECTED: _("The archive was refused. Mend what the report names and upload again; "
                          "this attempt costs no slot."),
        State.QUEUED: _queued(progress),
        State.SCORING: _scoring(progress),
        State.SCORED: "" if progress.published else _("Scored. %s") % _waits(progress),
        State.FAILED: _("Something failed on our side. It costs no slot; the organisers will "
                        "start it again."),
        State.WITHDRAWN: _("This submission was withdrawn; its archive and its log are kept."),
        State.DISQUALIFIED: _("The organisers have taken this submission off the board."),
    }.get(State(progress.state), "")  # fmt: skip


def _scoring(progress: Progress) -> str:
    if progress.is_waiting:
        return _(
            "Waiting for the judge. What is done stays done; it goes on by itself as soon as the "
            "judge answers. Your team need not do anything."
        )
    return _("Items are being scored in small groups; what is done stays done.")


def _queued(progress: Progress) -> str:
    if progress.ahead:
        return _("Waiting for its turn; %d before it.") % progress.ahead
    return _("Next in the queue.")


def _waits(progress: Progress) -> str:
    if progress.is_trial:
        return _("A trial never comes to the board.")
    detail = _board_detail(progress)
    return _("It appears on the board %s.") % detail
