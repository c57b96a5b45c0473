"""What is missing for want of the judge is absent with that reason: rates, totals, intervals."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring import uncertainty
from scoring.errors import Phrase
from scoring.evidence import MODES
from scoring.humdial import statistic
from scoring.humdial.measures import measure
from scoring.humdial.totals import score_scenarios, total
from scoring.reasons import NO_JUDGE, NOT_ASKED, PENDING, from_json, worded
from scoring.report import item_to_json, readable, scenario_to_json, totals_to_json
from tests.builders import evidence, reference, verdict
from tests.scoring.systems import items, parts
from tests.scoring.test_totals import entry, good

TROUBLE = Phrase("judge-money", {"told": ""})
UNJUDGED = verdict(reason=Phrase("judge-no-majority", {"votes": "3"}))
ONE = {("en", "follow_up", 0): evidence(verdict=UNJUDGED)}
WAITING = {
    ("en", "follow_up", 0): evidence(verdict=replace(UNJUDGED, pending=True, reason=TROUBLE))
}


def test_decision_25_strict_has_no_total_while_an_item_is_unjudged():
    found = entry(changed=ONE, copies=2, mode="strict")
    assert (found.interruption, found.delay, found.rankable) == (None, None, False)
    assert found.rejection is not None  # the other group is not concerned
    assert found.absent == Phrase("items-unjudged", {"n": "1"})
    assert worded(found.reasons[0]).startswith("1 item(s) have no usable label, so there is no")
    # It is said once, and not as a scenario in which nothing was measured.
    assert [one for one in found.reasons if "There is no" in worded(one)] == []


def test_decision_25_official_leaves_an_unjudged_item_out_as_the_script_does():
    found = entry(changed=ONE, copies=2)
    assert (found.interruption, found.absent, found.unjudged) == (100, None, 1)
    assert found.rankable
    assert "1 item(s) have no label from the judge." in map(worded, found.reasons)


@pytest.mark.parametrize("mode", MODES)
def test_decision_26a_nothing_is_totalled_while_an_item_waits_for_the_judge(mode):
    found = entry(changed=WAITING, copies=2, mode=mode)
    assert (found.interruption, found.rankable) == (None, False)
    assert found.absent == Phrase("items-pending", {"n": "1"})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("why", [NOT_ASKED, NO_JUDGE, PENDING])
def test_a_mode_without_labels_keeps_what_needs_no_judge(mode, why):
    results = [
        measure(reference(script, language), replace(good(script), verdicts={}), mode=mode,
                absent=why)
        for language in ("cn", "en")
        for script in ("follow_up", "pause_handling")
    ]  # fmt: skip
    scores = score_scenarios(results, mode=mode)
    rates = {(one.language, one.slug): one.rate for one in scores}
    assert rates["en", "follow_up"] is None
    assert rates["en", "pause_handling"] == 1
    found = total(scores, mode=mode)
    assert (found.interruption, found.rankable) == (None, False)
    assert all(one.stop and one.response for one in found.languages)
    key = "items-pending" if why == PENDING else why.key
    assert scenario_to_json(scores[0])["absent"]["key"] == key
    assert totals_to_json(found)["absent"]["key"] == key
    assert "absent" not in scenario_to_json(scores[1])


def test_only_what_is_absent_for_want_of_the_judge_has_the_key():
    assert "absent" not in totals_to_json(entry())
    assert "unjudged_key" not in readable(
        item_to_json(measure(reference(), evidence(), mode=MODES[0]))
    )


def test_a_report_has_its_reasons_in_words_and_its_absence_as_a_key():
    stored = totals_to_json(entry(changed=ONE, copies=2, mode="strict"))
    told = readable(json.loads(json.dumps(stored)))
    assert told["absent"] == {"key": "items-unjudged", "values": {"n": "1"}}
    assert all(isinstance(one, str) for one in told["reasons"])
    item = readable(item_to_json(measure(reference(), ONE["en", "follow_up", 0], mode="strict")))
    assert (item["unjudged"], item["unjudged_key"], item["label"], item["success"]) == (
        "Unjudged: no label has a majority of the 3 votes.", "judge-no-majority", None, None
    )  # fmt: skip


def test_an_absent_number_has_no_interval_though_other_items_have_labels():
    whole = items(seed=1)
    place = next(n for n, one in enumerate(whole) if one.item.script == "follow_up")
    gone = replace(whole[place], counted=False, success=None, unjudged=PENDING)
    some = [*whole[:place], gone, *whole[place + 1 :]]

    def strict(sums):
        return statistic.totals(sums, mode="strict", reference=None)

    made = uncertainty.resample([parts(whole), parts(some)], strict, draws=200)
    for name in ("interruption", "delay"):
        assert made.interval(name, 0) is not None
        assert np.isnan(made.points[name][1])
        assert made.interval(name, 1) is None
    assert made.interval("rejection", 1) is not None


def test_items_that_an_older_release_counted_as_failures_keep_their_numbers():
    old = item_to_json(measure(reference(), evidence(), mode="strict")) | {
        "unjudged": "No single known label came.", "counted": True, "success": False, "label": None
    }  # fmt: skip
    row = statistic.components([old], "strict").values[0]
    assert (row[statistic.HITS], row[statistic.COUNTED], row[statistic.WITHHELD]) == (0, 1, 0)


def test_notes_of_an_older_release_are_read_for_what_they_mean():
    note = "Words and times differ in number: 12 words, 11 times; the rest was dropped."
    assert from_json(note) == Phrase("words-uneven", {"words": "12", "times": "11"})
    assert worded(from_json(note)) == note
    spoilt = measure(reference(), evidence(notes=(from_json(note),)), mode="strict")
    assert spoilt.success is False
    assert from_json("It says so.") == "It says so."
