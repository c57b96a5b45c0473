"""The latency that the organisers measured on a machine of their own (decision 38)."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from submissions.models import Event, Split, Submission
from submissions.services.refused import Refused
from submissions.signals import board_changed

# The column has three digits before the point.
LONGEST = Decimal(999)


class LatencyRefused(Refused):
    """A measurement that cannot stand."""


@transaction.atomic
def measure(submission: Submission, delay: Decimal | None, how: str, *, who: Any) -> Submission:
    """Note what the organisers measured of an entry, or take it back with ``None``.

    A published entry whose split ranks by it gets a new board, with this as its cause.

    Raises:
        LatencyRefused: it is a trial, the delay is no latency, or nobody says how it was measured.
    """
    found = Submission.objects.select_for_update().select_related("split").get(pk=submission.pk)
    how = " ".join(how.split())
    _demand(found, delay, how)
    if (found.measured_delay, found.measured_how) == (delay, how if delay else ""):
        return found
    found.measured_delay, found.measured_how = delay, how if delay is not None else ""
    found.save(update_fields=["measured_delay", "measured_how"])
    told = _told(found)
    found.events.create(
        who=who, role=Event.Role.ORGANISER, from_state=found.state, to_state=found.state,
        why=told, detail=found.measured_how,
    )  # fmt: skip
    if found.published is not None and found.split.latency == Split.Latency.MEASURED:
        board_changed.send(sender=Split, split=found.split, cause=told)
    return found


def _told(submission: Submission) -> str:
    of = f"The organisers' latency of {submission.system}"
    delay = submission.measured_delay
    return f"{of} is taken back" if delay is None else f"{of} is {delay} s"


def _demand(submission: Submission, delay: Decimal | None, how: str) -> None:
    if submission.is_trial:
        raise LatencyRefused(
            "latency-of-a-trial",
            _("A trial never stands on a board, so no latency is kept of it."),
            _("Choose the submission itself."),
        )
    if delay is None:
        return
    if not (delay.is_finite() and 0 < delay <= LONGEST):
        raise LatencyRefused(
            "latency-out-of-range",
            _("A total delay of %(delay)s s is no latency.") % {"delay": delay},
            _("Write seconds above 0, such as 1.260."),
        )
    if not how:
        raise LatencyRefused(
            "latency-unexplained",
            _("Nobody says how the latency was measured."),
            _("Write machine and date; everybody reads it below the board."),
        )
