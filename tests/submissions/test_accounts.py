"""Accounts: sign up, verify, log in, reset, second factor, log-in through others."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import User

from leaderboard.management.commands import load_demo
from submissions.models import MailSettings
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.letters import letters, link_in

ROOT = Path(__file__).parents[2]
PASSWORD = "through-the-glass-9"
DORA = {
    "username": "dora",
    "email": "dora@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture(autouse=True)
def own_counters(settings, request):
    """Rate limits of one test do not reach another."""
    cache = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {"default": {**cache, "LOCATION": request.node.nodeid}}


@pytest.fixture
def post(settings, tmp_path):
    """The folder in which mails land."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    return tmp_path / "mail"


def code_of(secret, at=None):
    """What an authenticator app shows."""
    counter = int(time.time() if at is None else at) // 30
    return format_hotp_value(hotp_value(secret, counter))


def is_logged_in(client):
    return "_auth_user_id" in client.session


def sign_up(client, **changes):
    return client.post(url("account_signup"), {**DORA, **changes})


def test_signing_up_verifies_the_address_and_goes_on_where_one_was(client, db, post):
    response = sign_up(client, next=url("teams"))
    assert response.url == url("account_email_verification_sent")
    assert not is_logged_in(client)
    [letter] = letters(post)
    assert (letter["To"], letter["Subject"]) == ("dora@example.org", "Confirm your address")
    address = link_in(letter.get_content())
    assert "dora@example.org" in text_of(client.get(address))
    assert not EmailAddress.objects.get(email="dora@example.org").verified
    assert client.post(address).url == url("teams")
    assert EmailAddress.objects.get(email="dora@example.org").verified
    assert is_logged_in(client)


def test_without_the_link_nobody_logs_in(client, db, post):
    sign_up(client)
    response = client.post(url("login"), {"login": "dora", "password": PASSWORD})
    assert response.url == url("account_email_verification_sent")
    assert not is_logged_in(client)


def test_a_link_opened_elsewhere_confirms_and_asks_to_log_in(client, db, post):
    sign_up(client)
    [letter] = letters(post)
    other = client.__class__()
    response = other.post(link_in(letter.get_content()))
    assert response.url == url("login")
    assert not is_logged_in(other)
    done = other.post(url("login"), {"login": "dora", "password": PASSWORD})
    assert done.url == url("my")


def test_a_cut_link_says_so(client, db):
    text = text_of(client.get(url("account_confirm_email", "MQ:cut")))
    assert "This link has expired, or it is not complete." in text


def test_the_page_says_where_mails_are_without_a_server(client, db, post, settings):
    sign_up(client)
    assert str(post) in text_of(client.get(url("account_email_verification_sent")))
    settings.EMAIL_HOST = "mail.example.org"
    assert str(post) not in text_of(client.get(url("account_email_verification_sent")))


def test_a_taken_address_is_told_by_mail_only(client, alice, post):
    response = sign_up(client, email=alice.email)
    assert response.url == url("account_email_verification_sent")
    assert not User.objects.filter(username="dora").exists()
    [letter] = letters(post)
    assert letter["To"] == alice.email


@pytest.mark.parametrize(
    "wrong",
    [{"email": "no-address"}, {"username": "al"}, {"password1": "1", "password2": "1"}],
    ids=["address", "name", "password"],
)
def test_a_bad_sign_up_makes_no_account(client, db, post, wrong):
    response = sign_up(client, **wrong)
    assert "Please mend this first:" in text_of(response)
    assert not User.objects.exists()
    assert not post.exists()


@pytest.mark.parametrize("name", ["alice", "alice@example.org"])
def test_people_log_in_by_name_or_address(client, alice, name):
    response = client.post(url("login"), {"login": name, "password": "wonderland-7"})
    assert response.url == url("my")


def test_a_wrong_password_is_refused_and_soon_slowed_down(client, alice):
    wrong = {"login": "alice", "password": "looking-glass"}
    for _attempt in range(5):
        assert client.post(url("login"), wrong).status_code == 200
    right = {"login": "alice", "password": "wonderland-7"}
    text = text_of(client.post(url("login"), right))
    assert "Too many failed login attempts" in text
    assert not is_logged_in(client)


def test_a_forgotten_password_is_reset_by_mail(client, alice, post):
    client.post(url("account_reset_password"), {"email": alice.email})
    [letter] = letters(post)
    form = client.get(link_in(letter.get_content()), follow=True)
    address = form.redirect_chain[-1][0]
    client.post(address, {"password1": PASSWORD, "password2": PASSWORD})
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_password_is_changed_with_the_old_one(client, alice):
    login(client, alice)
    new = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(url("account_change_password"), {"oldpassword": "wrong", **new})
    alice.refresh_from_db()
    assert alice.check_password("wonderland-7")
    client.post(url("account_change_password"), {"oldpassword": "wonderland-7", **new})
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def enter(client):
    """Log Alice in and let her say her password again, as changes of her safety ask for."""
    client.post(url("login"), {"login": "alice", "password": "wonderland-7"})
    again = client.get(url("mfa_activate_totp"), follow=True)
    assert "Please mend" not in text_of(again)
    client.post(url("account_reauthenticate"), {"password": "wonderland-7"})


