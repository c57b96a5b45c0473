"""How numbers look, each kind in one function: rates, seconds, differences, intervals.

Conventions: decimal, half up (decision 17). Rates are stored as shares (0-1) and shown as percents
with one decimal; what an official script rounded before is stored rounded. Absent is a dash.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from scoring.rounding import decimal, half_up, mean

DASH, MINUS = "—", "−"
RATE, SECONDS = 1, 3  # decimals

Number = int | float | str | Decimal


def percent_of(share: Number) -> Decimal:
    """A stored share (0-1) as percent, not rounded yet."""
    return 100 * decimal(share)


def across(rates: Iterable[Number | None]) -> Decimal | None:
    """Mean of the languages' rates, not rounded yet; ``None`` as soon as one is missing."""
    known = [None if rate is None else decimal(rate) for rate in rates]
    return None if None in known else mean(rate for rate in known if rate is not None)


def rounded_rate(percent: Number) -> Decimal:
    """The number that every page, export and chart shows of a rate in percent."""
    return half_up(percent, RATE)


def rate(percent: Number | None) -> str:
    """A rate in percent as text, or a dash."""
    return DASH if percent is None else str(rounded_rate(percent))


def seconds(value: Number | None) -> str:
    """Seconds to the millisecond, or a dash."""
    return DASH if value is None else str(half_up(value, SECONDS))


def share(value: Number | None) -> str:
    """A share (0-1) of things that were tried, in whole percents; empty where there is none."""
    return "" if value is None else f"{half_up(percent_of(value), 0)} %"


def signed(value: Decimal) -> str:
    """A difference with its sign, a true minus; plain 0 where there is none."""
    if value == 0:
        return str(abs(value))
    return f"+{value}" if value > 0 else f"{MINUS}{-value}"


def interval(value: str, ends: Sequence[Number], places: int) -> str:
    """The interval around a shown number: ± where both ends are as far from it, else both ends.

    Distances are those that a reader sees, so ± never says more than the ends would.
    """
    low, high = (half_up(end, places) for end in ends)
    below, above = decimal(value) - low, high - decimal(value)
    return f"±{above}" if below == above else span(low, high)


def span(low: Number, high: Number) -> str:
    """Both ends of a range."""
    return f"{low}–{high}"
