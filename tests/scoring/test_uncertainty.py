"""Intervals by bootstrap: against scipy, against closed forms, and where there is none."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import scoring
from scoring import uncertainty
from scoring.components import Components, from_json, to_json
from scoring.dialogue import Segment
from scoring.errors import ScoringError
from scoring.humdial import statistic
from scoring.humdial.totals import score_scenarios, total
from scoring.ranking import HUMDIAL_2025_12, delay_score
from scoring.ranking import total as weighted
from tests.scoring.systems import items, parts, system

STRICT = partial(statistic.totals, mode="strict", reference=HUMDIAL_2025_12)
OFFICIAL = partial(statistic.totals, mode="official", reference=HUMDIAL_2025_12)
ALL_SAME = {"seed": 4, "per_stratum": 12}


def column(values, other=None):
    """One stratum with one rate (or one mean of ratio type) per item."""
    values = np.asarray(values, dtype=float)
    below = np.ones_like(values) if other is None else np.asarray(other, dtype=float)
    return Components((("cn/follow_up", len(values)),), np.stack([values, below], axis=1))


def ratio(sums):
    return {"rate": sums["cn/follow_up"][..., 0] / sums["cn/follow_up"][..., 1]}


def by_scipy(data, function, draws=20_000):
    found = stats.bootstrap(
        data, function, n_resamples=draws, method="percentile", paired=True, rng=1
    )
    return found.confidence_interval


# The statistic


@pytest.mark.parametrize("seed", [1, 2])
def test_strict_totals_are_those_of_the_scorer_to_the_last_digit(seed):
    found = items(seed=seed)
    exact = total(score_scenarios(found, mode="strict"), mode="strict")
    made = uncertainty.resample([parts(found)], STRICT, draws=2).points
    for name in ("interruption", "rejection", "delay"):
        assert made[name][0] == pytest.approx(float(getattr(exact, name)), abs=1e-9)
    for one in exact.languages:
        assert made[f"delay_{one.language}"][0] == pytest.approx(float(one.delay), abs=1e-9)
    score = delay_score(exact.delay, HUMDIAL_2025_12.l_min, HUMDIAL_2025_12.l_base)
    whole = weighted(exact.interruption, exact.rejection, score)
    assert made["total"][0] == pytest.approx(float(whole), abs=1e-9)


def test_official_totals_differ_from_the_scorers_by_their_rounding_only():
    found = items(seed=3)
    rounded = total(score_scenarios(found, mode="official"), mode="official")
    made = uncertainty.resample([parts(found, "official")], OFFICIAL, draws=2).points
    assert made["interruption"][0] == pytest.approx(float(rounded.interruption), abs=0.6)
    assert made["rejection"][0] == pytest.approx(float(rounded.rejection), abs=0.6)
    assert made["delay"][0] == pytest.approx(float(rounded.delay), abs=0.002)


def test_official_rates_count_labels_and_not_items():
    found = items(per_stratum=2, scripts=["follow_up"], languages=["cn"])
    both = replace(found[0], labels=("C_RESPOND", "C_RESUME"), success=True)
    made = parts([both, replace(found[1], labels=("C_RESPOND",))], "official")
    assert made.values[:, :2].tolist() == [[1, 2], [1, 1]]
    assert parts([both, found[1]]).values[0, :2].tolist() == [1, 1]


def test_a_missing_latency_is_left_out_in_official_mode_and_takes_the_total_in_strict():
    found = [replace(one, first_response_delay=None) if _is_follow_up(one) else one
             for one in items(seed=5)]  # fmt: skip
    official = uncertainty.resample([parts(found, "official")], OFFICIAL, draws=2).points
    expected = total(score_scenarios(found, mode="official"), mode="official").delay
    assert official["delay"][0] == pytest.approx(float(expected), abs=0.002)
    strict = uncertainty.resample([parts(found)], STRICT, draws=2).points
    assert np.isnan(strict["delay"][0])
    assert np.isnan(strict["total"][0])
    assert not np.isnan(strict["interruption"][0])


def test_no_interval_at_all_counts_as_zero_seconds_in_official_mode_only():
    found = [replace(one, stop=()) if _is_follow_up(one) else one for one in items(seed=6)]
    official = uncertainty.resample([parts(found, "official")], OFFICIAL, draws=2).points
    expected = total(score_scenarios(found, mode="official"), mode="official").delay
    assert official["delay"][0] == pytest.approx(float(expected), abs=0.002)
    assert np.isnan(uncertainty.resample([parts(found)], STRICT, draws=2).points["delay"][0])


def _is_follow_up(result):
    return result.item.script == "follow_up"


# Against others


def test_the_interval_of_a_mean_is_scipys():
    values = np.random.default_rng(7).exponential(1.0, 60)
    mine = uncertainty.resample([column(values)], ratio, draws=20_000).interval("rate", 0)
    theirs = by_scipy((values,), np.mean)
    # Twice the Monte-Carlo error of a quantile of 20,000 draws.
    assert mine == pytest.approx(theirs, abs=4 * values.std() / sqrt(60) / sqrt(20_000) * 3)


def test_the_interval_of_a_ratio_draws_both_sides_together_as_scipy_does():
    random = np.random.default_rng(8)
    below = random.integers(1, 5, 50)
    above = below * random.exponential(1.0, 50)
    mine = uncertainty.resample([column(above, below)], ratio, draws=20_000).interval("rate", 0)
    theirs = by_scipy((above, below), lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis))
    assert mine == pytest.approx(theirs, abs=0.02)


def test_a_paired_difference_is_scipys():
    random = np.random.default_rng(9)
    one = random.random(80) < 0.6
    other = np.where(random.random(80) < 0.8, one, ~one)
    made = uncertainty.resample([column(one), column(other)], ratio, draws=20_000)
    found = made.difference("rate", 0, 1)
    theirs = by_scipy(
        (one * 1.0, other * 1.0), lambda a, b, axis: b.mean(axis=axis) - a.mean(axis=axis)
    )
    assert found.value == pytest.approx(other.mean() - one.mean())
    assert found.interval == pytest.approx(theirs, abs=0.013)


def test_the_interval_of_a_plain_rate_has_the_width_of_the_closed_form():
    values = np.arange(400) < 300
    found = uncertainty.resample([column(values)], ratio, draws=5000).interval("rate", 0)
    assert found.half_width == pytest.approx(1.96 * sqrt(0.75 * 0.25 / 400), rel=0.06)


@pytest.mark.parametrize(("hits", "counted"), [(0, 10), (10, 10), (3, 17), (247, 300)])
def test_wilson_is_scipys_and_does_not_collapse_at_the_ends(hits, counted):
    theirs = stats.binomtest(hits, counted).proportion_ci(method="wilson")
    found = uncertainty.wilson(hits, counted)
    assert found == pytest.approx((theirs.low, theirs.high))
    assert found.half_width > 0
    assert 0 <= found.low <= hits / counted <= found.high <= 1


def test_nothing_counted_has_no_wilson_interval():
    assert uncertainty.wilson(0, 0) is None


# Seeds and pairs


def test_the_same_seed_gives_the_same_intervals_and_another_seed_does_not():
    one = system(seed=1)
    first, again, other = (
        uncertainty.resample([one], STRICT, draws=100, seed=seed).interval("total", 0)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_more_systems_do_not_change_the_interval_of_one():
    one, crowd = system(seed=1), [system(seed=seed, per_stratum=20) for seed in range(2, 72)]
    alone = uncertainty.resample([one], STRICT, draws=50).interval("total", 0)
    among = uncertainty.resample([*crowd, one], STRICT, draws=50).interval("total", 70)
    assert among == pytest.approx(alone)


def test_pairing_makes_the_difference_of_alike_systems_narrower():
    found = items(seed=1)
    better = [replace(one, success=True) if n % 29 == 0 else one for n, one in enumerate(found)]
    made = uncertainty.resample([parts(found), parts(better)], STRICT)
    paired = made.difference("interruption", 0, 1).interval.half_width
    assert paired < made.interval("interruption", 0).half_width / 2


def test_systems_scored_on_different_items_are_refused():
    with pytest.raises(ScoringError, match="different items"):
        uncertainty.resample([system(), system(per_stratum=19)], STRICT)


# Ranks and ties


def test_identical_systems_tie_and_share_their_rank_interval():
    made = uncertainty.resample([system(seed=1), system(seed=1), system(0.45, seed=2)], STRICT)
    same = made.difference("total", 0, 1)
    assert (same.value, same.interval, same.is_separable) == (0.0, (0.0, 0.0), False)
    assert uncertainty.tie_groups(made, "total", [0, 1, 2]) == [1, 1, 2]
    assert uncertainty.rank_intervals(made.draws["total"]) == [(1, 1), (1, 1), (3, 3)]


def test_a_group_is_measured_from_its_first_and_not_from_neighbour_to_neighbour():
    qualities = (0.78, 0.74, 0.70, 0.62)
    made = uncertainty.resample([system(one, seed=9, per_stratum=30) for one in qualities], STRICT)
    groups = uncertainty.tie_groups(made, "total", [0, 1, 2, 3])
    firsts = [groups.index(group) for group in groups]
    for place, first in enumerate(firsts):
        inside = made.difference("total", first, place)
        assert place == first or not inside.is_separable
    starts = sorted(set(firsts))
    assert len(starts) > 1
    assert all(
        made.difference("total", earlier, later).is_separable for earlier, later in pairwise(starts)
    )


def test_a_rank_interval_counts_rows_whose_items_are_unknown_as_they_are():
    made = uncertainty.resample([system(seed=1)], STRICT)
    above, below = made.points["total"][0] + 50, made.points["total"][0] - 50
    draws = made.draws["total"]
    assert uncertainty.rank_intervals(draws, [above, above, below]) == [(3, 3)]


def test_a_system_without_a_total_is_in_no_group_and_last_in_every_draw():
    silent = [replace(one, first_response_delay=None) for one in items(0.9, seed=3)]
    made = uncertainty.resample([system(seed=1), parts(silent), system(seed=1)], STRICT)
    assert uncertainty.tie_groups(made, "total", [0, 1, 2]) == [1, None, 1]
    assert uncertainty.rank_intervals(made.draws["total"])[1] == (3, 3)
    assert made.difference("total", 0, 1) is None
    assert made.interval("total", 1) is None
    assert made.interval("interruption", 1) is not None


def test_the_best_of_a_column_is_one_only_when_it_can_be_told_from_the_others():
    made = uncertainty.resample([system(0.9, seed=1), system(0.45, seed=2)], STRICT)
    assert uncertainty.best(made, "total", [0, 1], higher_is_better=True) == [0]
    same = uncertainty.resample([system(seed=1), system(seed=1)], STRICT)
    assert uncertainty.best(same, "delay", [0, 1], higher_is_better=False) == [0, 1]
    assert uncertainty.best(made, "total", [0, 1], higher_is_better=False) == [1]


# Where there is no interval


def test_a_split_with_too_few_items_has_no_intervals():
    made = uncertainty.resample([system(per_stratum=uncertainty.MIN_ITEMS - 1)], STRICT)
    assert made.interval("total", 0) is None
    assert uncertainty.best(made, "total", [0], higher_is_better=True) == []


@pytest.mark.parametrize(
    ("count", "known"), [(uncertainty.MIN_ITEMS - 1, False), (uncertainty.MIN_ITEMS, True)]
)
def test_equal_answers_to_too_few_items_are_not_called_equal(count, known):
    twins = [system(per_stratum=count), system(per_stratum=count)]
    found = uncertainty.resample(twins, STRICT).difference("rejection", 0, 1)
    assert (found is not None) == known


def test_a_number_that_many_draws_cannot_define_has_no_interval():
    rare = [
        replace(one, stop=(Segment(0.0, 1.0),) if one.item.item.startswith("0003") else ())
        for one in items(per_stratum=12, seed=2)
    ]
    made = uncertainty.resample([parts(rare)], STRICT)
    assert not np.isnan(made.points["delay"][0])
    assert made.interval("delay", 0) is None


# Stored


def test_stored_components_come_back_as_they_were():
    found = items(per_stratum=3)
    stored = to_json({"strict": parts(found)}, statistic.COLUMNS)
    back = from_json(stored, "strict", statistic.COLUMNS)
    assert back.layout == parts(found).layout
    assert back.values == pytest.approx(parts(found).values, abs=1e-6)
    assert stored["strict"]["hits"][0] in (0, 1)


def test_incomplete_stored_components_are_refused():
    stored = to_json({"strict": system(per_stratum=3)}, statistic.COLUMNS)
    stored["strict"]["hits"].pop()
    with pytest.raises(ScoringError, match="no complete strict values"):
        from_json(stored, "strict", statistic.COLUMNS)
    with pytest.raises(ScoringError, match="no complete official values"):
        from_json(stored, "official", statistic.COLUMNS)


def test_the_readme_names_the_constants_in_use():
    text = (Path(scoring.__file__).parent / "README.md").read_text(encoding="utf-8")
    assert f"in each of {uncertainty.DRAWS:,} draws (seed {uncertainty.SEED})" in text
    assert f"fewer than {uncertainty.MIN_ITEMS} items" in text
    assert f"more than {uncertainty.UNDEFINED:.0%}".replace("%", " %") in text


def test_all_differences_at_once_are_those_of_pairs():
    undefined = np.arange(100) % 4 == 0
    chance = np.random.default_rng(5)
    draws = chance.normal(50, 3, (100, 5))
    draws[:, 1] = draws[:, 0]
    draws[:, 2] = draws[:, 0] + 2
    draws[undefined, 3] = np.nan
    points = draws.mean(axis=0)
    for smallest in (3, 30):
        made = uncertainty.Resampled({"total": points}, {"total": draws}, smallest)
        pairs = [made.difference("total", 0, other) for other in range(5)]
        assert made.differences("total", 0) == pairs
    assert [one is None for one in pairs] == [False, False, True, True, False]


def test_the_interval_of_two_rates_is_the_published_one():
    """Newcombe 1998, table II, method 10: 56/70 against 48/80."""
    found = uncertainty.rates_difference([(56, 70)], [(48, 80)])
    assert found == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_the_interval_of_two_rates_turns_with_them_and_stays_within_100_points():
    one, other = [(10, 10)], [(0, 10)]
    found = uncertainty.rates_difference(one, other)
    turned = uncertainty.rates_difference(other, one)
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low))
    assert 0 < found.low < found.high == 1


def test_a_mean_of_two_parts_is_surer_than_each_part():
    single = uncertainty.rates_difference([(15, 20)], [(10, 20)])
    double = uncertainty.rates_difference([(15, 20), (15, 20)], [(10, 20), (10, 20)])
    assert double.half_width == pytest.approx(single.half_width / 2**0.5)


def test_a_part_of_which_nothing_was_counted_has_no_difference():
    assert uncertainty.rates_difference([(1, 2), (0, 0)], [(1, 2), (1, 2)]) is None
