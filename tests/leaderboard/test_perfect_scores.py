"""A perfect score on a board: it has an interval, can be the best, and is so wherever it stands."""

import csv
import io
from dataclasses import replace

import pytest
from django.core.cache import caches

from leaderboard.board import exports, paired, print_exports, tables
from leaderboard.board.rules import of_board
from leaderboard.board.viewstate import ViewState
from leaderboard.scenarios.data import work_out
from leaderboard.snapshots import freeze
from scoring import uncertainty
from submissions.models import Split
from tests.leaderboard import boards
from tests.leaderboard.reader import text_of
from tests.scoring.systems import items

pytestmark = pytest.mark.django_db
ITEMS = 12
PERFECT = ("interruption_en", "interruption")
VIEWS = [ViewState(lang=lang) for lang in ("", "en", "both")]


def results(*failed, seed=1):
    """Succeeds but in the English items with these numbers of every script; Chinese all right."""
    return [
        replace(
            one,
            success=one.item.language == "cn" or int(one.item.item[:4]) not in failed,
            labels=(),
            first_response_delay=0.9,
        )
        for one in items(seed=seed, per_stratum=ITEMS)
    ]


@pytest.fixture
def board(db):
    """One without a fault, one that nobody can tell from it, one that everybody can."""
    caches["pages"].clear()
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.3")
    boards.enter(split, "Lantern", found=results())
    boards.enter(split, "Kite", found=results(1, seed=2))
    boards.enter(split, "Whistle", found=results(1, 2, 3, 4, seed=3))
    boards.enter(split, "Nothing", found=results(*range(ITEMS), seed=4))
    return freeze(split, "four entries")


def by_name(snapshot):
    return {row["system"]: row for row in snapshot.rows}


def test_a_perfect_score_and_a_zero_have_intervals_that_end_there(board):
    perfect, nothing = (by_name(board)[name] for name in ("Lantern", "Nothing"))
    pooled = uncertainty.wilson(5 * ITEMS, 5 * ITEMS)
    assert perfect["interruption_raw"] == "100.000000"
    assert perfect["intervals"]["interruption_en"] == [round(100 * pooled.low, 4), 100.0]
    assert nothing["languages"]["en"]["interruption"] == "0.0"
    low, high = nothing["intervals"]["interruption_en"]
    assert (low, high) == pytest.approx((0.0, 100 - 100 * pooled.low), abs=1e-3)


def test_a_perfect_score_is_the_best_and_what_differs_from_it_is_not(board):
    best = {name: set(row["best"]) for name, row in by_name(board).items()}
    assert set(PERFECT) <= best["Lantern"]
    assert set(PERFECT) <= best["Kite"]
    assert not set(PERFECT) & (best["Whistle"] | best["Nothing"])


@pytest.mark.parametrize("state", VIEWS, ids=lambda state: state.lang or "all")
def test_bold_is_the_same_in_every_choice_of_languages_and_every_export(board, state):
    shown = tables.board(board.rows, state, rules=of_board(board))
    text = print_exports.as_latex(board, state, address="a", site="s")
    latex = {
        line.split(" & ")[1]: line.split(" & ")[2:] for line in text.splitlines() if "&" in line
    }
    in_json = {row["system"]: row["best"] for row in exports.as_json(board, state)["rows"]}
    lines = csv.DictReader(io.StringIO(exports.as_csv(board, state)))
    in_csv = {line["system"]: line["best"].split() for line in lines}
    for row in shown.rows:
        stored = by_name(board)[row.name]["best"]
        assert in_json[row.name] == in_csv[row.name] == stored
        names = ["total", *(head.name for head in shown.heads)]
        for name, cell, printed in zip(
            names, (row.total, *row.cells), latex[row.name], strict=True
        ):
            assert cell.strong == (name in stored) == printed.startswith(r"\textbf")


def test_a_perfect_score_is_shown_with_its_interval_and_none_beyond_it(client, board):
    text = text_of(client.get("/en/split/wide/?lang=en"))
    assert "100.0 94.0–100.0" in text
    assert "100.0 ±" not in text


def test_differences_to_a_perfect_score_are_told_as_bold_tells_them(board):
    pinned = ViewState(diff=True, pin=("lantern",), lang="en")
    rows = by_name(board)
    gaps = paired.gaps(board.rows, pinned)
    separable = {
        name: gaps[rows[name]["draws"]]["interruption_en"].is_separable
        for name in ("Kite", "Whistle", "Nothing")
    }
    assert separable == {"Kite": False, "Whistle": True, "Nothing": True}


def test_the_mean_of_two_perfect_parts_has_an_interval_on_its_scenario_page(client, board):
    found = work_out(board)["third_party"]
    rate = next(one for one in found.systems if one.name == "Lantern").sides["en"].rate
    pooled = uncertainty.wilson(2 * ITEMS, 2 * ITEMS)
    assert (rate.value, rate.high) == (100, 100)
    assert rate.low == pytest.approx(100 * pooled.low)
    assert "no interval" not in text_of(client.get("/en/scenario/third_party/?split=wide"))


def test_published_rows_alone_still_have_neither_intervals_nor_bold(humdial):
    rows = freeze(Split.objects.get(slug="humdial"), "again").rows
    assert {(tuple(row["intervals"]), tuple(row["best"])) for row in rows} == {((), ())}


def test_rows_without_intervals_in_between_do_not_shift_what_is_bold(humdial):
    """Of all rows only two can be told apart; the better one is the best, whatever its place."""
    split = Split.objects.get(slug="humdial")
    boards.enter(split, "Low", quality=0.3, seed=1)
    boards.enter(split, "Middle", quality=0.6, seed=2)
    rows = freeze(split, "two entries").rows
    assert [row["origin"] for row in rows[:2]] == ["reported", "reported"]
    best = {row["system"]: row["best"] for row in rows if row["best"]}
    assert {name for name, those in best.items() if "interruption" in those} == {"Middle"}
    assert set(best) <= {"Low", "Middle"}
