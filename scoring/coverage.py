"""How much of what a submission must answer came: recordings with the event and clean ones apart.

Conventions: counts of recordings, never shares, until somebody is shown one. Silence is an answer:
a silent recording has come. *Unknown* is no number: reports made before clean recordings were
counted say nothing about them, and are judged by what they hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from scoring.manifest import Kind

# What a rank needs of each kind where no split says otherwise, in percent (decision 15).
NEEDED: Mapping[str, Decimal] = {"official": Decimal(100), "strict": Decimal(95)}


class Came(NamedTuple):
    """Recordings of one kind: how many came, of how many that are expected."""

    received: int
    expected: int

    def is_enough(self, percent: Decimal) -> bool:
        """Whether at least this share came; of none expected every share has come."""
        return 100 * self.received >= percent * self.expected


@dataclass(frozen=True, slots=True)
class Coverage:
    """What came of a submission.

    Attributes:
        test: answers to the recordings with the event.
        clean: answers to those without it; ``None`` where nobody counted them.
    """

    test: Came
    clean: Came | None

    @classmethod
    def of(cls, totals: Mapping[str, Any]) -> "Coverage":
        """Read the counts from the totals of a score report."""
        clean = totals.get("clean_expected")
        return cls(
            Came(totals["received"], totals["expected"]),
            None if clean is None else Came(totals["clean_received"], clean),
        )

    def short(self, percent: Decimal) -> dict[Kind, Came]:
        """The kinds of which less than a share came."""
        kinds: dict[Kind, Came | None] = {"test": self.test, "clean": self.clean}
        return {kind: one for kind, one in kinds.items() if one and not one.is_enough(percent)}

    def reasons(self, percent: Decimal) -> tuple[str, ...]:
        """Say what came too little for a rank that needs this share of each kind."""
        needed = f"{percent.normalize():f}"
        return tuple(
            f"Only {one.received} of {one.expected} {kind} recordings came; "
            f"a rank needs {needed} % of them."
            for kind, one in self.short(percent).items()
        )


class Standing(NamedTuple):
    """What totals and coverage are worth on a board that needs a share of the recordings.

    Attributes:
        rankable: whether a ranking may use the totals.
        reasons: why not; and what else a reader should know.
        coverage: what came.
    """

    rankable: bool
    reasons: tuple[str, ...]
    coverage: Coverage


def standing(totals: Mapping[str, Any], percent: Decimal) -> Standing:
    """Judge the totals of a score report by the share that a rank needs, in percent.

    A report from before coverage was told apart says in ``rankable`` what it knew.
    """
    coverage = Coverage.of(totals)
    reasons = coverage.reasons(percent)
    is_whole = totals.get("is_whole", totals["rankable"])
    return Standing(is_whole and not reasons, (*reasons, *totals["reasons"]), coverage)
