"""Freezing a board: intervals, ranks and ties are computed once, and what moved is written down."""

from dataclasses import replace

import pytest

from leaderboard.snapshots import OTHER_SIGNATURE, freeze
from scoring import uncertainty
from scoring.humdial.statistic import COLUMNS
from scoring.reasons import PENDING
from submissions.components import of_run
from submissions.models import ItemResult, Split
from submissions.queries import counting_submissions
from tests.leaderboard import boards, stage
from tests.scoring.systems import items

pytestmark = pytest.mark.django_db


@pytest.fixture
def wide(db):
    """A split whose entries bring their own items; ranked in strict mode."""
    return Split.objects.create(slug="wide", name="Wide", ranking_mode="strict")


def by_name(snapshot):
    return {row["system"]: row for row in snapshot.rows}


def test_rows_get_intervals_around_their_numbers(wide):
    boards.enter(wide, "Parrot", quality=0.8, seed=1)
    snapshot = freeze(wide, "new entry: Parrot")
    parrot = snapshot.rows[0]
    for name in boards.columns():
        low, high = parrot["intervals"][name]
        assert low < float(parrot[name]) < high
    assert set(parrot["intervals"]) > {"interruption_cn", "delay_en", "rejection_en"}
    assert (snapshot.draws, snapshot.seed) == (uncertainty.DRAWS, uncertainty.SEED)


def test_equal_systems_share_a_tie_group_and_a_rank_interval(wide):
    for name in ("Parrot", "Echo"):
        boards.enter(wide, name, quality=0.8, seed=1)
    boards.enter(wide, "Mole", quality=0.45, seed=2)
    rows = by_name(freeze(wide, "three entries"))
    assert [rows[name]["tie_group"] for name in ("Parrot", "Echo", "Mole")] == [1, 1, 2]
    assert [rows[name]["rank"] for name in ("Parrot", "Echo", "Mole")] == [1, 1, 3]
    assert (rows["Mole"]["rank_low"], rows["Mole"]["rank_high"]) == (3, 3)
    assert "total" in rows["Parrot"]["best"]
    assert "total" in rows["Echo"]["best"]
    assert "total" not in rows["Mole"]["best"]


def test_a_late_entry_has_intervals_but_no_rank_and_no_group(wide):
    boards.enter(wide, "Parrot", quality=0.8, seed=1)
    boards.enter(wide, "Tardy", quality=0.8, seed=1, kind="late")
    tardy = by_name(freeze(wide, "two entries"))["Tardy"]
    assert "total" in tardy["intervals"]
    assert (tardy["rank"], tardy["rank_low"], tardy["tie_group"]) == (None, None, None)


def test_published_rows_have_no_interval_and_stand_still(humdial):
    split = Split.objects.get(slug="humdial")
    snapshot = freeze(split, "again")
    assert {tuple(row["intervals"]) for row in snapshot.rows} == {()}
    assert {row["tie_group"] for row in snapshot.rows} == {None}
    assert snapshot.draws == 0
    boards.enter(split, "Parrot", quality=0.8, seed=1)
    rows = by_name(freeze(split, "new entry: Parrot"))
    assert rows["Parrot"]["rank_low"] >= 1
    assert rows["Cookie asr"]["rank_low"] is None


def test_a_small_split_has_no_intervals(split, submission):
    stage.score(submission)
    snapshot = freeze(split, "small")
    assert snapshot.rows[0]["intervals"] == {}
    assert snapshot.draws == 0


def test_runs_from_before_components_were_stored_are_filled_in(split, submission):
    run = stage.score(submission)
    assert run.components is None
    found = of_run(run, "strict")
    assert found.values.shape == (20, len(COLUMNS))
    run.refresh_from_db()
    assert run.components["strict"]["counted"] == [1] * 20


def test_a_run_with_an_item_without_result_has_no_components(split, submission):
    run = stage.score(submission)
    ItemResult.objects.filter(run=run).update(strict=None)
    assert of_run(run, "strict") is None


def test_stored_components_of_another_scorer_are_made_anew(split, submission):
    run = stage.score(submission)
    of_run(run, "strict")
    run.components["strict"].pop("stop_sum")
    assert of_run(run, "strict").values.shape == (20, len(COLUMNS))


def test_a_row_on_other_items_is_ranked_without_an_interval(wide):
    for name in ("Parrot", "Echo"):
        boards.enter(wide, name, seed=1)
    boards.enter(wide, "Stranger", seed=1, per_stratum=15)
    rows = by_name(freeze(wide, "other items"))
    assert rows["Stranger"]["intervals"] == {}
    assert rows["Parrot"]["intervals"] != {}


def test_a_row_with_another_signature_is_marked(wide):
    for name in ("Parrot", "Echo"):
        boards.enter(wide, name, seed=1)
    other = stage.SIGNATURE.replace("judge:offline", "judge:chat")
    boards.enter(wide, "Stranger", seed=1, signature=other)
    rows = by_name(freeze(wide, "other judge"))
    assert OTHER_SIGNATURE in rows["Stranger"]["notes"]
    assert OTHER_SIGNATURE not in rows["Parrot"]["notes"]


