"""Log-in through GitHub and ORCID, from the button to the end, and what must never come of it."""

import sqlite3
import ssl

import pytest
import trustme

from tests.leaderboard.reader import text_of
from tests.served import Served
from tests.submissions.elsewhere import ORCID, SECRET, GitHub, Orcid, Reader, path_of
from tests.submissions.letters import letters, link_in

pytestmark = pytest.mark.slow

PEOPLE = """
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
def known(name, *, verified):
    user, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.org"})
    user.set_password("wonderland-7")
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=True)
known("alice", verified=True)
known("bob", verified=True)
known("carol", verified=True)
known("victim", verified=False)
"""
PASSWORD = "wonderland-7"
BROKEN = "The log-in did not work"


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(scope="module")
def bundle(authority, tmp_path_factory):
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


@pytest.fixture(scope="module")
def providers(authority):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(ORCID, f"pub.{ORCID}", "127.0.0.1").configure_cert(tls)
    both = GitHub(), Orcid(tls)
    yield both
    for one in both:
        one.server.stop()


@pytest.fixture
def github(providers):
    providers[0].begin_again()
    return providers[0]


@pytest.fixture
def orcid(providers):
    providers[1].begin_again()
    return providers[1]


@pytest.fixture(scope="module")
def site(providers, bundle, tmp_path_factory):
    site = Served(tmp_path_factory.mktemp("site"))
    github, orcid = providers
    site.env |= {
        "DJANGO_SETTINGS_MODULE": "tests.submissions.elsewhere_settings",
        "GITHUB_HERE": github.server.url_for(""),
        "ORCID_HERE": f"{ORCID}:{orcid.server.port}",
        "REQUESTS_CA_BUNDLE": bundle,
        "NO_PROXY": "*",
        "SITE_URL": site.url,
    }
    for name in ("GITHUB", "ORCID"):
        site.env |= {f"{name}_CLIENT_ID": "an-id", f"{name}_CLIENT_SECRET": SECRET}
    site.ask(PEOPLE)
    site.start()
    yield site
    site.kill()


@pytest.fixture
def reader(site, bundle):
    return Reader(site, bundle)


def rows(site, query):
    with sqlite3.connect(site.folder / "site.sqlite3") as database:
        return database.execute(query).fetchall()


def connected(site):
    """Whose account belongs to which one elsewhere."""
    return rows(
        site,
        "SELECT u.username, s.provider, s.uid FROM socialaccount_socialaccount s"
        " JOIN auth_user u ON u.id = s.user_id",
    )


def addresses(site, name):
    """The addresses of an account, and whether they are verified."""
    return rows(
        site,
        "SELECT e.email, e.verified FROM account_emailaddress e"
        f" JOIN auth_user u ON u.id = e.user_id WHERE u.username = '{name}'",
    )


def letters_to(site, address):
    return [one for one in letters(site.folder / "mail") if one["To"] == address]


def on_github(name, number, address, *, verified=True):
    emails = [{"email": address, "primary": True, "verified": verified}]
    return {"login": name, "id": number, "emails": emails}


# ---- new people ---------------------------------------------------------------------------------


def test_a_new_person_with_a_verified_address_is_in_at_once(site, reader, github):
    github.person = on_github("dora", 1, "dora@example.org")
    answer = reader.logs_in("github")
    assert (answer.status_code, path_of(answer)) == (200, "/en/my/")
    assert ("dora", "github", "1") in connected(site)
    assert addresses(site, "dora") == [("dora@example.org", 1)]
    assert letters_to(site, "dora@example.org") == []


def test_a_new_person_with_an_unverified_address_opens_the_link_in_the_mail(site, reader, github):
    github.person = on_github("ernest", 2, "ernest@example.org", verified=False)
    answer = reader.logs_in("github")
    assert "Look into your mail" in text_of(answer)
    assert not reader.is_logged_in()
    assert addresses(site, "ernest") == [("ernest@example.org", 0)]
    [letter] = letters_to(site, "ernest@example.org")
    reader.sends(link_in(letter.get_content()))
    assert addresses(site, "ernest") == [("ernest@example.org", 1)]
    assert path_of(reader.logs_in("github")) == "/en/my/"


def test_orcid_says_no_address_so_the_page_asks_for_one(site, reader, orcid):
    orcid.person = {"id": "0000-0002-1825-0097"}
    form = reader.logs_in("orcid")
    assert path_of(form) == "/en/account/3rdparty/signup/"
    assert "Choose the name and address for this site" in text_of(form)
    answer = reader.sends(path_of(form), username="fay", email="fay@example.org")
    assert "Look into your mail" in text_of(answer)
    assert not reader.is_logged_in()
    [letter] = letters_to(site, "fay@example.org")
    reader.sends(link_in(letter.get_content()))
    assert path_of(reader.logs_in("orcid")) == "/en/my/"
    assert ("fay", "orcid", "0000-0002-1825-0097") in connected(site)


def test_an_address_in_an_orcid_record_is_not_taken_for_verified(site, reader, orcid):
    orcid.person = {"id": "0000-0001-5109-3700", "email": "gwen@example.org"}
    answer = reader.logs_in("orcid")
    assert not reader.is_logged_in()
    assert "Look into your mail" in text_of(answer)
    assert [letter["Subject"] for letter in letters_to(site, "gwen@example.org")] == [
        "Confirm your address"
    ]


