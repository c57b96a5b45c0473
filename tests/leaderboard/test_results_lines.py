"""Scenario × language of one run: rates with their intervals, counts that lead to their items."""

import pytest

from leaderboard.entry.key_numbers import key_numbers
from leaderboard.entry.result_lines import Links, beside, blocks, coverage, diagnostics, failures
from scoring import report, uncertainty
from scoring.humdial.totals import score_scenarios, total
from tests import builders
from tests.leaderboard.rows import row
from tests.scoring.systems import items, parts

LINKS = Links("/items/demo/", "b5a1")


def scenarios(found, mode="official"):
    return [report.scenario_to_json(one) for one in score_scenarios(found, mode=mode)]


def totals(found, mode="official"):
    return report.totals_to_json(total(score_scenarios(found, mode=mode), mode=mode))


def made(found, base=(), links=LINKS, mode="official"):
    own = blocks(scenarios(found, mode), scenarios(base), parts(found, mode), links)
    return {block.slug: block for block in own}


def labelled(number, *labels):
    success = "C_RESPOND" in labels
    return builders.result(name=f"{number:04d}_0001", success=success, labels=labels)


def test_a_plain_rate_has_the_interval_of_wilson():
    found = items(0.7)
    line = made(found)["follow_up"].lines[0]
    hits, counted = map(int, line.success.split("/"))
    ends = uncertainty.wilson(hits, counted)
    assert line.interval == f"{100 * ends.low:.1f}–{100 * ends.high:.1f}"
    assert line.square.text == f"{100 * hits / counted:.1f}"


def test_a_mean_of_parts_has_a_drawn_interval_and_no_plain_share():
    found = made(items(0.7))
    whole, after = found["third_party"].lines[0], found["third_party_after"].lines[0]
    low, high = map(float, whole.interval.split("–"))
    assert low < float(whole.square.text) < high
    assert (whole.success, whole.is_short, whole.expected.number) == ("", True, 40)
    assert (after.expected.number, found["third_party_after"].is_part) == (20, True)


def test_a_mean_of_few_items_has_no_interval_while_their_rates_have():
    found = made(items(0.7, per_stratum=3))
    assert found["third_party"].lines[0].interval == ""
    assert found["third_party_after"].lines[0].interval != ""


def test_counts_lead_to_their_items_in_scenario_and_language():
    line = made(items(0.7))["follow_up"].lines[1]
    failed = line.counts[0]
    address = "/items/demo/?sys=b5a1&scenario=follow_up&lang=en"
    assert failed.link == f"{address}&outcome=failed"
    assert line.expected.link == address
    labels = {one.word: one.link for one in line.labels}
    assert labels["UNKNOWN"] == f"{address}&label=UNKNOWN"


def test_without_a_list_of_items_nothing_is_linked():
    line = made(items(0.7), links=Links())["follow_up"].lines[0]
    links = [one.link for one in (*line.counts, *line.labels, line.expected)]
    assert {*links, line.success_link} == {""}


def test_items_fail_once_however_many_labels_they_have():
    found = [labelled(1, "C_RESUME", "C_UNKNOWN"), labelled(2, "C_RESPOND", "C_UNKNOWN")]
    assert failures(parts(found, "official")) == {"en/follow_up": 1}
    line = made(found)["follow_up"].lines[0]
    assert (line.success, line.counts[0].number) == ("1/4", 1)


def test_what_is_missing_leaves_the_official_share_and_is_counted_beside_it():
    gone = builders.result(name="0002_0001", received=False, counted=False, success=None)
    line = made([labelled(1, "C_RESPOND"), gone])["follow_up"].lines[0]
    assert (line.success, line.is_short, line.expected.number) == ("1/1", True, 2)
    assert [(one.number, one.word) for one in line.counts] == [(1, "missing")]


def test_nothing_counted_is_a_reason_and_never_zero():
    gone = builders.result(received=False, counted=False, success=None)
    line = made([gone])["follow_up"].lines[0]
    assert (line.square.text, line.interval) == ("—", "")
    assert line.reason == "no item could be counted"


def test_parts_are_compared_with_the_parts_of_the_baseline():
    found = made(items(1.0), items(0.0))
    for slug in ("third_party", "third_party_before", "follow_up"):
        square = found[slug].lines[0].square
        assert (square.difference, square.tone, square.step) == ("+100.0", "better", 3)


def test_coverage_links_what_there_is_and_not_what_there_is_none_of():
    found = [labelled(1, "C_RESUME"), labelled(2, "C_RESPOND")]
    shown = coverage(totals(found), failures(parts(found, "official")), LINKS)
    counts = {one.word: (one.number, one.link) for one in shown}
    assert counts["failed"] == (1, "/items/demo/?sys=b5a1&outcome=failed")
    assert counts["missing"] == (0, "")


def test_diagnostics_are_counted_in_all_and_by_scenario():
    one = builders.result(diagnostics={"cut_off": True, "talked_through": False}, silent=False)
    stored = report.diagnostics_to_json([one])["diagnostics"]
    (count,) = diagnostics(stored, LINKS)
    assert (count.number, count.of) == (1, 1)
    assert count.link == "/items/demo/?sys=b5a1&diagnostic=cut_off"
    (line,) = beside(scenarios([one]), LINKS)
    assert [one.word for one in line.counts] == ["cut off by the end of the file"]
    assert line.counts[0].link.endswith("scenario=follow_up&lang=en&diagnostic=cut_off")


TOTALS = {"interruption": "80.0", "rejection": None, "delay": "1.000"}


def test_key_numbers_begin_with_place_and_total_where_a_board_has_them():
    place = row(
        rank=2, rank_low=1, rank_high=4, intervals={"total": [70.0, 75.0], "delay": [0.9, 1.1]}
    )
    found = {one.name: one for one in key_numbers(TOTALS, None, place)}
    assert list(found) == ["Rank", "Total", "Interruption", "Rejection", "Total delay"]
    assert (found["Rank"].text, found["Rank"].aside) == ("2", "plausibly 1 to 4")
    assert (found["Total"].text, found["Total"].beside) == ("73.3", "70.0–75.0")
    assert (found["Total delay"].text, found["Total delay"].beside) == ("1.000", "±0.100")


@pytest.mark.parametrize(("low", "words"), [(2, "no other place is plausible"), (None, "")])
def test_a_sure_or_an_unknown_place_is_told_apart(low, words):
    place = row(rank=2, rank_low=low, rank_high=low)
    assert key_numbers(TOTALS, None, place)[0].aside == words


def test_key_numbers_tell_the_difference_to_the_baseline_and_no_zero_for_what_is_missing():
    base = {"interruption": "85.5", "rejection": "50.0", "delay": None}
    found = {one.name: one for one in key_numbers(TOTALS, base, None)}
    assert found["Interruption"].aside == "−5.5 to the baseline's 85.5"
    assert (found["Rejection"].text, found["Rejection"].aside) == ("—", "")
    assert found["Total delay"].aside == ""
