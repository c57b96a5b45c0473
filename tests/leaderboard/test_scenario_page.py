"""Scenario pages: what they show of a board, to whom, and at what cost."""

import csv
import json
import re

import pytest
from django.core.cache import cache

from leaderboard.snapshots import freeze
from submissions.models import Split
from submissions.services.standing import withdraw
from tests.leaderboard import boards, stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget():
    """Snapshots of different tests share their numbers."""
    cache.clear()


@pytest.fixture
def wide(db):
    """Two systems with enough items for intervals."""
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.5")
    boards.enter(split, "Falcon", quality=0.85, seed=1)
    boards.enter(split, "Mole", quality=0.3, seed=3)
    freeze(split, "two entries")
    return split


@pytest.fixture
def small(split, team):
    """Three systems whose items can be looked at; the items of one scenario divide them."""
    for name, missing in (("Parrot", ()), ("Raven", [ITEM]), ("Magpie", [ITEM, OTHER])):
        stage.score(stage.make_submission(split, team, name), missing=missing)
    split.ranking_mode = "strict"
    split.save()
    freeze(split, "three entries")
    return split


ITEM, OTHER = "en-follow_up-0009_0001", "cn-follow_up-0009_0001"


def page(client, slug, **query):
    return client.get(url("scenario", slug, **query))


def figures(response):
    found = re.findall(
        r'<script id="([\w-]+)-data" type="application/json">(.*?)</script>',
        response.content.decode(),
    )
    return {slug: json.loads(text) for slug, text in found}


def test_the_page_says_what_is_measured_and_who_leads(client, wide):
    text = text_of(page(client, "follow_up", split="wide"))
    assert "the user breaks in with a further question" in text
    assert "What counts is RESPOND" in text
    assert re.search(r"Falcon leads with \d+\.\d %\.", text)
    assert "1 of 2 systems succeeds in fewer than half of the items." in text


def test_every_figure_stands_beside_its_numbers(client, wide):
    response = page(client, "follow_up", split="wide")
    assert list(figures(response)) == [
        "rates", "outcomes", "latency-stop", "latency-response", "latency-first_response",
        "behaviour",
    ]  # fmt: skip
    html = response.content.decode()
    assert html.count('role="img" aria-label=') == html.count("aria-describedby=") == 6
    assert html.count("table=") == 6
    assert html.count("The same as a table") == 5


def test_the_dots_are_the_numbers_of_the_export(client, wide):
    dots = figures(page(client, "follow_up", split="wide"))["rates"]["data"]
    rows = client.get(url("scenario-export", "follow_up", "json", split="wide")).json()["rates"]
    for trace, code in zip(dots, ("cn", "en"), strict=True):
        assert trace["x"] == [round(row["rate"], 3) for row in rows if row["language"] == code]


def test_a_rejection_scenario_has_no_stop_latency_and_a_timed_one_no_judge(client, wide):
    response = page(client, "pause_handling", split="wide")
    assert not {"latency-stop", "latency-response"} & set(figures(response))
    assert "No judge is asked" in text_of(response)


def test_third_party_leads_to_its_two_parts_and_back(client, wide):
    whole = page(client, "third_party", split="wide")
    assert {"outcomes-third_party_after", "outcomes-third_party_before"} < set(figures(whole))
    assert url("scenario", "third_party_after") in whole.content.decode()
    part = page(client, "third_party_after", split="wide")
    assert "A part of" in text_of(part)
    assert "outcomes" in figures(part)


def test_a_split_without_stored_items_names_no_number_of_them(client, humdial, small):
    assert "Items Chinese" not in text_of(page(client, "follow_up", split="humdial"))
    assert "Items Chinese 1 · English 1" in text_of(page(client, "follow_up", split="demo"))


def test_a_mean_of_two_parts_without_an_interval_says_why(client, wide):
    text = text_of(page(client, "third_party", split="wide"))
    assert "There is none below 10 items each." in text
    assert "There is none below" not in text_of(page(client, "follow_up", split="wide"))


def test_a_published_table_says_that_it_has_no_scenarios_but_shows_its_group(client, humdial):
    response = page(client, "follow_up")
    text = text_of(response)
    assert "no source prints numbers of single scenarios" in text
    assert list(figures(response)) == ["group"]
    assert "79.3" in text
    assert "not published by language" in text
    assert "any of these: Badcat, Cookie asr" in text or "Badcat" in text


def test_the_front_of_the_published_interruption_totals_is_the_one_worked_out_by_hand(
    client, humdial
):
    line, marks = figures(page(client, "negation"))["group"]["data"]
    assert line["x"] == [0.624, 1.127, 1.237, 1.26, 1.301, 1.632]
    assert len(marks["x"]) == 13


def test_hard_items_name_the_systems_that_fail_and_open_them(client, small):
    response = page(client, "follow_up", split="demo")
    html = response.content.decode()
    hard = html[html.index('id="hardest"') : html.index('id="divisive"')]
    assert [line.split("/")[-2] for line in re.findall(r'href="(/en/item/[^"?]+)', hard)] == [
        ITEM, OTHER,
    ]  # fmt: skip
    assert "2 of 3" in hard
    assert "1 of 3" in hard
    assert client.get(re.search(r'href="(/en/item/[^"]+)"', hard)[1]).status_code == 200


