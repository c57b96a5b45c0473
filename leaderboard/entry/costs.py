"""What judging a run costs, in words: expected before, counted after, and where a budget ended it.

All input is what the services stored; whoever asks must be allowed to see costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard.show.numbers import DASH
from scoring.rounding import half_up

Usage = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CostLine:
    """One quantity, as expected before judging and as counted."""

    name: str
    expected: str
    counted: str


def lines(estimate: Usage | None, counted: Usage | None) -> list[CostLine]:
    """Return expected and counted calls, tokens and money; empty for a judge that costs nothing."""
    both = (estimate or {}, counted or {})
    if not any(usage.get("calls") for usage in both):
        return []
    names = {
        "calls": _("Calls"),
        "tokens_in": _("Tokens sent"),
        "tokens_out": _("Tokens received"),
        "cost": _("Cost"),
    }
    return [
        CostLine(title, *(_shown(one.get(key)) for one in both)) for key, title in names.items()
    ]


def so_far(estimate: Usage, counted: Usage) -> str:
    """Say in a few words how much of what was expected is used."""
    key = "tokens_in" if estimate["cost"] is None else "cost"
    values = {"used": _shown(counted[key]), "expected": _shown(estimate[key])}
    if key == "cost":
        return _("about %(used)s of %(expected)s estimated") % values
    return _("%(used)s of about %(expected)s tokens sent") % values


def pause(usage: Usage) -> str:
    """Say that a budget ended the judging before its time; empty where it did not."""
    number = usage.get("over_budget", 0)
    if not number:
        return ""
    text = ngettext(
        "Judging has paused: the budget of %(budget)s for one run is used up, and %(number)s item "
        "has no label for that reason.",
        "Judging has paused: the budget of %(budget)s for one run is used up, and %(number)s items "
        "have no label for that reason.",
        number,
    )
    return text % {"budget": _shown(usage["budget"]), "number": _shown(number)}


def cure(*, is_staff: bool) -> str:
    """Say who can end a pause, and how."""
    if is_staff:
        return _(
            "Raise JUDGE_BUDGET, start the workers again, and let the submission be scored again "
            "in the administration. What has been judged is kept and not paid for again."
        )
    return _(
        "Your team need not do anything: the organisers can raise the budget and go on. What has "
        "been judged is kept."
    )


def _shown(value: Any) -> str:
    """Counts with thousands apart, money to the cent or, below one, to four decimals."""
    if value is None:
        return DASH
    if isinstance(value, int):
        return f"{value:,}"
    money = Decimal(value)
    return f"{half_up(money, 2 if money >= 1 else 4):,}"
