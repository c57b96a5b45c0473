import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.humdial.latency import mean_of_item_means, pooled_average
from scoring.segments import MODEL_GAP, USER_GAP, merge, overlaps, response_gaps
from tests.golden import case_id, golden

GOLDEN = golden("humdial_intervals")


def pairs(segments):
    return [list(segment) for segment in segments]


def close(found, expected):
    return len(found) == len(expected) and all(
        one == pytest.approx(other, abs=1e-12)
        for one, other in zip(pairs(found), expected, strict=True)
    )


@pytest.mark.parametrize("case", GOLDEN["pipeline_cases"], ids=case_id)
def test_intervals_equal_the_official_ones(case):
    user, model = merge(case["user_raw"], USER_GAP), merge(case["model_raw"], MODEL_GAP)
    assert pairs(user) == case["expect"]["user_merged"]
    assert pairs(model) == case["expect"]["model_merged"]
    assert close(overlaps(user, model), case["expect"]["latency_stop_list"])
    assert close(response_gaps(user, model), case["expect"]["latency_resp_list"])


@pytest.mark.parametrize("case", GOLDEN["direct_cases"], ids=case_id)
def test_unmerged_lists_are_taken_in_the_order_given(case):
    assert close(overlaps(case["user"], case["model"]), case["expect"]["overlaps"])
    assert close(response_gaps(case["user"], case["model"]), case["expect"]["response_gaps"])


@pytest.mark.parametrize("case", GOLDEN["merge_cases"], ids=case_id)
def test_pauses_up_to_the_gap_stay_inside_a_turn(case):
    assert pairs(merge(case["segments"], case["gap"])) == case["expect"]


@pytest.mark.parametrize("case", GOLDEN["average_cases"], ids=case_id)
def test_averages_pool_all_intervals_and_are_absent_without_any(case):
    cases = {one["id"]: one["expect"] for one in GOLDEN["pipeline_cases"]}
    for name, key in (("stop", "latency_stop_list"), ("resp", "latency_resp_list")):
        lists = [[_segment(pair) for pair in cases[one][key]] for one in case["case_ids"]]
        average = pooled_average(lists)
        official = case["expect"][f"avg_latency_{name}"]
        assert (0.0 if average is None else average) == pytest.approx(official, abs=1e-12)
        assert (average is None) == (case[f"n_{name}"] == 0)


def test_the_mean_of_item_means_weighs_items_equally():
    lists = [[_segment((0, 1)), _segment((2, 3))], [_segment((0, 4))], []]
    assert pooled_average(lists) == 2.0
    assert mean_of_item_means(lists) == 2.5


def test_a_float_gap_just_above_the_limit_does_not_merge():
    assert len(merge([(0.0, 1.0), (1.6, 2.0)], 0.6)) == 2
    assert len(merge([(0.0, 0.4), (1.0, 2.0)], 0.6)) == 1


TIMES = st.lists(
    st.tuples(st.floats(0, 60), st.floats(0.01, 5)).map(lambda p: (p[0], p[0] + p[1])), max_size=12
)


@given(TIMES, st.floats(0, 2))
def test_merged_turns_are_disjoint_and_cover_what_was_spoken(segments, gap):
    turns = merge(segments, gap)
    assert all(a.end + gap < b.start for a, b in itertools.pairwise(turns))
    for start, end in segments:
        assert any(turn.start <= start and end <= turn.end for turn in turns)


@given(TIMES, TIMES)
def test_no_overlap_is_longer_than_either_turn(user, model):
    users, models = merge(user, USER_GAP), merge(model, MODEL_GAP)
    longest = max([0.0, *(turn.length for turn in (*users, *models))])
    assert all(0 <= one.length <= longest + 0.002 for one in overlaps(users, models))


def _segment(pair):
    from scoring.dialogue import Segment

    return Segment(*pair)
