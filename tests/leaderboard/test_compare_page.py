"""The compare page: who may compare what, and what the page leads to."""

import csv
import re
from dataclasses import replace

import pytest
from django.core.cache import cache

from leaderboard.snapshots import freeze
from submissions.models import Split
from tests.leaderboard import boards, stage
from tests.leaderboard.reader import login, text_of, url
from tests.scoring.systems import items

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget():
    """Runs of different tests share their keys."""
    cache.clear()


@pytest.fixture
def wide(db):
    """Three systems with enough items for intervals."""
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", items_public=True)
    for name, quality, kind in (
        ("Falcon", 0.85, "participant"), ("Mole", 0.6, "baseline"), ("Crow", 0.8, "participant"),
    ):  # fmt: skip
        boards.enter(split, name, quality=quality, seed=len(name), kind=kind)
    freeze(split, "three entries")
    return split


def compare(client, *names, language="en", **query):
    pairs = [f"s={name}" for name in names] + [f"{key}={value}" for key, value in query.items()]
    return client.get(f"/{language}/compare/?{'&'.join(pairs)}")


def key(split, name):
    return str(split.submissions.get(system__name=name).pk)


def test_two_systems_by_name_or_by_number_are_the_same_comparison(client, wide):
    by_name = compare(client, "falcon", "mole", split="wide")
    by_number = compare(client, key(wide, "Falcon"), key(wide, "Mole"))
    assert "A (Falcon) is better on the total" in text_of(by_name)
    assert text_of(by_name) == text_of(by_number)


def test_the_page_shows_verdict_differences_agreement_and_places(client, wide):
    response = compare(client, "falcon", "mole", "crow", split="wide")
    html, text = response.content.decode(), text_of(response)
    assert html.count('<li><strong class="letter">') == 3
    assert "C − A" in text
    assert "better:" in text or "worse:" in text
    assert "A and B: Mole" in text
    assert html.count("<polyline") == 3
    assert compare(client, "falcon", "mole", language="zh", split="wide").status_code == 200


def test_a_cell_of_the_agreement_opens_its_items(client, split, team):
    pair = [stage.make_submission(split, team, name) for name in ("Parrot", "Raven")]
    for one, missing in zip(pair, ([], ["en-negation-0008_0001"]), strict=True):
        stage.score(one, missing=missing)
    split.ranking_mode = "strict"
    split.save()
    freeze(split, "two entries")
    html = compare(client, *(str(one.pk) for one in pair)).content.decode()
    link = re.search(r'href="([^"]+scenario=negation&amp;agree=only-a)">(\d+)<', html)
    assert link[2] == "1"
    listing = client.get(link[1].replace("&amp;", "&"))
    assert "0008_0001" in listing.content.decode()
    assert "1 item" in text_of(listing)


def test_cells_lead_nowhere_when_the_items_are_not_public(client, wide):
    wide.items_public = False
    wide.save()
    assert "agree=" not in compare(client, "falcon", "mole", split="wide").content.decode()


def test_a_team_compares_its_own_unpublished_systems_and_nobody_else_does(
    client, split, team, alice, charlie, olga
):
    keys = []
    for name in ("Draft", "Sketch"):
        one = stage.make_submission(split, team, name)
        stage.score(one, publish=False)
        keys.append(str(one.pk))
    assert compare(client, *keys).status_code == 404
    assert compare(login(client, charlie), *keys).status_code == 404
    response = compare(login(client, alice), *keys)
    assert "only your team and the organisers see them" in text_of(response)
    assert "Sketch" in text_of(compare(client, split="demo"))
    assert compare(login(client, olga), *keys).status_code == 200
    client.logout()
    assert "Sketch" not in text_of(compare(client, split="demo"))
    exported = url("compare-export", "csv") + f"?s={keys[0]}&s={keys[1]}"
    assert client.get(exported).status_code == 404


def test_before_the_reveal_not_even_the_team_compares(client, split, team, alice):
    split.publication = Split.Publication.REVEAL
    split.save()
    keys = []
    for name in ("Draft", "Sketch"):
        one = stage.make_submission(split, team, name)
        stage.score(one, publish=False)
        keys.append(str(one.pk))
    assert compare(login(client, alice), *keys).status_code == 404
    assert "Sketch" not in text_of(compare(client, split="demo"))


def test_a_trial_is_compared_by_nobody(client, wide, alice, team):
    trial = stage.make_submission(stage.make_split(position=3), team, "Trial", is_trial=True)
    stage.score(trial, publish=False)
    assert compare(login(client, alice), str(trial.pk), str(trial.pk)).status_code == 404


def test_systems_of_two_splits_are_not_compared(client, wide, split, team):
    other = stage.make_submission(split, team, "Parrot")
    stage.score(other)
    assert compare(client, key(wide, "Falcon"), str(other.pk)).status_code == 404


def test_published_rows_are_shown_with_what_they_have(client, humdial):
    response = compare(client, "cookie-asr", "badcat")
    text = text_of(response)
    assert "A (Cookie asr) against B (Badcat): published totals only" in text
    assert "Total ↑ 76.6 73.5 −3.1 Interruption % ↑ 79.3 89.7 +10.4" in text
    assert "No source prints numbers of single scenarios." in text
    assert "Follow-up questions" not in text
    assert "beyond chance" not in text
    assert "<polyline" not in response.content.decode()


def test_one_system_or_too_many_are_answered_with_advice(client, humdial, wide):
    assert "Choose at least one more system." in text_of(compare(client, "badcat"))
    rows = Split.objects.get(slug="humdial").reported.values_list("slug", flat=True)[:8]
    response = compare(client, *rows)
    assert "At most 6 systems can be compared" in text_of(response)
    assert response.content.decode().count('<strong class="letter">') == 6


