"""The demonstration heard with the embedded engines, against its known truth."""

import json

import pytest

from tests.at_home import scored_at_home
from tests.planned import SYSTEMS

pytestmark = [pytest.mark.models, pytest.mark.slow]

MEAN, WORST = 0.15, 0.30


@pytest.fixture(scope="module")
def results(mini, tmp_path_factory):
    """Per system: (item result, planned truth, end of the user's question)."""
    truth = json.loads((mini / "truth.json").read_text(encoding="utf-8"))
    found = {}
    for system in SYSTEMS:
        scored = scored_at_home(tmp_path_factory, mini, system)["official"]
        found[system] = [
            (result, truth[result.item.item]["systems"][system], question_end(mini, result.item))
            for result in scored.items
        ]
    return found


def question_end(mini, item):
    path = mini / "reference" / item.language / item.folder / f"{item.item}_sentence.json"
    segments = json.loads(path.read_text(encoding="utf-8"))["speech_segments"]
    return segments[1 if item.part == "before" else 0]["xmax"]


def of_language(results, language):
    return [one for rows in results.values() for one in rows if one[0].item.language == language]


@pytest.mark.parametrize("system", SYSTEMS)
def test_intervals_equal_the_official_ones(results, system):
    interruptions = [one for one in results[system] if "official_stop" in one[1]]
    assert len(interruptions) == 10
    for result, planned, _ in interruptions:
        for name in ("stop", "response"):
            found = [tuple(one) for one in getattr(result, name)]
            expected = [pytest.approx(one, abs=0.002) for one in planned[f"official_{name}"]]
            assert found == expected, (result.item.item, name)


@pytest.mark.parametrize("language", ["cn", "en"])
def test_first_responses_are_timed_closely(results, language):
    errors = [
        abs(result.difference - (planned["first_word"] - end))
        for result, planned, end in of_language(results, language)
    ]
    assert len(errors) == 30
    assert sum(errors) / len(errors) <= MEAN
    assert max(errors) <= WORST


@pytest.mark.parametrize("language", ["cn", "en"])
def test_every_timestamp_rejection_is_right(results, language):
    rejections = [one for one in of_language(results, language) if "rejected" in one[1]]
    assert len(rejections) == 6
    assert [one[0].success for one in rejections] == [one[1]["rejected"] for one in rejections]


@pytest.mark.parametrize(("language", "least"), [("en", 22), ("cn", 20)])
def test_the_offline_judge_is_right_on_what_the_transcribers_heard(results, language, least):
    judged = [one for one in of_language(results, language) if "label" in one[1]]
    assert len(judged) == 24
    assert sum(result.label == planned["label"] for result, planned, _ in judged) >= least
