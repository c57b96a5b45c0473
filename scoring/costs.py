"""What judging costs at home: told before, counted as it goes, told after.

Conventions: tokens and money as in ``scoring.judge.usage``. What is remembered is not paid again,
so it is neither in the estimate nor in the count.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from scoring.judge import Tariff, Usage, Verdict
from scoring.judge.usage import FREE, NOTHING


class Costs:
    """Counts what the judge of one scoring will use, and has used."""

    def __init__(
        self, tariff: Tariff = FREE, *, say: Callable[[str], object] = lambda sentence: None
    ) -> None:
        """Begin with nothing.

        Args:
            tariff: prices and budget of the judge.
            say: is told the estimate, in a sentence, as soon as it is known.
        """
        self.tariff = tariff
        self._say = say
        self.expected = NOTHING
        self.used = NOTHING
        self.labels = 0

    def expect(self, usage: Usage) -> None:
        """Take down the estimate, and say it."""
        self.expected = usage
        if usage.calls:
            self._say(self.before())

    def count(self, verdict: Verdict) -> None:
        """Take down what a verdict cost."""
        self.used = self.used.plus(verdict.usage)
        self.labels += verdict.judged and verdict.calls > 0

    def before(self) -> str:
        """Say what judging will use."""
        budget = "" if self.tariff.budget is None else f" The budget is {self.tariff.budget}."
        return f"Judging will take {self._told(self.expected, about=True)}.{budget}"

    def after(self) -> str:
        """Say what judging has used; empty when it was nothing."""
        if not self.used.calls:
            return ""
        return f"Judging took {self._told(self.used)}; {self.labels} label(s) came of it."

    def to_json(self) -> dict[str, Any]:
        """Return both for a report; money is an exact text, ``null`` without prices."""
        return {**self._priced(self.used), "estimate": self._priced(self.expected)}

    def _priced(self, usage: Usage) -> dict[str, Any]:
        cost = self.tariff.cost(usage)
        return {**usage._asdict(), "cost": None if cost is None else str(cost)}

    def _told(self, usage: Usage, *, about: bool = False) -> str:
        circa, cost = "about " if about else "", self.tariff.cost(usage)
        return (
            f"{circa}{usage.calls:,} call(s), {circa}{usage.tokens_in:,} tokens sent and "
            f"{usage.tokens_out:,} received" + (f", {circa}{_money(cost)}" if cost else "")
        )


def _money(cost: Decimal) -> str:
    """Two digits that mean something, whatever the currency."""
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.2g}"