def test_a_board_says_what_moved_since_the_one_before(wide):
    wide.l_min = None
    wide.save()
    boards.enter(wide, "Base", quality=0.6, seed=1, kind="baseline")
    boards.enter(wide, "Parrot", quality=0.7, seed=2)
    first = freeze(wide, "two entries")
    assert first.moved == {}
    fast = boards.items(0.95, seed=3)
    boards.enter(wide, "Falcon", found=fast)
    moved = freeze(wide, "new entry: Falcon").moved
    assert (moved["since"], moved["new"], moved["gone"]) == (first.pk, ["Falcon"], [])
    places = {name: (before, now) for name, before, now in moved["places"]}
    assert all(now == before + 1 for before, now in places.values())
    assert places


def test_a_changed_constant_names_both_holders():
    from leaderboard.board.movement import movement

    same = {"rows": [], "l_base": "2.000", "rules": {}}
    before = {**same, "l_min": "0.700", "l_min_holder": "Parrot"}
    now = {**same, "l_min": "0.500", "l_min_holder": "Falcon"}
    found = movement(7, before, now)
    assert found.l_min == ["0.700", "Parrot", "0.500", "Falcon"]
    assert found.l_base == []


def test_stability_says_how_many_weightings_keep_the_place(wide):
    boards.enter(wide, "Parrot", quality=0.9, seed=1)
    boards.enter(wide, "Mole", quality=0.4, seed=2)
    rows = by_name(freeze(wide, "two entries"))
    assert rows["Parrot"]["stability"]["low"] == 1
    assert 0.5 < rows["Parrot"]["stability"]["kept"] <= 1


@pytest.mark.parametrize(("rule", "expected"), [("every", 3), ("newest", 2), ("chosen", 2)])
def test_the_splits_rule_decides_which_submissions_count(wide, rule, expected):
    first = boards.enter(wide, "Parrot", seed=1)
    second = boards.enter(wide, "Echo", seed=2)
    other = boards.enter(wide, "Mole", seed=3)
    second.team = first.team
    second.save()
    first.is_chosen = rule == "chosen"
    first.save()
    wide.counting = rule
    found = counting_submissions(wide)
    assert len(found) == expected
    assert other in found
    assert (first in found) is (rule != "newest")


def test_a_freeze_asks_no_more_when_there_are_more_entries(wide, django_assert_max_num_queries):
    for number in range(6):
        boards.enter(wide, f"System {number}", seed=number)
    with django_assert_max_num_queries(12):
        freeze(wide, "six entries")


def test_a_baseline_that_is_itself_the_fastest_gives_a_board_without_scores(wide):
    wide.l_min = wide.l_base = None
    wide.save()
    boards.enter(wide, "Base", seed=1, kind="baseline")
    snapshot = freeze(wide, "new entry: Base")
    assert (snapshot.l_min, snapshot.l_base) == ("", "")
    assert (snapshot.rows[0]["total"], snapshot.rows[0]["rank"]) == ("", None)
    assert "total" not in snapshot.rows[0]["intervals"]
    assert "interruption" in snapshot.rows[0]["intervals"]


def test_decision_27_the_judge_of_the_other_mode_marks_no_row(wide):
    usual = stage.SIGNATURE.replace("judge:offline", "judge:chat/a")
    strict = f"{usual}|judge_strict:chat/%s|prompt_strict:p"
    for name in ("Parrot", "Echo"):
        boards.enter(wide, name, seed=1, signature=strict % "b")
    other = usual.replace("chat/a", "chat/z") + "|judge_strict:chat/b|prompt_strict:p"
    boards.enter(wide, "Magpie", seed=1, signature=other)
    boards.enter(wide, "Stranger", seed=1, signature=strict % "c")
    rows = by_name(freeze(wide, "strict ranks"))
    marked = {name for name, row in rows.items() if OTHER_SIGNATURE in row["notes"]}
    assert marked == {"Stranger"}
    assert rows["Magpie"]["signature"] == rows["Parrot"]["signature"]
    assert "|mode:strict|" in rows["Magpie"]["signature"]


def test_decision_25_an_entry_with_an_unjudged_item_has_no_total_and_no_rank(wide):
    found = items(seed=1)
    place = next(n for n, one in enumerate(found) if one.item.script == "follow_up")
    found[place] = replace(found[place], counted=False, success=None, unjudged=PENDING, labels=())
    boards.enter(wide, "Parrot", seed=2)
    boards.enter(wide, "Waiting", found)
    rows = by_name(freeze(wide, "one waits"))
    waiting = rows["Waiting"]
    assert (waiting["rank"], waiting["total"], waiting["interruption"]) == (None, "", "")
    assert "interruption" not in waiting["intervals"]
    assert rows["Parrot"]["rank"] == 1
