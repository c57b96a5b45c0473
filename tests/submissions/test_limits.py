from datetime import UTC, datetime, timedelta, timezone

import pytest

from submissions.limits import Allowance, Refusal, allowance, trial_allowance

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_without_limits_everything_is_allowed():
    assert allowance(NOON, []) == (None, None, None)


def test_the_last_moment_of_the_window_is_inside():
    assert allowance(NOON, [], closes=NOON).refusal is None
    late = allowance(NOON + timedelta(microseconds=1), [], closes=NOON)
    assert late.refusal is Refusal.CLOSED


def test_before_the_window_its_opening_is_named():
    assert allowance(NOON, [], opens=NOON + HOUR) == (Refusal.NOT_OPEN, 0, NOON + HOUR)


def test_the_total_limit_counts_all_submissions():
    spent = [NOON - 100 * HOUR, NOON - 50 * HOUR]
    assert allowance(NOON, spent, total=2).refusal is Refusal.TOTAL
    assert allowance(NOON, spent, total=3).left == 1


def test_a_day_is_any_24_hours():
    spent = [NOON - 25 * HOUR, NOON - 23 * HOUR, NOON - HOUR]
    assert allowance(NOON, spent, per_day=3).left == 1
    full = allowance(NOON, spent, per_day=2)
    assert (full.refusal, full.next_opens) == (Refusal.DAY, NOON + HOUR)


def test_no_slot_is_promised_after_the_deadline():
    full = allowance(NOON, [NOON - HOUR], per_day=1, closes=NOON + HOUR)
    assert full.next_opens is None


def test_the_scarcer_limit_counts():
    assert allowance(NOON, [NOON - HOUR], total=10, per_day=3).left == 2
    assert allowance(NOON, [NOON - HOUR], total=2, per_day=3).left == 1


# ---- the clock around a deadline ----------------------------------------------------------------

AOE = timezone(timedelta(hours=-12))
DEADLINE = datetime(2026, 12, 1, 23, 59, 59, tzinfo=AOE)
SECOND, TICK = timedelta(seconds=1), timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("now", "refusal"),
    [
        (datetime(2026, 12, 1, 23, 59, 58, tzinfo=AOE), None),
        (datetime(2026, 12, 1, 23, 59, 59, tzinfo=AOE), None),
        (datetime(2026, 12, 1, 23, 59, 59, 1, tzinfo=AOE), Refusal.CLOSED),
        (datetime(2026, 12, 2, 0, 0, 0, tzinfo=AOE), Refusal.CLOSED),
        # The same moments by other clocks: the last second of the day on Earth is noon in London.
        (datetime(2026, 12, 2, 11, 59, 59, tzinfo=UTC), None),
        (datetime(2026, 12, 2, 12, 0, 0, tzinfo=UTC), Refusal.CLOSED),
        (datetime(2026, 12, 2, 19, 59, 59, tzinfo=timezone(timedelta(hours=8))), None),
        (datetime(2026, 12, 2, 20, 0, 0, tzinfo=timezone(timedelta(hours=8))), Refusal.CLOSED),
        # A day early is no day late.
        (datetime(2026, 12, 1, 23, 59, 59, tzinfo=UTC), None),
    ],
)
def test_the_deadline_is_the_same_moment_by_every_clock(now, refusal):
    assert allowance(now, [], closes=DEADLINE).refusal is refusal
    assert trial_allowance(now, [], closes=DEADLINE, per_day=10).refusal is refusal


@pytest.mark.parametrize(
    ("spent_before", "allowed"),
    [
        (24 * HOUR - TICK, Allowance(Refusal.DAY, 0, None)),
        (24 * HOUR, Allowance(None, 1, None)),
        (24 * HOUR + TICK, Allowance(None, 1, None)),
    ],
)
def test_a_slot_of_the_day_is_free_again_exactly_24_hours_later(spent_before, allowed):
    found = allowance(DEADLINE, [DEADLINE - spent_before], per_day=1)
    assert found._replace(next_opens=None) == allowed


def test_the_day_is_no_calendar_day():
    # Three just before midnight AoE, and nothing becomes free when the date changes.
    spent = [DEADLINE - 3 * SECOND, DEADLINE - 2 * SECOND, DEADLINE - SECOND]
    after = DEADLINE + HOUR
    assert allowance(after, spent, per_day=3) == (Refusal.DAY, 0, spent[0] + 24 * HOUR)


def test_the_next_slot_may_fall_on_the_deadline_but_not_after_it():
    spent = [NOON - HOUR]
    for closes, slot in ((NOON + 23 * HOUR, NOON + 23 * HOUR), (NOON + 23 * HOUR - TICK, None)):
        assert allowance(NOON, spent, per_day=1, closes=closes).next_opens == slot


# ---- one at a time, trials ----------------------------------------------------------------------


def test_one_at_a_time_waits_for_the_one_under_way():
    assert allowance(NOON, [], per_day=3, waits_for=1) == (Refusal.UNDER_WAY, 0, None)
    assert allowance(NOON, [], per_day=3, waits_for=0).left == 3


def test_a_used_quota_is_said_before_a_submission_under_way():
    assert allowance(NOON, [NOON], total=1, waits_for=1).refusal is Refusal.TOTAL


def test_a_limit_of_none_a_day_allows_none_and_promises_none():
    assert allowance(NOON, [], per_day=0) == (Refusal.DAY, 0, None)


def test_trials_have_a_day_of_their_own():
    trials = [NOON - 25 * HOUR, NOON - HOUR]
    assert trial_allowance(NOON, trials, closes=None, per_day=2) == (None, 1, None)
    used = trial_allowance(NOON, trials, closes=None, per_day=1)
    assert used == (Refusal.TRIALS, 0, NOON + 23 * HOUR)