def with_second_factor(client):
    """Log Alice in and switch her second factor on; her key."""
    enter(client)
    page = client.get(url("mfa_activate_totp"))
    secret = page.context["form"].secret
    assert "<svg" in page.content.decode()
    assert "data:image" not in page.content.decode()
    client.post(url("mfa_activate_totp"), {"code": code_of(secret, time.time() - 3600)})
    assert not Authenticator.objects.filter(type="totp").exists()
    client.post(url("mfa_activate_totp"), {"code": code_of(secret)})
    return secret


def test_the_second_factor_is_asked_for_and_guards_the_admin_too(client, alice):
    alice.is_staff = alice.is_superuser = True
    alice.save()
    secret = with_second_factor(client)
    assert Authenticator.objects.filter(user=alice, type="totp").exists()
    client.post(url("logout"))
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith(url("login"))
    first = client.post(
        url("login"), {"login": "alice", "password": "wonderland-7", "next": "/admin/"}
    )
    assert first.url == url("mfa_authenticate")
    assert not is_logged_in(client)
    wrong = client.post(url("mfa_authenticate"), {"code": "000000"})
    assert wrong.status_code == 200
    assert not is_logged_in(client)
    codes = Authenticator.objects.get(user=alice, type="recovery_codes").wrap()
    done = client.post(url("mfa_authenticate"), {"code": codes.get_unused_codes()[0]})
    assert done.url == "/admin/"
    assert client.get("/admin/").status_code == 200
    client.post(url("logout"))
    client.post(url("login"), {"login": "alice", "password": "wonderland-7"})
    assert client.post(url("mfa_authenticate"), {"code": code_of(secret)}).url == url("my")


def test_the_demo_accounts_log_in_and_own_their_team(client, db, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    load_demo.Command()._accounts()
    load_demo.Command()._accounts()
    lines = (tmp_path / load_demo.ACCOUNTS).read_text(encoding="utf-8").splitlines()
    accounts = dict(line.split() for line in lines)
    assert set(accounts) == {"participant", "organiser"}
    client.post(url("login"), {"login": "organiser", "password": accounts["organiser"]})
    assert client.get("/admin/").status_code == 200
    client.post(url("logout"))
    client.post(url("login"), {"login": "participant", "password": accounts["participant"]})
    assert "Visitors owner" in text_of(client.get(url("teams")))


PAGES_OUTSIDE = ["account_login", "account_signup", "account_reset_password", "login"]
PAGES_INSIDE = [
    "account_email",
    "account_change_password",
    "account_logout",
    "mfa_index",
    "mfa_activate_totp",
    "mail-settings",
    "teams",
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", PAGES_OUTSIDE + PAGES_INSIDE)
def test_account_pages_look_like_ours_and_keep_the_policy(client, alice, name, language):
    address = url(name).replace("/en/", f"/{language}/")
    if name in PAGES_INSIDE:
        enter(client)
    response = client.get(address)
    html = response.content.decode()
    assert response.status_code == 200
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert "style=" not in html
    assert "<style" not in html
    assert html.count("<h1") == 1
    assert 'class="site-header"' in html
    assert f'<html lang="{"zh-Hans" if language == "zh" else "en"}"' in html


def test_signing_up_in_chinese_sets_the_language_of_the_mails(client, db, post):
    client.post(url("account_signup").replace("/en/", "/zh/"), DORA)
    [letter] = letters(post)
    assert "/zh/account/confirm-email/" in letter.get_content()
    assert MailSettings.objects.get(user__username="dora").language == "zh-hans"


PROBE = """
import django, sys
django.setup()
from django.test import Client
from django.test.utils import setup_test_environment
from django.conf import settings
from django.core.management import call_command
setup_test_environment()
call_command("migrate", verbosity=0)
page = Client().get("/en/account/login/")
sys.stdout.write(page.content.decode() + page["Content-Security-Policy"])
step = Client().post("/account/github/login/")
sys.stdout.write(f"; STATUS {step.status_code} {step.headers.get('Location', '')}")
"""


def probe(tmp_path, **keys):
    environment = {key: value for key, value in os.environ.items() if "CLIENT" not in key}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "leaderboard.settings"}
    environment.pop("DATABASE_URL", None)
    environment.pop("BROKER_URL", None)
    return subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        env=environment | keys,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_log_in_through_github_appears_with_its_keys(tmp_path):
    word = tmp_path / "word"
    word.write_text("a-secret\n", encoding="utf-8")
    keys = {"GITHUB_CLIENT_ID": "an-id", "GITHUB_CLIENT_SECRET_FILE": str(word)}
    page = probe(tmp_path, **keys).stdout
    assert 'action="/account/github/login/' in page
    assert "orcid" not in page.lower()
    assert "form-action 'self' https://github.com" in page
    assert "STATUS 302 https://github.com/login/oauth/authorize" in page
    assert "a-secret" not in page


@pytest.mark.slow
def test_without_keys_there_is_no_log_in_through_others(tmp_path):
    page = probe(tmp_path).stdout
    assert "Or with an account elsewhere" not in page
    assert "form-action 'self';" in page
    assert "STATUS 404" in page


def test_half_a_pair_of_keys_stops_the_start(tmp_path):
    done = probe(tmp_path, ORCID_CLIENT_ID="an-id")
    assert done.returncode != 0
    assert "Set both ORCID_CLIENT_ID and ORCID_CLIENT_SECRET." in done.stderr
