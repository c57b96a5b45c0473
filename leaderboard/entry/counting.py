"""Which of a team's submissions counts on the board, in words: the rule, and what it says now."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from leaderboard import words
from submissions import rules
from submissions.models import Split, Submission

Counting = Split.Counting


class Standing(NamedTuple):
    """The rule of the split, and what it means for one submission.

    Attributes:
        rule, now: sentences.
        other: the submission of the team that counts instead.
        counts: whether this one stands for its team.
    """

    rule: str
    now: str
    counts: bool
    other: UUID | None = None


def standing(submission: Submission, counting: Sequence[Submission]) -> Standing:
    """Say which submission counts; ``counting`` are those of the split that do."""
    said = (rules.sentence(submission.split, key) for key in ("counting", "choice"))
    rule = words.told(*said)
    own = [one for one in counting if one.team_id == submission.team_id]
    if any(one.pk == submission.pk for one in own):
        return Standing(rule, _("This one counts."), counts=True)
    if submission.published is None:
        return Standing(rule, _unpublished(submission), counts=False)
    if own and submission.split.counting != Counting.EVERY:
        values = {"name": own[0].system.name, "time": words.utc(own[0].created)}
        now = _("Now that is %(name)s, received %(time)s, and not this one.") % values
        return Standing(rule, now, counts=False, other=own[0].pk)
    return Standing(rule, _("This one does not count."), counts=False)


def _unpublished(submission: Submission) -> str:
    if submission.is_chosen:
        return _("The team has chosen this one; it counts as soon as it is published.")
    return _("This one is not published, so it does not count yet.")
