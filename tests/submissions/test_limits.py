from datetime import UTC, datetime, timedelta

from submissions.limits import Refusal, allowance

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
