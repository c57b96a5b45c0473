from decimal import Decimal

import pytest

from scoring.evidence import MISSING
from scoring.humdial import SCRIPTS
from scoring.humdial.measures import measure
from scoring.humdial.scenarios import Measure
from scoring.humdial.scores import combine, score_script
from scoring.humdial.totals import score_scenarios, total
from scoring.rounding import half_up
from tests.builders import evidence, reference, result, silent
from tests.golden import case_id, golden

INTERRUPTION_STARTS = (5.2, 13.1)


def good(script):
    """Evidence of an item that a fine system answers."""
    rules = SCRIPTS[script]
    if rules.measure is Measure.TIMESTAMP:
        start = 13.0 if script == "third_party_before" else 5.0
        return evidence(None, speech=((start, 20.0),), starts=(start,))
    return evidence(rules.measure.value)


def entry(make=good, changed=(), mode="official", languages=("cn", "en"), copies=1):
    results = []
    for language in languages:
        for script in SCRIPTS:
            for copy in range(copies):
                name = f"0001_{copy:04d}"
                own = dict(changed).get((language, script, copy)) or make(script)
                results.append(measure(reference(script, language, name), own, mode=mode))
    return total(score_scenarios(results, mode=mode), mode=mode)


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_a_fine_system_gets_full_marks(mode):
    found = entry(mode=mode)
    assert (found.interruption, found.rejection) == (100, 100)
    assert found.rankable
    assert found.expected == found.received == 20
    # mean(stop 0.8, response 1.15, first response): seven of 1.2 s, pause 1.0, third party 1.1.
    first = (Decimal("1.2") * 7 + 1 + Decimal("1.1")) / 9
    assert half_up(found.delay, 3) == half_up((Decimal("0.8") + Decimal("1.15") + first) / 3, 3)


def test_scores_of_247_in_300_have_two_decimals_officially_and_all_in_strict_mode():
    rules = SCRIPTS["follow_up"]
    results = [
        result(success=n < 247, labels=("C_RESPOND" if n < 247 else "C_UNKNOWN",))
        for n in range(300)
    ]
    official = score_script(rules, results, mode="official")
    strict = score_script(rules, results, mode="strict")
    assert official.rate == Decimal("0.82")
    assert (strict.successes, strict.counted) == (247, 300)
    assert half_up(strict.rate, 3) == Decimal("0.823")


def test_python_rounding_of_33_in_40_is_copied():
    results = [
        result(success=n < 33, labels=("C_RESPOND" if n < 33 else "C_RESUME",)) for n in range(40)
    ]
    assert score_script(SCRIPTS["follow_up"], results, mode="official").rate == Decimal("0.82")


def test_third_party_weighs_after_and_before_by_half():
    after = [
        result("third_party_after", success=n < 34, labels=("C_RESUME" if n < 34 else "C_RESPOND",))
        for n in range(100)
    ]
    before = [result("third_party_before", success=n < 50) for n in range(100)]
    parts = [
        score_script(SCRIPTS["third_party_after"], after, mode="official"),
        score_script(SCRIPTS["third_party_before"], before, mode="official"),
    ]
    assert combine(parts, mode="official").rate == Decimal("0.420")


def test_the_third_party_score_has_three_decimals_officially():
    after = [
        result("third_party_after", success=n < 33, labels=("C_RESUME" if n < 33 else "C_RESPOND",))
        for n in range(100)
    ]
    before = [result("third_party_before", success=n < 2) for n in range(3)]
    parts = [
        score_script(SCRIPTS["third_party_after"], after, mode="official"),
        score_script(SCRIPTS["third_party_before"], before, mode="official"),
    ]
    assert parts[1].rate == Decimal("0.667")
    assert combine(parts, mode="official").rate == Decimal("0.499")


def test_three_missing_files_are_three_fewer_officially_and_three_failures_in_strict_mode():
    lost = {("en", script, 0): MISSING for script in ("follow_up", "negation", "backchannels")}
    official = entry(changed=lost, copies=2)
    strict = entry(changed=lost, copies=2, mode="strict")
    assert (official.expected, official.received) == (40, 37)
    assert (official.interruption, official.rejection) == (100, 100)
    assert half_up(strict.interruption, 1) == Decimal("90.0")
    assert half_up(strict.rejection, 2) == Decimal("93.75")
    assert not strict.rankable
    assert "Only 37 of 40 test recordings came; a rank needs 95 % of them." in (
        strict.coverage.reasons(strict.needed)
    )


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_an_all_silent_system_has_no_latency_and_no_rank(mode):
    def mute(script):
        return silent("C_UNKNOWN" if SCRIPTS[script].measure.is_judged else None)

    found = entry(make=mute, mode=mode)
    assert found.delay is None
    assert found.silent == 20
    assert not found.rankable
    assert any("no delay total" in reason for reason in found.reasons)
    assert all(one.delay is None for one in found.languages)


def test_a_missing_first_response_is_left_out_officially_and_never_a_zero():
    never = evidence("C_RESUME", starts=(1.0,))
    changed = {("en", "backchannels", 0): never, ("cn", "backchannels", 0): never}
    official, strict = entry(changed=changed), entry(changed=changed, mode="strict")
    first = official.languages[0].first_response
    assert first == half_up((Decimal("1.2") * 6 + 1 + Decimal("1.1")) / 8, 3)
    assert any("left out of the official mean" in reason for reason in official.reasons)
    assert strict.delay is None
    assert not strict.rankable


def test_no_interval_is_zero_officially_with_a_warning_and_missing_in_strict_mode():
    lone = evidence("C_RESPOND", speech=((5.2, 8.0),), starts=(5.2,))
    changed = {("en", "follow_up", 0): lone}
    official, strict = entry(changed=changed), entry(changed=changed, mode="strict")
    english = official.languages[1]
    assert english.stop == Decimal("0.640")  # four scenarios of 0.8 s and one official 0.0
    assert any("counts as 0.000 s" in reason for reason in official.reasons)
    assert strict.delay is None


def test_languages_are_scored_apart_and_averaged_half_up():
    found = entry(changed={("en", "pause_handling", 0): evidence(None, starts=(1.0,))})
    cn, en = found.languages
    assert (cn.rejection, en.rejection) == (Decimal("100.0"), Decimal("75.0"))
    assert found.rejection == Decimal("87.5")


def test_a_split_without_some_scenario_says_so():
    results = [measure(reference("follow_up"), good("follow_up"), mode="official")]
    found = total(score_scenarios(results, mode="official"), mode="official")
    assert found.interruption == 100
    assert found.rejection is None
    assert not found.rankable
    assert any("no items of negation" in reason for reason in found.reasons)


def test_a_split_of_one_language_has_totals_of_that_language():
    found = entry(languages=("en",))
    assert [one.language for one in found.languages] == ["en"]
    assert found.interruption == 100


@pytest.mark.parametrize("case", golden("humdial_published_table")["totals_examples"], ids=case_id)
def test_worked_totals_of_the_official_example(case):
    delays = [Decimal(case[name]) for name in ("stop", "response", "first")]
    rates = [Decimal(case[name]) for name in ("backchannels", "pause", "third_party", "directed")]
    assert half_up(sum(delays) / 3, 3) == Decimal(case["delay"])
    assert half_up(100 * sum(rates) / 4, 1) == Decimal(case["rejection"])
