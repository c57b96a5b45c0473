"""What search engines and those who share an address are told: robots, sitemap, head of a page."""

import re
from urllib.robotparser import RobotFileParser

import pytest
from django.utils import timezone

from leaderboard.models import Snapshot
from submissions.models import Submission
from tests.leaderboard import stage

pytestmark = pytest.mark.django_db


def addresses(client):
    xml = client.get("/sitemap.xml").content.decode()
    return re.findall(r"<loc>http://testserver([^<]+)</loc>", xml)


def head(client, address):
    return client.get(address).content.decode().split("</head>")[0]


def test_robots_are_kept_from_accounts_uploads_and_sounds(client):
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    text = response.content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in text
    rules = RobotFileParser()
    # The parser of the standard library knows no wildcards.
    rules.parse(text.replace("/*/", "/en/").splitlines())
    for path in ("/en/my/", "/account/x/", "/en/account/login/", "/uploads/1", "/admin/"):
        assert not rules.can_fetch("any", path), path
    assert rules.can_fetch("any", "/en/system/unity-squad/")
    assert re.search(r"^Disallow: /\*/item/\*\.wav\$$", text, re.MULTILINE)


def test_the_sitemap_lists_public_pages_in_both_languages(client, humdial):
    found = addresses(client)
    board = f"board/{Snapshot.objects.get().pk}/"
    for page in ("", "faq/", "scenario/negation/", "split/humdial/", "system/moshi/", board):
        assert {f"/en/{page}", f"/zh/{page}"} <= set(found), page
    assert len(found) == len(set(found))


def test_every_address_of_the_sitemap_answers(client, humdial):
    answers = {path: client.get(path).status_code for path in addresses(client)}
    assert {path: code for path, code in answers.items() if code != 200} == {}


def test_the_sitemap_names_no_system_before_its_numbers_are_public(client, split):
    team = stage.make_team("Wonderland")
    seen, hidden = (stage.make_submission(split, team, name) for name in ("Seen", "Hidden"))
    trial = stage.make_submission(split, team, "Trial", is_trial=True)
    gone = stage.make_submission(split, team, "Gone", state=Submission.State.WITHDRAWN)
    stage.score(seen)
    stage.score(hidden, publish=False)
    for one in (trial, gone):
        one.published = timezone.now()
        one.save()
    found = [path for path in addresses(client) if "/system/" in path]
    assert found == ["/en/system/wonderland-seen/", "/zh/system/wonderland-seen/"]


def test_the_sitemap_asks_the_database_little(client, humdial, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        client.get("/sitemap.xml")


def test_a_view_of_a_page_names_the_page_itself(client, humdial):
    text = head(client, "/en/?sort=delay&pin=baseline&cols=total")
    assert '<link rel="canonical" href="http://testserver/en/">' in text
    text = head(client, "/en/scenario/negation/?split=humdial&sort=total")
    assert 'href="http://testserver/en/scenario/negation/?split=humdial"' in text


def test_a_page_tells_its_title_and_what_it_is_about(client, humdial):
    text = head(client, "/en/")
    title = re.search(r"<title>(.+)</title>", text)[1]
    assert f'<meta property="og:title" content="{title}">' in text
    assert re.search(r'name="description" property="og:description" content="Cookie asr', text)
    assert re.findall(r'rel="alternate" hreflang="([^"]+)"', text) == ["en", "zh-Hans"]


def test_a_title_with_a_quotation_mark_stays_inside_its_attribute():
    from django.template import Context, Template

    page = Template('{% load sharing %}{% titled %}"A" <b> {{ name }}{% endtitled %}')
    html = page.render(Context({"name": '<i>"x"'}))
    assert 'content="&quot;A&quot; <b> &lt;i&gt;&quot;x&quot;"' in html


def test_a_page_that_is_not_there_searches_the_board(client, humdial):
    response = client.get("/en/nowhere/")
    html = response.content.decode()
    assert response.status_code == 404
    assert re.search(r'<form[^>]+action="/en/"[^>]+role="search">', html)
    assert "canonical" not in html
    assert "Unity Squad" in client.get("/en/?q=unity").content.decode()
