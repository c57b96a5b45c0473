"""The rows behind the leaderboard: one module per noun."""

from submissions.models.approval import Approval
from submissions.models.correction import Correction
from submissions.models.mail import MailSettings, SentMail
from submissions.models.memory import Remembered
from submissions.models.reported import ReportedResult
from submissions.models.run import ItemResult, Run
from submissions.models.split import Item, Split
from submissions.models.split_import import ImportedItem, SplitImport
from submissions.models.submission import Event, Submission
from submissions.models.team import Invitation, Membership, System, Team
from submissions.models.token import Token
from submissions.models.upload import Upload

__all__ = [
    "Approval",
    "Correction",
    "Event",
    "ImportedItem",
    "Invitation",
    "Item",
    "ItemResult",
    "MailSettings",
    "Membership",
    "Remembered",
    "ReportedResult",
    "Run",
    "SentMail",
    "Split",
    "SplitImport",
    "Submission",
    "System",
    "Team",
    "Token",
    "Upload",
]
