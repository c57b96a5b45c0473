"""Windows and quotas, pure over plain values.

Conventions: times are aware datetimes; the moment that counts is the completed upload by the
server's clock, and there a submission is spent; "per day" means any 24 hours, not a calendar day.
A slot is spent for good once its numbers could be seen, that is once it was scored: withdrawing
gives back only the slot of what was never scored. A blind split knows no exception: scoring is
what a slot pays for, and a reveal that moves must not give slots back.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

DAY = timedelta(hours=24)


class Refusal(Enum):
    """Why no submission is possible now."""

    NOT_OPEN = "window-not-open"
    CLOSED = "window-closed"
    TOTAL = "quota-total-used"
    DAY = "quota-day-used"
    UNDER_WAY = "one-at-a-time"
    NO_UPLOADS = "split-takes-no-uploads"
    NOT_APPROVED = "approval-needed"
    NO_TRIALS = "split-has-no-trials"
    TRIALS = "trials-of-the-day-used"
    FREE = "free-attempts-of-the-day-used"


class Attempt(NamedTuple):
    """What the limits ask about a submission.

    Attributes:
        received: when its last byte came.
        state: where it stands.
        was_scored: whether it ever was scored, so that its numbers could be seen.
        is_trial: whether it is a trial.
    """

    received: datetime
    state: str
    was_scored: bool = False
    is_trial: bool = False


def is_spent(attempt: Attempt, free: Collection[str]) -> bool:
    """Whether it uses up a slot; ``free`` are the states that cost none before a score."""
    return attempt.was_scored or attempt.state not in free


class Allowance(NamedTuple):
    """What a team may still do.

    Attributes:
        refusal: why not now; ``None`` when it may submit.
        left: submissions left now; ``None`` without a limit.
        next_opens: when the next one becomes possible; ``None`` if never, or now.
    """

    refusal: Refusal | None
    left: int | None
    next_opens: datetime | None


def allowance(
    now: datetime,
    spent: Sequence[datetime],
    *,
    opens: datetime | None = None,
    closes: datetime | None = None,
    total: int | None = None,
    per_day: int | None = None,
    waits_for: int = 0,
    free: Sequence[datetime] = (),
    free_per_day: int | None = None,
) -> Allowance:
    """Work out what a team may still submit.

    Args:
        now: the server's clock.
        spent: when the team's counting submissions were received.
        opens: start of the window.
        closes: end of the window; the last moment is still inside.
        total: limit over the whole window.
        per_day: limit in any 24 hours.
        waits_for: how many submissions must be done before the next; 0 where several may run.
        free: when attempts that cost no slot were received.
        free_per_day: limit of these in any 24 hours.
    """
    if opens is not None and now < opens:
        return Allowance(Refusal.NOT_OPEN, 0, opens)
    if closes is not None and now > closes:
        return Allowance(Refusal.CLOSED, 0, None)
    if total is not None and len(spent) >= total:
        return Allowance(Refusal.TOTAL, 0, None)
    rolling = _in_a_day(now, spent, per_day, closes, Refusal.DAY)
    if rolling.refusal is not None:
        return rolling
    attempts = _in_a_day(now, free, free_per_day, closes, Refusal.FREE)
    if attempts.refusal is not None:
        return attempts
    if waits_for:
        return Allowance(Refusal.UNDER_WAY, 0, None)
    rests = [rolling.left, None if total is None else total - len(spent)]
    return rolling._replace(left=min((one for one in rests if one is not None), default=None))


def trial_allowance(
    now: datetime,
    trials: Sequence[datetime],
    *,
    closes: datetime | None,
    per_day: int,
    free: Sequence[datetime] = (),
    free_per_day: int | None = None,
) -> Allowance:
    """Work out what a team may still try: also before the window opens, not after it closed.

    Args:
        now: the server's clock.
        trials: when the team's trials were received.
        closes: end of the window; the last moment is still inside.
        per_day: limit in any 24 hours.
        free: when attempts that cost no slot were received.
        free_per_day: limit of these in any 24 hours.
    """
    if closes is not None and now > closes:
        return Allowance(Refusal.CLOSED, 0, None)
    rolling = _in_a_day(now, trials, per_day, closes, Refusal.TRIALS)
    if rolling.refusal is not None:
        return rolling
    attempts = _in_a_day(now, free, free_per_day, closes, Refusal.FREE)
    return rolling if attempts.refusal is None else attempts


def _in_a_day(
    now: datetime,
    moments: Sequence[datetime],
    limit: int | None,
    closes: datetime | None,
    refusal: Refusal,
) -> Allowance:
    if limit is None:
        return Allowance(None, None, None)
    recent = sorted(moment for moment in moments if moment > now - DAY)
    if len(recent) < limit:
        return Allowance(None, limit - len(recent), None)
    if not limit:
        return Allowance(refusal, 0, None)
    slot = recent[len(recent) - limit] + DAY
    return Allowance(refusal, 0, None if closes is not None and slot > closes else slot)
