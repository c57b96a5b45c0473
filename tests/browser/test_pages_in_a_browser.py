"""Every page in a real browser: widths, languages, themes, with and without scripts."""

import re
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from submissions.models import ItemResult, Run, Submission
from tests.leaderboard import stage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ITEM = "cn-follow_up-0009_0001"
HAN = re.compile(r"[\u4e00-\u9fff]")
# Short texts that a reader of Chinese must find in Chinese, unless they are names.
WORDS_OF_THE_PAGE = """
() => [...document.querySelectorAll(
    "h1, h2, h3, thead th, label, button, summary, dt, nav a, .notice, .mark, caption, .step-name"
  )]
  .filter((node) => !node.closest("[translate=no], [lang=en]"))
  .map((node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("[translate=no], code, .unit, .arrow").forEach((part) => part.remove());
    return copy.textContent.trim();
  })
  .filter((text) => /[A-Za-z]{2}/.test(text))
"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SAME_EVERYWHERE = {"SHA-256", "English", "HumDial 2026", "Demo"}


@pytest.fixture
def site(live_server, transactional_db, settings, tmp_path):
    """The published board, and a split with a scored, a running and a refused submission."""
    settings.MEDIA_ROOT = tmp_path / "media"
    call_command("load_published", verbosity=0)
    alice = User.objects.create_user("alice", password="wonderland-7")
    team = stage.make_team("Wonderland", alice)
    split = stage.make_split(position=1, items_public=True)
    scored = stage.make_submission(split, team, "Parrot")
    stage.score(scored, missing=["en-negation-0008_0001"])
    number = stage.published_board(split).pk
    running = stage.make_submission(split, team, "Runner", state=Submission.State.SCORING)
    run = Run.objects.create(submission=running, signature="running", unofficial=["offline"])
    ItemResult.objects.bulk_create(ItemResult(run=run, item=item) for item in split.items.all())
    refused = stage.make_submission(split, team, "Broken", state=Submission.State.REJECTED)
    refused.check_report = {
        "acceptable": False,
        "findings": [
            {
                "code": "file-unknown",
                "path": f"HD-Track2/test/a-rather-long-name-of-a-file-{n}_output.wav",
                "rule": "No such id.",
                "cure": "Check the name.",
                "severity": "error",
            }
            for n in range(30)
        ],
    }
    refused.save()
    return Site(live_server.url, scored, running, refused, number)


class Site:
    """Addresses of the staged site."""

    def __init__(self, base, scored, running, refused, number):
        self.base, self.running = base, running
        self.public = [
            "",
            "split/demo/",
            f"board/{number}/",
            f"submission/{scored.pk}/",
            f"item/demo/{ITEM}/?sys={scored.pk}",
            f"item/demo/en-negation-0008_0001/?sys={scored.pk}",
            f"item/demo/{ITEM}/",
            "methodology/",
            "accounts/login/",
        ]
        self.private = [
            f"submission/{running.pk}/",
            f"submission/{refused.pk}/",
            "submit/",
            "submit/?split=demo",
            "my/",
        ]

    def address(self, path, language="en"):
        return f"{self.base}/{language}/{path}"

    def login(self, page, language="en"):
        page.goto(self.address("accounts/login/", language))
        page.fill("[name=username]", "alice")
        page.fill("[name=password]", "wonderland-7")
        page.click("main button[type=submit]")


def complaints(page):
    """Collect what the browser complains about."""
    found = []
    page.on("console", lambda line: found.append(line.text) if line.type != "log" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    # What is broken off because the reader moves on is no fault.
    page.on(
        "requestfailed",
        lambda request: (
            found.append(f"{request.failure} {request.url}")
            if request.failure != "net::ERR_ABORTED"
            else None
        ),
    )
    page.on(
        "response",
        lambda answer: (
            found.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None
        ),
    )
    return found


def foreign(page):
    texts = page.evaluate(WORDS_OF_THE_PAGE)
    return [text for text in texts if not HAN.search(text) and text not in SAME_EVERYWHERE]


@pytest.mark.parametrize(
    ("width", "language", "theme"), product((360, 1280), ("en", "zh"), ("light", "dark"))
)
def test_every_page_is_sound(browser, site, width, language, theme):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, locale=language
    )
    page = context.new_page()
    found = complaints(page)
    problems = {}
    for path in (*site.public, "LOGIN", *site.private):
        if path == "LOGIN":
            site.login(page, language)
            continue
        page.goto(site.address(path, language))
        html = page.content()
        faults = [
            *found,
            *([f"overflow {page.evaluate(OVERFLOW)}"] if page.evaluate(OVERFLOW) > 0 else []),
            *(foreign(page) if language == "zh" else []),
            *(["template tag in the text"] if "{{" in html or "{%" in html else []),
        ]
        found.clear()
        if faults:
            problems[path] = faults
    context.close()
    assert problems == {}


def test_the_table_scrolls_inside_its_own_frame_on_a_phone_and_hides_no_column(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 900})
    page = context.new_page()
    page.goto(site.address(""))
    frame = page.locator(".scroller").first
    assert frame.evaluate("node => node.scrollWidth > node.clientWidth")
    assert page.locator("tbody tr").first.locator("td, th").count() == 12
    last = page.locator("tbody tr").first.locator("td").last
    frame.evaluate("node => node.scrollLeft = node.scrollWidth")
    box = last.bounding_box()
    assert box["x"] + box["width"] <= 360
    context.close()


def test_everything_is_there_without_scripts(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address(""))
    assert page.locator(".board tbody tr").count() == 13
    page.click("text=Dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.url == site.address("")
    context.close()


def test_the_theme_changes_at_once_and_stays(browser, site):
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(site.address(""))
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.click("text=Dark")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert light != dark
    page.goto(site.address("methodology/"))
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark
    context.close()


def test_the_ladder_moves_by_itself(browser, site):
    context = browser.new_context()
    page = context.new_page()
    site.login(page)
    page.goto(site.address(f"submission/{site.running.pk}/"))
    page.get_by_text("0 of 20 items").first.wait_for()
    some = ItemResult.objects.filter(run__submission=site.running)[:3]
    ItemResult.objects.filter(pk__in=[one.pk for one in some]).update(heard=timezone.now())
    page.get_by_text("3 of 20 items").wait_for(timeout=10_000)
    stage.score(site.running)
    page.get_by_role("heading", name="Totals").wait_for(timeout=10_000)
    context.close()


def test_the_keyboard_reaches_the_content_first(browser, site):
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.address(""))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    context.close()