def test_without_names_there_is_a_form_that_needs_no_script(client, wide):
    html = compare(client, split="wide").content.decode()
    assert html.count('type="checkbox" name="s"') == 3
    assert 'method="get"' in html
    assert "The first against the baseline" in html
    assert "All with open weights" in html


def test_presets_lead_to_comparisons(client, wide):
    html = compare(client, split="wide").content.decode()
    links = re.findall(r'href="(/en/compare/\?split=wide&amp;s=[^"]+)"', html)
    assert len(links) == 3
    for link in links:
        assert "Differences" in text_of(client.get(link.replace("&amp;", "&")))


def test_the_form_remembers_what_is_compared(client, wide):
    html = compare(client, "falcon", "mole", split="wide").content.decode()
    assert html.count(" checked>") == 2


@pytest.mark.parametrize("query", ["s=nobody", "s=falcon&s=nobody&split=wide", "split=nowhere",
                                   "s=6f9619ff-8b86-d011-b42d-00c04fc964ff"])  # fmt: skip
def test_what_does_not_exist_is_not_found(client, wide, query):
    assert client.get(f"/en/compare/?{query}").status_code == 404


def test_other_engines_are_marked(client, wide):
    strange = stage.SIGNATURE.replace("judge:offline", "judge:chat")
    boards.enter(wide, "Odd", quality=0.8, signature=strange)
    freeze(wide, "another judge")
    text = text_of(compare(client, "falcon", "odd", split="wide"))
    assert "Not scored in the same way" in text
    assert "The judge differs: offline against chat." in text


def test_the_export_has_the_numbers_of_the_page(client, wide):
    query = f"?split=wide&s={key(wide, 'Falcon')}&s={key(wide, 'Mole')}"
    data = client.get(url("compare-export", "json") + query).json()
    total = next(row for row in data["differences"] if row["measure"] == "total")
    assert total["separable"] is True
    assert total["low"] < total["difference"] < total["high"] < 0
    text = text_of(client.get(f"/en/compare/{query}"))
    assert f"{abs(total['difference']):.1f}" in text
    assert total["difference"] == round(float(total["other_value"]) - float(total["one_value"]), 1)
    rows = client.get(url("compare-export", "csv") + query + "&table=agreement").content.decode()
    first = next(csv.DictReader(rows.splitlines()))
    assert first["scenario"] == "follow_up"
    assert client.get(url("compare-export", "csv") + "?split=wide&s=falcon").status_code == 404


def test_the_exports_can_be_reached_from_the_page(client, wide):
    html = compare(client, "falcon", "mole", split="wide").content.decode()
    assert 'href=""' not in html
    links = re.findall(r'href="([^"]+)">(CSV|JSON)<', html)
    assert len(links) == 3
    for link, _form in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200


def test_any_system_can_be_the_one_that_others_are_compared_with(client, wide):
    html = compare(client, "falcon", "mole", "crow", split="wide").content.decode()
    (link,) = re.findall(r'href="([^"]+)"[^>]*>put first<span[^>]*> Crow<', html)
    turned = client.get(f"/en/compare/{link}".replace("&amp;", "&"))
    marks = re.findall(
        r'class="letter">(\w)</strong> <span><a [^>]+>(\w+)</a>', turned.content.decode()
    )
    assert marks == [("A", "Crow"), ("B", "Falcon"), ("C", "Mole")]
    assert "put first Crow" not in text_of(turned)


def test_six_systems_cost_few_queries(client, wide, alice, django_assert_max_num_queries):
    names = [f"Bird {number}" for number in range(6)]
    for number, name in enumerate(names):
        boards.enter(wide, name, quality=0.6, seed=number)
    freeze(wide, "more entries")
    slugs = [name.lower().replace(" ", "-") for name in names]
    with django_assert_max_num_queries(15):
        compare(client, *slugs, split="wide")
    login(client, alice)
    with django_assert_max_num_queries(15):
        compare(client, *slugs, split="wide")


def test_an_official_rate_is_the_same_on_every_page_and_in_every_export(client):
    """14 of 17 are 82.35 %; the official scripts round them to 0.82."""
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="official")
    for name, hits in (("Falcon", 14), ("Mole", 9)):
        found = [
            replace(one, success=good, labels=("C_RESPOND" if good else "C_RESUME",))
            if one.item.script == "follow_up"
            else one
            for one in items(per_stratum=17, seed=hits)
            for good in [int(one.item.item[:4]) < hits]
        ]
        boards.enter(split, name, found=found)
    freeze(split, "two entries")
    falcon = key(split, "Falcon")
    pages = [
        client.get("/en/scenario/follow_up/?split=wide"),
        client.get("/en/system/falcon/"),
        client.get(url("submission", falcon)),
        compare(client, "falcon", "mole", split="wide"),
    ]
    assert all("82.0" in text_of(page) for page in pages)
    assert re.search(r"Follow-up questions .{0,9}82\.0", text_of(pages[-1]))
    query = f"?split=wide&s={falcon}&s={key(split, 'Mole')}"
    rows = client.get(url("compare-export", "json") + query).json()["differences"]
    (row,) = (one for one in rows if one["measure"] == "follow_up")
    (rate,) = (
        one["rate"]
        for one in client.get("/en/scenario/follow_up.json?split=wide").json()["behaviour"]
        if one["submission"] == falcon
    )
    assert (row["one_value"], rate) == ("82.0", 82.0)
