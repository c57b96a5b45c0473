from decimal import Decimal

import pytest

from scoring.errors import RankingError
from scoring.ranking import delay_score, rank, total
from scoring.rounding import half_up
from tests.golden import case_id, golden

GOLDEN = golden("humdial_published_table")
ROWS = GOLDEN["rows"]
L_MIN, L_BASE = GOLDEN["constants"]["l_min"], GOLDEN["constants"]["l_base"]


def as_entry(row):
    return {
        "team": row["team"],
        "kind": row["kind"].removeprefix("participant-"),
        "interruption": row["interruption"],
        "rejection": row["rejection"],
        "delay": row["delay_s"],
    }


def entry(team, total_, kind="participant", delay="2"):
    return {"team": team, "kind": kind, "interruption": total_, "rejection": total_, "delay": delay}


@pytest.mark.parametrize("row", ROWS, ids=case_id)
def test_delay_score_of_each_published_row(row):
    score = delay_score(row["delay_s"], L_MIN, L_BASE)
    assert str(half_up(score, 6)) == row["computed"]["delay_score_unrounded"]
    assert str(half_up(score, 1)) == row["computed"]["delay_score"]


def test_the_published_table_is_reproduced():
    ranked = {row.team: row for row in rank([as_entry(row) for row in ROWS])}
    for row in ROWS:
        found = ranked[row["team"]]
        published = row["published"]
        assert str(found.total) == published["final"]
        assert (None if found.rank is None else str(found.rank)) == published["rank"]
        if row["team"] != "Badcat":
            assert str(found.delay_score) == published["delay_score"]
    assert str(ranked["Badcat"].delay_score) == "72.5"


def test_rows_come_in_the_published_order():
    finals = [row.total for row in rank([as_entry(row) for row in ROWS])]
    assert finals == sorted(finals, reverse=True)
    assert finals[0] == Decimal("76.6")


@pytest.mark.parametrize("row", [r for r in ROWS if r.get("by_language")], ids=case_id)
def test_language_means_need_half_up(row):
    parts = row["by_language"]
    for name in ("interruption", "rejection"):
        pair = [Decimal(parts[f"{name}_{language}"]) for language in ("cn", "en")]
        assert str(half_up(sum(pair) / 2, 1)) == row[name]


def test_equal_totals_share_a_rank_and_the_next_is_skipped():
    rows = rank(
        [
            entry("a", 50),
            entry("b", 40),
            entry("c", 40),
            entry("d", 30),
            entry("base", 10, "baseline", "4"),
        ]
    )
    assert [(row.team, row.rank) for row in rows] == [
        ("a", 1),
        ("b", 2),
        ("c", 2),
        ("d", 4),
        ("base", 5),
    ]


def test_a_difference_below_the_shown_decimal_breaks_a_tie():
    rows = rank([entry("a", "50.01"), entry("b", "50.02"), entry("base", 10, "baseline", "4")])
    assert [(row.team, row.rank) for row in rows][:2] == [("b", 1), ("a", 2)]
    assert rows[0].total == rows[1].total


@pytest.mark.parametrize("kind", ["late", "open", "closed"])
def test_late_and_reference_rows_stand_in_order_without_a_rank(kind):
    rows = rank(
        [entry("a", 50), entry("x", 45, kind), entry("b", 40), entry("base", 10, "baseline", "4")]
    )
    assert [(row.team, row.rank) for row in rows][:3] == [("a", 1), ("x", None), ("b", 2)]


def test_a_late_row_does_not_set_the_fastest_latency():
    rows = rank([entry("a", 50), entry("x", 45, "late", "1"), entry("base", 10, "baseline", "4")])
    fast = next(row for row in rows if row.team == "x")
    assert fast.beyond_reference
    assert fast.delay_score > 100
    assert fast.total == half_up(total(45, 45, 100), 1)


@pytest.mark.parametrize("delay", [None, "", "0", "0.000"])
def test_a_row_without_a_latency_has_no_score_and_comes_last(delay):
    rows = rank(
        [entry("silent", 90, delay=delay), entry("base", 10, "baseline", "4")], l_min="0.624"
    )
    assert (rows[-1].team, rows[-1].total, rows[-1].rank) == ("silent", None, None)
    assert rows[-1].note


@pytest.mark.parametrize("latency", [0, -1, "0", "-0.5"])
def test_a_latency_of_zero_has_no_score(latency):
    with pytest.raises(RankingError, match="no score"):
        delay_score(latency, L_MIN, L_BASE)


def test_a_scale_without_length_is_refused():
    with pytest.raises(RankingError, match="share the latency"):
        delay_score(1, 2, 2)


def test_a_board_without_baseline_needs_its_latency():
    with pytest.raises(RankingError, match="baseline"):
        rank([entry("a", 50)])
    assert rank([entry("a", 50)], l_base="2.531", l_min="0.624")[0].rank == 1


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(RankingError, match="'guest'"):
        rank([entry("a", 50, "guest")])


def test_a_number_that_is_none_names_row_and_column():
    with pytest.raises(RankingError, match="interruption of a"):
        rank([entry("a", "high")])


def test_weights_are_those_of_the_paper():
    assert total("79.3", "72.2", "79.9") == Decimal("76.58")
