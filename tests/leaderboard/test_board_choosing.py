"""Filters, search, order, pins and other weights: none of them changes a rank."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.board import choosing, tables, weights_panel
from leaderboard.board.viewstate import ViewState
from scoring.ranking import WEIGHTS, Weights
from scoring.weighting import others, reweighted, stability, weightings
from tests.leaderboard.rows import row


def named(*names, **fields):
    return [row(system=name, system_slug=name.lower(), link=name, **fields) for name in names]


def systems(rows):
    return [one["system"] for one in rows]


# Filters and search


def test_filters_leave_rows_out_and_ranks_as_they_are():
    rows = [
        row(rank=1, system="A", kind="participant", weights="closed", architecture="cascade"),
        row(rank=2, system="B", kind="baseline", weights="open", architecture="cascade"),
        row(rank=3, system="C", kind="participant", weights="open", architecture="end-to-end"),
    ]
    found = tables.board(rows, ViewState(kind=("participant",), weights=("open",), pin=()))
    assert [(one.name, one.rank) for one in found.rows] == [("C", "3")]
    assert (found.found, found.total) == (1, 3)
    assert systems(choosing.choose(rows, ViewState(arch=("cascade",))).rows) == ["A", "B"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("小猫", ["小猫对话"]),
        ("ＢＡＤ", ["Badcat"]),
        ("straße", ["STRASSE"]),
        ("team x", []),
        ("", 3),
    ],
)
def test_search_finds_chinese_and_ignores_case_and_width(query, expected):
    rows = named("小猫对话", "Badcat", "STRASSE", team="T")
    found = systems(choosing.choose(rows, ViewState(q=query)).rows)
    assert (len(found) if query == "" else found) == expected


def test_search_finds_teams_too_but_not_across_both_names():
    rows = [row(system="Parrot", team="Wonderland")]
    assert choosing.choose(rows, ViewState(q="wonder")).rows == rows
    assert choosing.choose(rows, ViewState(q="parrotwonder")).rows == []


# Order


@pytest.mark.parametrize(
    ("sort", "expected"),
    [("delay", "BCA"), ("-delay", "CBA"), ("total", "CBA"), ("-total", "BCA"), ("", "ABC")],
)
def test_missing_values_come_last_both_ways(sort, expected):
    rows = [
        *named("A", delay="", total=""),
        *named("B", delay="0.900", total="80.0"),
        *named("C", delay="1.100", total="9.0"),
    ]
    assert "".join(systems(choosing.in_order(rows, sort))) == expected


def test_numbers_are_sorted_as_numbers_and_ranks_too():
    rows = [row(rank=place, total=str(100 - place)) for place in (10, 9, 1, 2)]
    assert [one["rank"] for one in choosing.in_order(rows, "rank")] == [1, 2, 9, 10]
    assert [one["rank"] for one in choosing.in_order(rows, "-total")] == [1, 2, 9, 10]


def test_equal_rows_keep_the_order_of_the_board_both_ways():
    rows = named("A", "B", "C", total="50.0")
    assert systems(choosing.in_order(rows, "total")) == ["A", "B", "C"]
    assert systems(choosing.in_order(rows, "-total")) == ["A", "B", "C"]


def test_every_sortable_column_can_be_sorted_by():
    from leaderboard.board.viewstate import SORTED_DOWN

    rows = [row(received="2026-01-01", stability={"kept": 0.5}), row(languages={})]
    for name in SORTED_DOWN:
        assert len(choosing.in_order(rows, name)) == 2


def test_a_long_board_has_pages_and_may_be_shown_whole():
    rows = named(*(f"S{number}" for number in range(2 * choosing.PAGE + 1)))
    first = choosing.choose(rows, ViewState())
    assert (len(first.rows), first.pages, first.found) == (choosing.PAGE, 3, len(rows))
    assert systems(choosing.choose(rows, ViewState(page=3)).rows) == [f"S{2 * choosing.PAGE}"]
    assert choosing.choose(rows, ViewState(page=99)).page == 3
    assert len(choosing.choose(rows, ViewState(page=0)).rows) == len(rows)


# Pins and differences


def test_the_baseline_is_pinned_unless_the_reader_says_otherwise():
    rows = [*named("A", "B"), *named("Base", kind="baseline")]
    assert systems(choosing.choose(rows, ViewState()).pinned) == ["Base"]
    assert systems(choosing.choose(rows, ViewState(pin=("b", "baseline"))).pinned) == ["B", "Base"]
    assert choosing.choose(rows, ViewState(pin=())).pinned == []
    assert choosing.choose(rows, ViewState(pin=("nobody",))).pinned == []


def test_a_pinned_row_keeps_its_place_below_too():
    rows = [*named("A"), *named("Base", kind="baseline")]
    found = tables.board(rows)
    assert [one.name for one in found.rows] == ["A", "Base"]
    assert [one.is_pinned for one in found.rows] == [False, True]
    assert found.rows[0].pin_query == "?pin=base,a"
    assert found.pinned[0].pin_query == "?pin=none"


def test_two_entries_of_one_system_are_told_apart_by_their_links():
    rows = [row(link="one"), row(link="two"), row(link="three", system_slug="other")]
    assert choosing.keys(rows) == ["one", "two", "other"]


def test_difference_mode_shows_every_number_against_the_first_pinned_row():
    base = row(system="Base", kind="baseline", total="60.0", delay="2.531", interruption="80.0")
    rows = [row(total="73.3", delay="1.000"), base, row(total="", delay="")]
    found = tables.board(rows, ViewState(diff=True))
    assert found.compared_to == "Base"
    assert (found.rows[0].total.text, found.rows[0].cells[2].text) == ("+13.3", "−1.531")
    assert found.rows[0].cells[0].text == "0.0"
    assert (found.rows[1].total.text, found.pinned[0].total.text) == ("0.0", "60.0")
    assert (found.rows[2].total.text, found.rows[2].total.reason) == (
        "—",
        "a part of it is missing",
    )


def test_without_a_pinned_row_there_is_nothing_to_compare_with():
    found = tables.board([row()], ViewState(diff=True))
    assert (found.compared_to, found.rows[0].total.text) == ("", "73.3")


# Other weights


def test_other_weights_give_another_order_beside_the_official_one():
    rows = [
        row(rank=1, system="A", interruption="60.0", rejection="90.0", delay_score_raw="70.0"),
        row(rank=2, system="B", interruption="90.0", rejection="50.0", delay_score_raw="70.0"),
        row(rank=None, system="Late"),
    ]
    found = weights_panel.panel(rows, ViewState(w=(80, 10, 10)))
    assert [(line.name, line.place, line.official, line.move) for line in found.lines] == [
        ("B", 1, 2, "↑ 1"),
        ("A", 2, 1, "↓ 1"),
    ]
    assert found.lines[0].total == "84.0"
    assert weights_panel.panel(rows, ViewState()).lines == ()


def test_weights_that_do_not_sum_to_100_are_taken_as_shares():
    rows = [row(rank=1)]
    one = weights_panel.panel(rows, ViewState(w=(4, 4, 2))).lines[0]
    assert one.total == weights_panel.panel(rows, ViewState(w=(40, 40, 20))).lines[0].total


def test_official_weights_give_the_official_total_and_equal_rows_a_shared_place():
    parts = (Decimal("79.3"), Decimal("72.2"), Decimal("79.9"))
    found = reweighted([parts, parts, (*parts[:2], Decimal("10"))], WEIGHTS)
    assert [(str(one.total), one.place) for one in found] == [("76.6", 1), ("76.6", 1), ("62.6", 3)]


def test_a_delay_score_beyond_the_reference_counts_as_100_under_other_weights_too():
    parts = (Decimal(0), Decimal(0), Decimal("130"))
    assert str(reweighted([parts], Weights.of([0, 0, 1]))[0].total) == "100.0"


PARTS = st.tuples(*[st.decimals(0, 100, places=3)] * 2, st.decimals(0, 120, places=6))
OWN = st.sampled_from([WEIGHTS, Weights.of(["0.334", "0.333", "0.333"]), *weightings()[:9]])


@settings(max_examples=20)
@given(st.lists(PARTS, min_size=1, max_size=9), OWN, st.sampled_from(["official", "strict"]))
def test_places_over_all_weightings_are_those_of_the_ranking_itself(rows, own, mode):
    firm = stability(rows, own, mode=mode)
    tried = [one for one in weightings() if one != own]
    places = [[one.place for one in reweighted(rows, w, mode=mode)] for w in [own, *tried]]
    assert firm == [
        (pytest.approx(sum(p == all_[0] for p in all_[1:]) / len(tried)), min(all_), max(all_),
         len(tried))
        for all_ in zip(*places, strict=True)
    ]  # fmt: skip


def test_the_own_weighting_of_a_board_is_none_of_the_others():
    assert (len(weightings()), len(others(WEIGHTS))) == (171, 170)
    assert len(others(Weights.of(["0.334", "0.333", "0.333"]))) == 171


def test_a_system_ahead_in_every_part_keeps_its_place_under_all_weights():
    better, worse = (Decimal(90),) * 3, (Decimal(10),) * 3
    assert stability([better, worse]) == [(1.0, 1, 1, 170), (1.0, 2, 2, 170)]


def test_a_place_that_hangs_on_the_weights_says_so():
    found = stability(
        [(Decimal(90), Decimal(10), Decimal(50)), (Decimal(10), Decimal(80), Decimal(50))]
    )
    assert found[0].low == 1
    assert found[0].high == 2
    assert 0.4 < found[0].kept < 0.6
    assert all(sum(one) == 1 and min(one) >= Decimal("0.05") for one in weightings())
    assert stability([]) == []
