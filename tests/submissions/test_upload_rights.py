"""Who may go on with an upload: asked at its beginning, at every piece and at its end."""

import pytest
from django.test import Client

from submissions.models import Split, Submission, Upload
from submissions.services import tokens
from submissions.services.slots import SubmissionRefused
from submissions.services.upload import finish, path_of
from tests.submissions.sending import Sender, digest_header
from tests.submissions.split_of import small_split

DATA = b"0123456789"
pytestmark = pytest.mark.django_db


@pytest.fixture
def split(media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return small_split()


@pytest.fixture
def sender(client, split, team, alice):
    client.force_login(alice)
    return Sender(client, split, team)


@pytest.fixture
def begun(sender):
    """Four of ten bytes are here."""
    url = sender.open(len(DATA))
    assert sender.patch(url, 0, DATA[:4]).status_code == 204
    return url


def arrived():
    return path_of(Upload.objects.get()).stat().st_size


def test_who_has_left_the_team_sends_no_more_for_it(sender, begun, team, alice):
    team.members.remove(alice)
    answer = sender.patch(begun, 4, DATA[4:6])
    assert (answer.status_code, answer.json()["code"]) == (403, "not-a-member")
    assert answer.json()["rule"] == "You cannot submit for this team."
    assert answer.json()["cure"] == "Name a team that you belong to."
    assert arrived() == 4


def test_a_piece_with_a_checksum_is_asked_the_same(sender, begun, team, alice):
    team.members.remove(alice)
    answer = sender.patch(begun, 4, DATA[4:], **digest_header(DATA[4:]))
    assert (answer.status_code, answer.json()["code"]) == (403, "not-a-member")
    assert arrived() == 4


def test_a_description_is_asked_the_same(client, sender, begun, team, alice):
    team.members.remove(alice)
    answer = client.put(f"{begun}description/?public=1")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-a-member")
    assert not Upload.objects.get().document_public


def test_who_is_back_in_the_team_goes_on(sender, begun, team, alice):
    team.members.remove(alice)
    sender.patch(begun, 4, DATA[4:])
    team.members.add(alice)
    assert sender.patch(begun, 4, DATA[4:]).status_code == 204
    assert Submission.objects.get().size == len(DATA)


def test_what_is_here_may_still_be_deleted(sender, begun, team, alice):
    team.members.remove(alice)
    assert sender.delete(begun).status_code == 204
    assert not Upload.objects.exists()


def test_an_account_that_was_closed_sends_no_more_by_session(sender, begun, alice):
    alice.is_active = False
    alice.save()
    answer = sender.patch(begun, 4, DATA[4:])
    assert (answer.status_code, answer.json()["code"]) == (401, "not-logged-in")
    assert arrived() == 4


def test_an_account_that_was_closed_sends_no_more_by_key(split, team, alice):
    key = tokens.create(alice, "t", "submit", expires=None).key
    sender = Sender(Client(), split, team, Authorization=f"Bearer {key}")
    url = sender.open(len(DATA))
    alice.is_active = False
    alice.save()
    answer = sender.patch(url, 0, DATA)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-logged-in")
    assert arrived() == 0


@pytest.mark.parametrize("loss", ["membership", "account"])
def test_the_end_asks_once_more_for_what_changed_during_the_last_piece(begun, team, alice, loss):
    upload = Upload.objects.get()
    path_of(upload).write_bytes(DATA)
    if loss == "membership":
        team.members.remove(alice)
    else:
        alice.is_active = False
        alice.save()
    with pytest.raises(SubmissionRefused, match="You cannot submit for this team"):
        finish(Upload.objects.get())
    assert not Submission.objects.exists()


def test_a_split_that_takes_no_more_uploads_is_said_as_such(sender, begun):
    Split.objects.update(accepts_uploads=False)
    answer = sender.patch(begun, 4, DATA[4:])
    assert (answer.status_code, answer.json()["code"]) == (403, "split-takes-no-uploads")
    assert Upload.objects.get().offset == len(DATA)
