"""The profile of a system: what is strong and weak against the baseline, in words."""

from leaderboard.entry.profile import signed, strengths, strips, weaknesses


def row(scenario, rate, language="en", group="interruption", counted=1000):
    """A row of a score report; so many items that a percent is no chance, if not said otherwise."""
    parts = [{"successes": round(counted * float(rate or 0)), "counted": counted}]
    named = {"scenario": scenario, "language": language, "group": group}
    return {**named, "rate": rate, "parts": parts}


OWN = [
    row("follow_up", "0.92"),
    row("negation", "0.61"),
    row("topic_switch", "0.64"),
    row("repetition", None),
    row("backchannels", "0.3", group="rejection"),
]
BASE = [
    row("follow_up", "0.80"),
    row("negation", "0.60"),
    row("topic_switch", "0.60", counted=5000),
    row("repetition", "0.50"),
    row("backchannels", "0.52", group="rejection"),
]


def squares(own, base):
    return {strip.slug: strip.squares[0] for strip in strips(own, base)}


def test_a_scenario_far_above_the_baseline_is_a_strength():
    assert strengths(OWN, BASE) == [
        "Follow-up questions (English): 92.0 %, 12.0 percentage points above the baseline."
    ]


def test_a_scenario_far_below_the_baseline_is_a_weakness():
    assert weaknesses(OWN, BASE) == [
        "User backchannels (English): 30.0 %, 22.0 percentage points below the baseline."
    ]


def test_a_missing_rate_is_neither_strong_nor_weak_and_never_zero():
    square = squares(OWN, BASE)["repetition"]
    assert (square.text, square.difference, square.tone) == ("—", "", "")


def test_without_a_baseline_there_are_rates_and_no_differences():
    square = squares(OWN, [])["follow_up"]
    assert (square.text, square.difference, square.tone) == ("92.0", "", "")
    assert strengths(OWN, []) == weaknesses(OWN, []) == []


def test_tones_grow_with_the_difference():
    found = squares(OWN, BASE)
    assert (found["follow_up"].tone, found["follow_up"].step) == ("better", 2)
    assert (found["topic_switch"].tone, found["topic_switch"].step) == ("better", 1)
    assert (found["backchannels"].tone, found["backchannels"].step) == ("worse", 3)


def test_what_chance_alone_could_explain_has_no_tone_and_is_no_strength():
    assert (squares(OWN, BASE)["negation"].difference, squares(OWN, BASE)["negation"].tone) == (
        "+1.0",
        "even",
    )
    own, base = [row("follow_up", "0.9", counted=10)], [row("follow_up", "0.6", counted=10)]
    square = squares(own, base)["follow_up"]
    assert (square.difference, square.tone, square.step) == ("+30.0", "even", 0)
    assert strengths(own, base) == weaknesses(base, own) == []


def test_other_languages_are_compared_with_their_own():
    own = [row("follow_up", "0.5", "cn"), row("follow_up", "0.5", "en")]
    base = [row("follow_up", "0.5", "cn"), row("follow_up", "0.9", "en")]
    first, second = strips(own, base)[0].squares
    assert (first.tone, second.difference) == ("even", "−40.0")


def test_a_difference_of_nothing_has_no_sign():
    from decimal import Decimal

    assert [signed(Decimal(text)) for text in ("1.5", "-1.5", "-0.0")] == ["+1.5", "−1.5", "0.0"]
