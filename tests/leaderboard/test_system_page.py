"""The page of a system: for everybody once it is published, and nothing before."""

import pytest

from leaderboard.models import Snapshot
from submissions.models import Submission, System
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def system(submission):
    System.objects.filter(pk=submission.system_id).update(
        architecture="cascade", parts="ASR one\nLLM two", hardware="one RTX A6000"
    )
    submission.system.refresh_from_db()
    return submission.system


def test_a_published_system_shows_its_facts_and_its_place(client, split, submission, system):
    stage.score(submission)
    stage.published_board(split)
    text = text_of(client.get(url("system", system.slug)))
    assert "one RTX A6000" in text
    assert "Where it stands" in text
    assert "Latencies are read from those recordings" in text


def test_the_numbers_of_a_place_stand_with_their_intervals(client, split, submission, system):
    stage.score(submission)
    stage.published_board(split)
    board = Snapshot.objects.latest("pk")
    board.rows[0] |= {"rejection": "61.3", "intervals": {"rejection": [58.1234, 64.5678]}}
    board.save()
    assert "61.3 58.1–64.6" in text_of(client.get(url("system", system.slug)))


def test_an_unpublished_system_does_not_exist_for_others(client, submission, system, charlie):
    stage.score(submission, publish=False)
    assert client.get(url("system", system.slug)).status_code == 404
    assert login(client, charlie).get(url("system", system.slug)).status_code == 404


def test_an_unpublished_system_shows_its_team_no_numbers_here(client, submission, system, alice):
    stage.score(submission, publish=False)
    text = text_of(login(client, alice).get(url("system", system.slug)))
    assert "Nothing is published yet" in text
    assert "Scenario by scenario" not in text


def test_a_disqualified_submission_gives_no_numbers(client, submission, system):
    stage.score(submission)
    Submission.objects.update(state=Submission.State.DISQUALIFIED)
    assert client.get(url("system", system.slug)).status_code == 404


def test_the_strip_compares_with_the_published_baseline(client, split, submission, system):
    stage.score(submission)
    base = stage.make_submission(split, stage.make_team("House"), "Base", kind="baseline")
    stage.score(base)
    stage.published_board(split)
    text = text_of(client.get(url("system", system.slug)))
    assert "the difference to the baseline in points" in text
    assert "No scenario is far from the baseline" in text


def test_a_reported_row_has_a_page_with_its_source(client, humdial):
    text = text_of(client.get(url("system", "badcat")))
    assert "72.6" in text
    assert "as reported; it was not scored here" in text


def test_an_unknown_system_is_not_found(client, humdial):
    assert client.get(url("system", "nobody")).status_code == 404
