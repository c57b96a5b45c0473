"""How tests correct a label: one item of the stage, and what an organiser says of it."""

from submissions.services.correct import correct
from tests.leaderboard.sounded import ITEM

WHY = "It hums and goes on with its first answer."


def say(submission, by, label="C_RESUME", reason=WHY, slug=ITEM):
    """Correct the label of an item, or take it back."""
    item = submission.split.items.get(slug=slug)
    return correct(submission, item, label=label, reason=reason, by=by)
