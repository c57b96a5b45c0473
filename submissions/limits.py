"""Windows and quotas, pure over plain values.

Conventions: times are aware datetimes; the moment that counts is the completed upload by the
server's clock; "per day" means any 24 hours, not a calendar day.
"""

from collections.abc import Sequence
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
    NO_UPLOADS = "split-takes-no-uploads"


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
) -> Allowance:
    """Work out what a team may still submit.

    Args:
        now: the server's clock.
        spent: when the team's counting submissions were received.
        opens: start of the window.
        closes: end of the window; the last moment is still inside.
        total: limit over the whole window.
        per_day: limit in any 24 hours.
    """
    if opens is not None and now < opens:
        return Allowance(Refusal.NOT_OPEN, 0, opens)
    if closes is not None and now > closes:
        return Allowance(Refusal.CLOSED, 0, None)
    if total is not None and len(spent) >= total:
        return Allowance(Refusal.TOTAL, 0, None)
    recent = sorted(moment for moment in spent if moment > now - DAY)
    if per_day is not None and len(recent) >= per_day:
        return _tomorrow(recent[len(recent) - per_day] + DAY, closes)
    rests = [
        limit - used
        for limit, used in ((total, len(spent)), (per_day, len(recent)))
        if limit is not None
    ]
    return Allowance(None, min(rests, default=None), None)


def _tomorrow(slot: datetime, closes: datetime | None) -> Allowance:
    late = closes is not None and slot > closes
    return Allowance(Refusal.DAY, 0, None if late else slot)