def test_items_that_are_not_public_are_shown_and_exported_to_insiders_only(client, small, olga):
    small.items_public = False
    small.save()
    secret = "0009_0001"
    assert secret not in page(client, "follow_up", split="demo").content.decode()
    assert (
        client.get(
            url("scenario-export", "follow_up", "csv", split="demo", table="items")
        ).status_code
        == 404
    )
    exported = client.get(url("scenario-export", "follow_up", "json", split="demo"))
    assert secret not in exported.content.decode()
    login(client, olga)
    assert secret in page(client, "follow_up", split="demo").content.decode()


def test_an_unpublished_or_withdrawn_system_is_not_there(client, small, team, olga):
    hidden = stage.make_submission(small, team, "Ghost")
    stage.score(hidden, publish=False)
    assert "Ghost" not in text_of(page(client, "follow_up", split="demo"))
    gone = small.submissions.get(system__name="Raven")
    withdraw(gone, who=olga)
    assert "Raven" not in text_of(page(client, "follow_up", split="demo"))


def test_an_old_board_in_the_cache_never_shows_a_new_entry(client, wide):
    assert "Newcomer" not in text_of(page(client, "follow_up", split="wide"))
    boards.enter(wide, "Newcomer", quality=0.5, seed=5)
    assert "Newcomer" not in text_of(page(client, "follow_up", split="wide"))
    freeze(wide, "a new entry")
    assert "Newcomer" in text_of(page(client, "follow_up", split="wide"))


def test_the_page_costs_few_queries_cold_and_fewer_warm(
    client, wide, django_assert_max_num_queries
):
    for number in range(5):
        boards.enter(wide, f"Crow {number}", quality=0.5, seed=number)
    freeze(wide, "more entries")
    with django_assert_max_num_queries(15):
        page(client, "follow_up", split="wide")
    with django_assert_max_num_queries(8):
        page(client, "negation", split="wide")


def test_every_table_can_be_had_as_csv(client, wide):
    for table, columns in {
        "rates": ["rate", "rate_low", "counted"],
        "outcomes": ["outcome", "items"],
        "latencies": ["latency", "median", "mean", "missing"],
        "behaviour": ["rate", "response", "unbeaten"],
    }.items():
        response = client.get(url("scenario-export", "follow_up", "csv", split="wide", table=table))
        rows = list(csv.DictReader(response.content.decode().splitlines()))
        assert {row["system"] for row in rows} == {"Falcon", "Mole"}
        assert set(columns) <= set(rows[0])


def test_a_name_that_looks_like_a_formula_is_harmless_in_csv(client, wide):
    boards.enter(wide, "=cmd", quality=0.5)
    freeze(wide, "formula")
    text = client.get(url("scenario-export", "follow_up", "csv", split="wide")).content.decode()
    assert ",'=cmd," in text


ABSENT = (
    "/en/scenario/nope/",
    "/en/scenario/follow_up/?split=nope",
    "/en/scenario/follow_up.pdf",
    "/en/scenario/follow_up.csv?table=x",
)


@pytest.mark.parametrize("path", ABSENT)
def test_what_is_not_there_is_not_found(client, wide, path):
    assert client.get(path).status_code == 404


def test_without_any_split_or_board_the_page_still_explains(client, db):
    assert "No system has been scored" in text_of(page(client, "follow_up"))
    stage.make_split(items_public=True)
    text = text_of(page(client, "follow_up"))
    assert "No system has been scored" in text
    assert "Chinese 1 · English 1" in text


def test_the_sample_speaks_the_readers_language(client, small):
    page_en = client.get(f"/en/scenario/follow_up/?split={small.slug}").content.decode()
    page_zh = client.get(f"/zh/scenario/follow_up/?split={small.slug}").content.decode()
    assert f'/item/demo/{ITEM}/"' in page_en
    assert f'/item/demo/{OTHER}/"' in page_zh


@pytest.mark.parametrize(
    ("slug", "title"),
    [
        ("negation", "Interruption (mean of five scenarios)"),
        ("follow_up", "Interruption (mean of five scenarios)"),
        ("backchannels", "Rejection (mean of four scenarios)"),
    ],
)
def test_a_page_that_knows_its_group_only_has_the_groups_title(client, humdial, slug, title):
    html = client.get(f"/en/scenario/{slug}/?split=humdial").content.decode()
    assert f"<title>{title} · HumDial 2026" in html
    assert re.search(r"<h1>([^<]+)", html)[1].strip() == title
    assert f"{title} against total delay" in html
    assert "Nothing is known of" in html


def test_a_page_with_numbers_of_its_scenario_has_the_scenarios_title(client, split, submission):
    stage.score(submission)
    stage.published_board(split)
    html = client.get("/en/scenario/negation/?split=demo").content.decode()
    assert "<title>Negation or dissatisfaction · Demo" in html
    assert "mean of five" not in html
