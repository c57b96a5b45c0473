"""Figures in a real browser: drawn when they come into view, under the site's policy."""

import pytest
from django.core.cache import cache

from leaderboard.snapshots import freeze
from submissions.models import Split
from tests.browser.looking import OVERFLOW, complaints
from tests.leaderboard import boards

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DRAWN = "document.querySelectorAll('[data-drawn]').length"


@pytest.fixture
def site(live_server, transactional_db):
    """A board with two systems, one of them with a name that would like to be a link."""
    cache.clear()
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.5")
    boards.enter(split, "Falcon", quality=0.85, seed=1)
    boards.enter(split, '<a href="https://evil.example">M</a>', quality=0.6, seed=3)
    freeze(split, "two entries")
    return live_server.url


def draw_all(page):
    for number in range(page.locator("[data-chart]").count()):
        page.locator("[data-chart]").nth(number).scroll_into_view_if_needed()
        page.locator("[data-chart]").nth(number).and_(page.locator("[data-drawn]")).wait_for()


@pytest.mark.parametrize("width", [360, 1280])
def test_figures_are_drawn_in_view_and_the_policy_has_nothing_to_say(browser, site, width):
    context = browser.new_context(viewport={"width": width, "height": 500})
    page = context.new_page()
    found = complaints(page)
    page.goto(f"{site}/en/scenario/follow_up/?split=wide")
    assert page.locator("[data-chart]").count() == 6
    page.locator("[data-chart]").first.scroll_into_view_if_needed()
    page.locator("[data-drawn]").first.wait_for()
    assert page.evaluate(DRAWN) < 6
    draw_all(page)
    assert page.locator(".chart svg.main-svg").count() >= 6
    assert page.locator(".chart a[href*='evil']").count() == 0
    assert page.locator("style").count() == 0
    assert page.evaluate(OVERFLOW) <= 0
    assert found == []
    context.close()


def test_figures_change_with_the_theme(browser, site):
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{site}/en/scenario/follow_up/?split=wide")
    page.locator("[data-drawn]").first.wait_for()
    ink = "getComputedStyle(document.querySelector('.chart .xtick text')).fill"
    light = page.evaluate(ink)
    page.click("text=Dark")
    page.wait_for_function(f"light => {ink} !== light", arg=light)
    context.close()


def test_without_scripts_every_number_is_in_a_table(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/en/scenario/follow_up/?split=wide")
    assert page.locator("figure table").count() == 6
    assert page.locator("#rates + figure tbody tr").count() == 2
    page.goto(f"{site}/en/compare/?split=wide")
    for box in page.locator("input[type=checkbox]").all():
        box.check()
    page.click("main button[type=submit]")
    assert page.locator(".compared tbody tr").count() == 14
    context.close()


def test_pages_without_figures_load_no_chart_code(browser, site):
    context = browser.new_context()
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/en/split/wide/")
    page.wait_for_load_state("networkidle")
    assert asked
    assert [url for url in asked if "plotly" in url or "charts.js" in url] == []
    context.close()
