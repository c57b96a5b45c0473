"""The numbers of a scenario page, by hand."""

from dataclasses import replace

import pytest

from leaderboard.scenarios.figure_tables import described
from leaderboard.scenarios.numbers import (
    PAGES,
    Entry,
    Hard,
    Place,
    divisive,
    front,
    hard,
    hardest,
    outcomes,
    scenario,
)
from scoring import report, uncertainty
from scoring.dialogue import Segment
from scoring.humdial.totals import score_scenarios
from tests import builders
from tests.scoring.systems import items, parts

MODE = "strict"


def entry(results, key="a", mode=MODE):
    known = parts(results, mode)
    rows = [report.scenario_to_json(one) for one in score_scenarios(results, mode=mode)]
    blocks = {name: known.values[found] for name, found in known.strata.items()}
    return Entry(key, key.upper(), key.upper(), "participant", rows, known, blocks)


def places(results):
    return [
        Place(str(n), one.item.item, one.item.language, one.item.script)
        for n, one in enumerate(results)
    ]


def test_the_nine_scenarios_and_two_parts_have_pages():
    assert len(PAGES) == 11
    assert {"third_party", "third_party_after", "third_party_before"} <= set(PAGES)


def test_a_rate_has_the_interval_of_wilson():
    results = items(0.7, per_stratum=20, scripts=["follow_up"], languages=["en"])
    rate = scenario("follow_up", [entry(results)], places(results)).systems[0].sides["en"].rate
    wanted = uncertainty.wilson(sum(one.success for one in results), 20)
    assert (rate.low, rate.high) == pytest.approx((100 * wanted.low, 100 * wanted.high))
    assert rate.value == pytest.approx(100 * rate.successes / 20)


def test_a_mean_of_parts_has_the_interval_of_the_bootstrap():
    results = items(0.7, per_stratum=20)
    whole = scenario("third_party", [entry(results)], places(results)).systems[0].sides["cn"].rate
    after = scenario("third_party_after", [entry(results)], places(results))
    before = scenario("third_party_before", [entry(results)], places(results))
    halves = [one.systems[0].sides["cn"].rate.value for one in (after, before)]
    assert whole.value == pytest.approx(sum(halves) / 2)
    assert whole.low < whole.value < whole.high
    assert whole.counted is None


def test_few_items_give_a_mean_of_parts_no_interval():
    results = items(0.7, per_stratum=3)
    rate = scenario("third_party", [entry(results)], places(results)).systems[0].sides["cn"].rate
    assert (rate.low, rate.high) == (None, None)


def test_systems_come_best_first_and_those_without_a_rate_last():
    good, bad = (items(quality, seed=1, per_stratum=9) for quality in (0.9, 0.2))
    nothing = items(0.5, per_stratum=9, languages=["cn"], scripts=["negation"])
    entries = [entry(nothing, "n"), entry(bad, "b"), entry(good, "g")]
    found = scenario("follow_up", entries, places(good))
    assert [one.key for one in found.systems] == ["g", "b", "n"]
    assert found.systems[-1].rate is None
    assert found.items == {"cn": 9, "en": 9}


def test_a_system_without_a_delay_is_on_no_front():
    results = [builders.result("follow_up", code, stop=(), response=()) for code in ("cn", "en")]
    found = scenario("follow_up", [entry(results)], places(results))
    assert found.systems[0].delay is None
    assert found.front == ()


def test_the_front_keeps_whom_nobody_beats_in_both():
    points = [("fast", 0.5, 40.0), ("good", 2.0, 80.0), ("beaten", 2.0, 70.0), ("bad", 3.0, 10.0)]
    assert front(points) == ["fast", "good"]


def test_equal_points_stand_on_the_front_together():
    assert front([("a", 1.0, 50.0), ("b", 1.0, 50.0)]) == ["a", "b"]


def test_labels_are_counted_with_what_has_none():
    part = {"measure": "C_RESPOND", "expected": 10, "received": 9, "labels": {"C_RESUME": 3}}
    found = outcomes(part)
    assert next(iter(found)) == "C_RESPOND"
    assert (found["C_RESPOND"], found["C_RESUME"]) == (0, 3)
    assert (found["unlabelled"], found["missing"]) == (6, 1)
    assert sum(found.values()) == 10


def test_a_timed_part_tells_waiting_from_too_early_and_from_silence():
    part = {"measure": "timestamp", "expected": 10, "received": 9, "silent": 2, "successes": 4}
    assert outcomes(part) == {"rejected": 4, "early": 3, "silent": 2, "missing": 1}


def test_latencies_are_counted_by_what_gave_none():
    results = [
        builders.result(name="0001_0001", first_response_delay=1.0, silent=False),
        builders.result(name="0002_0001", first_response_delay=3.0, silent=False),
        builders.result(name="0003_0001", silent=True),
        builders.result(name="0004_0001", silent=False),
        builders.result(name="0005_0001", received=False, counted=False, success=None),
    ]
    found = scenario("follow_up", [entry(results)], places(results))
    latency = found.systems[0].sides["en"].latencies["first_response"]
    assert (latency.measured, latency.silent, latency.missing, latency.other) == (2, 1, 1, 1)
    assert latency.mean == latency.median == 2.0


