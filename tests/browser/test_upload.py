"""The upload page in a real browser, against a real server, over a line that breaks."""

import time
from contextlib import contextmanager

import pytest

from tests.served import Line, serving
from tests.submissions.test_upload_clients import facts, made

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MIB = 2**20
PATIENCE = 90_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def archive(tmp_path):
    return made(tmp_path / "HD-Track2.zip", 40 * MIB)


@contextmanager
def logged_in(browser, site, url, **options):
    context = browser.new_context(**options)
    context.add_cookies([{"name": "sessionid", "value": site.session, "url": url}])
    yield context
    context.close()


def fill(page, archive, system="Parrot"):
    page.fill("[name=system_name]", system)
    page.set_input_files("[name=archive]", archive)


def press(page):
    page.click("#upload-form button[type=submit]")


def percent(page):
    return int(float(page.get_attribute("#upload progress", "value") or 0))


def wait_until(condition, page):
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < end, page.inner_text("#upload")
        page.wait_for_timeout(50)


def test_a_cut_line_a_restarted_server_and_a_pause_lose_nothing(browser, site, archive):
    line = Line(site.port, [6 * MIB, 14 * MIB], speed=15 * MIB)
    with logged_in(browser, site, line.url, locale="en") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        fill(page, archive)
        press(page)
        wait_until(lambda: line.broken == 2, page)
        site.kill()
        line.cut()
        page.get_by_text("The line is lost.").first.wait_for(timeout=PATIENCE)
        site.start()
        wait_until(lambda: percent(page) >= 60, page)
        page.click("[data-pause]")
        page.get_by_text("Paused at").first.wait_for(timeout=PATIENCE)
        # What was in the buffers of the line still runs out of it; then nothing more comes.
        page.wait_for_timeout(2000)
        sent = line.sent
        page.wait_for_timeout(1000)
        assert line.sent == sent
        line.speed = None
        page.click("[data-pause]")
        page.wait_for_url("**/submission/*/", timeout=PATIENCE)
    line.close()
    assert site.submissions()[-1] == facts(archive)


def test_a_closed_tab_goes_on_when_the_same_file_is_chosen_again(browser, site, archive):
    line = Line(site.port, speed=15 * MIB)
    with logged_in(browser, site, line.url, locale="en") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        fill(page, archive, "Closed")
        press(page)
        wait_until(lambda: line.sent > 22 * MIB, page)
        page.close(run_before_unload=False)
        line.speed, line.sent = None, 0
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        page.get_by_text("choose the same file to go on").first.wait_for(timeout=PATIENCE)
        fill(page, archive, "Closed")
        press(page)
        page.wait_for_url("**/submission/*/", timeout=PATIENCE)
        assert line.sent < 30 * MIB
    line.close()
    assert site.submissions()[-1] == facts(archive)


def test_another_browser_goes_on_with_what_the_page_lists(browser, site, archive):
    line = Line(site.port, speed=15 * MIB)
    with logged_in(browser, site, line.url, locale="en") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        fill(page, archive, "Elsewhere")
        press(page)
        wait_until(lambda: line.sent > 22 * MIB, page)
    line.speed, line.sent = None, 0
    with logged_in(browser, site, line.url, locale="en") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        row = page.locator("#begun li", has_text="Elsewhere")
        with page.expect_file_chooser() as chooser:
            row.get_by_role("button", name="Go on").click()
        other = made(archive.with_name("other.zip"), MIB, seed=9)
        chooser.value.set_files(other)
        assert page.input_value("[name=system_name]") == "Elsewhere"
        press(page)
        page.get_by_text("This is not the file that was begun").wait_for(timeout=PATIENCE)
        page.set_input_files("[name=archive]", archive)
        press(page)
        page.wait_for_url("**/submission/*/", timeout=PATIENCE)
        assert line.sent < 30 * MIB
    line.close()
    assert site.submissions()[-1] == facts(archive)


def test_a_bad_description_is_said_before_the_archive_is_sent(browser, site, archive, tmp_path):
    paper = tmp_path / "paper.pdf"
    paper.write_text("no PDF at all")
    line = Line(site.port)
    with logged_in(browser, site, line.url, locale="zh-CN") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/")
        fill(page, archive, "Described")
        page.set_input_files("[name=document]", paper)
        press(page)
        page.get_by_text("cannot be read as a PDF").wait_for(timeout=PATIENCE)
        assert line.sent < MIB
    line.close()


CLOSE = """
from datetime import datetime, UTC
from submissions.models import Split
Split.objects.filter(slug="dev").update(closes={})
"""
OVER = """
from datetime import datetime, UTC
from submissions.models import Split
split = Split.objects.create(slug="over", name="Over", closes=datetime(2020, 1, 1, tzinfo=UTC))
split.items.create(
    position=0, slug="en-pause", name="0001_0001", language="en", scenario="pause_handling",
    annotation={}, duration=1, speech=[],
)
"""


def test_a_wrong_window_is_said_by_the_page_before_anything_is_pressed(browser, site, archive):
    site.ask(OVER)
    line = Line(site.port)
    with logged_in(browser, site, line.url, locale="en", timezone_id="Asia/Shanghai") as context:
        page = context.new_page()
        page.goto(f"{line.url}/en/submit/?split=over")
        assert "2019-12-31 12:00 AoE (2020-01-01 00:00 UTC)" in page.inner_text("main")
        assert "2020-01-01 08:00 your time (Asia/Shanghai)" in page.inner_text("main")
        said = page.locator("#preflight", has_text="The window of this split has closed.")
        said.wait_for(timeout=PATIENCE)
        button = page.locator("#upload-form button[type=submit]")
        assert button.is_disabled()
        page.select_option("[name=split]", "dev")
        assert not said.is_visible()
        assert button.is_enabled()
        page.select_option("[name=split]", "over")
        assert said.is_visible()
        assert button.is_disabled()
        fill(page, archive)
        page.locator("#preflight-verdict").wait_for(timeout=PATIENCE)
        assert button.is_disabled()
        assert line.sent < MIB
    line.close()


def test_a_window_that_closes_meanwhile_is_said_after_the_press(browser, site, archive):
    with logged_in(browser, site, site.url, locale="en") as context:
        page = context.new_page()
        page.goto(f"{site.url}/en/submit/?split=dev")
        fill(page, archive)
        page.locator("#preflight-verdict").wait_for(timeout=PATIENCE)
        site.ask(CLOSE.format("datetime(2020, 1, 1, tzinfo=UTC)"))
        press(page)
        page.locator("#upload [role=alert]", has_text="has closed").wait_for(timeout=PATIENCE)
        site.ask(CLOSE.format("None"))
