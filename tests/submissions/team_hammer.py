"""Change a team from two threads at one moment, again and again; print what each was told.

    python -m tests.submissions.team_hammer ROUNDS SCENE ...

A scene makes a fresh team, names two verbs that meet, and says afterwards what has become of the
team. Each round prints one line: the scene, what the first was told, what the second was told, what
is left.
"""

import os
import sys
import threading
from itertools import count

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402 (needs the set-up above)
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from submissions.models import Approval, Membership, Team  # noqa: E402
from submissions.services import approve, invite, teams  # noqa: E402
from submissions.services.refused import Refused  # noqa: E402
from tests.submissions.split_of import small_split  # noqa: E402

OWNER, MEMBER = Membership.Role.OWNER, Membership.Role.MEMBER
NUMBERS = count(1)


def person():
    name = f"person-{next(NUMBERS)}"
    user = User.objects.create_user(name, f"{name}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def team_of(*roles):
    """A team, and its people in the order of their roles."""
    name = f"team-{next(NUMBERS)}"
    team = Team.objects.create(name=name, slug=name)
    people = [person() for _ in roles]
    for user, role in zip(people, roles, strict=True):
        Membership.objects.create(team=team, user=user, role=role)
    return team, *people


def owners(team):
    return team.memberships.filter(role=OWNER).count()


def two_owners_leave():
    team, one, other = team_of(OWNER, OWNER)
    yield lambda: teams.leave(team, one), lambda: teams.leave(team, other)
    yield owners(team)


def one_owner_leaves_in_two_tabs():
    team, one, _other = team_of(OWNER, OWNER)
    yield lambda: teams.leave(team, one), lambda: teams.leave(team, one)
    yield owners(team)


def two_owners_take_each_other_out():
    team, one, other = team_of(OWNER, OWNER)
    yield lambda: teams.remove(team, one.pk), lambda: teams.remove(team, other.pk)
    yield owners(team)


def two_owners_become_members():
    team, one, other = team_of(OWNER, OWNER)
    change = teams.change_role
    yield lambda: change(team, one.pk, MEMBER), lambda: change(team, other.pk, MEMBER)
    yield owners(team)


def an_owner_hands_over_to_somebody_who_leaves():
    team, owner, heir = team_of(OWNER, MEMBER)
    yield lambda: teams.hand_over(team, owner, heir.pk), lambda: teams.leave(team, heir)
    yield owners(team)


def an_invitation_is_accepted_twice():
    (team, owner), guest = team_of(OWNER), person()
    invitation = invite.invite(team, owner, timezone.now(), guest.email).invitation
    accept = [lambda: invite.accept(invitation, guest, timezone.now())] * 2
    yield tuple(accept)
    yield team.memberships.filter(user=guest).count()


def an_invitation_is_accepted_and_taken_back():
    (team, owner), guest = team_of(OWNER), person()
    invitation = invite.invite(team, owner, timezone.now(), guest.email).invitation
    yield (
        lambda: invite.accept(invitation, guest, timezone.now()),
        lambda: invite.revoke(team, invitation.pk, timezone.now()),
    )
    invitation.refresh_from_db()
    is_closed = invitation.digest.startswith("closed-")
    yield f"{team.memberships.filter(user=guest).count()}-{'closed' if is_closed else 'used'}"


def one_address_is_invited_twice():
    (team, owner), guest = team_of(OWNER), person()
    ask = [lambda: invite.invite(team, owner, timezone.now(), guest.email)] * 2
    yield tuple(ask)
    yield invite.usable(timezone.now()).filter(team=team).count()


def a_team_asks_for_approval_twice():
    team, _owner = team_of(OWNER)
    split = small_split(team.slug, team.name, needs_approval=True)
    yield tuple([lambda: approve.ask(split, team, "Please.")] * 2)
    yield Approval.objects.filter(team=team).count()


def two_organisers_answer():
    """Whose answer stands is the one that is named, with its own words."""
    team, _owner = team_of(OWNER)
    split = small_split(team.slug, team.name, needs_approval=True)
    asked, one, other = approve.ask(split, team, "Please."), person(), person()

    def decide(state, by):
        return approve.decide(asked, state, by=by, answer=state, now=timezone.now())

    yield (
        lambda: decide(Approval.State.GRANTED, one),
        lambda: decide(Approval.State.REFUSED, other),
    )
    asked.refresh_from_db()
    yield f"{asked.answer}-by-{'one' if asked.decided_by == one else 'other'}-{asked.state}"


def two_people_make_a_team_of_one_name():
    name, one, other = f"Hatters {next(NUMBERS)}", person(), person()
    yield lambda: teams.create(name, one), lambda: teams.create(name.upper(), other)
    yield Team.objects.filter(name__iexact=name).count()


def two_people_make_teams_whose_addresses_would_be_the_same():
    number, one, other = next(NUMBERS), person(), person()
    names = f"March Hare {number}", f"March-Hare {number}"
    yield lambda: teams.create(names[0], one), lambda: teams.create(names[1], other)
    yield Team.objects.filter(name__in=names).count()


def one_person_makes_a_team_in_two_tabs():
    name, one = f"Dormice {next(NUMBERS)}", person()
    yield tuple([lambda: teams.create(name, one)] * 2)
    yield Team.objects.filter(name=name).count()


def told(verb, barrier, answers, place):
    connection.ensure_connection()
    barrier.wait()
    try:
        verb()
        answers[place] = "done"
    except Refused as refused:
        answers[place] = refused.code
    finally:
        connection.close()


def meet(verbs):
    """Say them at one moment, each with a connection of its own; what each was told."""
    barrier, answers = threading.Barrier(len(verbs)), ["broken"] * len(verbs)
    threads = [
        threading.Thread(target=told, args=(verb, barrier, answers, place))
        for place, verb in enumerate(verbs)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return " ".join(answers)


def main(rounds, scenes):
    for scene in scenes:
        for _ in range(rounds):
            play = globals()[scene]()
            answers = meet(next(play))
            sys.stdout.write(f"{scene}: {answers} {next(play)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
