"""A slot is spent once its numbers could be seen; choosing ends with the window (fault A3)."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone

from submissions.counting import choice_ends, one_of_each_team
from submissions.limits import Attempt, Refusal, allowance, is_spent, trial_allowance
from submissions.models import Split, Submission
from submissions.queries import counting_submissions
from submissions.services.choose import choose
from submissions.services.refused import Refused
from submissions.services.slots import SubmissionRefused, demand, slots, slots_of
from submissions.services.standing import disqualify, withdraw
from submissions.states import FREE, State, advance
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.sending import Sender

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


# ---- the rule -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "was_scored", "spent"),
    [
        (State.RECEIVED, False, True),
        (State.SCORED, True, True),
        (State.WITHDRAWN, False, False),
        (State.WITHDRAWN, True, True),
        (State.FAILED, False, False),
        (State.FAILED, True, True),
        (State.REJECTED, False, False),
        (State.DISQUALIFIED, True, True),
    ],
)
def test_what_was_scored_once_has_spent_its_slot_whatever_came_afterwards(state, was_scored, spent):
    assert is_spent(Attempt(NOON, state, was_scored), FREE) is spent


def test_attempts_that_cost_no_slot_are_limited_too():
    free = [NOON - 25 * HOUR, NOON - 2 * HOUR, NOON - HOUR]
    assert allowance(NOON, [], free=free, free_per_day=3) == (None, None, None)
    used = allowance(NOON, [], free=free, free_per_day=2)
    assert used == (Refusal.FREE, 0, NOON + 22 * HOUR)
    trial = trial_allowance(NOON, [], closes=None, per_day=10, free=free, free_per_day=2)
    assert trial == used


# ---- slots --------------------------------------------------------------------------------------


@pytest.fixture
def split(db, media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return stage.make_split(limit_total=2, limit_per_day=None, items_public=True)


def left(split, team, **asked):
    return slots(split, team, timezone.now(), **asked).left


def test_looking_at_the_score_and_withdrawing_gives_no_slot_back(client, split, team, alice):
    seen = stage.make_submission(split, team)
    stage.score(seen)
    asked = text_of(login(client, alice).get(url("withdraw", seen.pk)))
    assert "Its slot stays used: its numbers could be seen." in asked
    assert "costs no slot" not in asked
    told = text_of(client.post(url("withdraw", seen.pk), follow=True))
    assert "Its slot stays used. The team may hand in 1 more now." in told
    assert left(split, team) == 1
    (many,) = {found.left for key, found in slots_of([split], [team], timezone.now()).items()
               if not key[2]}  # fmt: skip
    assert many == 1


def test_withdrawing_while_it_is_scored_again_gives_no_slot_back(split, team, olga):
    again = stage.make_submission(split, team, state=State.SCORING)
    advance(again, State.SCORED)
    advance(again, State.QUEUED)
    withdraw(again, who=olga)
    assert left(split, team) == 1


def test_a_run_that_ended_after_the_withdrawal_has_shown_its_numbers(split, team):
    late = stage.make_submission(split, team)
    stage.score(late, publish=False)
    Submission.objects.update(state=State.WITHDRAWN)
    assert not late.events.exists()
    assert left(split, team) == 1


def test_what_is_withdrawn_before_it_is_scored_costs_nothing(split, team, olga):
    early = stage.make_submission(split, team, state=State.QUEUED)
    withdraw(early, who=olga)
    assert left(split, team) == 2


@pytest.mark.parametrize("is_trial", [False, True])
@pytest.mark.parametrize("state", [State.REJECTED, State.FAILED, State.WITHDRAWN])
def test_free_attempts_of_a_day_are_limited_by_the_split(split, team, state, is_trial):
    Split.objects.update(refused_per_day=2)
    split.refresh_from_db()
    for one in (False, True):
        stage.make_submission(split, team, state=state, is_trial=one and state != State.WITHDRAWN)
    with pytest.raises(SubmissionRefused) as refusal:
        demand(split, team, timezone.now(), is_trial=is_trial)
    assert refusal.value.code == "free-attempts-of-the-day-used"
    assert "attempts of the last 24 hours that cost no slot" in refusal.value.rule
    # A day later they are free again.
    Submission.objects.update(created=timezone.now() - 25 * HOUR)
    demand(split, team, timezone.now(), is_trial=is_trial)


def test_every_door_tells_of_the_limit_of_free_attempts(client, split, team, alice):
    Split.objects.update(refused_per_day=1)
    stage.make_submission(split, team, state=State.REJECTED)
    code = "free-attempts-of-the-day-used"
    login(client, alice)
    assert "that cost no slot: archives that were refused" in text_of(client.get(url("submit")))
    begun = Sender(client, split, team).begin(5)
    assert (begun.status_code, begun.json()["code"]) == (403, code)
    plain = client.post(
        f"/uploads/plain/?split={split.slug}&team={team.slug}&system=Parrot",
        data=b"12345", content_type="application/zip",
    )  # fmt: skip
    assert (plain.status_code, plain.json()["code"]) == (403, code)
    assert Submission.objects.count() == 1


# ---- what counts --------------------------------------------------------------------------------


class Given:
    def __init__(self, name, hours, team_id=1, is_chosen=False):
        self.name, self.team_id, self.is_chosen = name, team_id, is_chosen
        self.created = NOON + hours * HOUR


def counted(standing, gone=(), *, ends=None, by_choice=False):
    return [one.name for one in one_of_each_team(standing, gone, ends=ends, by_choice=by_choice)]


def test_the_choice_ends_with_the_window_or_an_earlier_reveal():
    assert choice_ends(None, None) is None
    assert choice_ends(NOON, None) == NOON
    assert choice_ends(None, NOON) == NOON
    assert choice_ends(NOON + HOUR, NOON) == NOON


def test_the_newest_of_each_team_counts():
    rows = [Given("a", 1), Given("b", 2), Given("other", 0, team_id=2)]
    assert counted(rows) == ["b", "other"]


def test_a_chosen_one_goes_before_newer_ones_where_teams_choose():
    rows = [Given("a", 1, is_chosen=True), Given("b", 2)]
    assert counted(rows, by_choice=True) == ["a"]
    assert counted(rows) == ["b"]


def test_what_is_withdrawn_in_time_gives_way_to_the_one_before():
    gone = [(Given("b", 2), NOON + 3 * HOUR)]
    assert counted([Given("a", 1)], gone, ends=NOON + 3 * HOUR) == ["a"]
    assert counted([Given("a", 1)], gone, ends=None) == ["a"]


def test_what_is_withdrawn_after_the_end_leaves_its_team_without_an_entry():
    gone = [(Given("b", 2), NOON + 4 * HOUR)]
    rows = [Given("a", 1), Given("other", 0, team_id=2)]
    assert counted(rows, gone, ends=NOON + 3 * HOUR) == ["other"]


def test_an_older_one_that_was_withdrawn_after_the_end_changes_nothing():
    gone = [(Given("a", 1), NOON + 4 * HOUR)]
    assert counted([Given("b", 2)], gone, ends=NOON + 3 * HOUR) == ["b"]


@pytest.fixture
def two(split, team):
    """Two scored entries of one team, on a split where the newest counts and which has closed."""
    closes = timezone.now() - HOUR
    Split.objects.update(counting=Split.Counting.NEWEST, closes=closes)
    split.refresh_from_db()
    found = []
    for hours in (3, 2):
        one = stage.make_submission(
            split, team, f"Parrot {hours}", created=timezone.now() - hours * HOUR
        )
        stage.score(one)
        found.append(one)
    return found


@pytest.mark.parametrize("rule", [Split.Counting.NEWEST, Split.Counting.CHOSEN])
@pytest.mark.parametrize("act", [withdraw, partial(disqualify, why="Because.")])
def test_after_the_close_no_other_entry_takes_the_place(split, two, rule, act, olga):
    Split.objects.update(counting=rule)
    split.refresh_from_db()
    assert counting_submissions(split) == [two[1]]
    act(two[1], who=olga)
    assert counting_submissions(split) == []
    assert split.snapshots.order_by("-id").first().rows == []


def test_the_same_holds_after_the_reveal_of_a_split_that_stays_open(split, two, olga):
    Split.objects.update(
        closes=None, publication=Split.Publication.REVEAL, reveal=timezone.now() - HOUR
    )
    split.refresh_from_db()
    withdraw(two[1], who=olga)
    assert counting_submissions(split) == []


def test_before_the_close_the_one_before_takes_the_place(split, two, olga):
    Split.objects.update(closes=timezone.now() + HOUR)
    split.refresh_from_db()
    withdraw(two[1], who=olga)
    assert counting_submissions(split) == [two[0]]


def test_what_failed_on_our_side_and_was_withdrawn_late_takes_nobodys_place(split, team, two, olga):
    failed = stage.make_submission(split, team, "Parrot 9", state=State.SCORING)
    advance(failed, State.FAILED)
    withdraw(failed, who=olga)
    assert counting_submissions(split) == [two[1]]


def test_the_page_says_that_no_other_entry_takes_its_place(client, two, alice):
    asked = text_of(login(client, alice).get(url("withdraw", two[1].pk)))
    assert "no other one takes its place, and the team has no entry on this board" in asked


def test_choosing_ends_with_the_window_on_page_and_api(client, split, two, alice):
    Split.objects.update(counting=Split.Counting.CHOSEN)
    with pytest.raises(Refused) as refusal:
        choose(Submission.objects.get(pk=two[0].pk), who=alice)
    assert refusal.value.code == "choice-is-over"
    page = login(client, alice).get(url("submission", two[0].pk))
    assert url("choose", two[0].pk) not in page.content.decode()
    told = text_of(client.post(url("choose", two[0].pk), follow=True))
    assert "The choice ended with the window of this split." in told
    assert not Submission.objects.filter(is_chosen=True).exists()


def test_choosing_is_possible_until_the_last_moment(split, two, alice):
    Split.objects.update(counting=Split.Counting.CHOSEN, closes=timezone.now() + HOUR)
    choose(Submission.objects.get(pk=two[0].pk), who=alice)
    split.refresh_from_db()
    assert [one.pk for one in counting_submissions(split)] == [two[0].pk]
