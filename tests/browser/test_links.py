"""Every internal link leads somewhere, and every export holds what its name says."""

import csv
import io
import json
import re
import urllib.error
import urllib.request
from collections import Counter, deque
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

import pytest
from django.urls import resolve
from django.utils.translation import override

from tests.browser.pages import PAGES

pytestmark = pytest.mark.slow

# Links of one kind that are followed: same page, same names in the query.
OF_A_KIND, WITH_QUERY = 3, 12
# What only a click of its owner should do, or what leads to the administration.
LEFT_OUT = ("/admin/", "/theme/", "/static/")
# What a reader without an account can come to from the front page.
REACHED = {
    "account_reset_password", "account_signup", "api-guide", "board", "board-export", "boards",
    "boards-difference", "boards-feed", "changelog", "compare", "compare-export", "data", "faq",
    "home", "how-to-submit", "item", "item-sound", "items", "login", "methodology", "rules",
    "scenario", "scenario-export", "split", "submission", "submission-items", "submission-report",
    "submit", "system",
}  # fmt: skip
# Pages that a form leads to, and no link.
BY_FORM = ("compare-two", "boards-difference")


class Answer(NamedTuple):
    """What came back from an address."""

    path: str
    name: str
    status: int
    kind: str
    body: bytes


class Links(HTMLParser):
    """Collects the addresses that a page names."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if tag in ("a", "audio", "img", "source"):
            self.found += [known[name] for name in ("href", "src") if known.get(name)]
        self.found += [known["hx-get"]] if known.get("hx-get") else []


@pytest.fixture(scope="module")
def answers(demo):
    """All pages and exports that can be come to from the front page, each kind a few times."""
    chosen = [
        one.address(demo, "en").removeprefix(demo.url) for one in PAGES if one.name in BY_FORM
    ]
    left, found = deque(["/en/", *chosen]), []
    seen, kinds = set(left), Counter()
    while left:
        answer = ask(demo.url, left.popleft())
        found.append(answer)
        for path in links(answer):
            kind = kind_of(path)
            if path not in seen and kinds[kind] < OF_A_KIND and kinds[kind[:2]] < WITH_QUERY:
                kinds[kind] += 1
                kinds[kind[:2]] += 1
                seen.add(path)
                left.append(path)
    return found


def ask(base, path):
    try:
        with urllib.request.urlopen(base + path, timeout=60) as answer:
            body, status = answer.read(), answer.status
            kind = answer.headers["Content-Type"].partition(";")[0]
    except urllib.error.HTTPError as error:
        body, status, kind = error.read(), error.code, error.headers["Content-Type"]
    return Answer(path, kind_of(path)[1], status, kind, body)


def links(answer):
    """Paths on the same host, without fragments."""
    if answer.kind != "text/html":
        return []
    reader = Links()
    reader.feed(answer.body.decode())
    whole = (urldefrag(urljoin(answer.path, link)).url for link in reader.found)
    return [one for one in whole if one.startswith("/") and not one.startswith(LEFT_OUT)]


def kind_of(path):
    """Language, name of the address, and the names in its query."""
    parts = urlsplit(path)
    with override("zh-hans" if path.startswith("/zh/") else "en"):
        match = resolve(parts.path)
    names = sorted({name for name, _ in parse_qsl(parts.query)})
    form = match.kwargs.get("form", "")
    return path[:4], match.url_name, form, *names


def exports(answers, ending):
    return [one for one in answers if urlsplit(one.path).path.endswith(ending)]


def test_no_link_is_broken(answers):
    assert [(one.status, one.path) for one in answers if one.status != 200] == []


def test_the_whole_public_site_is_reached_from_the_front_page(answers):
    assert REACHED - {one.name for one in answers} == set()
    assert {one.path[:4] for one in answers} >= {"/en/", "/zh/"}


def test_every_csv_is_a_table(answers):
    found = exports(answers, ".csv")
    assert found
    for one in found:
        rows = list(csv.reader(io.StringIO(one.body.decode("utf-8-sig"))))
        assert one.kind == "text/csv", one.path
        assert len(rows) > 1, one.path
        assert {len(row) for row in rows} == {len(rows[0])}, one.path


def test_every_json_is_one_with_content(answers):
    found = exports(answers, ".json")
    assert found
    for one in found:
        assert one.kind == "application/json", one.path
        assert json.loads(one.body), one.path


def test_every_latex_export_is_a_booktabs_table(answers):
    found = exports(answers, ".tex")
    assert found
    for one in found:
        assert one.kind == "application/x-tex", one.path
        for part in (rb"\begin{tabular}", rb"\toprule", rb"\bottomrule", rb"\end{tabular}"):
            assert part in one.body, one.path


def test_every_citation_is_an_entry(answers):
    found = exports(answers, ".bib")
    assert found
    for one in found:
        assert one.kind == "application/x-bibtex", one.path
        assert re.match(rb"@misc\{[\w-]+,", one.body), one.path


def test_every_sound_is_one(answers):
    found = [one for one in answers if one.name.startswith("item-") and "audio" in one.kind]
    assert found
    assert {one.body[:4] for one in found} <= {b"RIFF", b"fLaC"}
