"""Latencies read otherwise stand on the page of a submission, and say what they are."""

import pytest

from leaderboard.entry import read_otherwise
from submissions.models import Submission
from tests.leaderboard import stage
from tests.leaderboard.reader import text_of


@pytest.fixture
def scored(submission):
    stage.score(submission)
    return Submission.objects.get(pk=submission.pk)


def test_every_script_shows_its_other_readings(scored):
    rows = scored.current_run.results["official"]["scenarios"]
    first = read_otherwise.readings(rows)[0]
    assert (first.by_voice.text, first.by_voice.n) == ("1.200", "1")
    assert (first.stop_of_items.text, first.response_of_items.text) == ("0.800", "1.150")
    assert (first.after_event.text, first.after_event.n) == ("1.100", "1")


def test_a_latency_that_is_not_measured_says_so_and_is_no_zero(scored):
    rows = scored.current_run.results["official"]["scenarios"]
    pause = next(one for one in read_otherwise.readings(rows) if str(one.name) == "Pause handling")
    assert pause.stop_of_items.text == ""
    assert pause.stop_of_items.reason == "not measured in this scenario"


def test_a_run_from_before_they_were_stored_has_none_and_its_page_opens(scored, client):
    run = scored.current_run
    for mode in ("official", "strict"):
        for row in run.results[mode]["scenarios"]:
            for part in row["parts"]:
                del part["first_response_by_voice"]
        for one in run.results[mode]["totals"]["languages"]:
            del one["first_response_ten"]
    run.save()
    readings = read_otherwise.readings(run.results["official"]["scenarios"])
    assert readings[0].by_voice.text == ""
    assert read_otherwise.ten_folders(run.results["official"]["totals"]) == []
    assert client.get(f"/en/submission/{scored.pk}/").status_code == 200


def test_the_page_tells_nine_scenarios_from_ten_folders(scored, client):
    page = text_of(client.get(f"/en/submission/{scored.pk}/"))
    assert "Latencies read otherwise" in page
    assert "s over nine scenarios" in page
