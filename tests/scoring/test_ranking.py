from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import RankingError
from scoring.ranking import FULL_SCORE, HUMDIAL_2025_12, WEIGHTS, Weights, delay_score, rank, total
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


# Strict: exact numbers, rounded once

SCORES = st.decimals(0, 100, places=4)
DELAYS = st.decimals("0.1", 9, places=4)
STRICT = {"mode": "strict", "l_min": L_MIN, "l_base": L_BASE}


def exact(interruption, rejection, delay):
    score = delay_score(delay, L_MIN, L_BASE)
    return total(interruption, rejection, min(score, FULL_SCORE))


def rows_of(numbers, **rules):
    return rank(
        [
            {"team": str(n), "kind": "participant",
             **dict(zip(("interruption", "rejection", "delay"), one, strict=True))}
            for n, one in enumerate(numbers)
        ],
        **rules,
    )  # fmt: skip


@given(st.lists(st.tuples(SCORES, SCORES, DELAYS), min_size=1, max_size=12))
def test_a_strict_total_is_the_exact_one_rounded_once_and_the_exact_one_orders(numbers):
    rows = rows_of(numbers, **STRICT)
    exacts = [exact(*numbers[int(row.team)]) for row in rows]
    assert [row.total_raw for row in rows] == exacts
    assert [row.total for row in rows] == [half_up(one, 1) for one in exacts]
    assert exacts == sorted(exacts, reverse=True)
    assert [row.rank for row in rows] == [1 + sum(o > one for o in exacts) for one in exacts]


@given(st.lists(st.tuples(SCORES, SCORES, DELAYS), min_size=1, max_size=12))
def test_an_official_order_goes_by_the_shown_total_then_by_the_exact_one(numbers):
    rows = rows_of(numbers, l_min=L_MIN, l_base=L_BASE)
    keys = [(row.total, row.total_raw) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for row in rows:
        shown = min(half_up(row.delay_score_raw, 1), FULL_SCORE)
        assert row.total == half_up(total(row.interruption, row.rejection, shown), 1)


def test_the_better_exact_total_ranks_first_in_strict_mode_only():
    numbers = [("53.53", "71.16", "2.678"), ("62.73", "53.04", "1.434")]
    strict, official = rows_of(numbers, **STRICT), rows_of(numbers, l_min=L_MIN, l_base=L_BASE)
    assert [half_up(row.total_raw, 4) for row in strict] == [Decimal("61.5540"), Decimal("61.5534")]
    assert [(row.team, str(row.total)) for row in strict] == [("1", "61.6"), ("0", "61.6")]
    assert [(row.team, str(row.total)) for row in official] == [("0", "61.6"), ("1", "61.5")]


def test_an_unknown_mode_is_refused():
    with pytest.raises(RankingError, match="no mode 'lenient'"):
        rank([entry("a", 50)], mode="lenient")


# Rules of a board


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_an_unranked_baseline_keeps_its_order_and_the_others_close_up(mode):
    table = [entry("a", 50), entry("base", 45, "baseline", "4"), entry("b", 20)]
    ranked = rank(table, mode=mode)
    assert [(row.team, row.rank) for row in ranked] == [("a", 1), ("base", 2), ("b", 3)]
    without = rank(table, mode=mode, rank_baseline=False)
    assert [(row.team, row.rank) for row in without] == [("a", 1), ("base", None), ("b", 2)]
    assert [row.total for row in without] == [row.total for row in ranked]


def test_a_baseline_without_a_rank_still_sets_the_scale():
    table = [entry("a", 50), entry("base", 45, "baseline", "4")]
    scored = rank(table, rank_baseline=False)[1]
    assert (scored.kind, str(scored.delay_score)) == ("baseline", "60.0")


def test_a_board_ranks_under_its_own_weights():
    table = [
        {"team": "polite", "kind": "participant", "interruption": 40, "rejection": 90, "delay": 2},
        {"team": "quick", "kind": "participant", "interruption": 80, "rejection": 40, "delay": 1},
    ]
    scale = {"l_min": HUMDIAL_2025_12.l_min, "l_base": HUMDIAL_2025_12.l_base}
    assert [row.team for row in rank(table, **scale)] == ["polite", "quick"]
    other = rank(table, weights=Weights.of(["0.6", "0.2", "0.2"]), **scale)
    assert [row.team for row in other] == ["quick", "polite"]
    score = other[0].delay_score
    assert other[0].total == half_up(Decimal("0.6") * 80 + Decimal("0.2") * (40 + score), 1)


@pytest.mark.parametrize(
    "given_weights",
    [
        ["0.5", "0.5"], ["0.4", "0.4", "0.1"], ["1.2", "-0.4", "0.2"], ["0.4", "much", "0.2"], [],
        ["nan", "0.5", "0.5"],
    ],
)  # fmt: skip
def test_weights_that_give_no_total_are_refused_with_the_cure(given_weights):
    with pytest.raises(RankingError, match="give no total") as refused:
        Weights.of(given_weights)
    assert "sum: 1" in refused.value.cure


def test_a_weight_may_be_nothing():
    assert Weights.of([0.5, 0.5, 0]) == (Decimal("0.5"), Decimal("0.5"), Decimal(0))
    assert sum(WEIGHTS) == 1
