"""What a team may still submit to a split, and the words for it."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from submissions.contact import and_ask
from submissions.limits import (
    Allowance,
    Attempt,
    Refusal,
    allowance,
    is_spent,
    trial_allowance,
)
from submissions.models import Approval, Split, Submission, Team
from submissions.permissions import is_approved
from submissions.queries import scored_or_not
from submissions.services.refused import Refused
from submissions.states import FREE, UNFINISHED

# Trials that used up nothing: refused or failed; a withdrawn one has had its answer.
FREE_TRIALS = (Submission.State.REJECTED, Submission.State.FAILED)
# The fields of ``Attempt``, as ``scored_or_not`` gives them.
ASKED = ("created", "state", "was_scored", "is_trial")


class SubmissionRefused(Refused):
    """A submission that cannot be taken now."""


class Slots(NamedTuple):
    """What a team may still submit to a split, in words for its page.

    Attributes:
        allowed: whether it may now.
        left: submissions left now; ``None`` without a limit.
        next_opens: when the next one becomes possible; ``None`` if never, or now.
        reason: the rule that stands in the way; empty where none does.
        cure: what to do about it.
        code: the same for programs.
    """

    allowed: bool
    left: int | None
    next_opens: datetime | None
    reason: str = ""
    cure: str = ""
    code: str = ""


def slots(split: Split, team: Team, now: datetime, *, is_trial: bool = False) -> Slots:
    """Return what a team may still submit, or try."""
    return _told(allowance_of(split, team, now, is_trial=is_trial))


def slots_of(
    splits: Sequence[Split], teams: Sequence[Team], now: datetime
) -> dict[tuple[Split, Team, bool], Slots]:
    """The same of many at once: by split, team and whether a trial is meant."""
    rows: defaultdict[tuple[int, int], list[Attempt]] = defaultdict(list)
    found = scored_or_not(Submission.objects.filter(split__in=splits, team__in=teams))
    for split_id, team_id, *asked in found.values_list("split_id", "team_id", *ASKED):
        rows[split_id, team_id].append(Attempt(*asked))
    granted = Approval.objects.filter(state=Approval.State.GRANTED, team__in=teams)
    approved = set(granted.values_list("split_id", "team_id"))
    return {
        (split, team, is_trial): _told(
            _allowance(
                split,
                now,
                rows[split.pk, team.pk],
                is_approved=not split.needs_approval or (split.pk, team.pk) in approved,
                is_trial=is_trial,
            )
        )
        for split in splits
        for team in teams
        for is_trial in (False, True)
    }


def gives_slot_back(submission: Submission) -> bool:
    """Whether withdrawing it now would leave its slot unused."""
    row = scored_or_not(Submission.objects.filter(pk=submission.pk)).values_list(*ASKED).get()
    after = Attempt(*row)._replace(state=Submission.State.WITHDRAWN)
    return not is_spent(after, FREE_TRIALS if submission.is_trial else FREE)


def _told(allowed: Allowance) -> Slots:
    told = (*words(allowed.refusal), allowed.refusal.value) if allowed.refusal else ()
    return Slots(allowed.refusal is None, allowed.left, allowed.next_opens, *told)


def demand(split: Split, team: Team, now: datetime, *, is_trial: bool) -> None:
    """Stop what the split's window, its limits or its rules do not allow.

    Raises:
        SubmissionRefused: with the rule and what to do.
    """
    refusal = allowance_of(split, team, now, is_trial=is_trial).refusal
    if refusal is not None:
        raise SubmissionRefused(refusal.value, *words(refusal))


def allowance_of(split: Split, team: Team, now: datetime, *, is_trial: bool) -> Allowance:
    """Ask the limits about what the team has handed in so far."""
    found = scored_or_not(split.submissions.filter(team=team)).values_list(*ASKED)
    rows = [Attempt(*row) for row in found]
    return _allowance(split, now, rows, is_approved=is_approved(split, team), is_trial=is_trial)


def _allowance(
    split: Split, now: datetime, rows: Sequence[Attempt], *, is_approved: bool, is_trial: bool
) -> Allowance:
    if not split.accepts_uploads or split.is_draft:
        return Allowance(Refusal.NO_UPLOADS, 0, None)
    if not is_approved:
        return Allowance(Refusal.NOT_APPROVED, 0, None)
    used = [one for one in rows if is_spent(one, FREE_TRIALS if one.is_trial else FREE)]
    spent = [one.received for one in used if one.is_trial == is_trial]
    free = [one.received for one in rows if one not in used]
    if is_trial:
        return _trials(split, now, spent, free)
    unfinished = sum(one.state in UNFINISHED for one in rows if not one.is_trial)
    return allowance(
        now,
        spent,
        opens=split.opens,
        closes=split.closes,
        total=split.limit_total,
        per_day=split.limit_per_day,
        waits_for=unfinished if split.one_at_a_time else 0,
        free=free,
        free_per_day=split.refused_per_day,
    )


def _trials(split: Split, now: datetime, trials: list[datetime], free: list[datetime]) -> Allowance:
    if not split.trial_items:
        return Allowance(Refusal.NO_TRIALS, 0, None)
    return trial_allowance(
        now,
        trials,
        closes=split.closes,
        per_day=settings.TRIALS_PER_DAY,
        free=free,
        free_per_day=split.refused_per_day,
    )


def words(refusal: Refusal) -> tuple[str, str]:
    """The rule behind a refusal, and its cure."""
    return {
        Refusal.NOT_OPEN: (
            _("The window of this split is not open yet."),
            _("Come back when it opens; a trial is possible now."),
        ),
        Refusal.CLOSED: (
            _("The window of this split has closed."),
            and_ask(_("An upload counts by the moment at which its last byte came.")),
        ),
        Refusal.TOTAL: (
            _("Your team has used all its submissions to this split."),
            and_ask(_("Nothing more can be submitted by this team.")),
        ),
        Refusal.DAY: (
            _("Your team has used its submissions of the last 24 hours."),
            _("Wait for the next slot; refused and failed attempts do not count."),
        ),
        Refusal.UNDER_WAY: (
            _("This split takes one submission at a time, and one of your team is under way."),
            _("Wait until it is scored, or withdraw it."),
        ),
        Refusal.NO_UPLOADS: (
            _("This split takes no uploads."),
            _("Choose another split."),
        ),
        Refusal.NOT_APPROVED: (
            _("This split takes only teams that the organisers have approved."),
            _("Ask for approval on your team's page; an answer comes by mail."),
        ),
        Refusal.NO_TRIALS: (
            _("This split has no trials."),
            _("Check the archive on your own machine instead."),
        ),
        Refusal.TRIALS: (
            _("Your team has used its trials of the last 24 hours."),
            _("Wait for the next one; refused and failed trials do not count."),
        ),
        Refusal.FREE: (
            _(
                "Your team has used its attempts of the last 24 hours that cost no slot: archives "
                "that were refused, failed on our side, or were withdrawn before they were scored."
            ),
            _("Check the archive on your own machine, and come back when the next one is free."),
        ),
    }[refusal]
