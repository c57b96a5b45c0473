"""How numbers look: one function for each kind."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.show import numbers as show

SCORES = st.decimals(0, 100, places=1)
ENDS = st.decimals(0, 100, places=4)


@given(SCORES, ENDS, ENDS)
def test_an_interval_says_exactly_its_two_ends_and_nothing_beyond_them(value, one, other):
    low, high = sorted([one, other])
    ends = [show.rounded_rate(end) for end in (low, high)]
    text = show.interval(str(value), [low, high], 1)
    if text.startswith("±"):
        half = Decimal(text.removeprefix("±"))
        assert [value - half, value + half] == ends
    else:
        assert [Decimal(end) for end in text.split("–")] == ends
        assert value - ends[0] != ends[1] - value


@pytest.mark.parametrize(
    ("value", "ends", "places", "text"),
    [
        ("96.9", [93.5, 100.0], 1, "93.5–100.0"),
        ("97.6", [95.2, 99.2], 1, "95.2–99.2"),
        ("50.0", [46.96, 53.04], 1, "±3.0"),
        ("50.0", [46.94, 53.04], 1, "46.9–53.0"),
        ("100.0", [92.8647, 100.0], 1, "92.9–100.0"),
        ("0.0", [0.0, 7.1353], 1, "0.0–7.1"),
        ("1.200", [1.1, 1.3], 3, "±0.100"),
    ],
)
def test_plus_minus_stands_only_where_both_ends_are_equally_far(value, ends, places, text):
    assert show.interval(value, ends, places) == text


def test_a_stored_rate_is_shown_half_up_as_people_read_it():
    assert show.rate(show.percent_of("0.8235")) == "82.4"
    assert show.rate(show.percent_of("0.57")) == "57.0"
    assert show.rate(None) == show.DASH


def test_the_mean_of_two_languages_is_not_that_of_binary_fractions():
    """As binary numbers 82.4 and 82.3 have the mean 82.35 or a little less."""
    assert show.rate(show.across([82.4, 82.3])) == "82.4"
    assert show.rate(show.across([0.1, 0.2])) == "0.2"
    assert show.across([82.4, None]) is None
    assert show.across([]) is None


def test_a_difference_has_a_true_minus_and_no_sign_at_zero():
    assert [show.signed(Decimal(one)) for one in ("1.5", "-1.5", "0.0", "-0.0")] == [
        "+1.5", "−1.5", "0.0", "0.0",
    ]  # fmt: skip
