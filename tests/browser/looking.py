"""Looking at a page: what the browser complains about, what axe finds, what every page keeps."""

import os
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from django.conf import settings

AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SERIOUS = ("serious", "critical")
# The heart of every finding: the rule, the element, and what axe says of it.
RUN_AXE = """
async (rules) => {
    const options = rules ? { runOnly: { type: "rule", values: rules } } : {};
    const { violations } = await axe.run(document, { ...options, resultTypes: ["violations"] });
    return violations.flatMap((one) => one.nodes.map((node) => [
        one.impact, `${one.id}: ${node.target.join(" ")} ${node.any.map((a) => a.message)}`
    ]));
}
"""
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
HAN = re.compile(r"[\u4e00-\u9fff]")
# Short texts that a reader of Chinese must find in Chinese, unless they are names.
WORDS_OF_THE_PAGE = """
() => [...document.querySelectorAll(
    "h1, h2, h3, thead th, label, button, summary, dt, nav a, .notice, .mark, caption, .step-name"
  )]
  .filter((node) => !node.closest("[translate=no], [lang=en]"))
  .map((node) => {
    const copy = node.cloneNode(true);
    const names = "[translate=no], code, kbd, .unit, .arrow";
    copy.querySelectorAll(names).forEach((part) => part.remove());
    return copy.textContent.trim();
  })
  .filter((text) => /[A-Za-z]{2}/.test(text))
"""
SAME_EVERYWHERE = {
    *("SHA-256", "English", "BibTeX", "LaTeX", "GitHub", "ORCID", "HumDial 2026", "curl", "Python"),
    *("API", "L_min", "L_base", "RESPOND", "RESUME"),
}
# What any page has, whatever it is about.
STRUCTURE = """
() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const first = document.querySelector("a[href], button, input, select, textarea, summary");
    const sorted = all("th[aria-sort]").map((th) => th.getAttribute("aria-sort"));
    return Object.entries({
        "not one h1": all("h1").length !== 1,
        "no main": all("main#content").length !== 1,
        "no title": !document.title.trim(),
        "no skip link": document.querySelector(".site-header") && !first.matches("a.skip"),
        "a table that can be sorted does not say how it is":
            all("th a.sort").length > 0 && sorted.length === 0,
        "wrong aria-sort": sorted.some((one) => !["ascending", "descending"].includes(one)),
        "template tag in the text": /\\{%|\\{\\{ /.test(all("main").map((m) => m.innerText).join()),
    }).filter(([, wrong]) => wrong).map(([fault]) => fault);
}
"""


def complaints(page):
    """Collect what the browser complains about; a breach of the content policy is an error too."""
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


@contextmanager
def reading(browser, site, reader="", **options):
    """A page in a fresh profile, for as long as it is read."""
    context = reader_context(browser, site, reader, **options)
    yield context.new_page()
    context.close()


def reader_context(browser, site, reader="", **options):
    """A fresh profile, logged in where a reader is named."""
    context = browser.new_context(**options)
    if reader:
        session = site.facts["sessions"][reader]
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    return context


def faults(page, language):
    """What is wrong with the page as it stands, apart from what axe knows."""
    found = page.evaluate(STRUCTURE)
    if (wide := page.evaluate(OVERFLOW)) > 0:
        found.append(f"scrolls sideways by {wide} px")
    if page.locator("html").get_attribute("lang") != LANGUAGES[language]:
        found.append("wrong language attribute")
    return found + (foreign(page) if language == "zh" else [])


def foreign(page):
    """Short texts that are not in Chinese."""
    texts = page.evaluate(WORDS_OF_THE_PAGE)
    return [
        f"not in Chinese: {text}"
        for text in texts
        if not HAN.search(text) and text not in SAME_EVERYWHERE
    ]


def axe(page, *rules):
    """What axe finds serious or critical, by all of its rules or by some."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    findings = page.evaluate(RUN_AXE, list(rules) or None)
    return [said for impact, said in findings if impact in SERIOUS]


@cache
def _axe():
    return AXE.read_text(encoding="utf-8")


def draw(page):
    """Have every figure drawn, as if one had scrolled by."""
    figures = page.locator("[data-chart]")
    for number in range(figures.count()):
        figures.nth(number).scroll_into_view_if_needed()
        figures.nth(number).and_(page.locator("[data-drawn]")).wait_for()


def keep(page, name):
    """Keep a screenshot for people to look at."""
    folder = Path(os.environ.get("SCREENSHOTS") or settings.BASE_DIR / "var" / "screenshots")
    # A JPEG takes the browser half as long as a PNG, and there are hundreds.
    page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=85, full_page=True)
