"""What the sources say differently about numbers; one test per decision, by its number."""

from decimal import Decimal

import numpy as np
import pytest

from scoring import vad
from scoring.dialogue import Annotation
from scoring.errors import Phrase
from scoring.evidence import MISSING
from scoring.humdial import BENCHMARK, SCRIPTS, first_response_delay, preparation, rejection
from scoring.humdial.measures import measure
from scoring.humdial.scenarios import Measure
from scoring.humdial.scores import combine, score_script
from scoring.humdial.totals import score_scenarios, total
from scoring.manifest import Manifest
from scoring.ranking import HUMDIAL_2025_12, delay_score, rank
from scoring.reasons import UNEVEN
from scoring.report import totals_to_json
from scoring.rounding import half_up
from scoring.tools import Tools
from tests.builders import evidence, reference, result, silent, words

MODES = ("official", "strict")
RATE = preparation.RATE


def scored(script, mode, *answers):
    """One script in one mode, of one item for each answer."""
    items = [
        measure(reference(script, name=f"0001_{at:04d}"), one, mode=mode)
        for at, one in enumerate(answers)
    ]
    return score_script(SCRIPTS[script], items, mode=mode)


def good(script):
    """Evidence of an item that a fine system answers."""
    rules = SCRIPTS[script]
    if rules.measure is Measure.TIMESTAMP:
        start = 13.0 if script == "third_party_before" else 5.0
        return evidence(None, speech=((start, 20.0),), starts=(start,))
    return evidence(rules.measure.value)


def totals(mode, changed=(), make=good):
    """Totals of one item per script and language."""
    results = [
        measure(
            reference(script, language),
            dict(changed).get((language, script)) or make(script),
            mode=mode,
        )
        for language in ("cn", "en")
        for script in SCRIPTS
    ]
    return total(score_scenarios(results, mode=mode), mode=mode)


def test_decision_03_l_base_is_a_latency_and_60_is_its_score():
    assert HUMDIAL_2025_12.l_base == Decimal("2.531")
    assert half_up(delay_score("2.531", "0.624", "2.531"), 1) == Decimal("60.0")


def test_decision_04_the_factor_is_40_and_not_the_older_50():
    assert half_up(delay_score("1.260", "0.624", "2.531"), 1) == Decimal("79.9")
    assert half_up(delay_score("0.624", "0.624", "2.531"), 1) == Decimal("100.0")


def test_decision_11_strict_mode_times_only_what_succeeded_and_tells_how_many():
    answers = (evidence("C_RESPOND"), evidence("C_RESUME", starts=(8.0,)))
    official, strict = (scored("follow_up", mode, *answers).first_response for mode in MODES)
    assert (official.value, official.n) == (Decimal("2.600"), 2)
    assert (half_up(strict.value, 3), strict.n) == (Decimal("1.200"), 1)


def test_decision_12_the_delay_is_read_from_words_and_the_voice_stands_beside_it():
    late_voice = evidence(speech=((5.5, 9.8), (13.1, 20.0)), starts=(5.2, 13.1))
    for mode in MODES:
        found = scored("follow_up", mode, late_voice)
        assert half_up(found.first_response.value, 3) == Decimal("1.200")
        voice = found.first_response_by_voice
        assert (half_up(voice.value, 3), voice.n) == (Decimal("1.500"), 1)


def test_decision_12_a_voice_that_begins_during_the_question_gives_no_delay():
    early = evidence(speech=((3.5, 20.0),), starts=(5.2,))
    assert measure(reference(), early, mode="strict").first_response_by_voice is None
    assert measure(reference(), silent(), mode="strict").first_response_by_voice is None


def test_decision_13_intervals_are_pooled_and_the_mean_of_items_stands_beside_it():
    two = evidence(speech=((5.2, 9.2), (10.0, 10.4), (13.1, 20.0)))
    found = scored("follow_up", "official", evidence(), two).stop
    # Pooled: (0.8 + 0.2 + 0.4) / 3; of the items: (0.8 + (0.2 + 0.4) / 2) / 2.
    assert (found.value, found.n, found.mean_of_items) == (Decimal("0.467"), 3, Decimal("0.550"))


def test_decision_14_silence_leaves_the_official_timing_rate_and_fails_in_strict_mode():
    answers = (good("pause_handling"), silent(None))
    official, strict = (scored("pause_handling", mode, *answers) for mode in MODES)
    assert (official.counted, official.rate, official.silent) == (1, Decimal("1.000"), 1)
    assert (strict.counted, strict.rate, strict.silent) == (2, Decimal("0.5"), 1)
    assert [one.first_response.n for one in (official, strict)] == [1, 1]


