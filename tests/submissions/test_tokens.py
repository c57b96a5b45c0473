from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.models import Token
from submissions.services.tokens import allows, authenticate, create
from tests.submissions.sending import Sender
from tests.submissions.split_of import small_split

PAGE = "/en/account/tokens/"


def header(key):
    return f"Bearer {key}"


@pytest.fixture
def now():
    return timezone.now()


def test_only_the_digest_of_a_key_is_kept(alice):
    token, key = create(alice, "cluster", "submit", expires=None)
    assert key.startswith("fdl_")
    assert len(key) >= 40
    assert (token.start, len(token.digest)) == (key[:10], 64)
    stored = Token.objects.filter(pk=token.pk).values()[0]
    assert key not in map(str, stored.values())


def test_two_keys_are_never_the_same(alice):
    keys = {create(alice, "x", "read", expires=None).key for _ in range(20)}
    assert len(keys) == 20


def test_a_key_is_recognised_and_its_use_is_noted(alice, now):
    token, key = create(alice, "cluster", "submit", expires=None)
    found = authenticate(header(key), now)
    assert (found, found.user) == (token, alice)
    token.refresh_from_db()
    assert token.last_used == now


def test_the_last_use_is_written_once_a_minute_at_most(alice, now, django_assert_num_queries):
    key = create(alice, "cluster", "submit", expires=None).key
    authenticate(header(key), now)
    with django_assert_num_queries(1):
        authenticate(header(key), now + timedelta(seconds=59))
    with django_assert_num_queries(2):
        authenticate(header(key), now + timedelta(seconds=60))


@pytest.mark.parametrize("text", ["", "Bearer", "Bearer fdl_", "Basic fdl_x", "fdl_x", "Bearer x"])
def test_nonsense_is_nobody(db, now, text):
    assert authenticate(text, now) is None


def test_a_key_ends_at_its_moment(alice, now):
    key = create(alice, "cluster", "read", expires=now + timedelta(days=30)).key
    assert authenticate(header(key), now + timedelta(days=30, seconds=-1))
    assert authenticate(header(key), now + timedelta(days=30)) is None


def test_the_key_of_a_locked_account_opens_nothing(alice, now):
    key = create(alice, "cluster", "read", expires=None).key
    alice.is_active = False
    alice.save()
    assert authenticate(header(key), now) is None


def test_who_may_submit_may_read_but_not_the_other_way(alice):
    reader = create(alice, "r", "read", expires=None).token
    sender = create(alice, "s", "submit", expires=None).token
    assert [allows(reader, scope) for scope in ("read", "submit")] == [True, False]
    assert [allows(sender, scope) for scope in ("read", "submit")] == [True, True]


def test_a_key_uploads_without_a_session_or_a_csrf_token(client, team, alice, media, settings):
    settings.PARTIAL_DIR = media / "partial"
    split = small_split()
    key = create(alice, "s", "submit", expires=None).key
    strict = type(client)(enforce_csrf_checks=True)
    sender = Sender(strict, split, team, Authorization=header(key))
    assert "/submission/" in sender.send(b"some bytes")["Submission-Location"]
    reading = create(alice, "r", "read", expires=None).key
    weak = Sender(strict, split, team, Authorization=header(reading)).begin(10)
    assert (weak.status_code, weak.json()["code"]) == (403, "key-too-weak")
    wrong = Sender(strict, split, team, Authorization=header(key + "x")).begin(10)
    assert (wrong.status_code, wrong.json()["code"]) == (401, "not-logged-in")


def test_the_page_shows_a_new_key_once(client, alice, now):
    client.force_login(alice)
    answer = client.post(PAGE, {"name": "cluster", "scope": "submit", "days": "30"})
    token = Token.objects.get()
    key = answer.context["new"].key
    assert key in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert (token.name, token.scope) == ("cluster", "submit")
    assert timedelta(days=29) < token.expires - now <= timedelta(days=30, minutes=1)
    again = client.get(PAGE).content.decode()
    assert key not in again
    assert token.start in again


def test_a_key_may_live_for_ever_but_not_for_a_day_of_its_own_choosing(client, alice):
    client.force_login(alice)
    assert client.post(PAGE, {"name": "x", "scope": "read", "days": ""}).status_code == 200
    assert Token.objects.get().expires is None
    assert client.post(PAGE, {"name": "x", "scope": "read", "days": "9999"}).status_code == 422
    assert client.post(PAGE, {"name": "x", "scope": "admin", "days": ""}).status_code == 422
    assert Token.objects.count() == 1


def test_a_revoked_key_opens_nothing_and_only_its_owner_revokes_it(client, alice, charlie, now):
    token, key = create(alice, "cluster", "submit", expires=None)
    client.force_login(charlie)
    client.post(f"{PAGE}{token.pk}/revoke/")
    assert token.start not in client.get(PAGE).content.decode()
    assert authenticate(header(key), now)
    client.force_login(alice)
    assert client.get(f"{PAGE}{token.pk}/revoke/").status_code == 405
    assert client.post(f"{PAGE}{token.pk}/revoke/").status_code == 302
    assert authenticate(header(key), now) is None


def test_the_page_is_for_people_with_an_account(client, db):
    assert client.get(PAGE)["Location"].startswith("/en/account/login/")
