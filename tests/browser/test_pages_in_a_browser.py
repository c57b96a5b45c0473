"""What a page does while one looks at it: tables on a phone, the theme, the ladder."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.utils import timezone

from submissions.models import ItemResult, Run, Submission
from tests.browser.looking import reading
from tests.leaderboard import stage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SURFACE = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.fixture
def running(live_server, transactional_db, settings, tmp_path):
    """A submission of Alice's team whose scoring has just begun."""
    settings.MEDIA_ROOT = tmp_path / "media"
    alice = User.objects.create_user("alice", "alice@example.org", "wonderland-7")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    team = stage.make_team("Wonderland", alice)
    split = stage.make_split(position=1, items_public=True)
    running = stage.make_submission(split, team, "Runner", state=Submission.State.SCORING)
    run = Run.objects.create(submission=running, signature="running", unofficial=["offline"])
    ItemResult.objects.bulk_create(ItemResult(run=run, item=item) for item in split.items.all())
    return running


def test_the_table_scrolls_inside_its_own_frame_on_a_phone_and_hides_no_column(browser, demo):
    with reading(browser, demo, viewport={"width": 360, "height": 900}) as page:
        page.goto(f"{demo.url}/en/")
        frame = page.locator(".scroller").first
        assert frame.evaluate("node => node.scrollWidth > node.clientWidth")
        row = page.locator("tbody:not(.pinned) tr").first
        assert row.locator("td, th").count() == 7
        last = row.locator("td").last
        frame.evaluate("node => node.scrollLeft = node.scrollWidth")
        box = last.bounding_box()
        assert box["x"] + box["width"] <= 360


def test_the_theme_changes_at_once_and_stays(browser, demo):
    with reading(browser, demo, color_scheme="light") as page:
        page.goto(f"{demo.url}/en/")
        light = page.evaluate(SURFACE)
        page.click("text=Dark")
        dark = page.evaluate(SURFACE)
        assert light != dark
        page.goto(f"{demo.url}/en/methodology/")
        assert page.evaluate(SURFACE) == dark


def test_the_ladder_moves_by_itself(page, live_server, running):
    page.goto(f"{live_server.url}/en/account/login/")
    page.fill("[name=login]", "alice")
    page.fill("[name=password]", "wonderland-7")
    page.click("main button[type=submit]")
    page.goto(f"{live_server.url}/en/submission/{running.pk}/")
    page.get_by_text("0 of 20 items").first.wait_for()
    some = ItemResult.objects.filter(run__submission=running)[:3]
    ItemResult.objects.filter(pk__in=[one.pk for one in some]).update(heard=timezone.now())
    page.get_by_text("3 of 20 items").wait_for(timeout=20_000)
    stage.score(running)
    page.get_by_role("heading", name="Totals").wait_for(timeout=20_000)