def test_decision_14_a_silent_answer_is_judged_like_any_other_and_fails_by_its_label():
    for mode in MODES:
        found = scored("follow_up", mode, evidence(), silent("C_UNKNOWN"))
        assert (found.counted, found.successes, found.rate) == (2, 1, Decimal("0.5"))
        assert found.first_response.n == 1


def test_decision_16_judged_rates_have_two_decimals_officially_and_all_in_strict_mode():
    items = [
        result(success=n < 247, labels=("C_RESPOND" if n < 247 else "C_UNKNOWN",))
        for n in range(300)
    ]
    official, strict = (score_script(SCRIPTS["follow_up"], items, mode=mode) for mode in MODES)
    assert official.rate == Decimal("0.82")
    assert half_up(strict.rate, 6) == Decimal("0.823333")
    assert half_up(100 * strict.rate, 1) == Decimal("82.3")


def test_decision_17_python_rounds_inside_a_scenario_and_half_up_after_it():
    items = [
        result(success=n < 33, labels=("C_RESPOND" if n < 33 else "C_RESUME",)) for n in range(40)
    ]
    official, strict = (score_script(SCRIPTS["follow_up"], items, mode=mode) for mode in MODES)
    assert official.rate == Decimal("0.82")
    assert half_up(strict.rate, 2) == Decimal("0.83")
    assert half_up((Decimal("41.0") + Decimal("36.1")) / 2, 1) == Decimal("38.6")


def test_decision_18_no_interval_is_zero_with_a_warning_officially_and_missing_in_strict_mode():
    lone = {("en", "follow_up"): evidence(speech=((5.2, 8.0),), starts=(5.2,))}
    official, strict = (totals(mode, lone) for mode in MODES)
    assert official.languages[1].stop == Decimal("0.640")
    assert any("counts as 0.000 s" in reason for reason in official.reasons)
    assert (strict.delay, strict.rankable) == (None, False)


def test_decision_18_a_total_delay_of_zero_has_no_score_and_no_rank():
    rows = [
        {"team": "B", "kind": "baseline", "interruption": 50, "rejection": 50, "delay": "2.5"},
        {"team": "F", "kind": "participant", "interruption": 50, "rejection": 50, "delay": "1"},
        {"team": "Z", "kind": "participant", "interruption": 50, "rejection": 50, "delay": "0"},
    ]
    zero = next(row for row in rank(rows) if row.team == "Z")
    assert (zero.delay_score, zero.total, zero.rank) == (None, None, None)


def test_decision_19_third_party_speech_is_one_of_nine_and_ten_folders_stand_beside_it():
    for mode in MODES:
        (one, _) = totals(mode).languages
        # Seven of 1.2 s, the pause 1.0 s; third party 1.2 s after and 1.0 s before.
        nine = (Decimal("1.2") * 7 + 1 + Decimal("1.1")) / 9
        ten = (Decimal("1.2") * 7 + 1 + Decimal("1.2") + 1) / 10
        assert half_up(one.first_response, 3) == half_up(nine, 3) == Decimal("1.167")
        assert half_up(one.first_response_ten, 3) == half_up(ten, 3) == Decimal("1.160")


def test_decision_20_a_first_response_of_nothing_is_never_a_zero():
    never = evidence("C_RESUME", starts=(1.0,))
    changed = {(language, "backchannels"): never for language in ("cn", "en")}
    official, strict = (totals(mode, changed) for mode in MODES)
    eight = (Decimal("1.2") * 6 + 1 + Decimal("1.1")) / 8
    assert official.languages[0].first_response == half_up(eight, 3)
    assert any("left out of the official mean" in reason for reason in official.reasons)
    assert (strict.delay, strict.rankable) == (None, False)


def test_decision_21_the_delay_is_the_mean_of_both_languages():
    slow = evidence("C_RESPOND", speech=((5.2, 9.8), (13.5, 20.0)), starts=(5.2, 13.5))
    for mode in MODES:
        found = totals(mode, {("en", "follow_up"): slow})
        cn, en = (one.delay for one in found.languages)
        assert en > cn
        assert half_up(found.delay, 3) == half_up((cn + en) / 2, 3)


@pytest.mark.parametrize("scenario", ["follow_up", "pause_handling", "backchannels"])
def test_decision_24_a_delay_of_exactly_zero_counts_for_backchannels_and_strictly_everywhere(
    scenario,
):
    about, said = reference(scenario).annotation, words(4.0)
    official = first_response_delay(scenario, about, said, mode="official")
    assert official == (0.0 if scenario == "backchannels" else None)
    assert first_response_delay(scenario, about, said, mode="strict") == 0.0
    if scenario == "pause_handling":
        waited = [rejection(scenario, about, said, mode=mode).success for mode in MODES]
        assert waited == [False, True]


