"""Boards and the pages around them, for everybody."""

import json
import re

import pytest

from leaderboard.models import Snapshot
from submissions.models import Submission
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db


# Boards


def test_a_site_without_splits_says_what_comes_next(client):
    response = client.get("/en/")
    assert response.status_code == 200
    assert "An organiser has to import a split first" in text_of(response)


def test_home_is_the_first_board(client, humdial):
    response = client.get("/en/")
    text = text_of(response)
    assert "Cookie asr leads with 76.6 of 100 points" in text
    assert "published 72.6" in text
    assert "frozen as humdial-2025-12" in text
    assert response.content.decode().count("<h1") == 1


def test_home_in_chinese_has_the_short_prefix_and_the_full_language_code(client, humdial):
    html = client.get("/zh/").content.decode()
    assert '<html lang="zh-Hans"' in html
    assert "打断" in html
    assert 'hreflang="en" href="http://testserver/en/"' in html


@pytest.mark.parametrize(
    ("accepted", "prefix"), [("zh-CN,zh;q=0.9", "zh"), ("de", "en"), ("en-GB", "en")]
)
def test_an_address_without_language_leads_to_the_readers(client, humdial, accepted, prefix):
    number = Snapshot.objects.get().pk
    for address in ("/", f"/board/{number}/"):
        response = client.get(address, headers={"accept-language": accepted}, follow=True)
        assert response.redirect_chain[-1][0] == f"/{prefix}{address}"
        assert response.status_code == 200


def test_pages_work_under_the_strict_content_policy(client, humdial):
    response = client.get("/en/")
    html = response.content.decode()
    assert "style-src 'self'" in response["Content-Security-Policy"]
    assert not re.search(r'\sstyle="|<style|<script(?![^>]*\ssrc=)|\son\w+="', html)


def test_a_frozen_board_is_found_by_its_number_and_links_to_the_one_before(client, split):
    first = stage.published_board(split)
    second = stage.published_board(split, "Parrot withdrawn")
    response = client.get(url("board", second.pk))
    assert f'href="{url("board", first.pk)}"' in response.content.decode()
    old = client.get(url("board", first.pk))
    assert "a newer one exists" in text_of(old)


def test_a_board_that_never_was_is_not_found(client, humdial):
    response = client.get("/en/board/999/")
    assert response.status_code == 404
    assert "There is no such page" in text_of(response)


def test_exports_carry_board_number_signature_and_the_unofficial_mark(client, split, submission):
    stage.score(submission)
    number = stage.published_board(split).pk
    found = json.loads(client.get(url("board-export", number, "json")).content)
    assert (found["board"], found["unofficial"]) == (number, ["offline"])
    ranked = stage.SIGNATURE.replace("mode:both", "mode:official")
    assert found["signatures"] == [ranked]
    table = client.get(url("split-export", "demo", "csv"))
    assert table["Content-Type"].startswith("text/csv")
    assert ranked in table.content.decode()


def test_an_export_in_an_unknown_form_is_not_found(client, humdial):
    assert client.get(url("board-export", Snapshot.objects.get().pk, "xls")).status_code == 404


def test_unofficial_engines_are_marked_on_the_board(client, split, submission):
    stage.score(submission)
    stage.published_board(split)
    text = text_of(client.get(url("split", "demo")))
    assert "unofficial engines: offline rule judge" in text


def test_the_board_takes_few_queries_however_many_rows(
    client, humdial, django_assert_max_num_queries
):
    with django_assert_max_num_queries(10):
        client.get("/en/")


# What is going on


def test_the_queue_shows_progress_but_hides_whose_entry_it_is(client, split, submission):
    submission.state = Submission.State.SCORING
    submission.save()
    text = text_of(client.get(url("split", "demo")))
    assert "An entry" in text
    assert "judged 0 of 20 items" in text
    assert "Parrot" not in text


def test_the_team_sees_its_own_name_in_the_queue(client, submission, alice):
    html = login(client, alice).get(url("split", "demo")).content.decode()
    assert f'href="{url("submission", submission.pk)}"' in html


def test_the_live_part_asks_for_the_page_anew_when_there_is_a_new_board(client, split):
    quiet = client.get(url("split-live", "demo", board=""))
    assert "HX-Refresh" not in quiet
    stage.published_board(split)
    assert client.get(url("split-live", "demo", board=""))["HX-Refresh"] == "true"


# The rest


def test_the_methodology_names_the_constants_in_use(client):
    text = text_of(client.get(url("methodology")))
    for constant in ("0.624", "2.531", "0.6 s", "0.5 s", "ln(L / L_min)", "95 %"):
        assert constant in text


def test_only_staff_come_to_the_console(client, charlie, olga):
    assert client.get(url("organise")).url.startswith("/en/account/login/")
    assert login(client, charlie).get(url("organise")).status_code == 403
    assert login(client, olga).get(url("organise")).url == "/admin/"


def test_the_theme_is_remembered_and_leads_back(client, humdial):
    response = client.get("/theme/dark/?next=/en/")
    assert (response.url, client.cookies["theme"].value) == ("/en/", "dark")
    assert 'data-theme="dark"' in client.get("/en/").content.decode()


def test_the_theme_never_leads_away_from_the_site(client):
    assert client.get("/theme/dark/?next=https://elsewhere.example/").url == "/"
    assert client.get("/theme/purple/").status_code == 404


def test_logging_in_and_out_works(client, humdial, alice):
    response = client.post(url("login"), {"login": "alice", "password": "wonderland-7"})
    assert response.url == url("my")
    assert client.post(url("logout")).url == url("home")
