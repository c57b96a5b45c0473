"""Scenario pages are made once after a freeze, kept, and made anew when their makers changed."""

import json
import zlib

import pytest
from django.conf import settings
from django.http import QueryDict

from leaderboard import charts, tasks
from leaderboard.models import ScenarioPage
from leaderboard.scenarios import choosing, data, figures, kept, stored
from leaderboard.scenarios.figures import Shown
from leaderboard.scenarios.numbers import PAGES, Scenario, Side, System
from leaderboard.snapshots import freeze, on_board_changed
from submissions.models import Split
from tests.leaderboard import boards
from tests.leaderboard.reader import text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def wide(db):
    """Two systems with enough items for intervals."""
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.5")
    boards.enter(split, "Falcon", quality=0.85, seed=1)
    boards.enter(split, "Mole", quality=0.3, seed=3)
    return split


def address(slug="follow_up", **query):
    return url("scenario", slug, split="wide", **query)


def counted(monkeypatch):
    """How often the numbers of a board are worked out."""
    calls = []

    def work_out(snapshot):
        calls.append(snapshot.pk)
        return data.work_out(snapshot)

    monkeypatch.setattr(kept, "work_out", work_out)
    return calls


def test_after_a_freeze_a_worker_makes_the_pages_of_all_languages(
    wide, client, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(tasks.prepare_scenarios, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        on_board_changed(split=wide, cause="two entries")
    board = wide.snapshots.get()
    assert sent == [board.pk]
    tasks.prepare_scenarios(board.pk)
    languages = {"", *(code for code, _name in settings.LANGUAGES)}
    assert set(ScenarioPage.objects.values_list("slug", "language")) == {
        (slug, language) for slug in PAGES for language in languages
    }
    calls = counted(monkeypatch)
    assert "Falcon leads with" in text_of(client.get(address()))
    assert "Falcon" in text_of(client.get(address().replace("/en/", "/zh/")))
    assert calls == []


def test_what_is_missing_is_made_for_the_first_reader_and_kept(wide, client, monkeypatch):
    freeze(wide, "two entries")
    calls = counted(monkeypatch)
    pages = [client.get(address(slug)).status_code for slug in ("follow_up", "negation")]
    assert pages == [200, 200]
    assert len(calls) == 1


def test_a_kept_page_asks_for_no_rows_no_runs_and_no_results(
    wide, client, django_assert_max_num_queries
):
    board = freeze(wide, "two entries")
    kept.prepare(board)
    with django_assert_max_num_queries(5) as asked:
        client.get(address())
    assert not [one["sql"] for one in asked if "submissions_run" in one["sql"]]
    assert not [one["sql"] for one in asked if '"rows"' in one["sql"]]


def test_pages_of_other_code_are_made_anew(wide, client, monkeypatch):
    kept.prepare(freeze(wide, "two entries"))
    ScenarioPage.objects.update(made_by="older", content=zlib.compress(b"{}"))
    assert "Falcon leads with" in text_of(client.get(address()))
    fresh = ScenarioPage.objects.get(slug="follow_up", language="en")
    assert fresh.made_by == kept.made_by()


def test_a_newer_board_takes_the_place_of_the_old_pages(wide):
    first = freeze(wide, "two entries")
    kept.prepare(first)
    second = freeze(wide, "again")
    kept.prepare(second)
    assert set(ScenarioPage.objects.values_list("snapshot", flat=True)) == {second.pk}
    kept.prepare(first)
    assert set(ScenarioPage.objects.values_list("snapshot", flat=True)) == {second.pk}


def test_numbers_are_the_same_after_they_were_stored(wide):
    made = data.work_out(freeze(wide, "two entries"))
    for slug in PAGES:
        assert stored.from_json(json.loads(json.dumps(stored.to_json(made[slug])))) == made[slug]


# Many systems


def system(number, **fields):
    side = Side(10, None, {"follow_up": {"C_RESPOND": number % 7, "C_UNKNOWN": 7}}, {})
    values = {
        "key": f"key{number}", "name": f"System {number}", "team": "T", "kind": "participant",
        "sides": {"cn": side}, "rate": 100.0 - number, "delay": 1.0 + number / 50,
    }  # fmt: skip
    return System(**{**values, **fields})


def scenario_of(count, **fields):
    systems = [system(number, **(fields if number == count - 1 else {})) for number in range(count)]
    return Scenario(
        "follow_up", "interruption", ("follow_up",), "response", tuple(systems), ("key0",),
        {"cn": 10, "en": 0}, (),
    )  # fmt: skip


def names(figure):
    return figure["layout"]["yaxis"]["ticktext"]


def test_a_drawing_holds_forty_systems_then_the_baseline_and_pins():
    numbers = scenario_of(100, kind="baseline")
    drawn = figures.drawings(numbers, Shown(1, ("key70",)))["rates"]
    expected = [f"System {number}" for number in (*range(40), 70, 99)]
    assert names(drawn.figure) == expected
    assert "places 1 to 40 of 100" in drawn.note


def test_the_last_page_holds_the_rest_and_repeats_nobody():
    numbers = scenario_of(100, kind="baseline")
    drawn = figures.drawings(numbers, Shown(3, ("key90",)))["rates"]
    assert names(drawn.figure) == [f"System {number}" for number in range(80, 100)]
    assert "places 81 to 100 of 100" in drawn.note


def test_every_drawing_has_its_own_order():
    found = figures.drawings(scenario_of(100))
    outcomes = names(found["outcomes"].figure)[:3]
    assert outcomes == ["System 6", "System 13", "System 20"]
    assert names(found["rates"].figure)[:2] == ["System 0", "System 1"]


def test_the_scatter_and_the_tables_have_all_systems():
    numbers = scenario_of(100)
    found = {one.slug: one for one in figures.figures(numbers)}
    assert len(found["behaviour"].figure["data"][1]["x"]) == 100
    assert "no room for their names" in found["behaviour"].note
    assert {len(one.table.rows) for one in found.values()} == {100}


def test_forty_systems_are_all_drawn_and_nothing_is_said():
    found = figures.drawings(scenario_of(charts.MOST_ROWS))["rates"]
    assert (len(names(found.figure)), found.note) == (charts.MOST_ROWS, "")


PAGE = {"systems": [["key1", "One"], ["key2", "Two"]], "pages": 3}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", Shown()),
        ("page=2&pin=key1&pin=key2", Shown(2, ("key1", "key2"))),
        ("pin=key1,key1,nobody", Shown(1, ("key1",))),
        ("page=99", Shown(3)),
        ("page=0", Shown(1)),
        ("page=-1", Shown(1)),
        ("page=99999999999999", Shown(1)),
        ("page=²", Shown(1)),
    ],
)
def test_an_address_says_which_systems_are_drawn(query, expected):
    assert choosing.read(QueryDict(query), PAGE) == expected


