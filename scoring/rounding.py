"""Decimal rounding: half up after the per-folder scripts, Python's own inside them.

The official numbers pass two stages (protocol section 10, decisions D8 and 17). Inside a scenario
folder the scripts use Python's binary ``round`` and ``%.3f``; from there on the published table
needs decimal half up (``(41.0 + 36.1) / 2`` is 38.6, not 38.5).
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal


def decimal(value: int | float | str | Decimal) -> Decimal:
    """Return the decimal that a person would read in ``value`` (floats by their shortest text).

    Raises:
        ValueError: the text is no finite number.
    """
    number = value if isinstance(value, Decimal) else _parsed(value)
    if not number.is_finite():
        raise ValueError(f"{value!r} is not a finite number.")
    return number


def half_up(value: int | float | str | Decimal, places: int) -> Decimal:
    """Round half up in decimal arithmetic, keeping ``places`` digits.

    Examples:
        >>> half_up("38.55", 1)
        Decimal('38.6')
    """
    return decimal(value).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def mean(values: Iterable[Decimal]) -> Decimal | None:
    """Arithmetic mean; ``None`` of nothing."""
    numbers = list(values)
    return sum(numbers, Decimal(0)) / len(numbers) if numbers else None


def printed(value: float) -> Decimal:
    """Return what the scripts print with ``%.3f`` (binary value, three decimals)."""
    return Decimal(f"{value:.3f}")


def _parsed(value: int | float | str) -> Decimal:
    try:
        return Decimal(str(value).strip())
    except ArithmeticError as cause:
        raise ValueError(f"{value!r} is not a number.") from cause
