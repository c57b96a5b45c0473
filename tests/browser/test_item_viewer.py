"""The item viewer in a real browser: the sound plays, keys and words move it, both widths fit."""

import re

import pytest

from submissions.models import ItemResult
from tests.leaderboard import sounded, stage
from tests.leaderboard.sounded import ITEM

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TIME = "document.querySelector('audio').currentTime"
PAUSED = "document.querySelector('audio').paused"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def site(live_server, transactional_db, settings, tmp_path):
    """Two systems that answer one item with a sound."""
    settings.MEDIA_ROOT = tmp_path / "media"
    split = stage.make_split(position=1, items_public=True)
    team = stage.make_team("Wonderland")
    sounded.add_user_sound(split)
    parrot, magpie = (sounded.submit(split, team, name) for name in ("Parrot", "Magpie"))
    stage.score(parrot)
    stage.score(magpie, speech=[(5.2, 11.0)], starts=(5.2, 6.5, 8.0))
    return f"{live_server.url}/en/item/demo/{ITEM}/", parrot, magpie


@pytest.fixture(params=[360, 1280])
def narrow_or_wide(browser, request):
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda line: page.complaints.append(line.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    yield page
    assert page.complaints == []
    context.close()


def until(page, condition):
    """Wait for a condition; Playwright's own way of waiting is forbidden by the content policy."""
    for _turn in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came: {condition}; time {page.evaluate(TIME)}")


def wait_for_time(page, seconds, close=0.01):
    until(page, f"Math.abs({TIME} - {seconds}) < {close}")


def test_the_sound_plays_and_the_head_moves_with_it(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    assert page.evaluate(OVERFLOW) <= 0
    page.keyboard.press("Space")
    until(page, f"{TIME} > 0.3")
    assert page.evaluate(PAUSED) is False
    page.keyboard.press("k")
    until(page, PAUSED)
    head = page.locator("[data-playhead]")
    assert head.get_attribute("visibility") == "visible"
    x = float(re.search(r"[\d.]+", head.get_attribute("transform"))[0])
    assert x == pytest.approx(92 + page.evaluate(TIME) * 894 / 22, abs=1)


def test_keys_move_in_time(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    moves = [
        ("Shift+ArrowRight", 5),
        ("ArrowRight", 6),
        ("ArrowLeft", 5),
        ("l", 8),
        ("j", 5),
        ("]", 5.2),
        ("]", 9),
        ("[", 5.2),
        ("Shift+ArrowLeft", 0.2),
    ]
    for key, seconds in moves:
        page.keyboard.press(key)
        wait_for_time(page, seconds)


def test_a_click_on_a_word_on_a_lane_or_on_an_event_goes_there(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    word = page.locator(".by-model .word").nth(1)
    word.click()
    wait_for_time(page, 13.1)
    until(page, "document.querySelector('.by-model .word:nth-child(2).now')")
    page.click("#event-list summary")
    page.click("#event-list >> text=0:09.800 >> nth=0")
    # The list shows a latency at its end; its stretch begins with it.
    wait_for_time(page, 9.8)
    lanes = page.locator(".timeline svg")
    lanes.scroll_into_view_if_needed()
    box = lanes.bounding_box()
    unit = box["width"] / 1000
    lanes.click(position={"x": (92 + 894 / 4) * unit, "y": 75 * unit})
    wait_for_time(page, 5.5, close=0.2)


def test_a_bracket_plays_its_moment_and_stops(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    page.locator("a.bracket-stop").focus()
    page.keyboard.press("Enter")
    wait_for_time(page, 9.0)
    page.keyboard.press("k")
    wait_for_time(page, 9.8)
    until(page, PAUSED)


def test_the_moment_of_a_link_is_where_playing_begins(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}&t=3.48-4.83")
    wait_for_time(page, 3.48)
    page.click("[data-copy]")
    # The page of a test may not use the clipboard: then the link is shown.
    shown = page.locator("[data-copied]")
    if shown.is_visible():
        assert "t=3.480-4.830" in shown.input_value()


def test_keys_can_be_turned_off_and_never_disturb_a_field(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    page.locator("[data-speed]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(TIME) == 0
    page.click("[data-help] summary")
    page.uncheck("[data-keys]")
    page.keyboard.press("l")
    assert page.evaluate(TIME) == 0


def test_speed_changes_by_choice_and_by_key(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    page.select_option("[data-speed]", "0.5")
    assert page.evaluate("document.querySelector('audio').playbackRate") == 0.5
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("+")
    assert page.evaluate("document.querySelector('audio').playbackRate") == 0.75


def test_one_side_can_be_muted_while_the_sound_goes_on(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    page.keyboard.press("k")
    until(page, f"{TIME} > 0.1")
    for name in ("Mute user", "Model only"):
        button = page.get_by_role("button", name=name)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
    before = page.evaluate(TIME)
    until(page, f"{TIME} > {before + 0.2}")


def test_another_system_is_heard_at_the_same_moment(narrow_or_wide, site):
    page, (address, parrot, magpie) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk},{magpie.pk}")
    assert page.evaluate(OVERFLOW) <= 0
    assert page.locator("audio:visible").count() == 1
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("2")
    until(page, f"document.querySelector('audio').src.includes('{magpie.pk}')")
    wait_for_time(page, 5)


def test_brackets_in_the_browser_have_the_stored_numbers(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    stored = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM).official
    expected = [f"stop {end - start:.3f} s" for start, end in stored["stop"]]
    expected += [f"response {end - start:.3f} s" for start, end in stored["response"]]
    expected.append(f"first response {stored['first_response_delay']:.3f} s")
    assert sorted(page.locator("a.bracket text").all_text_contents()) == sorted(expected)


def test_waveforms_are_drawn_in_the_lanes(narrow_or_wide, site):
    page, (address, parrot, _) = narrow_or_wide, site
    page.goto(f"{address}?sys={parrot.pk}")
    page.wait_for_load_state("networkidle")
    for kind in ("user", "model"):
        until(page, f"document.querySelector('.{kind}-wave').getBBox().width > 1000")


def test_the_page_is_complete_without_scripts(browser, site):
    address, parrot, magpie = site
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}?sys={parrot.pk},{magpie.pk}")
    assert page.locator("audio:visible").count() == 2
    assert not page.locator("[data-tools]").is_visible()
    page.locator("a.bracket-stop").first.click()
    assert "t=9.000-9.800" in page.url
    assert page.locator("rect.moment").count() == 1
    context.close()
