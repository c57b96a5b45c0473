"""The rows behind the leaderboard: one module per noun."""

from submissions.models.memory import Remembered
from submissions.models.reported import ReportedResult
from submissions.models.run import ItemResult, Run
from submissions.models.split import Item, Split
from submissions.models.submission import Event, Submission
from submissions.models.team import System, Team

__all__ = [
    "Event",
    "Item",
    "ItemResult",
    "Remembered",
    "ReportedResult",
    "Run",
    "Split",
    "Submission",
    "System",
    "Team",
]