def test_a_name_that_is_taken_gets_another_one(site, reader, github):
    github.person = on_github("alice", 3, "another-alice@example.org")
    reader.logs_in("github")
    [name] = [name for name, _provider, number in connected(site) if number == "3"]
    assert name != "alice"
    assert reader.is_logged_in()


# ---- people with an account: nobody gets into it but its owner ----------------------------------


@pytest.mark.parametrize(("owner", "verified"), [("alice", True), ("carol", False)])
def test_the_address_of_an_account_does_not_open_it(site, reader, github, owner, verified):
    github.person = on_github("mallory", 4, f"{owner}@example.org", verified=verified)
    answer = reader.logs_in("github")
    assert "Look into your mail" in text_of(answer)
    assert not reader.is_logged_in()
    assert "4" not in [number for _name, _provider, number in connected(site)]
    [letter] = letters_to(site, f"{owner}@example.org")
    assert letter["Subject"] == "You have an account already"
    assert "log in with its password and connect it" in letter.get_content()
    assert link_in(letter.get_content(), "password/reset")


def test_neither_does_the_one_in_an_orcid_record(site, reader, orcid):
    orcid.person = {"id": "0000-0003-1415-9269", "email": "alice@example.org"}
    reader.logs_in("orcid")
    assert not reader.is_logged_in()
    assert "alice" not in [name for name, _provider, _number in connected(site)]


def test_an_account_that_waits_for_somebody_elses_address_gets_no_key_to_theirs(
    site, reader, github
):
    """Who has taken the address of another person in advance gains nothing when she comes."""
    github.person = on_github("the-real-one", 5, "victim@example.org")
    reader.logs_in("github")
    assert not reader.is_logged_in()
    assert "victim" not in [name for name, _provider, _number in connected(site)]
    assert addresses(site, "victim") == [("victim@example.org", 0)]


def test_the_owner_connects_it_after_the_log_in_and_then_uses_it(site, bundle, github):
    owner = Reader(site, bundle)
    owner.sends("/en/account/login/", login="bob", password=PASSWORD)
    github.person = on_github("bob-elsewhere", 6, "bob@example.org")
    answer = owner.logs_in("github", process="connect")
    assert (answer.status_code, path_of(answer)) == (200, "/en/account/3rdparty/")
    assert ("bob", "github", "6") in connected(site)
    other = Reader(site, bundle)
    assert path_of(other.logs_in("github")) == "/en/my/"
    assert "bob" in text_of(other.opens("/en/account/email/"))


def test_an_account_elsewhere_belongs_to_one_account_here(site, bundle, github):
    """Connecting what somebody else has connected is refused, and changes nothing."""
    github.person = on_github("hatter", 7, "hatter@example.org")
    Reader(site, bundle).logs_in("github")
    alice = Reader(site, bundle)
    alice.sends("/en/account/login/", login="alice", password=PASSWORD)
    answer = alice.logs_in("github", process="connect")
    assert answer.status_code == 200
    assert "already connected to a different account" in text_of(answer)
    assert [name for name, _provider, number in connected(site) if number == "7"] == ["hatter"]


# ---- what goes wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("name", ["github", "orcid"])
def test_a_refused_consent_gives_a_page_in_the_readers_language(
    site, bundle, github, orcid, name, language
):
    reader = Reader(site, bundle, language)
    {"github": github, "orcid": orcid}[name].denies = True
    answer = reader.logs_in(name)
    assert answer.status_code == 200
    title = "The log-in was broken off" if language == "en" else "登录"
    assert title in text_of(answer)
    assert not reader.is_logged_in()


HTML, JSON = "text/html", "application/json"
FAULTS = {
    "out of order": ("<h1>503</h1>", 503, HTML),
    "no JSON": ("{", 200, JSON),
    "an error": ('{"error": "temporarily_unavailable"}', 200, JSON),
    "nothing in it": ("{}", 200, JSON),
    "a list": ("[]", 200, JSON),
}


@pytest.mark.parametrize("place", ["exchange", "profile"])
@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("name", ["github", "orcid"])
def test_a_provider_that_talks_nonsense_gives_a_page_and_no_trace(
    reader, github, orcid, name, kind, place
):
    provider = {"github": github, "orcid": orcid}[name]
    provider.person = {"id": "0000-0002-9079-593X"}
    text, status, media = FAULTS[kind]
    provider.faults[place] = (text, status, {"Content-Type": media})
    answer = reader.logs_in(name)
    assert answer.status_code == 401
    assert BROKEN in text_of(answer)
    assert "Traceback" not in answer.text
    assert not reader.is_logged_in()


@pytest.mark.parametrize("name", ["github", "orcid"])
def test_a_provider_that_is_down_gives_a_page_and_no_trace(reader, github, orcid, name):
    provider = {"github": github, "orcid": orcid}[name]
    way_back = reader.comes_back_with(name)
    with provider.away():
        answer = reader.opens(way_back)
    assert answer.status_code == 401
    assert BROKEN in text_of(answer)
    assert not reader.is_logged_in()


def test_a_way_back_works_once_and_for_its_own_browser_only(site, bundle, github):
    github.person = on_github("dora", 1, "dora@example.org")
    dora, thief = Reader(site, bundle), Reader(site, bundle)
    way_back = dora.comes_back_with("github")
    assert BROKEN in text_of(thief.opens(way_back))
    assert not thief.is_logged_in()
    assert dora.opens(way_back).status_code == 200
    assert BROKEN in text_of(dora.opens(way_back))
