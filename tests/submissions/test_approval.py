"""Splits that ask for approval: a team asks, the organisers answer, mails go both ways."""

import pytest
from django.core import mail
from django.utils import timezone

from submissions.models import Approval
from submissions.permissions import is_approved
from submissions.services import approve, teams
from submissions.services.approve import ApprovalRefused, State
from submissions.services.slots import slots
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.split_of import small_split

ADMIN = "/admin/submissions/approval/"


@pytest.fixture
def team(alice, bob):
    """Alice owns the team, Bob is a member."""
    made = teams.create("Wonderland", alice)
    teams.join(made, bob)
    return made


@pytest.fixture
def split(db):
    """A split that asks for approval."""
    return small_split("closed", "Closed", needs_approval=True)


def ask(client, user, team, split, message="We are from the other side."):
    address = url("team-ask", team.slug, split.slug)
    return login(client, user).post(address, {"message": message}, follow=True)


def answer(client, olga, action, words=""):
    pks = list(Approval.objects.values_list("pk", flat=True))
    form = {"action": action, "_selected_action": pks, "answer": words}
    return login(client, olga).post(ADMIN, form, follow=True)


def test_without_approval_a_team_cannot_submit(team, split):
    found = slots(split, team, timezone.now())
    assert (found.allowed, found.left) == (False, 0)
    assert found.reason == "This split takes only teams that the organisers have approved."


def test_a_split_that_asks_for_none_needs_none(team, split):
    split.needs_approval = False
    assert is_approved(split, team)
    with pytest.raises(ApprovalRefused) as caught:
        approve.ask(split, team, "please")
    assert caught.value.code == "approval-not-needed"


def test_a_granted_team_submits_and_another_does_not(
    client, team, split, alice, charlie, olga, eager, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        ask(client, alice, team, split)
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (
        ["olga@example.org"],
        "Wonderland asks to take part in Closed",
    )
    assert "We are from the other side." in letter.body
    with django_capture_on_commit_callbacks(execute=True):
        answer(client, olga, "grant", "Welcome.")
    approval = Approval.objects.get()
    assert (approval.state, approval.answer) == (State.GRANTED, "Welcome.")
    assert approval.decided_by == olga
    assert slots(split, team, timezone.now()).allowed
    assert sorted(letter.to[0] for letter in mail.outbox[1:]) == [
        "alice@example.org",
        "bob@example.org",
    ]
    assert "Welcome." in mail.outbox[1].body
    assert not slots(split, teams.create("Hatters", charlie), timezone.now()).allowed


def test_a_refused_team_reads_why_and_asks_again(
    client, team, split, alice, olga, eager, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        ask(client, alice, team, split)
    with django_capture_on_commit_callbacks(execute=True):
        answer(client, olga, "refuse", "Tell us who you are.")
    page = text_of(login(client, alice).get(url("team", team.slug)))
    assert "Tell us who you are." in page
    assert not slots(split, team, timezone.now()).allowed
    with django_capture_on_commit_callbacks(execute=True):
        ask(client, alice, team, split, "We are Alice and Bob.")
    assert Approval.objects.get().state == State.REQUESTED
    told = [letter.body for letter in mail.outbox if letter.to == ["olga@example.org"]]
    assert len(told) == 2
    assert "We are Alice and Bob." in told[1]


def test_asking_twice_says_who_must_act(client, team, split, alice):
    ask(client, alice, team, split)
    text = text_of(ask(client, alice, team, split, "Once more"))
    assert "Your team has asked already. Wait for the organisers" in text
    assert Approval.objects.get().message == "We are from the other side."


def test_a_request_without_words_is_not_sent(client, team, split, alice):
    assert "Write a message to the organisers." in text_of(ask(client, alice, team, split, " "))
    assert not Approval.objects.exists()


def test_only_owners_ask(client, team, split, bob, charlie):
    assert ask(client, bob, team, split).status_code == 403
    assert ask(client, charlie, team, split).status_code == 404
    assert not Approval.objects.exists()


def test_only_organisers_answer(client, team, split, alice):
    ask(client, alice, team, split)
    answer(client, alice, "grant")
    assert Approval.objects.get().state == State.REQUESTED


def test_the_same_decision_twice_is_one(team, split, olga):
    approval = approve.ask(split, team, "please")
    now = timezone.now()
    first = approve.decide(approval, State.GRANTED, by=olga, answer="", now=now)
    again = approve.decide(approval, State.GRANTED, by=None, answer="", now=timezone.now())
    assert (first.decided, again.decided, again.decided_by) == (now, now, olga)
    with pytest.raises(ValueError, match="no decision"):
        approve.decide(approval, State.REQUESTED, by=olga, answer="", now=now)
