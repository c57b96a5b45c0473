"""Perfect scores, and others that no draw can vary: intervals, bests and ties from counts."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from scoring import uncertainty
from scoring.components import effective_items
from scoring.dialogue import Segment
from scoring.humdial import statistic
from scoring.ranking import HUMDIAL_2025_12
from tests.scoring.systems import items, parts

STRICT = partial(statistic.totals, mode="strict", reference=HUMDIAL_2025_12)
ALL_SAME = {"seed": 4, "per_stratum": 12}
COUNTED = statistic.counts_of_totals


def answers(*failed, per_stratum=12, seed=4):
    """Results that succeed but in the items with these numbers, of every script and language."""
    return [
        replace(one, success=int(one.item.item[:4]) not in failed, labels=())
        for one in items(seed=seed, per_stratum=per_stratum)
    ]


def drawn(*systems, **fields):
    return uncertainty.resample([parts(one) for one in systems], STRICT, counts=COUNTED, **fields)


@pytest.mark.parametrize("column", ["interruption", "rejection", "interruption_en"])
def test_a_perfect_score_and_a_zero_have_the_interval_of_their_items(column):
    made = drawn(answers(), answers(*range(12)))
    scenarios = {"interruption": 10, "rejection": 8, "interruption_en": 5}[column]
    whole, nothing = made.interval(column, 0), made.interval(column, 1)
    assert (made.points[column][0], made.points[column][1]) == (100, 0)
    assert (whole.high, nothing.low) == (100, 0)
    assert whole.low == pytest.approx(100 - nothing.high)
    if column != "rejection":  # a third-party part weighs half of another script
        pooled = uncertainty.wilson(12 * scenarios, 12 * scenarios)
        assert whole.low == pytest.approx(100 * pooled.low)


def test_the_effective_items_of_unequal_rates_are_fewer_than_the_items():
    equal = effective_items([np.array([10.0]), np.array([10.0])])
    unequal = effective_items([np.array([10.0]), np.array([30.0])])
    weighted_ = effective_items([np.array([10.0]), np.array([10.0])], (3, 1))
    assert (equal[0], unequal[0], weighted_[0]) == pytest.approx((20, 30, 16))
    assert effective_items([np.array([10.0]), np.array([0.0])])[0] == 0


def test_whole_and_empty_strata_have_an_interval_around_their_mean():
    mixed = [replace(one, success=one.item.script != "follow_up", labels=()) for one in answers()]
    found = drawn(mixed).interval("interruption", 0)
    assert found.low < 80 < found.high < 100
    assert found == pytest.approx([100 * end for end in uncertainty.wilson(96, 120)])


def test_a_perfect_score_is_the_best_and_what_differs_from_it_is_not():
    made = drawn(answers(), answers(1, 2), answers(1))
    best = partial(uncertainty.best, made, "interruption_en", higher_is_better=True)
    assert best([0, 1]) == [0]
    # 55 of the same 60 items right: five against none may be chance (McNemar: 0.06).
    assert best([0, 1, 2]) == [0, 2]


def test_two_perfect_scores_are_both_the_best_and_all_and_nothing_differ():
    made = drawn(answers(), answers(), answers(*range(12)))
    assert uncertainty.best(made, "rejection", [0, 1, 2], higher_is_better=True) == [0, 1]
    assert made.difference("rejection", 0, 1).interval == (0, 0)
    apart = made.difference("rejection", 0, 2)
    assert (apart.value, apart.is_separable) == (-100, True)
    assert apart.interval.low == pytest.approx(-100)


def test_a_total_that_no_draw_varies_ties_and_leads_like_any_other():
    made = drawn(quick(answers()), quick(answers(1, 2, 3)))
    assert made.points["total"][0] == pytest.approx(100)
    assert np.ptp(made.draws["total"][:, 0]) == pytest.approx(0)
    found = made.interval("total", 0)
    assert (found.low < 100, found.high) == (True, pytest.approx(100))
    assert uncertainty.tie_groups(made, "total", [0, 1]) == [1, 2]
    assert uncertainty.best(made, "total", [0, 1], higher_is_better=True) == [0]


def quick(found):
    """The same results, faster than the reference, so that the delay score counts 100."""
    return [replace(one, first_response_delay=0.2, **both(one, 0.1)) for one in found]


def both(one, seconds):
    """Stop and response of one length, where they are measured."""
    length = (Segment(0.0, seconds),)
    return {} if one.stop is None else {"stop": length, "response": length}


def test_a_best_value_without_an_interval_makes_nobody_the_best():
    rare = [
        replace(one, stop=(Segment(0.0, 0.01),) if one.item.item.startswith("0003") else ())
        for one in items(per_stratum=12, seed=2)
    ]
    made = drawn(rare, items(per_stratum=12, seed=3))
    assert made.points["delay"][0] < made.points["delay"][1]
    assert made.interval("delay", 1) is not None
    assert uncertainty.best(made, "delay", [0, 1], higher_is_better=False) == []


def test_a_perfect_score_that_few_draws_cannot_define_has_an_interval_too():
    """Of one scenario only four items count, so a draw in a hundred has none of them."""
    seldom = [
        one
        if one.item.script != "follow_up" or int(one.item.item[:4]) < 4
        else replace(one, counted=False)
        for one in answers()
    ]
    made = drawn(seldom, answers(1, 2, 3))
    undefined = np.isnan(made.draws["interruption"][:, 0]).mean()
    assert 0 < undefined < uncertainty.UNDEFINED
    found = made.interval("interruption", 0)
    assert (found.low < 100, found.high) == (True, 100)
    assert uncertainty.best(made, "interruption", [0, 1], higher_is_better=True) == [0]


def test_too_few_items_give_a_perfect_score_no_interval_either():
    few = uncertainty.MIN_ITEMS - 1
    made = drawn(answers(per_stratum=few), answers(1, 2, per_stratum=few))
    assert made.interval("interruption", 0) is None
    assert made.difference("interruption", 0, 1) is None
    assert uncertainty.best(made, "interruption", [0, 1], higher_is_better=True) == []


def test_all_differences_to_a_perfect_score_are_those_of_pairs():
    made = drawn(answers(), answers(1), answers(), answers(*range(12)))
    for first in range(4):
        pairs = [made.difference("interruption", first, other) for other in range(4)]
        assert made.differences("interruption", first) == pairs
        assert None not in pairs


def test_a_number_that_never_varies_and_counts_nothing_has_no_interval():
    found = items(**ALL_SAME)
    made = drawn([replace(one, first_response_delay=0.7, **both(one, 0.5)) for one in found])
    assert made.points["delay"][0] == pytest.approx((0.5 + 0.5 + 0.7) / 3)
    assert made.interval("delay", 0) is None
