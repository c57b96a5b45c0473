"""What judging costs: for the team and the organisers, and for nobody else."""

import pytest

from leaderboard.entry import costs
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

ESTIMATE = {"calls": 4100, "tokens_in": 5_000_000, "tokens_out": 65_600, "cost": "1.1000"}
USED = {"calls": 3000, "tokens_in": 4_000_000, "tokens_out": 50_000, "cost": "0.8012"}
USAGE = {**USED, "estimate": ESTIMATE, "budget": "0.8000", "over_budget": 1100}


def test_a_judge_that_costs_nothing_has_no_lines():
    nothing = {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": None}
    assert costs.lines(None, None) == costs.lines(nothing, nothing) == []


def test_expected_and_counted_stand_side_by_side():
    lines = {one.name: (one.expected, one.counted) for one in costs.lines(ESTIMATE, USED)}
    assert lines["Calls"] == ("4,100", "3,000")
    assert lines["Cost"] == ("1.10", "0.8012")


def test_without_prices_the_progress_is_told_in_tokens():
    assert costs.so_far(ESTIMATE, USED) == "about 0.8012 of 1.10 estimated"
    free = {"cost": None}
    found = costs.so_far(ESTIMATE | free, USED | free)
    assert found == "4,000,000 of about 5,000,000 tokens sent"


def test_a_run_within_its_budget_has_not_paused():
    assert costs.pause({**USAGE, "over_budget": 0}) == costs.pause({}) == ""


@pytest.mark.django_db
def test_costs_and_a_pause_are_for_the_team_and_the_organisers(
    client, submission, alice, olga, charlie
):
    run = stage.score(submission)
    run.results["usage"], run.estimate = USAGE, ESTIMATE
    run.save()
    address = url("submission", submission.pk)
    paused = "Judging has paused: the budget of 0.8000 for one run is used up, and 1,100 items"
    for user, cure in ((alice, "Your team need not do anything"), (olga, "Raise JUDGE_BUDGET")):
        text = text_of(login(client, user).get(address))
        assert paused in text
        assert cure in text
        assert "Cost 1.10 0.8012" in text
    client.logout()
    for text in (text_of(client.get(address)), text_of(login(client, charlie).get(address))):
        assert "paused" not in text
        assert "0.8012" not in text
        assert "Tokens sent" not in text
