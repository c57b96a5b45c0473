"""A newcomer goes from sign-up to a result, over a line that breaks and a server that restarts."""

import subprocess
import sys

import pytest

from tests.browser.demo_site import folder_of
from tests.browser.looking import HAN
from tests.browser.newcomer import NewcomersSite, Person, holds_a_number, renamed
from tests.served import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MIB = 2**20
SPEED = 1.5 * MIB  # bytes a second: slow enough to be cut in the middle
PATIENCE = 90_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = NewcomersSite(folder_of(tmp_path_factory), tmp_path_factory.mktemp("new") / "site")
    site.start()
    yield site
    site.line.close()
    site.kill()


@pytest.fixture
def person(browser, site):
    people = []

    def come(name, **screen):
        people.append(Person(browser, site, name, **screen))
        return people[-1]

    yield come
    for one in people:
        one.leaves()


def test_a_newcomer_reads_a_result_after_two_cuts_and_a_restart(person, site, tmp_path):
    ada = person("ada", language="en", width=1280)
    ben = person("ben", language="zh", width=1280)
    makes_a_team(ada, "Analytical Engines")
    invites_by_mail(ada, ben)
    hands_in(ada, "prompt", tmp_path, cuts=(2 * MIB, 4 * MIB), restart=True)
    reads_the_result(ada, "prompt", mates=[ben])


def test_another_newcomer_does_it_in_chinese_on_a_telephone(person, site, tmp_path):
    chen = person("chen", language="zh", width=360)
    dai = person("dai", language="zh", width=360)
    makes_a_team(chen, "语音实验室")
    invites_by_link(chen, dai)
    hands_in(dai, "jumpy", tmp_path, cuts=(3 * MIB,))
    reads_the_result(dai, "jumpy", mates=[chen])


def makes_a_team(who, team):
    """Begin at the board, press what one came for, and follow what each page offers."""
    who.opens(f"/{who.language}/")
    who.follows("/submit/", within="header")
    who.looks("log-in")
    who.signs_up()
    assert who.page.url.endswith("/submit/")
    who.looks("submit-without-a-team")
    who.follows("/teams/")
    who.looks("teams")
    who.team = team
    who.page.fill("[name=name]", team)
    who.presses()
    assert team in who.looks("team")


def invites_by_mail(owner, guest):
    owner.page.fill("form[action$='/invite/'] [name=email]", guest.email)
    owner.presses("form[action$='/invite/']")
    assert guest.email in owner.looks("invited")
    subject = "%(who)s invites you to the team %(team)s"
    guest.opens_mail(owner.says(subject, who=owner.name, team=owner.team), "/invitation/")
    # The mail speaks the language of whoever sent it; the page offers the other.
    if guest.language != owner.language:
        guest.page.click("header a[hreflang]")
    joins(owner, guest)


def invites_by_link(owner, guest):
    owner.presses("form[action$='/link/']")
    owner.looks("link")
    guest.page.goto(owner.page.inner_text("code.secret"))
    joins(owner, guest)


def joins(owner, guest):
    guest.team = owner.team
    assert owner.name in guest.looks("invitation")
    guest.signs_up()
    guest.looks("invitation-again")
    guest.presses("main form")
    text = guest.looks("joined")
    assert owner.name in text
    assert guest.name in text


def hands_in(who, system, tmp_path, cuts, *, restart=False):
    """A wrong archive first, then the right one over a bad line."""
    page, line = who.page, who.site.line
    right = who.site.archive(system)
    who.follows("/submit/")
    who.looks("submit")
    page.select_option("[name=split]", "demo")
    page.fill("[name=system_name]", f"Parrot of {who.name}")
    page.set_input_files("[name=archive]", renamed(right, tmp_path / "HD-Track2.zip"))
    page.locator("#preflight-verdict.error").wait_for()
    refused = who.looks("refused-before-the-upload")
    assert "HD-Track2/test/test-{id}_output.wav" in refused
    assert page.locator("#preflight a[href$='/submit/demo/files.csv']").is_visible()
    assert page.locator("#upload-form button[type=submit]").is_disabled()
    page.set_input_files("[name=archive]", right)
    page.locator("#preflight-verdict.good").wait_for()
    who.looks("right-archive")
    before = line.broken
    line.cuts, line.speed = [line.sent + cut for cut in cuts], SPEED
    who.presses("#upload-form")
    wait_until(lambda: line.broken == before + len(cuts), page)
    if restart:
        restarts(who)
    line.speed = None
    page.wait_for_url("**/submission/*/")
    # The browser has rightly complained of the broken line.
    who.complaints.clear()


def restarts(who):
    who.site.kill()
    who.site.line.cut()
    who.page.get_by_text(who.says("The line is lost.")).first.wait_for()
    who.looks("line-lost", offline=True)
    who.site.start()


def wait_until(condition, page):
    for _ in range(PATIENCE // 50):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(page.inner_text("#upload"))


def reads_the_result(who, system, mates):
    """Watch the stages without touching the page, then come back from the mail."""
    page, name = who.page, f"Parrot of {who.name}"
    assert who.says("The archive will be checked in a moment.") in who.looks("received")
    with who.site.working():
        page.locator(".key-numbers").wait_for()
        who.looks("result")
        assert page.locator("#ladder li").count() == page.locator("#ladder li.done").count() == 6
        key = page.url.split("/")[-2]
        for one in (who, *mates):
            letter = one.opens_mail(one.says("%(system)s is scored", system=name))
            assert bool(HAN.search(letter.replace(who.team, ""))) == (one.language == "zh")
            assert not holds_a_number(letter)
            assert one.page.url.endswith(f"/{one.language}/submission/{key}/")
            assert name in one.looks("from-the-mail")
    # Received, checking, queued, scoring, scored: nothing twice, nothing left out.
    assert page.locator("section[aria-labelledby=events] tbody tr").count() == 5
    shown = numbers(page)
    who.opens(f"/{who.language}/submission/{who.site.facts[system]}/")
    assert shown == numbers(page)
    who.opens(f"/{who.language}/split/demo/")
    assert name in who.looks("board")


def numbers(page):
    """The totals as the page shows them."""
    return page.locator("section[aria-labelledby=totals] tbody").inner_text()


def test_the_example_of_the_docs_hands_in_and_waits(site):
    code = (
        "from django.contrib.auth.models import User\n"
        "from submissions.services import tokens\n"
        "alice = User.objects.get(username='alice')\n"
        "print(tokens.create(alice, 'example', 'submit', expires=None).key)\n"
    )
    example = ROOT / "leaderboard" / "content" / "upload_and_wait.py"
    arguments = [site.url, "demo", "wonderland", "Example", site.archive("steamroller")]
    env = site.env | {"LEADERBOARD_TOKEN": site.ask(code), "LEADERBOARD_PAUSE": "0.2"}
    with site.working():
        done = subprocess.run(
            [sys.executable, example, *arguments],
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
    *_, official, strict = done.stdout.splitlines()
    assert (official.split()[0], strict.split()[0]) == ("official", "strict")
