"""The deadline is read when the last byte comes, not when the archive is stored (fault A15)."""

import time
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from submissions.models import Split, Submission, Token, Upload
from submissions.services import submit as submitting
from submissions.services import tokens
from submissions.services import upload as uploads
from tests.submissions.sending import Sender, digest_header
from tests.submissions.split_of import small_split

HOUR = timedelta(hours=1)


@pytest.fixture
def dev(db, media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return small_split(closes=timezone.now() + HOUR)


@pytest.fixture
def slow(monkeypatch):
    """The window closes while the archive is hashed or stored."""
    closed = []

    def during(module, name):
        real = getattr(module, name)

        def closing(*args):
            if not closed:
                closed.append(timezone.now())
                Split.objects.update(closes=closed[0])
                time.sleep(0.05)
            return real(*args)

        monkeypatch.setattr(module, name, closing)

    during(uploads, "_stored")
    during(submitting, "_measured")
    return closed


def plain(client, dev, team):
    address = f"/uploads/plain/?split={dev.slug}&team={team.slug}&system=Parrot"
    return client.post(address, data=b"12345", content_type="application/zip")


def tus(client, dev, team):
    return Sender(client, dev, team).send(b"12345")


def checked(client, dev, team):
    sender = Sender(client, dev, team)
    return sender.patch(sender.open(5), 0, b"12345", **digest_header(b"12345"))


def at_once(client, dev, team):
    return Sender(client, dev, team).begin(5, b"12345")


def form(client, dev, team):
    archive = SimpleUploadedFile("HD-Track2.zip", b"12345")
    asked = {"split": "dev", "team": team.slug, "system_name": "Parrot", "archive": archive}
    return client.post("/en/submit/", asked)


def api(client, dev, team):
    user = team.members.first()
    key = tokens.create(user, "laptop", Token.Scope.SUBMIT, expires=None).key
    archive = SimpleUploadedFile("HD-Track2.zip", b"12345")
    asked = {"split": "dev", "team": team.slug, "system": "Parrot", "archive": archive}
    return client.post("/api/v1/submissions/", asked, headers={"Authorization": f"Bearer {key}"})


@pytest.mark.parametrize("door", [plain, tus, checked, at_once, form, api])
def test_storing_an_archive_costs_nobody_the_deadline(client, dev, team, alice, slow, door):
    client.force_login(alice)
    answer = door(client, dev, team)
    assert answer.status_code in (201, 204, 302), answer.content
    made = Submission.objects.get()
    # A file system notes its times a few milliseconds coarse.
    assert made.created <= slow[0] + timedelta(milliseconds=20)


@pytest.mark.parametrize("door", [plain, form, api])
def test_what_comes_after_the_close_is_late_at_every_door(client, dev, team, alice, door):
    client.force_login(alice)
    Split.objects.update(closes=timezone.now() - HOUR)
    answer = door(client, dev, team)
    assert answer.status_code in (403, 409, 422), answer.content
    assert not Submission.objects.exists()


@pytest.mark.parametrize("headers", [{}, digest_header(b"12345")])
def test_an_upload_that_began_in_time_and_ends_late_is_late(client, dev, team, alice, headers):
    client.force_login(alice)
    sender = Sender(client, dev, team)
    address = sender.open(5)
    Split.objects.update(closes=timezone.now() - HOUR)
    answer = sender.patch(address, 0, b"12345", **headers)
    assert (answer.status_code, answer["Submission-Refused"]) == (403, "window-closed")
    assert not Submission.objects.exists()


def test_a_server_that_died_after_the_last_byte_still_knows_when_it_came(client, dev, team, alice):
    client.force_login(alice)
    sender = Sender(client, dev, team)
    address = sender.open(5)
    uploads.receive(Upload.objects.get(), 0, [b"12345"])
    came = uploads.path_of(Upload.objects.get()).stat().st_mtime
    Split.objects.update(closes=timezone.now() + timedelta(milliseconds=20))
    while timezone.now() <= Split.objects.get().closes:
        pass
    assert sender.head(address)["Submission-Location"]
    assert Submission.objects.get().created.timestamp() == pytest.approx(came, abs=1e-5)


def test_who_comes_again_after_a_refusal_comes_now(client, dev, team, alice):
    client.force_login(alice)
    sender = Sender(client, dev, team)
    address = sender.open(5)
    Split.objects.update(limit_total=0)
    assert sender.patch(address, 0, b"12345")["Submission-Refused"] == "quota-total-used"
    Split.objects.update(limit_total=1, closes=timezone.now())
    again = client.post(f"{address.rstrip('/')}/submit/")
    assert (again.status_code, Submission.objects.count()) == (403, 0)
