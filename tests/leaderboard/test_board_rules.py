"""Rules of a board: weights, a baseline without a rank, the mode; kept with it and read from it."""

import json
from decimal import Decimal

import pytest
from django.core.cache import caches

from leaderboard.board import exports, print_exports, strips, tables, weights_panel
from leaderboard.board.rules import PROTOCOL, of_board
from leaderboard.board.viewstate import DEFAULT, ViewState, read
from leaderboard.models import Snapshot
from leaderboard.snapshots import freeze
from leaderboard.texts.methodology import example
from scoring.errors import RankingError
from scoring.ranking import WEIGHTS, Weights, rank
from scoring.rounding import half_up
from submissions.models import Split
from tests.leaderboard import boards
from tests.leaderboard.reader import text_of, url
from tests.leaderboard.rows import row

pytestmark = pytest.mark.django_db
OWN = {"weight_interruption": "0.25", "weight_rejection": "0.25", "weight_delay": "0.5"}


@pytest.fixture(autouse=True)
def _fresh():
    caches["pages"].clear()


def make_split(**fields):
    return Split.objects.create(slug="wide", name="Wide", l_min="0.5", **fields)


def crowd(split):
    """Three systems and a baseline in the middle."""
    for name, quality, kind in (
        ("Falcon", 0.9, "participant"), ("Base", 0.75, "baseline"), ("Mole", 0.4, "participant"),
    ):  # fmt: skip
        boards.enter(split, name, quality=quality, seed=len(name), kind=kind)


def by_name(snapshot):
    return {row["system"]: row for row in snapshot.rows}


# Decision 6


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_06_a_split_may_leave_its_baseline_in_its_order_without_a_rank(mode):
    split = make_split(ranking_mode=mode, rank_baseline=False)
    crowd(split)
    snapshot = freeze(split, "three entries")
    assert [(one["system"], one["rank"]) for one in snapshot.rows] == [
        ("Falcon", 1), ("Base", None), ("Mole", 2),
    ]  # fmt: skip
    base = by_name(snapshot)["Base"]
    assert base["total"]
    assert (base["rank_low"], base["tie_group"], base["best"], base["stability"]) == (
        None, None, [], {},
    )  # fmt: skip
    assert by_name(snapshot)["Mole"]["rank_high"] == 2


def test_the_board_says_of_a_baseline_without_a_rank_that_it_holds_none(client):
    split = make_split(rank_baseline=False)
    crowd(split)
    snapshot = freeze(split, "three entries")
    shown = tables.board(snapshot.rows, DEFAULT, rules=of_board(snapshot)).rows[1]
    assert (shown.name, shown.rank, shown.rank_reason) == ("Base", "—", "no rank")
    assert "not rankable" not in text_of(client.get("/en/split/wide/"))


def test_a_baseline_that_could_not_be_ranked_still_says_so():
    one = row(kind="baseline", rank=None)
    assert tables.board([one]).rows[0].rank_reason == "not rankable"
    assert tables.board([{**one, "total": ""}]).rows[0].rank_reason == "incomplete"


def test_a_ranked_baseline_is_what_a_split_begins_with():
    split = make_split()
    crowd(split)
    assert [one["rank"] for one in freeze(split, "three").rows] == [1, 2, 3]


# Decision 39


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_39_a_board_is_totalled_by_the_weights_of_its_split_and_keeps_them(mode):
    split = make_split(ranking_mode=mode, **OWN)
    crowd(split)
    snapshot = freeze(split, "three entries")
    assert snapshot.rules == {"weights": ["0.25", "0.25", "0.5"], "rank_baseline": True}
    assert of_board(Snapshot.objects.get(pk=snapshot.pk)).weights == Weights.of(
        ["0.25", "0.25", "0.5"]
    )
    for one in snapshot.rows:
        parts = [Decimal(one[name]) for name in ("interruption_raw", "rejection_raw")]
        score = min(Decimal(one["delay_score_raw"]), Decimal(100))
        exact = sum(parts) / 4 + score / 2
        assert Decimal(one["total_raw"]) == pytest.approx(exact, abs=Decimal("0.00001"))
        if mode == "strict":
            assert one["total"] == str(half_up(one["total_raw"], 1))
        low, high = one["intervals"]["total"]
        assert low < float(one["total"]) < high


