"""Unfinished uploads and keys at the organisers' desk: seen, ended, never written, never told."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from submissions.models import System, Token, Upload
from submissions.services import tokens
from submissions.services.upload import path_of
from tests.leaderboard import stage
from tests.submissions.sending import Sender
from tests.submissions.split_of import small_split

pytestmark = pytest.mark.django_db


@pytest.fixture
def split(media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return small_split()


@pytest.fixture
def desk(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
def upload(client, split, team, alice):
    client.force_login(alice)
    sender = Sender(client, split, team)
    sender.patch(sender.open(10), 0, b"12345")
    return Upload.objects.get()


@pytest.fixture
def key(alice):
    return tokens.create(alice, "Robot", "submit", expires=None).key


def page(desk, name, *args):
    return desk.get(reverse(f"admin:submissions_{name}", args=args))


def act(desk, model, action, *rows):
    data = {"action": action, "_selected_action": [str(one.pk) for one in rows]}
    return desk.post(reverse(f"admin:submissions_{model}_changelist"), data, follow=True)


def test_unfinished_uploads_are_listed_with_what_has_arrived(upload, desk, team, split, alice):
    done = stage.make_submission(split, team)
    Upload.objects.create(
        user=alice, split=split, team=team, system=System.objects.first(), length=9, offset=9,
        file_name="finished.zip", submission=done, expires=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    text = page(desk, "upload_changelist").content.decode()
    assert "HD-Track2.zip" in text
    assert "50 %" in text
    assert "finished.zip" not in text


def test_a_discarded_upload_leaves_no_bytes_and_a_line_in_the_log(upload, desk, olga):
    assert path_of(upload).exists()
    answer = act(desk, "upload", "discard_chosen", upload)
    assert "Done: 1." in answer.content.decode()
    assert not Upload.objects.exists()
    assert not path_of(upload).exists()
    assert LogEntry.objects.get().user == olga


def test_a_key_is_listed_and_never_told(key, desk):
    token = Token.objects.get()
    for answer in (page(desk, "token_changelist"), page(desk, "token_change", token.pk)):
        text = answer.content.decode()
        assert "Robot" in text
        assert key not in text
        assert token.digest not in text


def test_a_revoked_key_opens_nothing(key, desk):
    now = timezone.now()
    assert tokens.authenticate(f"Bearer {key}", now) is not None
    act(desk, "token", "revoke_chosen", Token.objects.get())
    assert tokens.authenticate(f"Bearer {key}", now) is None
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize("model", ["upload", "token"])
def test_nothing_is_added_changed_or_deleted_by_hand(upload, key, desk, model):
    row = Upload.objects.get() if model == "upload" else Token.objects.get()
    assert page(desk, f"{model}_add").status_code == 403
    assert desk.post(reverse(f"admin:submissions_{model}_change", args=[row.pk])).status_code == 403
    assert page(desk, f"{model}_delete", row.pk).status_code == 403
    assert page(desk, f"{model}_change", row.pk).status_code == 200
    act(desk, model, "delete_selected", row)
    assert type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize(("model", "action"), [("upload", "discard_chosen"),
                                               ("token", "revoke_chosen")])  # fmt: skip
def test_who_may_only_look_ends_nothing(client, upload, key, bob, model, action):
    bob.is_staff = True
    bob.save()
    bob.user_permissions.add(Permission.objects.get(codename=f"view_{model}"))
    client.force_login(bob)
    row = Upload.objects.get() if model == "upload" else Token.objects.get()
    assert page(client, f"{model}_changelist").status_code == 200
    act(client, model, action, row)
    assert type(row).objects.filter(pk=row.pk).exists()
