"""Who may see and do what: pure functions over a user, a split and a submission.

Conventions: staff may see everything; a *team member* belongs to the submission's team. Whoever
may not see something is told that it does not exist.
"""

from typing import Any

from submissions.models import Split, Submission, Team

HIDDEN_FROM_PUBLIC = (Submission.State.WITHDRAWN,)
WITHOUT_NUMBERS = (Submission.State.WITHDRAWN, Submission.State.DISQUALIFIED)


def is_member(user: Any, team: Team) -> bool:
    """Whether the user belongs to a team."""
    return bool(user.is_authenticated) and team.members.filter(pk=user.pk).exists()


def is_public(submission: Submission) -> bool:
    """Whether everybody may know of a submission."""
    return submission.published is not None and submission.state not in HIDDEN_FROM_PUBLIC


def can_see_submission(user: Any, submission: Submission) -> bool:
    """Everybody once it is published; before that its team and staff."""
    return is_public(submission) or user.is_staff or is_member(user, submission.team)


def can_see_results(user: Any, submission: Submission) -> bool:
    """Scores: as the submission itself, but a split with a reveal time is blind until then.

    Before the reveal not even the team sees its scores; afterwards, and for splits that the
    organiser publishes by hand, the team sees its own.
    """
    if user.is_staff:
        return True
    if submission.published is not None and submission.state not in WITHOUT_NUMBERS:
        return True
    is_blind = submission.split.publication == Split.Publication.REVEAL
    was_revealed = submission.published is not None
    return (was_revealed or not is_blind) and is_member(user, submission.team)


def can_see_items(user: Any, split: Split, submission: Submission | None = None) -> bool:
    """Single items: everybody where the split's items are public, else its team and staff.

    Without a submission only the user side is meant.
    """
    if user.is_staff:
        return True
    if submission is None:
        return split.items_public
    if not can_see_results(user, submission):
        return False
    return split.items_public or is_member(user, submission.team)


def can_submit(user: Any, split: Split, team: Team) -> bool:
    """Members of a team, to splits that take uploads; windows and quotas are asked elsewhere."""
    return split.accepts_uploads and is_member(user, team)