def test_later_weights_of_the_split_leave_a_frozen_board_as_it_is(client):
    split = make_split(**OWN)
    crowd(split)
    first = freeze(split, "three entries")
    Split.objects.update(
        weight_interruption="0.4", weight_rejection="0.4", weight_delay="0.2", rank_baseline=False
    )
    second = freeze(split, "other rules")
    old, new = (client.get(url("board", one.pk)) for one in (first, second))
    assert "0.25 × Interruption" in text_of(old)
    assert "0.4 × Interruption" in text_of(new)
    assert second.moved["weights"] == ["25 : 25 : 50", "40 : 40 : 20"]
    assert any("went from 25 : 25 : 50 to 40 : 40 : 20" in line for line in strips.moved(second))


def test_a_board_from_before_there_was_a_choice_has_the_protocols_rules():
    split = make_split()
    crowd(split)
    snapshot = freeze(split, "three entries")
    rows, snapshot.rules = snapshot.rows, {}
    for one in rows:
        del one["interruption_raw"], one["rejection_raw"]
    assert of_board(snapshot) == PROTOCOL
    assert exports.as_json(snapshot)["rules"] == PROTOCOL.to_json()
    panel = weights_panel.panel(rows, read_weights("40-40-20"), of_board(snapshot))
    assert [(line.place, line.total) for line in panel.lines] == [
        (one["rank"], one["total"]) for one in rows
    ]


def read_weights(text):
    class Query(dict):
        def getlist(self, key):
            return self.get(key, [])

    return read(Query(w=[text]))


def test_rules_that_others_keep_with_a_board_are_exported_too():
    snapshot = Snapshot(split=make_split(), rows=[], rules={"min_coverage": "95"})
    snapshot.save()
    assert exports.as_json(snapshot)["rules"] == PROTOCOL.to_json() | {"min_coverage": "95"}


def test_exports_say_by_which_rules_a_board_was_made(client):
    split = make_split(**OWN)
    crowd(split)
    snapshot = freeze(split, "three entries")
    found = json.loads(client.get(url("board-export", snapshot.pk, "json")).content)
    assert found["rules"]["weights"] == ["0.25", "0.25", "0.5"]
    listed = client.get("/api/v1/boards/").json()["items"][0]
    assert listed["rules"]["weights"] == ["0.25", "0.25", "0.5"]
    text = print_exports.as_latex(snapshot, DEFAULT, address="a", site="s")
    assert "% total = 0.25 interruption + 0.25 rejection + 0.5 delay score" in text


def test_the_bar_of_a_total_is_as_wide_as_its_points_under_the_boards_weights():
    weights = Weights.of(["0.5", "0.25", "0.25"])
    parts = list(tables.bar(row(), weights))
    assert [(part.name, part.x, part.width) for part in parts] == [
        ("interruption", "0.00", "40.00"), ("rejection", "40.00", "15.00"),
        ("delay", "55.00", "21.63"),
    ]  # fmt: skip


def test_the_panel_begins_with_the_boards_own_weights_and_counts_the_others():
    own = PROTOCOL.__class__(Weights.of(["0.334", "0.333", "0.333"]))
    firm = {"kept": 0.5, "low": 1, "high": 2, "others": 171}
    panel = weights_panel.panel([row(stability=firm)], ViewState(), own)
    assert [one.value for one in panel.fields] == ["33.4", "33.3", "33.3"]
    assert (panel.own, panel.step) == ("33.4 : 33.3 : 33.3", "0.1")
    assert panel.sentence.startswith("With 171 other weightings")
    assert read_weights("33.4-33.3-33.3").query() == "?w=33.4-33.3-33.3"
    assert read_weights("040-40.0-20").query() == "?w=40-40-20"


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_a_boards_own_weights_give_its_own_totals_and_places_in_the_panel(mode):
    split = make_split(ranking_mode=mode, **OWN)
    crowd(split)
    for number in range(8):
        boards.enter(split, f"Twin {number}", quality=0.8, seed=number)
    snapshot = freeze(split, "many entries")
    panel = weights_panel.panel(snapshot.rows, read_weights("25-25-50"), of_board(snapshot))
    assert [(line.name, line.place, line.total) for line in panel.lines] == [
        (one["system"], one["rank"], one["total"]) for one in snapshot.rows
    ]


