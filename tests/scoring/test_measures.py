import pytest

from scoring.errors import Phrase
from scoring.evidence import MISSING, MODES
from scoring.humdial.measures import measure
from scoring.reasons import NOT_ASKED, worded
from scoring.report import item_to_json
from tests.builders import evidence, reference, silent, verdict


def pairs(segments):
    return [tuple(segment) for segment in segments]


def test_an_interruption_is_measured_with_all_its_latencies():
    found = measure(reference(), evidence(), mode="official")
    assert found.success
    assert found.counted
    assert found.label == "C_RESPOND"
    assert pairs(found.stop) == [(9.0, 9.8)]
    assert pairs(found.response) == [(4.0, 5.2), (12.0, 13.1)]
    assert pairs(found.response_after_event) == [(12.0, 13.1)]
    assert found.first_response_delay == pytest.approx(1.2)


def test_resuming_after_an_interruption_is_a_failure():
    assert measure(reference(), evidence("C_RESUME"), mode="official").success is False


@pytest.mark.parametrize("script", ["backchannels", "third_party_after", "directed_at_others"])
def test_resuming_after_speech_for_others_is_a_success(script):
    found = measure(reference(script), evidence("C_RESUME"), mode="official")
    assert found.success is True
    assert found.stop is None
    assert found.response is None


@pytest.mark.parametrize(("start", "success"), [(4.5, True), (3.5, False)])
def test_waiting_for_the_whole_question_decides_pause_handling(start, success):
    found = measure(reference("pause_handling"), evidence(None, starts=(start,)), mode="official")
    assert found.success is success
    assert found.label is None


@pytest.mark.parametrize(
    ("mode", "counted", "success"),
    [
        ("official", False, None),
        ("strict", True, False),
    ],
)
def test_a_missing_recording_leaves_the_official_denominator_and_fails_in_strict_mode(
    mode, counted, success
):
    found = measure(reference(), MISSING, mode=mode)
    assert (found.received, found.counted, found.success) == (False, counted, success)
    assert found.silent is None
    assert found.stop is None
    assert found.first_response_delay is None


def test_silent_output_has_no_latency():
    found = measure(reference(), silent(), mode="official")
    assert found.silent is True
    assert found.stop == ()
    assert found.response == ()
    assert found.first_response_delay is None


@pytest.mark.parametrize(("mode", "counted"), [("official", False), ("strict", True)])
def test_silence_during_a_pause_is_no_success(mode, counted):
    found = measure(reference("pause_handling"), silent(None), mode=mode)
    assert found.counted is counted
    assert not found.success


@pytest.mark.parametrize("mode", MODES)
def test_decision_25_an_unjudged_item_says_why_and_is_no_failure(mode):
    unjudged = evidence(verdict=verdict(reason="Five replies could not be read."))
    found = measure(reference(), unjudged, mode=mode)
    assert found.unjudged == "Five replies could not be read."
    assert (found.counted, found.success) == (False, None)


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_a_pending_label_is_neither_success_nor_failure(mode):
    found = measure(reference(), evidence(None), mode=mode)
    assert (found.counted, found.success) == (False, None)
    assert worded(found.unjudged) == "The judge's label is still pending."
    assert found.stop is not None


@pytest.mark.parametrize(("mode", "label"), [("official", "C_RESUME"), ("strict", "C_RESPOND")])
def test_decision_28_each_mode_counts_the_label_of_its_own_judge(mode, label):
    both = {"official": verdict("C_RESUME"), "strict": verdict("C_RESPOND")}
    found = measure(reference(), evidence(verdicts=both), mode=mode)
    assert (found.label, found.success) == (label, label == "C_RESPOND")


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_that_was_not_asked_takes_no_label_from_the_other(mode):
    other = next(one for one in MODES if one != mode)
    only = evidence(verdicts={other: verdict("C_RESPOND")})
    found = measure(reference(), only, mode=mode, absent=NOT_ASKED)
    assert (found.label, found.counted, found.success) == (None, False, None)
    assert item_to_json(found)["unjudged"] == {"key": "mode-not-asked", "values": {}}
    assert found.stop is not None


def test_unequal_numbers_of_words_and_times_spoil_the_item_in_strict_mode_only():
    note = Phrase("words-uneven", {"words": "12", "times": "11"})
    odd = evidence(notes=(note,))
    assert measure(reference(), odd, mode="official").success is True
    spoilt = measure(reference(), odd, mode="strict")
    assert (spoilt.counted, spoilt.success, spoilt.unjudged) == (True, False, None)
    assert spoilt.reasons == (note,)
    assert spoilt.first_response_delay is None


@pytest.mark.parametrize(("mode", "outcome"), [("official", None), ("strict", False)])
def test_a_missing_clean_answer_is_a_missing_recording_and_not_an_unjudged_item(mode, outcome):
    found = measure(reference(), evidence(clean=None), mode=mode)
    assert (found.success, found.unjudged) == (outcome, None)
    assert "without the event is missing" in worded(found.reasons[0])
    assert pairs(found.stop) == [(9.0, 9.8)]


def test_two_labels_count_officially_and_are_unjudged_in_strict_mode():
    both = evidence(verdict=verdict("C_RESPOND", "C_RESUME"))
    assert measure(reference(), both, mode="official").success is True
    assert measure(reference(), both, mode="strict").unjudged


@pytest.mark.parametrize("label", ["R_RESUME", "", "respond"])
def test_a_label_of_another_family_is_an_error_of_that_item(label):
    found = measure(reference(), evidence(verdict=verdict(label)), mode="official")
    assert (found.counted, found.success) == (False, None)
    assert found.unjudged


def test_strict_mode_times_first_responses_of_successful_items_only():
    failed = evidence("C_RESUME")
    assert measure(reference(), failed, mode="official").first_response_delay is not None
    assert measure(reference(), failed, mode="strict").first_response_delay is None