def test_readers_of_a_long_board_can_choose_the_drawn_systems(wide, client, monkeypatch):
    for number in range(4):
        boards.enter(wide, f"Crow {number}", quality=0.5, seed=10 + number)
    kept.prepare(freeze(wide, "six entries"))
    assert 'id="drawn"' not in client.get(address()).content.decode()
    monkeypatch.setattr(charts, "MOST_ROWS", 2)
    ScenarioPage.objects.all().delete()
    html = client.get(address()).content.decode()
    assert "?split=wide&amp;page=3#drawn" in html
    assert "Drawn are places 1 to 2 of 6" in html
    mole = str(wide.submissions.get(system__name="Mole").pk)
    response = client.get(address(pin=mole, page=2))
    rates = figure_of(response, "rates")
    assert len(rates["layout"]["yaxis"]["ticktext"]) == 3
    assert rates["layout"]["yaxis"]["ticktext"][-1] == "Mole"
    assert f'<input type="hidden" name="pin" value="{mole}">' in response.content.decode()
    assert response.content.decode().count('<tr><th scope="row"><a') >= 6


def figure_of(response, slug):
    html = response.content.decode()
    start = html.index(f'<script id="{slug}-data"')
    text = html[html.index(">", start) + 1 : html.index("</script>", start)]
    return json.loads(text)
