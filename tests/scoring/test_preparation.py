"""Audio cuts against the official preparation scripts."""

import numpy as np
import pytest

from scoring.dialogue import Annotation, Transcript
from scoring.errors import AnnotationError
from scoring.humdial import preparation
from tests.golden import case_id, golden

GOLDEN = golden("humdial_audio_prep")


def ramp(milliseconds, rate=16_000):
    """Sample value = source millisecond + 1, so that each sample tells where it came from."""
    return np.repeat(np.arange(milliseconds, dtype=np.int32) + 1, rate // 1000)


def runs(samples, rate):
    """Describe audio as runs of silence and source milliseconds, in milliseconds."""
    found = []
    for value in samples[:: rate // 1000]:
        kind = "silence" if value == 0 else "source"
        last = found[-1] if found else None
        if last and last[0] == kind and (kind == "silence" or value == last[2] + 1):
            last[2] = int(value)
            last[3] += 1
        else:
            found.append([kind, int(value), int(value), 1])
    return [one for one in found if one[3] > 1]


def expected_runs(expect):
    per_ms = expect["sample_rate"] // 1000
    for run in expect["runs"]:
        if run["samples"] > per_ms:
            yield run["kind"], run.get("from_ms"), run["samples"] / per_ms


def assert_runs(samples, expect):
    rate = expect["sample_rate"]
    assert len(samples) == pytest.approx(expect["total_samples"], abs=rate // 1000)
    wanted = list(expected_runs(expect))
    found = runs(samples, rate)
    assert [one[0] for one in found] == [one[0] for one in wanted]
    for (kind, first, _, length), (_, from_ms, milliseconds) in zip(found, wanted, strict=True):
        assert length == pytest.approx(milliseconds, abs=1.01)
        if kind == "source":
            assert first - 1 == pytest.approx(from_ms, abs=1)


STEP_TWO = [
    case
    for case in GOLDEN["directed_step_two_cases"]
    if case["expect"]["files"] and case["output_sample_rate"] == 16_000
]


@pytest.mark.parametrize("case", STEP_TWO, ids=case_id)
def test_second_step_of_speech_directed_at_others(case):
    annotation = Annotation.from_json(case["sentence"])
    user, output = ramp(case["user_ms"]), ramp(case["output_ms"])
    assert_runs(preparation.from_second_question(user, annotation), case["expect"]["user"])
    assert_runs(preparation.without_first_answer(output, annotation), case["expect"]["output"])


def test_an_annotation_without_second_question_is_refused():
    with pytest.raises(AnnotationError, match="Segment 1"):
        preparation.second_question(Annotation.from_json({"speech_segments": []}))


@pytest.mark.parametrize("case", GOLDEN["clean_reference_cases"], ids=case_id)
def test_clean_reference_keeps_the_first_segment_only(case):
    annotation, rate = Annotation.from_json(case["sentence"]), case["sample_rate"]
    user = ramp(case["user_ms"], rate)
    if case["expect"].get("written") is False:
        with pytest.raises(AnnotationError):
            preparation.clean_reference(user, annotation, rate=rate)
        return
    clean = preparation.clean_reference(user, annotation, rate=rate)
    assert len(clean) == case["expect"]["total_samples"]
    assert_runs(clean, case["expect"])


@pytest.mark.parametrize("case", GOLDEN["directed_clean_reference_cases"], ids=case_id)
def test_clean_reference_of_speech_directed_at_others(case):
    annotation = Annotation.from_json(case["sentence"])
    clean = preparation.directed_clean_reference(ramp(case["user_ms"]), annotation)
    assert_runs(clean, case["expect_with_path_fixed"])


def _directed():
    rows = [{"xmin": a, "xmax": b, "text": ""} for a, b in ((0, 4.2), (9.2, 13.0), (18.0, 20.5))]
    return Annotation.from_json({"final_duration": 30.5, "speech_segments": rows})


def test_cut_words_start_with_the_second_question():
    words = [("before", 1.0), ("during", 10.0), ("after", 14.0)]
    transcript = Transcript.from_json(
        {
            "text": "",
            "chunks": [{"text": text, "timestamp": [start, start + 0.4]} for text, start in words],
        }
    )
    user = preparation.cut_user_words(transcript, _directed())
    model = preparation.cut_model_words(transcript, _directed())
    assert [word.text for word in user.words] == ["during", "after"]
    assert user.words[0].start == pytest.approx(0.8)
    assert [(word.text, round(word.start, 3)) for word in model.words] == [("after", 4.8)]
