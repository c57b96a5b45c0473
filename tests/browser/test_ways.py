"""Ways through the site: three questions of a newcomer, the same without scripts, the budget."""

import pytest

from tests.browser.demo_site import PASSWORD, PERSON
from tests.browser.looking import reading

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CLICKS = 3
BUDGET = 150_000


class Walk:
    """A reader who starts at the front page and may click three times."""

    def __init__(self, page, site):
        self.page, self.clicks = page, 0
        page.goto(f"{site.url}/en/")

    def click(self, what):
        self.clicks += 1
        assert self.clicks <= CLICKS
        with self.page.expect_navigation():
            what.first.click()

    @property
    def text(self):
        return self.page.locator("main").inner_text()


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def walk(browser, demo, request):
    with reading(browser, demo, java_script_enabled=request.param) as page:
        yield Walk(page, demo)


def test_a_newcomer_finds_why_unity_squad_has_no_rank(walk):
    row = walk.page.get_by_role("row").filter(has_text="Unity Squad")
    assert row.locator(".rank").inner_text().split() == ["—", "late"]
    walk.click(walk.page.get_by_role("link", name="Questions", exact=True))
    assert "Unity Squad was handed in late" in walk.text
    assert "Late entries and reference models never hold a rank" in walk.text


def test_a_newcomer_finds_what_the_fastest_system_has_to_do_with_every_total(walk):
    assert "L_min 0.624 s (HelloWorld)" in walk.text
    walk.click(walk.page.get_by_role("link", name="Why an entry has no rank"))
    assert "What does 0.624 s have to do with my total?" in walk.text
    assert "L_min = 0.624 s (HelloWorld), has 100 points" in walk.text


def test_a_newcomer_hears_a_failed_interruption(walk, demo):
    walk.click(walk.page.locator("main").get_by_role("link", name="Demonstration"))
    walk.click(walk.page.locator(".board tbody tr").last.get_by_role("link", name="scored here"))
    failures = walk.page.get_by_role("region", name="Items without success").locator("tbody tr")
    walk.click(failures.filter(has_text="Follow-up questions").locator("th a"))
    sound = walk.page.locator("audio")
    source = sound.get_attribute("src") or sound.locator("source").first.get_attribute("src")
    answer = walk.page.request.get(f"{demo.url}{source}")
    assert answer.status == 200
    assert len(answer.body()) > 100_000
    assert "failure" in walk.text


def test_filters_sorting_and_pinning_work_without_scripts(browser, demo):
    with reading(browser, demo, java_script_enabled=False) as page:
        page.goto(f"{demo.url}/en/")
        rows = page.locator(".board tbody:not(.pinned) tr")
        assert rows.count() == 13
        page.locator("#sort-delay").click()
        assert page.locator("th[aria-sort]").count() == 1
        page.locator(".picker summary", has_text="Filters").click()
        page.get_by_role("link", name="late").first.click()
        assert rows.count() == 1
        page.fill("#q", "moshi")
        page.get_by_role("button", name="Search").click()
        assert "sort=" in page.url
        assert "q=moshi" in page.url


def test_a_person_logs_in_and_finds_the_form_without_scripts(browser, demo):
    with reading(browser, demo, java_script_enabled=False, locale="en") as page:
        page.goto(f"{demo.url}/en/submit/?split=demo")
        page.fill("[name=login]", PERSON)
        page.fill("[name=password]", PASSWORD)
        page.click("main button[type=submit]")
        form = page.locator("#upload-form")
        assert form.get_attribute("enctype") == "multipart/form-data"
        assert form.locator("[name=archive]").is_visible()
        assert form.locator("button[type=submit]").is_enabled()


def test_a_theme_is_chosen_without_scripts(browser, demo):
    with reading(browser, demo, java_script_enabled=False) as page:
        page.goto(f"{demo.url}/en/faq/")
        page.click("text=Dark")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.url == f"{demo.url}/en/faq/"


def listen(page, sizes):
    """Collect how many bytes come over the wire, by address."""
    wire, names = page.context.new_cdp_session(page), {}

    def begun(event):
        names[event["requestId"]] = event["request"]["url"]

    def done(event):
        sizes[names[event["requestId"]]] = event["encodedDataLength"]

    wire.on("Network.requestWillBeSent", begun)
    wire.on("Network.loadingFinished", done)
    wire.send("Network.enable")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_first_view_of_the_board_is_light_and_has_no_chart_code(browser, demo, language):
    sizes = {}
    with reading(browser, demo) as page:
        listen(page, sizes)
        page.goto(f"{demo.url}/{language}/")
        page.wait_for_load_state("networkidle")
    assert len(sizes) > 5
    assert [url for url in sizes if "plotly" in url or "/js/chart" in url] == []
    assert sum(sizes.values()) < BUDGET


# The browser shows by itself where the focus is among the controls of a sound.
OWN_FOCUS = ("<body", "<audio")
# Where the focus is, and whether one sees it.
FOCUS = """
() => {
    const style = getComputedStyle(document.activeElement);
    const box = document.activeElement.getBoundingClientRect();
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return [document.activeElement.outerHTML.slice(0, 80), outlined && box.width > 0];
}
"""


@pytest.mark.parametrize("path", ["", "item/demo/{item}/?sys={prompt}", "compare/?split=demo"])
def test_the_keyboard_comes_by_every_place_and_shows_where_it_is(browser, demo, path):
    with reading(browser, demo) as page:
        page.goto(f"{demo.url}/en/{path.format(**demo.facts)}")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        unseen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            place, is_seen = page.evaluate(FOCUS)
            unseen += [] if is_seen or place.startswith(OWN_FOCUS) else [place]
        assert unseen == []


MOVING = """
() => [...document.querySelectorAll("*")].map((one) => getComputedStyle(one)).filter((style) =>
    parseFloat(style.transitionDuration) > 0 || style.animationName !== "none").length
"""


def test_nothing_moves_where_the_reader_wants_no_motion(browser, demo):
    with reading(browser, demo, reduced_motion="reduce") as page:
        page.goto(f"{demo.url}/en/")
        assert page.evaluate(MOVING) == 0


def test_on_paper_the_board_keeps_its_table_and_loses_its_controls(browser, demo):
    with reading(browser, demo, color_scheme="dark") as page:
        page.goto(f"{demo.url}/en/")
        page.emulate_media(media="print")
        assert page.locator(".board").is_visible()
        assert page.locator(".takeaway").is_visible()
        for gone in (".site-header .nav", ".board-choices", ".site-footer .nav", ".skip"):
            assert not page.locator(gone).first.is_visible(), gone
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
