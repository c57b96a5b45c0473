"""Who may see and do what: pure functions over a user, a split and a submission.

Conventions: an *organiser* of a split may see everything of it; staff are organisers of every
split. A *team member* belongs to the submission's team. Whoever may not see something is told that
it does not exist.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils import timezone

from submissions.models import Approval, Membership, Split, Submission, Team
from submissions.states import LEFT

HIDDEN_FROM_PUBLIC = (Submission.State.WITHDRAWN,)


def fetch_rights(user: Any) -> None:
    """Fetch once what the questions below ask of a user, for pages that ask many."""
    if user.is_authenticated:
        prefetch_related_objects([user], "teams", "organised_splits")


def is_member(user: Any, team: Team) -> bool:
    """Whether the user belongs to a team."""
    return bool(user.is_authenticated) and any(one.pk == team.pk for one in user.teams.all())


def is_organiser(user: Any, split: Split) -> bool:
    """Whether the user runs a split: staff, and those whom the split names."""
    return bool(user.is_staff) or (
        bool(user.is_authenticated)
        and any(one.pk == split.pk for one in user.organised_splits.all())
    )


def can_see_team(user: Any, team: Team) -> bool:
    """Members and invitations of a team: its members and staff."""
    return bool(user.is_staff) or is_member(user, team)


def is_owner(user: Any, team: Team) -> bool:
    """Whether the user owns a team."""
    return _has_role(user, team, Membership.Role.OWNER)


def can_manage_team(user: Any, team: Team) -> bool:
    """Invite, remove, give roles, ask for approval: owners. Organisers do it in the admin."""
    return is_owner(user, team)


def can_edit_system(user: Any, team: Team) -> bool:
    """Every member may describe the team's systems."""
    return is_member(user, team)


def is_approved(split: Split, team: Team) -> bool:
    """Whether a team may take part in a split as far as approval goes."""
    if not split.needs_approval:
        return True
    return split.approvals.filter(team=team, state=Approval.State.GRANTED).exists()


def is_public(submission: Submission) -> bool:
    """Whether everybody may know of a submission; of a draft's nobody does."""
    is_shown = submission.published is not None and submission.state not in HIDDEN_FROM_PUBLIC
    return is_shown and not submission.split.is_draft


def can_see_submission(user: Any, submission: Submission) -> bool:
    """Everybody once it is published; before that its team and the organisers."""
    return is_public(submission) or is_inside(user, submission)


def is_inside(user: Any, submission: Submission) -> bool:
    """Whether the user belongs to the submission's team, or runs its split."""
    return is_organiser(user, submission.split) or is_member(user, submission.team)


def can_withdraw(user: Any, submission: Submission) -> bool:
    """Take it back: every member of its team, and organisers; its state is asked elsewhere."""
    return is_inside(user, submission)


def can_choose(user: Any, submission: Submission) -> bool:
    """Say which submission counts: the members of its team."""
    return is_member(user, submission.team)


def can_see_check(user: Any, submission: Submission) -> bool:
    """What was found in the archive is for the team and organisers; it names files and ids."""
    return is_inside(user, submission)


def can_see_document(user: Any, submission: Submission) -> bool:
    """Its description: team and organisers, and everybody where the team lets them.

    The public reads it only beside public results: neither before the entry is published, nor
    after it was withdrawn or disqualified.
    """
    is_open = submission.document_public and _has_public_results(submission)
    return is_open or is_inside(user, submission)


def can_show_document(user: Any, submission: Submission) -> bool:
    """Say whether everybody may read its description: the members of its team."""
    return is_member(user, submission.team)


def can_correct(user: Any, submission: Submission) -> bool:
    """Correct a judge's label, and score again: organisers."""
    return is_organiser(user, submission.split)


def can_see_costs(user: Any, submission: Submission) -> bool:
    """What judging costs is for the team and organisers; never for the public."""
    return is_inside(user, submission)


def can_see_results(user: Any, submission: Submission) -> bool:
    """Scores: as the submission itself, but a split with a reveal time is blind until then.

    Before the reveal not even the team sees its scores; afterwards, and for splits that the
    organiser publishes by hand, the team sees its own. A trial is for its team alone, at once, and
    tells it scores only where ``trial_tells_scores``.
    """
    return is_organiser(user, submission.split) or _reader_sees_results(user, submission)


def can_see_items(user: Any, split: Split, submission: Submission | None = None) -> bool:
    """Single items: everybody where the split's items are public, else its team and organisers.

    Items of a trial are for its team, and only where a trial tells of them. Without a submission
    only the user side is meant.
    """
    return can_see_all_items(user, split, [submission] if submission else [])


def can_see_all_items(user: Any, split: Split, submissions: Sequence[Submission]) -> bool:
    """Items of several submissions to one split at once; of none, the user side is meant."""
    if is_organiser(user, split):
        return True
    if not submissions:
        return split.items_public and not split.is_draft
    return all(_reader_sees_items(user, split, submission) for submission in submissions)


def is_blind(split: Split) -> bool:
    """Whether nobody but its organisers sees a score of the split now."""
    if split.publication != Split.Publication.REVEAL:
        return False
    return split.reveal is None or split.reveal > timezone.now()


def trial_tells_scores(split: Split) -> bool:
    """Whether a trial shows its team more than files and pipeline.

    Its items are items that rank. Where they, or their scores, are hidden, a trial that told of
    them would open the split a few items at a time.
    """
    return split.items_public and not is_blind(split)


def _reader_sees_results(user: Any, submission: Submission) -> bool:
    if _has_public_results(submission):
        return True
    if submission.is_trial:
        is_open = trial_tells_scores(submission.split)
    else:
        hides = submission.split.publication == Split.Publication.REVEAL
        is_open = submission.published is not None or not hides
    return is_open and is_member(user, submission.team)


def _reader_sees_items(user: Any, split: Split, submission: Submission) -> bool:
    if not _has_public_results(submission):
        # What is not public is seen by the team alone, results and items alike.
        return _reader_sees_results(user, submission)
    return split.items_public or is_member(user, submission.team)


def _has_public_results(submission: Submission) -> bool:
    return (
        submission.published is not None
        and submission.state not in LEFT
        and not submission.is_trial
        and not submission.split.is_draft
    )


def can_submit(user: Any, split: Split, team: Team) -> bool:
    """Members of a team, to splits that take uploads; windows and quotas are asked elsewhere."""
    return split.accepts_uploads and not split.is_draft and is_member(user, team)


def _has_role(user: Any, team: Team, role: str) -> bool:
    return bool(user.is_authenticated) and (
        team.memberships.filter(user_id=user.pk, role=role).exists()
    )
