"""The few numbers that a submission's page begins with, each with its interval.

Conventions: texts as the board stores them; a number of another run than the board's has no
interval, place or total of that board.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from leaderboard.board.cells import interval_of
from leaderboard.show.numbers import DASH, signed

PLACES = {"interruption": 1, "rejection": 1, "delay": 3, "total": 1}


class KeyNumber(NamedTuple):
    """One number; ``part`` names its colour, ``aside`` stands below it in words."""

    name: Any
    text: str
    unit: str = ""
    beside: str = ""
    aside: str = ""
    part: str = ""


def key_numbers(
    totals: Mapping[str, Any], baseline: Mapping[str, Any] | None, row: Mapping[str, Any] | None
) -> list[KeyNumber]:
    """Return place and total where a board has them, then the three parts.

    Args:
        totals: of the shown run, in the ranking mode.
        baseline: totals of the baseline; ``None`` where there is none.
        row: of the newest board, if it shows this run.
    """
    found = [] if row is None else [_place(row), _number("total", row, row, None)]
    return [*found, *(_number(name, totals, row, baseline) for name in PLACES if name != "total")]


def _place(row: Mapping[str, Any]) -> KeyNumber:
    low, high = row.get("rank_low"), row.get("rank_high")
    aside = ""
    if row["rank"] is None:
        aside = _("without a rank")
    elif low is not None and high is not None:
        aside = _plausible(low, high)
    return KeyNumber(_("Rank"), DASH if row["rank"] is None else str(row["rank"]), aside=aside)


def _plausible(low: int, high: int) -> str:
    if low == high:
        return _("no other place is plausible")
    return _("plausibly %(low)s to %(high)s") % {"low": low, "high": high}


def _number(
    name: str,
    values: Mapping[str, Any],
    row: Mapping[str, Any] | None,
    baseline: Mapping[str, Any] | None,
) -> KeyNumber:
    title, unit = {
        "total": (_("Total"), ""),
        "interruption": (_("Interruption"), "%"),
        "rejection": (_("Rejection"), "%"),
        "delay": (_("Total delay"), "s"),
    }[name]
    text = values[name]
    beside = interval_of(row, name, PLACES[name]) if row and text else ""
    aside = _against(text, baseline[name]) if baseline and text else ""
    return KeyNumber(title, text or DASH, unit if text else "", beside, aside, name)


def _against(text: str, other: str | None) -> str:
    if not other:
        return ""
    values = {"difference": signed(Decimal(text) - Decimal(other)), "baseline": other}
    return _("%(difference)s to the baseline's %(baseline)s") % values