def test_one_other_weighting_is_not_told_as_one_of_many(humdial):
    """Of 171 weightings one is the board's own, so 170 are others."""
    snapshot = freeze(Split.objects.get(slug="humdial"), "again")
    sentence = weights_panel.panel(snapshot.rows, DEFAULT, of_board(snapshot)).sentence
    assert sentence.startswith("With 170 other weightings, each part from 5 to 90 %, Cookie asr")
    assert {one["stability"]["others"] for one in snapshot.rows if one["rank"]} == {170}


def test_a_share_that_an_old_board_took_over_all_weightings_is_told_over_the_others():
    """109 of 171 with the board's own among them are 108 of 170 others."""
    old = row(stability={"kept": round(85.5 / 171, 3), "low": 1, "high": 2})
    assert weights_panel.panel([old], DEFAULT).sentence.endswith("stays first in 50 % of them.")
    only = row(stability={"kept": round(1 / 171, 3), "low": 1, "high": 2})
    assert weights_panel.panel([only], DEFAULT).sentence.endswith("stays first in 0 % of them.")


def test_the_worked_example_uses_the_weights_of_its_board(humdial):
    split = Split.objects.get(slug="humdial")
    for name, value in OWN.items():
        setattr(split, name, value)
    split.save()
    board = freeze(split, "other weights")
    total = example(board).steps[-1]
    assert total.formula.startswith("0.25 · ")
    assert total.rounded == board.rows[0]["total"]


def test_weights_that_give_no_total_freeze_no_board():
    split = make_split(weight_interruption="0.9")
    with pytest.raises(RankingError, match="give no total"):
        freeze(split, "wrong weights")
    assert not split.snapshots.exists()


# Strict


def test_a_strict_board_ranks_and_shows_the_exact_totals():
    split = make_split(ranking_mode="strict")
    for number in range(40):
        boards.enter(split, f"System {number}", quality=0.7, seed=number, per_stratum=7)
    rows = freeze(split, "forty entries").rows
    exact = [Decimal(one["total_raw"]) for one in rows if one["total_raw"]]
    assert len(exact) > 20
    assert exact == sorted(exact, reverse=True)
    assert [one["total"] for one in rows if one["total"]] == [str(half_up(one, 1)) for one in exact]
    table = [
        {**one, "interruption": one["interruption_raw"], "rejection": one["rejection_raw"]}
        for one in rows
        if one["total"]
    ]
    official = rank(table, l_min="0.5", l_base="2.531")
    assert [row.team for row in official] != [one["team"] for one in table] or any(
        str(row.total) != one["total"] for row, one in zip(official, table, strict=True)
    )
    assert of_board(split.snapshots.get()).weights == WEIGHTS


# Numbers that stand in several places


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_a_board_shows_the_totals_that_the_page_of_the_run_shows_in_its_mode(mode):
    """Official ones are rounded language by language, strict ones once; each by one function."""
    split = make_split(ranking_mode=mode)
    submission = boards.enter(split, "Falcon", quality=0.7, seed=3, per_stratum=17)
    totals = submission.runs.get().results[mode]["totals"]
    (shown,) = freeze(split, "one entry").rows
    for name in ("interruption", "rejection", "delay"):
        assert shown[name] == totals[name]
        for side in totals["languages"]:
            assert shown["languages"][side["language"]][name] == side[name]
    exact = Decimal(totals["interruption_raw"])
    sides = [Decimal(side["interruption_raw"]) for side in totals["languages"]]
    mean = sum(sides) / 2
    assert exact == (half_up(mean, 1) if mode == "official" else mean)
