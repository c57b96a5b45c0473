"""Every page in both languages, both themes, narrow and wide: sound, accessible, and kept."""

import pytest

from tests.browser.looking import axe, complaints, draw, faults, keep, reader_context, reading
from tests.browser.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CONTRAST = "color-contrast"
# In the wide layout all rules; what a narrow one changes; what a theme changes.
RULES = {
    (1280, "light"): (),
    (1280, "dark"): (CONTRAST,),
    (360, "light"): (CONTRAST, "scrollable-region-focusable", "target-size"),
    (360, "dark"): (CONTRAST,),
}
WRONG = """
() => {
    document.querySelector("main").insertAdjacentHTML("beforeend", `
        <h1>Wrong</h1><svg width="3000" height="10"></svg><img src="/static/img/mark.svg">
        <p id="pale">pale</p><p style="margin: 0">by the way</p>`);
    document.querySelector("#pale").style.color = "#ddd";
}
"""
EXPECTED = "Failed to load resource: the server responded with a status of "


@pytest.fixture(scope="module")
def open_page(browser, demo):
    """A page per reader that stays open, so that what all pages share is loaded once."""
    pages = {}

    def open_for(reader):
        if reader not in pages:
            page = reader_context(browser, demo, reader).new_page()
            pages[reader] = (page, complaints(page))
        page, found = pages[reader]
        found.clear()
        return page, found

    yield open_for
    for page, _ in pages.values():
        page.context.close()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("one", PAGES, ids=lambda page: page.name)
def test_page_is_sound(open_page, demo, one, language):
    page, found = open_page(one.reader)
    problems = {}
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        answer = page.goto(one.address(demo, language))
        assert answer.status == one.status
        draw(page)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found += axe(page, *RULES[width, theme])
            keep(page, f"{one.name}-{language}-{width}-{theme}")
        found += faults(page, language)
        if wrong := [said for said in found if not is_the_answer(said, one)]:
            problems[width] = wrong
        found.clear()
    assert problems == {}


def is_the_answer(said, one):
    """Whether the browser only says that the page itself is an error page, as it should be."""
    return one.status >= 400 and said.startswith((EXPECTED + str(one.status), f"{one.status} "))


def test_what_is_wrong_with_a_page_would_be_found(browser, demo):
    with reading(browser, demo, viewport={"width": 360, "height": 900}) as page:
        found = complaints(page)
        page.goto(f"{demo.url}/zh/faq/")
        assert (found, faults(page, "zh"), axe(page)) == ([], [], [])
        page.evaluate(WRONG)
        assert set(faults(page, "en")) >= {"not one h1", "wrong language attribute"}
        assert any(said.startswith("scrolls sideways") for said in faults(page, "en"))
        assert "not in Chinese: Wrong" in faults(page, "zh")
        assert any(said.startswith("image-alt") for said in axe(page))
        assert any(said.startswith(CONTRAST) for said in axe(page, CONTRAST))
        assert any("Content Security Policy" in said for said in found)
