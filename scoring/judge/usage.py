"""What judging costs: tokens counted from replies, estimated before, and the budget of a run.

Conventions: prices are money per million tokens, budgets are money; the currency is whatever the
endpoint bills in. Without prices a cost is ``None``, never 0.
"""

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from scoring.errors import EngineError, Phrase

# Rule of thumb for tokens: 0.3 for an ASCII character (English, digits, JSON), 0.6 for any other.
ASCII_TOKENS, OTHER_TOKENS = 0.3, 0.6
# A label in its JSON object is about this many tokens.
REPLY_TOKENS = 16
MILLION = 1_000_000


class Usage(NamedTuple):
    """What was used: answered calls, and the tokens they cost.

    Attributes:
        calls: calls that were answered, and so are billed.
        tokens_in: tokens of instructions and messages.
        tokens_out: tokens of replies.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Return both together."""
        return Usage(*map(sum, zip(self, other, strict=True)))

    def times(self, number: int) -> "Usage":
        """Return the same a number of times."""
        return Usage(*(one * number for one in self))


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Tariff:
    """Prices of an endpoint, and what one run may spend there.

    Attributes:
        price_in: money per million tokens sent; ``None`` when it is not known.
        price_out: money per million tokens received.
        budget: money per run at which judging pauses; ``None`` for no limit.
    """

    price_in: Decimal | None = None
    price_out: Decimal | None = None
    budget: Decimal | None = None

    def cost(self, usage: Usage) -> Decimal | None:
        """Return the money that a usage costs; ``None`` without prices."""
        if self.price_in is None or self.price_out is None:
            return None
        money = usage.tokens_in * self.price_in + usage.tokens_out * self.price_out
        return money / MILLION

    def is_reached(self, usage: Usage) -> bool:
        """Whether a usage has come to the budget."""
        cost = self.cost(usage)
        return self.budget is not None and cost is not None and cost >= self.budget


FREE = Tariff()


class Purse:
    """Counts what one judging uses, beside what its run has used elsewhere."""

    def __init__(self, tariff: Tariff, elsewhere: Usage = NOTHING) -> None:
        self.tariff = tariff
        self.elsewhere = elsewhere
        self.own = NOTHING

    def pay(self, usage: Usage) -> None:
        """Count an answered call."""
        self.own = self.own.plus(usage)

    @property
    def refusal(self) -> Phrase | None:
        """Why no further call is made; ``None`` while there is money."""
        used = self.elsewhere.plus(self.own)
        if not self.tariff.is_reached(used):
            return None
        return Phrase("judge-budget", {"budget": str(self.tariff.budget)})


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text from its characters: 0.3 for ASCII, 0.6 for others."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    others = len(text) - ascii_characters
    return math.ceil(ascii_characters * ASCII_TOKENS + others * OTHER_TOKENS)


def tariff_of(*, price_in: object, price_out: object, budget: object) -> Tariff:
    """Read prices and budget; ``None`` and the empty text mean that there is none.

    Raises:
        EngineError: one is no amount of money, or a budget or price stands without its prices.
    """
    tariff = Tariff(_money(price_in), _money(price_out), _money(budget))
    if (tariff.price_in is None) != (tariff.price_out is None) or (
        tariff.budget is not None and tariff.price_in is None
    ):
        raise EngineError(
            "A price or budget of the judge stands alone.",
            cure="Give the prices per million tokens in both directions, then a budget if any.",
        )
    return tariff


def _money(value: object) -> Decimal | None:
    if value is None or value == "":
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise EngineError(
            f"{value!r} is no amount of money.", cure="Write a number like 0.28, without currency."
        )
    return amount
