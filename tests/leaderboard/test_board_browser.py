"""The board in a real browser: swapped in place, whole without scripts, one address per view."""

import re

import pytest
from playwright.sync_api import expect

from leaderboard.snapshots import freeze
from submissions.models import Split
from tests.leaderboard import boards

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = ".board tbody:not(.pinned) th.team > :first-child"


@pytest.fixture
def address(live_server, transactional_db):
    """A board with intervals and a tie."""
    split = Split.objects.create(
        slug="wide", name="Wide", ranking_mode="strict", accepts_uploads=False
    )
    for name, quality, seed in (("Falcon", 0.9, 1), ("小猫", 0.9, 1), ("Mole", 0.5, 3)):
        boards.enter(split, name, quality=quality, seed=seed)
    freeze(split, "three entries")
    return f"{live_server.url}/en/split/wide/"


@pytest.fixture
def plain(browser):
    """A page in a browser without scripts."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def shown(page):
    return page.locator(NAMES).all_inner_texts()


def test_a_click_on_a_heading_swaps_the_table_and_writes_the_address(page, address):
    page.goto(address)
    page.evaluate("window.same = true")
    page.click("#sort-total")
    page.wait_for_url(f"{address}?sort=-total")
    page.click("#sort-total")
    page.wait_for_url(f"{address}?sort=total")
    assert shown(page)[0] == "Mole"
    assert page.locator("th[aria-sort=ascending]").count() == 1
    assert page.evaluate("window.same === true")
    assert page.evaluate("document.activeElement.id") == "sort-total"


def test_going_back_brings_the_view_before(page, address):
    page.goto(address)
    page.fill("#q", "小猫")
    page.press("#q", "Enter")
    expect(page.locator(NAMES)).to_have_count(1)
    assert "q=" in page.url
    page.go_back()
    expect(page.locator(NAMES)).to_have_count(3)
    assert page.url == address


def test_every_choice_works_without_scripts(plain, address):
    plain.goto(address)
    plain.click("#sort-delay")
    assert plain.url == f"{address}?sort=delay"
    plain.click("text=+ CN and EN")
    assert plain.url == f"{address}?lang=both&sort=delay"
    plain.fill("#q", "mole")
    plain.click("text=Search")
    assert shown(plain) == ["Mole"]
    assert "lang=both" in plain.url
    plain.click("text=Show all")
    plain.click("text=Try other weights")
    plain.locator(".weights-form input[type=number]").first.fill("80")
    plain.click("text=Work out the order")
    assert plain.locator(".weights-panel tbody tr").count() == 3


def test_a_pinned_row_stands_on_top_and_differences_are_to_it(plain, address):
    plain.goto(address)
    plain.locator("tr", has_text="Mole").locator(".pin").click()
    assert plain.locator("tbody.pinned th.team").inner_text().startswith("Mole")
    plain.click("text=as difference to Mole")
    first = plain.locator(".board tbody:not(.pinned) .total-number").first
    assert first.inner_text().startswith("+")


def test_a_link_out_of_the_board_opens_a_page_of_its_own(page, address):
    page.goto(address)
    page.locator("text=scored here").first.click()
    page.wait_for_url("**/submission/**")
    assert page.locator("h1").count() == 1


# The link to a view


def test_the_link_to_a_view_is_copied_and_said(browser, address):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address)
    page.click("#sort-delay")
    page.wait_for_url(f"{address}?sort=delay")
    page.click("[data-copy-link]")
    expect(page.locator("[data-copy-link]")).to_have_text("Copied")
    expect(page.locator("[data-copy-link] ~ [role=status]")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.evaluate("document.getElementById('permanent').href")
    assert re.search(r"/en/board/\d+/\?sort=delay$", copied)
    page.goto(copied)
    assert page.locator("th[aria-sort=ascending] #sort-delay").count() == 1
    context.close()


def test_where_copying_is_not_allowed_the_link_is_shown_to_be_copied(page, address):
    page.goto(address)
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error()))")
    page.click("[data-copy-link]")
    expect(page.locator("input.copied")).to_be_visible()
    assert page.locator("input.copied").input_value().endswith(f"/en/board/{number(page)}/")


def number(page):
    return page.locator("#permanent").get_attribute("href").split("/")[3]


def test_without_scripts_the_permanent_link_is_a_plain_one(plain, address):
    plain.goto(f"{address}?diff=1")
    assert not plain.locator("[data-copy-link]").is_visible()
    plain.click("#permanent")
    assert re.search(r"/en/board/\d+/\?diff=1$", plain.url)
