"""A published entry that is scored again: every public page waits for the board."""

import json

import pytest
from django.core.cache import cache

from tests.leaderboard import stage
from tests.leaderboard.reader import text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def rescored(split, submission):
    """An entry on a board, whose second scoring found no recording at all."""
    stage.score(submission)
    stage.published_board(split)
    stage.score(submission, missing={item.slug for item in split.items.all()})
    cache.clear()
    return submission


def put_newest_on_board(submission):
    stage.put_on_board(submission.runs.order_by("-created").first())
    cache.clear()


def rates(client, split):
    answer = json.loads(
        client.get(url("scenario-export", "follow_up", "json", split=split.slug)).content
    )
    return json.dumps(answer.get("rates", answer), sort_keys=True)


def test_scenario_numbers_stay_those_of_the_board(client, split, submission):
    stage.score(submission)
    stage.published_board(split)
    before = rates(client, split)
    stage.score(submission, missing={item.slug for item in split.items.all()})
    cache.clear()
    assert rates(client, split) == before
    put_newest_on_board(submission)
    assert rates(client, split) != before


def test_the_system_page_stays_with_the_board(client, rescored, split):
    address = url("system", rescored.system.slug)
    before = text_of(client.get(address))
    put_newest_on_board(rescored)
    assert "100.0" in before
    assert text_of(client.get(address)) != before


def test_a_comparison_stays_with_the_board(client, split, submission, team):
    other = stage.make_submission(split, team, "Echo")
    for one in (submission, other):
        stage.score(one)
    stage.published_board(split)
    address = url("compare", s=f"{submission.pk}") + f"&s={other.pk}"
    before = text_of(client.get(address))
    stage.score(submission, missing={item.slug for item in split.items.all()})
    cache.clear()
    assert text_of(client.get(address)) == before
    put_newest_on_board(submission)
    assert text_of(client.get(address)) != before