def test_decision_29_talking_through_costs_no_stop_latency_and_its_share_is_told():
    through = evidence(speech=((5.2, 20.0),), starts=(5.2,))
    for mode in MODES:
        found = scored("follow_up", mode, evidence(), through)
        # The length of the interruption, as if it had stopped just at its end.
        assert half_up(found.stop.value, 3) == half_up((Decimal("0.8") + 3) / 2, 3)
        assert found.diagnostics["talked_through"] == 1


def test_decision_30_the_first_answer_counts_twice_and_the_gap_after_the_event_stands_beside_it():
    for mode in MODES:
        found = scored("follow_up", mode, evidence())
        assert (half_up(found.response.value, 3), found.response.n) == (Decimal("1.150"), 2)
        after = found.response_after_event
        assert (half_up(after.value, 3), after.n) == (Decimal("1.100"), 1)


def test_decision_31_the_voice_activity_is_pinned_and_named_in_the_signature():
    assert vad.ENGINE.startswith("silero-6.2.")
    manifest = Manifest((reference().item,))
    for mode in MODES:
        line = str(Tools(vad.detect, vad.ENGINE, {}).signature(BENCHMARK, manifest, mode))
        assert f"|vad:{vad.ENGINE}|" in line


def test_decision_32_words_and_times_that_differ_in_number_are_noted_or_an_error():
    uneven = Phrase(UNEVEN, {"words": "12", "times": "11"})
    odd = evidence(notes=(uneven,))
    official, strict = (measure(reference(), odd, mode=mode) for mode in MODES)
    assert official.success is True
    assert uneven in official.reasons
    assert (strict.counted, strict.success, strict.first_response_delay) == (True, False, None)


def _to_the_sample(output, annotation, length):
    """The cut that the strict reading would make: padded to the user's end, exact."""
    start, end = (round(time * RATE) for time in preparation.second_question(annotation))
    padded = np.zeros(max(len(output), length), output.dtype)
    padded[: len(output)] = output
    padded[start:end] = 0
    return padded[start:]


@pytest.mark.parametrize("seconds", [3.0, 9.21, 11.0, 13.02, 17.0, 30.5, 35.0])
@pytest.mark.parametrize("start", [9.2, 9.2006, 8.6999, 9.00001])
def test_decision_33_a_cut_to_the_sample_holds_the_same_sound_but_for_two_milliseconds(
    seconds, start
):
    rows = [(0.0, 4.2), (start, 13.0137), (18.0, 20.5)]
    annotation = Annotation.from_json(
        {"speech_segments": [{"xmin": a, "xmax": b, "text": ""} for a, b in rows]}
    )
    output = np.arange(1, round(seconds * RATE) + 1, dtype=np.int64)
    official = preparation.without_first_answer(output, annotation)
    exact = _to_the_sample(output, annotation, round(30.5 * RATE))
    heard, wanted = official[official > 0], exact[exact > 0]
    # The same samples, to one millisecond; nothing else is heard in either.
    assert set(heard) >= set(wanted)
    assert len(heard) - len(wanted) <= RATE // 1000
    if len(wanted):
        places = [np.flatnonzero(one == wanted[0])[0] for one in (official, exact)]
        assert abs(places[0] - places[1]) <= 2 * RATE // 1000


def test_decision_15_what_is_missing_leaves_the_official_rate_and_fails_in_strict_mode():
    official, strict = (scored("follow_up", mode, evidence(), MISSING) for mode in MODES)
    assert (official.expected, official.counted, official.rate) == (2, 1, Decimal("1.0"))
    assert (strict.expected, strict.counted, strict.rate) == (2, 2, Decimal("0.5"))


def test_decision_19_ten_folders_stand_in_the_report_and_in_no_total():
    told = totals_to_json(totals("official"))["languages"][0]
    assert (told["first_response"], told["first_response_ten"]) == ("1.167", "1.160")


def test_decision_11_the_delay_of_parts_is_missing_where_one_part_has_none():
    after = score_script(
        SCRIPTS["third_party_after"],
        [measure(reference("third_party_after"), silent(), mode="strict")],
        mode="strict",
    )
    before = score_script(
        SCRIPTS["third_party_before"],
        [measure(reference("third_party_before"), good("third_party_before"), mode="strict")],
        mode="strict",
    )
    assert combine([after, before], mode="strict").first_response is None
