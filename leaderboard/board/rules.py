"""The rules by which a board ranks: weights of its total, and whether its baseline holds a rank.

Conventions: they belong to the frozen board, which keeps them in ``Snapshot.rules`` beside whatever
else it was made by. A board that has none was made before there was a choice: the protocol's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard.models import Snapshot
from scoring.ranking import WEIGHTS, Weights
from submissions.models import Split


@dataclass(frozen=True, slots=True)
class Rules:
    """How the rows of one board are totalled and ranked (decisions 6 and 39)."""

    weights: Weights = WEIGHTS
    rank_baseline: bool = True
    mode: str = "official"

    def to_json(self) -> dict[str, Any]:
        """What a board keeps; its mode has a column of its own."""
        return {
            "weights": [str(weight.normalize()) for weight in self.weights],
            "rank_baseline": self.rank_baseline,
        }

    @property
    def percents(self) -> tuple[str, ...]:
        """The weights as people say them."""
        return tuple(f"{(100 * weight).normalize():f}" for weight in self.weights)


PROTOCOL = Rules()


def of_split(split: Split) -> Rules:
    """The rules that the next board of a split is made by.

    Raises:
        RankingError: its weights give no total.
    """
    weights = (split.weight_interruption, split.weight_rejection, split.weight_delay)
    return Rules(Weights.of(weights), split.rank_baseline, split.ranking_mode)


def of_board(snapshot: Snapshot) -> Rules:
    """The rules that a frozen board was made by."""
    return read(snapshot.rules, snapshot.mode)


def made_by(snapshot: Snapshot) -> dict[str, Any]:
    """Everything that a board was made by, for exports: these rules, and whatever else it keeps."""
    return of_board(snapshot).to_json() | snapshot.rules


def read(stored: Mapping[str, Any], mode: str = "official") -> Rules:
    """Read what ``to_json`` wrote."""
    weights = stored.get("weights")
    return Rules(
        Weights.of(weights) if weights else WEIGHTS, stored.get("rank_baseline", True), mode
    )
