"""First-response delay and timestamp rejection against the official scripts."""

import json

import pytest

from scoring.dialogue import Annotation, Transcript
from scoring.errors import AnnotationError, ScenarioError, ScoringError, TranscriptError
from scoring.humdial import first_response_delay, rejection
from scoring.humdial.scenarios import INTERRUPTION
from tests.golden import case_id, golden

GOLDEN = golden("humdial_transcripts")
SCRIPTS = {"interruption": INTERRUPTION}
TIMESTAMP = ("pause_handling", "third_party_before")


def is_error(expected):
    return isinstance(expected, dict) and "error" in expected


def measured(measure, slug, case):
    return measure(
        slug, Annotation.from_json(case["sentence"]), Transcript.from_json(case["output"])
    )


@pytest.mark.parametrize("case", GOLDEN["sample_cases"], ids=case_id)
def test_first_response_delay_equals_the_official_one(case):
    for name, expect in case["expect"].items():
        for slug in SCRIPTS.get(name, (name,)):
            if is_error(expect["first_response_delay"]):
                with pytest.raises(ScoringError) as raised:
                    measured(first_response_delay, slug, case)
                assert raised.value.cure
            else:
                found = measured(first_response_delay, slug, case)
                assert found == pytest.approx(expect["first_response_delay"], abs=1e-12)


@pytest.mark.parametrize("case", GOLDEN["sample_cases"], ids=case_id)
def test_timestamp_rejection_equals_the_official_one(case):
    for slug in TIMESTAMP:
        expect = case["expect"][slug]["rejection"]
        if is_error(expect):
            with pytest.raises(ScoringError):
                measured(rejection, slug, case)
            continue
        found = measured(rejection, slug, case)
        assert (found.counted, found.success) == (expect["counted"], expect["success"])
        assert found.difference == pytest.approx(expect["diff"], abs=1e-12)


@pytest.mark.parametrize("case", GOLDEN["folder_cases"], ids=case_id)
def test_folder_means_and_rates_equal_the_printed_ones(case):
    expect = case["expect"]
    slug = SCRIPTS.get(case["scenario"], (case["scenario"],))[0]
    samples = list(_samples(case["files"]))
    if is_error(expect["first_response_delay"]):
        with pytest.raises(ScoringError):
            [first_response_delay(slug, *sample) for sample in samples]
        return
    delays = [d for s in samples if (d := first_response_delay(slug, *s)) is not None]
    assert len(delays) == expect["first_response_delay"]["n"]
    if delays:
        printed = f"{sum(delays) / len(delays):.3f}"
        assert printed == expect["first_response_delay"]["printed_mean"]
    if "rejection_rate" in expect:
        outcomes = [rejection(slug, *sample) for sample in samples]
        rate = expect["rejection_rate"]
        assert sum(one.success for one in outcomes) == rate["success"]
        assert sum(one.counted for one in outcomes) == rate["counted"]


def _samples(files):
    for name, sentence in files.items():
        output = files.get(name.replace("_sentence.json", "_output.json"))
        if name.endswith("_sentence.json") and output is not None:
            yield Annotation.from_json(sentence), Transcript.from_json(output)


def _question(end, *more):
    rows = [{"xmin": 0.0, "xmax": end, "text": "q"}, *more]
    return Annotation.from_json({"final_duration": 20, "speech_segments": rows})


def _words(start):
    return Transcript.from_json(
        {"text": "a", "chunks": [{"text": "a", "timestamp": [start, None]}]}
    )


def test_a_delay_of_zero_counts_everywhere_in_strict_mode():
    assert first_response_delay("follow_up", _question(8.69), _words(8.69)) is None
    assert first_response_delay("follow_up", _question(8.69), _words(8.69), mode="strict") == 0
    assert first_response_delay("backchannels", _question(8.69), _words(8.69)) == 0


def test_a_silent_system_is_not_counted_officially_and_fails_in_strict_mode():
    silent = Transcript.from_json({"text": "", "chunks": []})
    assert rejection("pause_handling", _question(4.0), silent) == (False, False, None)
    strict = rejection("pause_handling", _question(4.0), silent, mode="strict")
    assert strict == (True, False, None)


def test_a_missing_end_time_of_the_first_word_does_not_matter():
    assert first_response_delay("follow_up", _question(8.0), _words(9.5)) == 1.5


def test_a_missing_segment_is_named_with_its_cure():
    with pytest.raises(AnnotationError, match="Segment 1 is needed") as raised:
        first_response_delay("third_party_before", _question(8.0), _words(9.0))
    assert raised.value.code == "annotation-segment-missing"


def test_the_scenario_without_its_part_is_refused():
    with pytest.raises(ScenarioError, match="third_party"):
        first_response_delay("third_party", _question(8.0), _words(9.0))


def test_rejection_of_a_judged_scenario_is_refused():
    with pytest.raises(ScenarioError, match="judged by its label"):
        rejection("backchannels", _question(8.0), _words(9.0))


@pytest.mark.parametrize("data", ["[]", "{", 7, None, {"speech_segments": 3}, {"x": 1}])
def test_a_broken_annotation_is_refused_with_a_cure(data):
    with pytest.raises(AnnotationError) as raised:
        Annotation.from_json(data)
    assert raised.value.cure


@pytest.mark.parametrize("data", ["[]", "{", None, {"chunks": "words"}])
def test_a_broken_transcript_is_refused(data):
    with pytest.raises(TranscriptError):
        Transcript.from_json(data)


def test_transcripts_survive_the_round_trip():
    data = {
        "text": "hi 中",
        "chunks": [
            {"text": "hi", "timestamp": [0.24, 0.56]},
            {"text": "中", "timestamp": [0.6, 0.8]},
        ],
    }
    assert Transcript.from_json(data).to_json() == data


def test_a_last_word_just_past_the_end_is_cut_there_and_a_far_one_is_told():
    words = [{"text": "a", "timestamp": [4.0, 5.3]}]
    near = Transcript.from_json({"text": "a", "chunks": words})
    assert near.clamped(5.0).words[0].end == 5.0
    assert near.problems(5.0) == []
    assert near.clamped(4.5) == near
    assert "5.30 s" in near.problems(4.5)[0]


def test_odd_word_times_are_told_in_sentences():
    words = [{"text": "a", "timestamp": [2.0, 1.0]}, {"text": "b", "timestamp": [0.5, 9.0]}]
    found = Transcript.from_json({"text": "a b", "chunks": words}).problems(duration=5.0)
    assert len(found) == 3
    assert "does not run forward" in found[0]
    assert "starts before" in found[1]
    assert "9.00 s" in found[2]


@pytest.mark.parametrize("bad", ["\x00", "\ud83d"])
def test_characters_that_nothing_can_store_are_read_as_escapes(bad):
    escape = f"\\u{ord(bad):04x}"
    chunk = {"text": f"a{bad}", "timestamp": [0.0, 1.0]}
    words = Transcript.from_json({"text": f"a{bad}b", "chunks": [chunk, f"c{bad}"]})
    assert (words.text, words.words[0].text, words.words[1].text) == (
        f"a{escape}b", f"a{escape}", f"c{escape}"
    )  # fmt: skip
    row = {"xmin": 0.0, "xmax": 1.0, "text": f"a{bad}"}
    read = Annotation.from_json({"speech_segments": [row]})
    assert read.segments[0].text == f"a{escape}"
    json.dumps([words.to_json(), read.to_json()], ensure_ascii=False).encode()
