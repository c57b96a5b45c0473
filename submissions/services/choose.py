"""Which of its submissions a team lets count, where the split leaves it the choice."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from submissions import rules
from submissions.contact import and_ask
from submissions.models import Split, Submission, Team
from submissions.queries import choice_end
from submissions.services.refused import Refused
from submissions.signals import board_changed
from submissions.states import Role, State, note


@transaction.atomic
def choose(submission: Submission, *, who: Any) -> None:
    """Let this submission of a team count, and no other one on its split.

    Raises:
        Refused: the split leaves no choice, or none any more, or the submission has no scores to
            stand for.
    """
    Team.objects.select_for_update().get(pk=submission.team_id)
    submission.refresh_from_db()
    _demand(submission)
    siblings = Submission.objects.filter(split=submission.split_id, team=submission.team_id)
    siblings.filter(is_chosen=True).update(is_chosen=False)
    siblings.filter(pk=submission.pk).update(is_chosen=True)
    submission.is_chosen = True
    note(submission, "Chosen by the team.", who=who, role=Role.TEAM)
    if submission.published is not None:
        cause = f"{submission.team} chose {submission.system}"
        board_changed.send(sender=Split, split=submission.split, cause=cause)


def is_choice_over(split: Split) -> bool:
    """Whether the window has closed, or blind scores are shown."""
    ends = choice_end(split)
    return ends is not None and timezone.now() > ends


def can_be_chosen(submission: Submission) -> bool:
    """Whether a team may choose it now."""
    return (
        submission.split.counting == Split.Counting.CHOSEN
        and not is_choice_over(submission.split)
        and submission.state == State.SCORED
        and not submission.is_trial
        and not submission.is_chosen
    )


def _demand(submission: Submission) -> None:
    if submission.split.counting != Split.Counting.CHOSEN:
        raise Refused(
            "split-leaves-no-choice",
            _("This split decides by itself which submissions count."),
            rules.sentence(submission.split, "counting"),
        )
    if is_choice_over(submission.split):
        raise Refused(
            "choice-is-over",
            _("The choice ended with the window of this split."),
            and_ask(_("What stood then counts.")),
        )
    if submission.is_trial or submission.state != State.SCORED:
        raise Refused(
            "not-scored",
            _("Only a scored submission can count, and never a trial."),
            _("Wait until it is scored, or choose another one."),
        )
