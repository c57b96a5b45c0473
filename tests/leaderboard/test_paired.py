"""Differences to a pinned row: paired intervals from the draws that a board kept."""

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from django.core.cache import caches

from leaderboard.board import exports, paired, print_exports
from leaderboard.board.cells import Notes, cell, ends
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Draws, Snapshot
from leaderboard.snapshots import freeze
from scoring import uncertainty
from scoring.humdial import BENCHMARK
from scoring.ranking import Reference
from scoring.uncertainty import Difference, Interval
from submissions.components import of_run
from submissions.models import Run, Split
from tests.leaderboard import boards, stage
from tests.leaderboard.reader import text_of, url
from tests.leaderboard.rows import row

pytestmark = pytest.mark.django_db
DIFFERENCES = ViewState(diff=True, pin=("mole",))


@pytest.fixture
def drawn(db):
    """Two systems far apart, and a third that nobody can tell from the first."""
    caches["pages"].clear()
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.5")
    boards.enter(split, "Mole", quality=0.5, seed=2)
    boards.enter(split, "Parrot", quality=0.9, seed=1)
    boards.enter(split, "Shrew", quality=0.52, seed=3)
    return freeze(split, "three entries")


def by_name(snapshot):
    return {row["system"]: row for row in snapshot.rows}


def fresh(snapshot):
    """The paired differences to Mole, worked out anew from the items."""
    runs = [Run.objects.get(submission__system__name=name) for name in ("Mole", "Parrot", "Shrew")]
    reference = Reference(Decimal(snapshot.l_min), Decimal(snapshot.l_base))
    made = uncertainty.resample(
        [of_run(run, "strict") for run in runs],
        partial(BENCHMARK.statistic, mode="strict", reference=reference),
    )
    return {
        (name, column): made.difference(column, 0, place)
        for place, name in ((1, "Parrot"), (2, "Shrew"))
        for column in made.points
    }


def test_kept_draws_give_the_intervals_of_the_bootstrap_itself(drawn):
    rows = by_name(drawn)
    found = paired.gaps(drawn.rows, replace(DIFFERENCES, lang="both"))
    expected = fresh(drawn)
    assert set(found) == {rows["Parrot"]["draws"], rows["Shrew"]["draws"]}
    for name in ("Parrot", "Shrew"):
        for column, gap in found[rows[name]["draws"]].items():
            assert gap.interval == pytest.approx(expected[name, column].interval, abs=2e-4)
            assert gap.value == pytest.approx(expected[name, column].value, abs=2e-4)
            assert gap.is_separable == expected[name, column].is_separable


def test_undefined_numbers_and_exact_ones_survive_the_packing():
    values = np.array([[1.25, np.nan, -3.5], [0.0, 99.9999, 12.3456]])
    assert np.array_equal(paired.unpacked(paired.packed(values), 2), values, equal_nan=True)


def test_far_systems_are_separable_and_near_ones_are_not(drawn):
    rows, found = by_name(drawn), paired.gaps(drawn.rows, DIFFERENCES)
    assert found[rows["Parrot"]["draws"]]["total"].interval.low > 0
    assert not found[rows["Shrew"]["draws"]]["total"].is_separable


def test_a_second_board_keeps_only_what_is_new(drawn):
    before = {row["system"]: row["draws"] for row in drawn.rows}
    boards.enter(drawn.split, "Raven", quality=0.7, seed=4)
    rows = by_name(freeze(drawn.split, "new entry: Raven"))
    assert Draws.objects.count() == 4
    assert {name: rows[name]["draws"] for name in before} == before


def test_another_scale_of_delays_is_kept_beside_the_old_one(drawn):
    drawn.split.l_min = "0.3"
    drawn.split.save()
    rows = by_name(freeze(drawn.split, "another scale"))
    assert Draws.objects.count() == 6
    old = paired.gaps(drawn.rows, DIFFERENCES)[by_name(drawn)["Parrot"]["draws"]]
    new = paired.gaps(list(rows.values()), DIFFERENCES)[rows["Parrot"]["draws"]]
    assert old["delay_score"].value != new["delay_score"].value
    assert old["delay"] == new["delay"]


def test_a_board_without_intervals_keeps_no_draws(split, submission):
    stage.score(submission)
    assert freeze(split, "small").rows[0]["draws"] is None
    assert Draws.objects.count() == 0


def test_old_boards_and_published_rows_have_no_intervals(drawn):
    bare = [{**row, "draws": None} for row in drawn.rows]
    assert paired.gaps(bare, DIFFERENCES) == {}
    old = [{key: value for key, value in row.items() if key != "draws"} for row in drawn.rows]
    assert paired.gaps(old, DIFFERENCES) == {}


