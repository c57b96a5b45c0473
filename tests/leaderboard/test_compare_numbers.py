"""Differences, agreement, places and verdicts, by hand."""

from dataclasses import replace
from decimal import Decimal

import pytest

from leaderboard.comparison import tables as compare_tables
from leaderboard.comparison import words as compare_words
from leaderboard.comparison.data import Contender
from leaderboard.comparison.numbers import (
    Agreement,
    Difference,
    Pair,
    agreement,
    as_shown,
    compare,
    rates_of,
)
from leaderboard.entry import profile
from scoring.humdial.totals import score_scenarios
from scoring.ranking import HUMDIAL_2025_12
from scoring.report import scenario_to_json
from scoring.rounding import half_up
from scoring.signature import Signature
from tests import builders
from tests.scoring.systems import items, parts

SIGNATURE = Signature("p-1", "strict", "ab12", "v", "a", "b", "offline", "rules-1")


def contender(mark, name="", run="a run", signature=str(SIGNATURE), **values):
    numbers = dict.fromkeys(("total", "interruption", "rejection", "delay_score", "delay"), "")
    return Contender(
        mark, mark.lower(), name or mark, "Team", "participant", run, numbers | values, [],
        signature, shows_items=True, is_published=True,
    )  # fmt: skip


A, B = contender("A", "Falcon"), contender("B", "Mole")


def made(*systems, mode="strict"):
    """Compare systems by their item results; ``None`` is a published row."""
    known = [None if one is None else parts(one, mode) for one in systems]
    scored = [scenarios(one or [], mode) for one in systems]
    return compare(known, scored, mode=mode, reference=HUMDIAL_2025_12)


def scenarios(results, mode="strict"):
    return [scenario_to_json(one) for one in score_scenarios(results, mode=mode)]


def outcomes(*successes):
    return [
        builders.result(name=f"{n:04d}_0001", counted=one is not None, success=bool(one))
        for n, one in enumerate(successes)
    ]


def test_a_system_is_equal_to_itself():
    pair = made(items(seed=1), items(seed=1)).pairs[0]
    assert pair.differences["total"] == Difference(0.0, 0.0, 0.0)
    assert not any(one.is_separable for one in pair.differences.values())
    assert all(cells.only_a == cells.only_b == 0 for cells in pair.agreement.values())


def test_a_much_better_system_is_separable_and_the_sign_says_which():
    pair = made(items(0.3, seed=1), items(0.9, seed=2)).pairs[0]
    found = pair.differences["interruption"]
    assert found.low > 0
    assert 40 < found.value < 80
    assert compare_words.other_wins("interruption", found)


def test_every_system_is_compared_with_the_first_whatever_else_is_there():
    systems = [items(0.5, seed=seed) for seed in range(4)]
    assert made(*systems).pairs[1] == made(systems[0], systems[2]).pairs[0]


def test_a_rest_of_floats_that_cancel_is_no_difference():
    assert not Difference(35.0, 7.1e-15, 65.0).is_separable
    assert not Difference(-35.0, -65.0, -7.1e-15).is_separable
    assert Difference(35.0, 0.1, 65.0).is_separable


def test_a_difference_is_that_of_the_numbers_as_shown():
    found = made(items(0.3, seed=1), items(0.9, seed=2))
    values = [contender("A", interruption="53.2").values]
    values.append(contender("B", interruption="97.6").values)
    shown = as_shown(found, values).pairs[0].differences
    assert shown["interruption"].value == pytest.approx(44.4)
    known = found.pairs[0].differences["interruption"]
    assert shown["interruption"][1:] == known[1:]
    rates = [half_up(one["follow_up"], 1) for one in found.rates]
    assert shown["follow_up"].value == pytest.approx(float(rates[1] - rates[0]))
    assert "delay" not in shown


def test_an_official_rate_is_the_one_that_every_other_page_shows():
    """14 of 17 are 82.35 %, which the official scripts store as 0.82."""
    results = outcomes(*[True] * 14, *[False] * 3)
    results = [
        replace(one, labels=("C_RESPOND" if one.success else "C_RESUME",)) for one in results
    ]
    found = made(results, results, mode="official")
    line = next(one for one in compare_tables.lines([A, B], found) if one.name == "follow_up")
    (stored,) = scenarios(results, "official")
    assert line.first.text == "82.0" == profile.strips([stored], [])[0].squares[0].text
    assert [row["one_value"] for row in compare_tables.rows([A, B], found)][5] == "82.0"
    assert made(results, results).rates[0]["follow_up"] == pytest.approx(
        Decimal("82.3529"), abs=Decimal("0.0001")
    )


def test_a_scenario_without_a_rate_in_one_language_has_no_mean():
    rows = [{"scenario": "negation", "rate": "0.5"}, {"scenario": "negation", "rate": None}]
    assert rates_of(rows) == {}


def test_published_totals_have_differences_without_intervals():
    values = [contender("A", total="76.6").values, contender("B", total="73.5").values]
    shown = as_shown(made(None, None), values).pairs[0].differences
    assert shown == {"total": Difference(-3.1)}
    assert not shown["total"].is_separable


def test_few_items_give_differences_without_intervals():
    pair = made(items(0.3, per_stratum=2), items(0.9, per_stratum=2, seed=1)).pairs[0]
    assert pair.differences["interruption"].low is None
    assert pair.differences["interruption"].value > 0


