"""Which mails are due, and to whom: after a result, an answer, and before a deadline."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet

from submissions.emails import tell
from submissions.models import Approval, Event, Split, Submission, Team, Upload
from submissions.states import FREE, State

# States that are told: template and setting.
TOLD = {
    State.SCORED: ("scored", "finished"),
    State.REJECTED: ("rejected", "failed"),
    State.FAILED: ("failed", "failed"),
}
# Hours before a deadline at which teams are reminded, the nearest first.
REMIND_AT = (24, 72)


class Late(NamedTuple):
    """A person with the teams that still have something to do before a deadline."""

    user: Any
    silent: list[Team]
    unfinished: list[Team]


def announce(event: Event) -> int:
    """Tell a team that its submission is scored, refused or failed.

    A submission that is scored again, or reinstated, is not announced a second time.
    """
    submission = event.submission
    template, kind = TOLD[State(event.to_state)]
    earlier = submission.events.filter(to_state=event.to_state, pk__lt=event.pk)
    if event.to_state == State.SCORED and earlier.exists():
        return 0
    values = {"submission": submission, "page": ("submission", submission.pk)}
    return tell(submission.team.members.all(), f"event:{event.pk}", template, values, kind=kind)


def announce_approval(approval: Approval) -> int:
    """Tell the organisers of a request, or the team of the answer."""
    if approval.state == Approval.State.REQUESTED:
        asked = approval.decided or approval.created
        return tell(
            get_user_model().objects.filter(is_staff=True),
            f"approval:{approval.pk}:{asked.isoformat()}:asked",
            "approval_asked",
            {"approval": approval, "page": ("organise",)},
        )
    moment = approval.decided.isoformat() if approval.decided else ""
    return tell(
        approval.team.members.all(),
        f"approval:{approval.pk}:{moment}",
        f"approval_{approval.state}",
        {"approval": approval, "page": ("team", approval.team.slug)},
    )


def announce_reveal(split: Split) -> int:
    """Tell every team with an entry that the results of a split are revealed; each person once."""
    entered = Submission.objects.filter(split=split, published__isnull=False, is_trial=False)
    people = get_user_model().objects.filter(teams__in=entered.values("team")).distinct()
    moment = split.reveal.isoformat() if split.reveal else ""
    values = {"split": split, "page": ("split", split.slug)}
    about = f"reveal:{split.pk}:{moment}"
    return tell(people, about, "revealed", values, kind="finished")


def remind(now: datetime) -> int:
    """Remind teams of deadlines that are near; each person once per deadline and distance."""
    horizon = now + timedelta(hours=max(REMIND_AT))
    due = Split.objects.taking_uploads().filter(is_demo=False, closes__gt=now, closes__lte=horizon)
    return sum(_remind(split, now) for split in due)


def _remind(split: Split, now: datetime) -> int:
    assert split.closes is not None  # noqa: S101 (chosen by it)
    hours = next(h for h in REMIND_AT if split.closes - now <= timedelta(hours=h))
    about = f"deadline:{split.pk}:{split.closes:%Y%m%dT%H%M}:{hours}"
    return sum(
        tell(
            [late.user],
            about,
            "deadline",
            {"split": split, "late": late, "page": ("submit",)},
            kind="deadline",
        )
        for late in _late(split, now)
    )


def _late(split: Split, now: datetime) -> Iterator[Late]:
    people: dict[Any, Late] = {}
    for team in _teams(split, now).prefetch_related("members"):
        for user in team.members.all():
            late = people.setdefault(user.pk, Late(user, [], []))
            # Annotated below.
            group = late.unfinished if team.has_unfinished else late.silent  # type: ignore[attr-defined]
            group.append(team)
    yield from people.values()


def _teams(split: Split, now: datetime) -> QuerySet[Team]:
    """Teams that take part and have nothing there that stands, or have an upload under way.

    A team takes part that has sent something, be it a trial, or was approved; the others of the
    site have nothing to do with this split.
    """
    sent = Submission.objects.filter(split=split, team=OuterRef("pk"))
    begun = Upload.objects.filter(split=split, team=OuterRef("pk"))
    under_way = begun.filter(is_trial=False, submission=None, expires__gt=now)
    granted = Approval.objects.filter(
        split=split, team=OuterRef("pk"), state=Approval.State.GRANTED
    )
    teams = Team.objects.annotate(
        has_submitted=Exists(sent.filter(is_trial=False).exclude(state__in=FREE)),
        has_unfinished=Exists(under_way),
    ).filter(Q(has_submitted=False) | Q(has_unfinished=True))
    if split.needs_approval:
        return teams.filter(Exists(granted))
    return teams.filter(Exists(sent) | Exists(begun) | Exists(granted))