def test_when_draws_are_gone_their_differences_have_no_interval(drawn):
    rows = by_name(drawn)
    Draws.objects.filter(run__submission__system__name="Parrot").delete()
    assert set(paired.gaps(drawn.rows, DIFFERENCES)) == {rows["Shrew"]["draws"]}
    Draws.objects.filter(run__submission__system__name="Mole").delete()
    assert paired.gaps(drawn.rows, DIFFERENCES) == {}


def test_a_plain_view_asks_for_no_draws(drawn, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert paired.gaps(drawn.rows, ViewState(pin=("mole",))) == {}
    with django_assert_num_queries(1):
        paired.gaps(drawn.rows, DIFFERENCES)


def test_the_page_shows_each_interval_and_says_what_can_be_told_apart(client, drawn):
    response = client.get(url("board", drawn.pk, diff="1", pin="mole"))
    html, text = response.content.decode(), text_of(response)
    gap = paired.gaps(drawn.rows, DIFFERENCES)[by_name(drawn)["Parrot"]["draws"]]["total"]
    low, high = ends(gap, exports.TOTAL)
    assert f"{low} to {high} better" in " ".join(text.split())
    assert "not separable" in text
    assert "leaves 0 out" in text
    parrot = html[html.index(">Parrot</a>") :]
    shrew = html[html.index(">Shrew</a>") :]
    assert 'class="number total group-start best"' in parrot[: parrot.index("</tr>")]
    assert 'class="number total group-start weak"' in shrew[: shrew.index("</tr>")]


@pytest.mark.parametrize(
    ("name", "interval", "verdict"),
    [
        ("total", (1.2, 5.0), "better"),
        ("total", (-5.0, -1.2), "worse"),
        ("total", (-0.4, 5.0), "not separable"),
        ("delay", (0.2, 0.8), "worse"),
        ("delay", (-0.8, -0.2), "better"),
    ],
)
def test_a_longer_delay_is_worse_and_a_higher_total_better(name, interval, verdict):
    head = next(one for one in exports.columns(ViewState()) if one.name == name)
    gap = Difference(sum(interval) / 2, Interval(*interval))
    found = cell(row(), head, Notes(), against=row(total="70.0", delay="0.5"), gap=gap)
    assert found.verdict == verdict
    assert (found.strong, found.weak) == (verdict != "not separable", verdict == "not separable")


def test_a_board_without_draws_says_so_in_difference_mode(client, humdial):
    board = Snapshot.objects.get()
    text = text_of(client.get(url("board", board.pk, diff="1")))
    assert "These differences have no intervals" in text


def test_csv_has_differences_ends_and_whether_they_are_separable(drawn):
    found = {
        one["system"]: one
        for one in csv.DictReader(io.StringIO(exports.as_csv(drawn, DIFFERENCES)))
    }
    gap = paired.gaps(drawn.rows, DIFFERENCES)[by_name(drawn)["Parrot"]["draws"]]["total"]
    parrot, mole = found["Parrot"], found["Mole"]
    assert float(parrot["total_difference"]) == pytest.approx(gap.value, abs=0.1)
    assert float(parrot["total_difference_low"]) == pytest.approx(gap.interval.low, abs=0.06)
    assert (parrot["total_separable"], found["Shrew"]["total_separable"]) == ("yes", "no")
    assert (mole["total_difference"], mole["total_separable"]) == ("", "")
    assert parrot["compared_to"] == by_name(drawn)["Mole"]["link"]
    assert "total_difference" not in exports.as_csv(drawn, ViewState())


def test_json_has_differences_and_keeps_its_stores_to_itself(drawn):
    plain = exports.as_json(drawn)
    assert plain["compared_to"] is None
    assert not {"draws", "differences"} & set(plain["rows"][0])
    found = {one["system"]: one for one in exports.as_json(drawn, DIFFERENCES)["rows"]}
    total = found["Parrot"]["differences"]["total"]
    assert total["low"] < float(total["value"]) < total["high"]
    assert total["separable"] is True
    assert "differences" not in found["Mole"]
    json.dumps(found)


def test_latex_has_differences_with_brackets_and_bold_where_separable(drawn):
    text = print_exports.as_latex(drawn, DIFFERENCES, address="https://a.example", site="Site")
    lines = {line.split(" & ")[1]: line.split(" & ") for line in text.splitlines() if " & " in line}
    gap = paired.gaps(drawn.rows, DIFFERENCES)[by_name(drawn)["Parrot"]["draws"]]["total"]
    low, high = (end.replace("−", "-") for end in ends(gap, exports.TOTAL))
    assert lines["Parrot"][2].startswith(r"\textbf{\boldmath$+")
    assert lines["Parrot"][2].endswith(f"$[{low}, {high}]$")
    assert not lines["Shrew"][2].startswith(r"\textbf")
    assert re.fullmatch(r"\d+\.\d \[\d+\.\d, \d+\.\d\]", lines["Mole"][2])
    assert "differences to Mole" in text