def test_a_published_row_and_other_items_cannot_be_compared():
    found = made(items(), None, items(per_stratum=3))
    assert [pair.is_comparable for pair in found.pairs] == [False, False]
    assert found.pairs[0].differences == {}
    assert found.rates[1] == {}


def test_when_the_first_has_no_items_nothing_can_be_compared():
    assert not made(None, items(), items(seed=2)).pairs[1].is_comparable


def test_items_that_do_not_count_for_either_are_in_no_cell():
    found = agreement(
        parts(outcomes(True, True, False, False, None, True)),
        parts(outcomes(True, False, True, False, True, None)),
    )
    assert found == {"follow_up": Agreement(1, 1, 1, 1)}
    assert found["follow_up"].items == 4


def test_equal_rates_share_the_better_place():
    half, all_ = outcomes(True, False), outcomes(True, True)
    found = made(half, all_, half, None)
    assert found.places["follow_up"] == (2, 1, 2, None)
    assert found.places["negation"] == (None, None, None, None)
    assert rates_of(scenarios(half)) == {"follow_up": 50}


# Words


def pair(**differences):
    return Pair(True, differences, {})


def test_the_verdict_is_plain():
    found = pair(total=Difference(0.4, -1.2, 2.0), rejection=Difference(-3.1, -5.0, -1.2))
    assert compare_words.verdicts([A, B], [found])[0] == (
        "A (Falcon) and B (Mole) are not separable on the total (+0.4, 95 % −1.2 to +2.0); "
        "A (Falcon) is better on rejection (+3.1, 95 % +1.2 to +5.0)."
    )


def test_less_delay_is_better():
    found = pair(total=Difference(3.0, 1.0, 5.0), delay=Difference(-0.25, -0.4, -0.1))
    assert compare_words.verdicts([A, B], [found])[0] == (
        "B (Mole) is better on the total (+3.0, 95 % +1.0 to +5.0); "
        "B (Mole) is better on total delay (−0.250 s, 95 % −0.400 to −0.100)."
    )


def test_a_missing_total_is_said_and_the_parts_still_count():
    found = pair(interruption=Difference(3.0, 1.0, 5.0))
    (said,) = compare_words.verdicts([A, B], [found])
    assert "have no total to compare; B (Mole) is better" in said


@pytest.mark.parametrize(
    ("other", "found", "words"),
    [
        (
            replace(B, run=None),
            Pair(False, {}, {}),
            "A (Falcon) against B (Mole): published totals only",
        ),
        (B, Pair(False, {}, {}), "A (Falcon) was not scored on the same items as B (Mole)"),
        (B, pair(total=Difference(1.0)), "too few items for intervals"),
    ],
)
def test_where_nothing_can_be_said_the_verdict_says_why(other, found, words):
    (said,) = compare_words.verdicts([A, other], [found])
    assert words in said


def test_what_stops_several_comparisons_is_said_once():
    few = pair(total=Difference(1.0))
    told = pair(total=Difference(0.4, -1.2, 2.0))
    said = compare_words.verdicts([A, B, contender("C"), contender("D")], [few, told, few])
    assert len(said) == 2
    assert "A (Falcon) and C (C) are not separable" in said[0]
    assert said[1].startswith("A (Falcon) against B (Mole), D (D): too few items")


def test_other_engines_are_named_in_sentences():
    strange = contender("C", signature=str(replace(SIGNATURE, judge="chat", scorer="9")))
    reported = contender("D", run=None, signature="")
    assert compare_words.caveats([reported, A, B, strange]) == [
        ("A – C", ["The judge differs: offline against chat.",
                   "The scorer's version differs: 0.1.0 against 9."])
    ]  # fmt: skip


def test_signs_are_real_and_nothing_is_signed_zero():
    assert compare_words.signed(-0.04, "total") == "0.0"
    assert compare_words.signed(-0.05, "total") == "−0.1"
    assert compare_words.signed(0.0004, "delay") == "0.000"
    assert compare_words.signed(2.0, "follow_up") == "+2.0"


def test_a_line_marks_only_what_chance_does_not_explain():
    first, other = contender("A", total="70.0"), contender("B", total="75.0")
    found = made(items(0.3, seed=1), items(0.9, seed=2))
    lines = {line.name: line for line in compare_tables.lines([first, other], found)}
    value, gap = lines["interruption"].others[0]
    assert (value.text, gap.verdict) == ("—", "better")
    assert lines["total"].first.text == "70.0"
    assert lines["delay"].arrow == "↓"
    assert lines["follow_up"].starts_block


def test_places_are_drawn_from_best_to_last_and_sharers_stand_side_by_side():
    half, all_ = outcomes(True, False), outcomes(True, True)
    found = made(half, all_, half)
    drawn = compare_tables.slopes([A, B, contender("C")], found)
    a, b, c = (one.nodes[0] for one in drawn.systems)
    assert b.x < a.x < c.x
    assert c.x - a.x == compare_tables.NUDGE
    assert len(drawn.rows) == 1


def test_nothing_is_drawn_of_published_rows_alone():
    assert compare_tables.slopes([A, B], made(None, None)) is None
