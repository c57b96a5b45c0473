"""A team takes a submission back from its page; outsiders learn nothing."""

import pytest
from django.utils import timezone

from leaderboard.boards import latest
from submissions.models import Submission
from submissions.services.submit import slots
from submissions.states import State
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def split(db, media):
    return stage.make_split(limit_total=2, limit_per_day=None, items_public=True)


@pytest.fixture
def submission(split, team):
    return stage.make_submission(split, team, state=State.SCORING)


def withdraw(client, user, submission):
    return login(client, user).post(url("withdraw", submission.pk), follow=True)


def test_a_member_withdraws_what_is_under_way_and_gets_the_slot_back(
    client, split, team, submission, bob
):
    page = login(client, bob).get(url("submission", submission.pk))
    assert url("withdraw", submission.pk) in page.content.decode()
    asked = text_of(client.get(url("withdraw", submission.pk)))
    assert "Withdraw Parrot ?" in asked
    assert "Scoring stops within seconds" in asked
    assert "It costs no slot" in asked
    submission.refresh_from_db()
    assert submission.state == State.SCORING  # asking does nothing
    text = text_of(withdraw(client, bob, submission))
    submission.refresh_from_db()
    assert submission.state == State.WITHDRAWN
    assert "The submission is withdrawn. Nothing more is done for it. It costs no slot." in text
    assert "The team may hand in 2 more now." in text
    assert "This submission was withdrawn;" in text
    assert slots(split, team, timezone.now()).left == 2
    event = submission.events.get()
    assert (event.who, event.why) == (bob, "Withdrawn by the team.")


def test_a_published_entry_leaves_the_board_with_its_event(client, split, submission, alice):
    stage.score(submission)
    stage.published_board(split)
    asked = text_of(login(client, alice).get(url("withdraw", submission.pk)))
    assert "It leaves the board" in asked
    assert "Scoring stops" not in asked
    text = text_of(withdraw(client, alice, submission))
    assert "The submission is withdrawn. It has left the board." in text
    board = latest(split)
    assert (board.rows, board.cause) == ([], "Parrot withdrawn")


def test_an_organiser_withdraws_in_the_name_of_the_organisers(client, submission, olga):
    withdraw(client, olga, submission)
    event = submission.events.get()
    assert (event.who, event.why) == (olga, "Withdrawn by the organisers.")


@pytest.mark.parametrize("published", [False, True])
def test_for_the_outsider_there_is_nothing_to_withdraw(client, submission, charlie, published):
    stage.score(submission, publish=published)
    address = url("withdraw", submission.pk)
    anonymous = client.get(address)
    assert (anonymous.status_code, "login" in anonymous["Location"]) == (302, True)
    assert client.post(address).status_code == 302
    login(client, charlie)
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert Submission.objects.get().state == State.SCORED
    page = client.get(url("submission", submission.pk))
    assert "withdraw" not in page.content.decode().lower()


@pytest.mark.parametrize("state", [State.WITHDRAWN, State.REJECTED, State.DISQUALIFIED])
def test_what_is_settled_cannot_be_withdrawn(client, submission, alice, state):
    Submission.objects.update(state=state)
    login(client, alice)
    for ask in (client.get, client.post):
        text = text_of(ask(url("withdraw", submission.pk), follow=True))
        assert "This submission cannot be withdrawn: its state is" in text
    assert Submission.objects.get().state == state
    assert url("withdraw", submission.pk) not in text