def test_an_item_of_several_intervals_stands_for_their_mean():
    results = [
        builders.result(name="0001_0001", stop=(Segment(0, 1), Segment(2, 4)), response=()),
        builders.result(name="0002_0001", stop=(Segment(0, 5),), response=()),
    ]
    found = scenario("follow_up", [entry(results)], places(results))
    latency = found.systems[0].sides["en"].latencies["stop"]
    assert latency.fences == (1.5, 2.375, 3.25, 4.125, 5.0)
    assert latency.mean == pytest.approx(8 / 3)


def test_rejection_has_no_stop_latency():
    results = items(0.5, per_stratum=2)
    side = scenario("backchannels", [entry(results)], places(results)).systems[0].sides["cn"]
    assert set(side.latencies) == {"first_response"}


def test_items_know_who_failed_them():
    names = [f"{n:04d}_0001" for n in range(3)]
    outcome = {"a": (True, True, False), "b": (True, False, False)}
    entries = [
        entry(
            [
                builders.result(name=name, success=yes, labels=("C_RESPOND",) if yes else ())
                for name, yes in zip(names, found, strict=True)
            ],
            key,
        )
        for key, found in outcome.items()
    ]
    items_ = [Place(name, name, "en", "follow_up") for name in names]
    found = hard(["follow_up"], entries, items_)
    assert [(one.item.slug, one.failing) for one in found] == [
        (names[0], ()), (names[1], ("b",)), (names[2], ("a", "b")),
    ]  # fmt: skip
    assert [one.item.slug for one in hardest(found, 9)] == [names[2], names[1]]
    assert [one.item.slug for one in divisive(found, 9)] == [names[1]]


def test_components_of_other_items_are_not_matched_with_these():
    results = items(0.5, per_stratum=2)
    assert hard(["follow_up"], [entry(results)], places(results)[:-1]) == []


def test_the_hardest_come_first_and_no_more_than_asked():
    place = Place("x", "x", "en", "follow_up")
    found = [Hard(place, ("a",), 4), Hard(place, ("a", "b", "c"), 4), Hard(place, ("a", "b"), 4)]
    assert [len(one.failing) for one in hardest(found, 2)] == [3, 2]
    assert len(divisive(found, 1)[0].failing) == 2


# Sentences: what is missing, silent, or without a measurement


def charts_of(results, slug="follow_up"):
    found = scenario(slug, [entry(results)], places(results))
    return {one.slug: one.sentence for one in described(found)}


def judged(*labels, **fields):
    """English follow-up questions with these labels; ``None`` was not handed in."""
    return [
        builders.result(
            name=f"{number:04d}_0001",
            received=label is not None,
            success=label == "C_RESPOND",
            labels=(label,) if label else (),
            **{"stop": (Segment(0, 1),) if label else (), "response": (), **fields},
        )
        for number, label in enumerate(labels)
    ]


def test_the_most_frequent_failure_is_a_share_of_the_expected_items():
    results = judged(*["C_RESPOND"] * 6, *["C_RESUME"] * 3, None)
    assert charts_of(results)["outcomes"] == (
        "The most frequent failure is “RESUME”: 30.0 % of all expected items."
    )


def test_a_failure_of_all_is_still_one_where_nobody_succeeds():
    results = judged(*["C_RESUME"] * 3, "C_UNKNOWN")
    assert "“RESUME”: 75.0 %" in charts_of(results)["outcomes"]


def test_what_waits_for_a_label_is_no_failure():
    results = judged("C_RESPOND", "C_RESPOND", "")
    assert charts_of(results)["outcomes"] == "No system failed in any item."


def test_a_recording_that_never_came_is_no_answer_without_a_measurement():
    silent = replace(judged("C_UNKNOWN")[0], stop=(), silent=True)
    results = [*judged(*["C_RESPOND"] * 8, None), silent]
    said = charts_of(results)["latency-stop"]
    assert "1 of 9 recordings gave no measurement." in said
    assert "1 of 10 expected recordings was not submitted." in said
    assert "answers" not in said


def test_a_silent_recording_is_told_apart_where_words_are_timed():
    silent = replace(judged("C_UNKNOWN")[0], silent=True, first_response_delay=None)
    early = replace(judged("C_UNKNOWN")[0], first_response_delay=None)
    timed = judged(*["C_RESPOND"] * 3, first_response_delay=0.8)
    said = charts_of([*timed, silent, early])["latency-first_response"]
    assert "2 of 5 recordings gave no measurement. 1 of them has no words." in said
    assert "submitted" not in said


def test_nothing_is_said_of_what_did_not_happen():
    results = judged(*["C_RESPOND"] * 3, first_response_delay=0.8)
    for said in charts_of(results).values():
        assert "no measurement" not in said
        assert "submitted" not in said
