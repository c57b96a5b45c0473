"""Labels that people put in the place of the judge's: list, item, rate, signature."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import pipeline
from scoring.comparison import compare
from scoring.corrections import Correction, Corrections, CorrectionsError, Place, collect
from scoring.evidence import MISSING, evidence_from_json, evidence_to_json
from scoring.humdial import BENCHMARK, is_judged
from scoring.humdial.measures import measure
from scoring.judge import LABELS
from scoring.manifest import Manifest
from scoring.report import item_to_json, score_report
from scoring.signature import Signature, differences, uncorrected
from tests.builders import evidence, item, reference, verdict

MODES = ("official", "strict")
HEARD = Correction("C_RESPOND", "It answers at 0:13.")
HEAD = "item,language,scenario,part,label,reason\n"
SIGNATURE = Signature("humdial-1", "strict", "ab12", "silero", "paraformer", "parakeet", "j", "p")


def corrected(one, by=HEARD):
    return replace(one, correction=by)


# One item


@pytest.mark.parametrize("mode", MODES)
def test_a_persons_label_counts_and_the_judges_stays_beside_it(mode):
    judged = evidence(verdict=verdict("C_RESUME", reason="j answered C_RESUME."))
    found = measure(reference(), corrected(judged), mode=mode)
    assert (found.label, found.success, found.counted) == ("C_RESPOND", True, True)
    assert item_to_json(found)["correction"] == {
        "label": "C_RESPOND",
        "reason": "It answers at 0:13.",
        "judge_label": "C_RESUME",
    }
    assert found.reasons == (
        "j answered C_RESUME.",
        "A person corrected the label C_RESUME to C_RESPOND: It answers at 0:13.",
    )


@pytest.mark.parametrize("mode", MODES)
def test_an_item_can_be_corrected_to_a_failure(mode):
    found = measure(reference(), corrected(evidence(), Correction("C_RESUME", "so")), mode=mode)
    assert (found.success, found.counted) == (False, True)
    # Strict mode times successful items only, whoever gave the label.
    assert (found.first_response_delay is None) == (mode == "strict")


@pytest.mark.parametrize("said", [verdict(reason="Unjudged."), None])
@pytest.mark.parametrize("mode", MODES)
def test_a_person_can_label_what_the_judge_could_not(mode, said):
    found = measure(reference(), corrected(evidence(verdict=said)), mode=mode)
    assert (found.label, found.unjudged, found.success) == ("C_RESPOND", None, True)
    assert item_to_json(found)["correction"]["judge_label"] is None
    assert found.reasons[-1] == "A person gave the label C_RESPOND: It answers at 0:13."


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gap", [MISSING, evidence(clean=None)])
def test_a_correction_makes_up_for_no_missing_recording(mode, gap):
    found = measure(reference(), corrected(gap), mode=mode)
    assert found == measure(reference(), gap, mode=mode)
    assert found.correction is None


@pytest.mark.parametrize("mode", MODES)
def test_what_is_timed_has_no_label_to_correct(mode):
    about = reference("pause_handling")
    plain = evidence(None, starts=(3.5,))
    assert measure(about, corrected(plain), mode=mode) == measure(about, plain, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_only_a_corrected_item_has_the_key(mode):
    assert "correction" not in item_to_json(measure(reference(), evidence(), mode=mode))


def test_evidence_keeps_verdict_and_correction():
    one = corrected(evidence("C_RESUME"))
    back = evidence_from_json(json.loads(json.dumps(evidence_to_json(one))))
    assert (back.correction, back.verdicts) == (HEARD, one.verdicts)
    assert "correction" not in evidence_to_json(evidence())


# All items


def report(corrections, mode="strict"):
    references = [reference(name=name) for name in ("0001", "0002", "0003")]
    given = [evidence(), evidence("C_RESUME"), evidence("C_RESUME")]
    made = pipeline.correct(references, given, corrections)
    scored = pipeline.score(BENCHMARK, references, made, mode=mode)
    signature = replace(SIGNATURE, mode=mode, corrections=corrections.mark)
    return json.loads(json.dumps(score_report(scored, signature, ())))


ONE = collect([(item(name="0002"), HEARD)])


@pytest.mark.parametrize("mode", MODES)
def test_a_correction_moves_the_rate_by_its_item(mode):
    before, after = report(Corrections(), mode), report(ONE, mode)
    assert [one["scenarios"][0]["parts"][0]["successes"] for one in (before, after)] == [1, 2]
    part = after["scenarios"][0]["parts"][0]
    assert part["labels"] == {"C_RESPOND": 2, "C_RESUME": 1}
    assert (part["corrected"], after["totals"]["corrected"]) == (1, 1)
    assert after["totals"]["rankable"] == before["totals"]["rankable"]
    assert "1 item(s) have a label that a person corrected." in after["totals"]["reasons"]


def test_a_report_without_corrections_is_the_one_from_before_there_were_any():
    plain = report(Corrections())
    assert "correct" not in json.dumps(plain)
    assert plain["signature"] == str(SIGNATURE)


def test_the_comparison_of_two_reports_names_the_corrections():
    found = compare(report(Corrections()), report(ONE))
    assert found.differences == (f"The list of corrections differs: none against {ONE.mark}.",)
    assert [(one.item, one.changes["label"]) for one in found.changes] == [
        ("0002", ("C_RESUME", "C_RESPOND"))
    ]


# Signature


def test_a_signature_with_corrections_is_read_as_it_is_written():
    made = replace(SIGNATURE, corrections="2:0123456789ab")
    assert str(made) == f"{SIGNATURE}|corrections:2:0123456789ab"
    assert Signature.parse(str(made)) == made
    assert uncorrected(str(made)) == str(SIGNATURE) == uncorrected(str(SIGNATURE))
    assert made.explain()[-1] == "The list of corrections is 2:0123456789ab."
    assert len(SIGNATURE.explain()) == 10
    assert differences(SIGNATURE, SIGNATURE) == []


def test_the_signature_tells_labels_and_items_but_not_reasons_and_order():
    first, second = item(name="0001"), item(name="0002")
    both = collect([(first, HEARD), (second, HEARD)])
    assert both.mark.startswith("2:")
    assert both.mark == collect([(second, Correction("C_RESPOND", "x")), (first, HEARD)]).mark
    others = [
        collect([(first, HEARD), (second, Correction("C_UNKNOWN", "x"))]),
        collect([(first, HEARD), (item("negation", name="0002"), HEARD)]),
        collect([(first, HEARD)]),
    ]
    assert len({one.mark for one in (both, *others)}) == 4


# The file


PLACES = st.builds(
    Place,
    st.text("0123456789_ad", min_size=1),
    st.sampled_from(["cn", "en"]),
    st.just("third_party"),
    st.sampled_from(["after", "before"]),
)
REASONS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
ANY = st.builds(
    Correction, st.sampled_from(LABELS), REASONS.map(str.strip).filter(bool)
)  # fmt: skip


@given(st.dictionaries(PLACES, ANY))
def test_what_is_written_is_read_again(by_place):
    made = Corrections(by_place)
    assert Corrections.from_csv(made.to_csv()) == made


@pytest.mark.parametrize("reason", ["=1+1", "'=1+1", "'quoted'", "-", 'a "word", and\nmore'])
def test_a_reason_that_looks_like_a_formula_is_a_text_for_spreadsheets_and_the_same_for_us(reason):
    made = collect([(item(), Correction("C_RESUME", reason))])
    cell = made.to_csv().splitlines()[1].split("C_RESUME,")[1]
    assert not cell.startswith(("=", "+", "-", "@"))
    assert Corrections.from_csv(made.to_csv()).of(item()).reason == reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,label\n", "lack the column(s) language, reason, scenario."),
        (f"{HEAD}1,en,follow_up,,RESPOND,so\n", "Line 2: 'RESPOND' is no label."),
        (f"{HEAD}1,en,follow_up,,C_RESUME, \n", "Line 2: the correction has no reason."),
        (f"{HEAD}1,en,follow_up,,C_RESUME\n", "Line 2: the correction has no reason."),
        (
            f"{HEAD}1,en,follow_up,,C_RESUME,a\n1,en,follow_up,,C_RESPOND,b\n",
            "Line 3: '1' is corrected a second time.",
        ),
    ],
)
def test_a_list_that_cannot_be_used_says_why(text, told):
    with pytest.raises(CorrectionsError) as raised:
        Corrections.from_csv(text)
    assert told in raised.value.rule
    assert raised.value.cure


def test_a_list_may_come_from_a_spreadsheet():
    text = f"\ufeff{HEAD}0001_0001,en,follow_up,,C_RESUME,so\n".replace("\n", "\r\n")
    assert Corrections.from_csv(text).of(item()) == Correction("C_RESUME", "so")
    # A third-party item has its part, the others may leave the column out.
    text = "item,language,scenario,label,reason\n0001_0001,en,follow_up,C_RESUME,so\n"
    assert Corrections.from_csv(text).of(item()) == Correction("C_RESUME", "so")


@pytest.mark.parametrize(
    ("about", "told"),
    [
        (item("pause_handling"), "en/pause_handling/0001_0001 is not judged"),
        (item(name="9"), "9/en/follow_up is none of the expected items"),
    ],
)
def test_corrections_of_what_is_not_judged_or_not_expected_are_refused(about, told):
    manifest = Manifest((item(), item("pause_handling")))
    collect([(item(), HEARD)]).demand(manifest, is_judged)
    with pytest.raises(CorrectionsError, match=told):
        collect([(item(), HEARD), (about, HEARD)]).demand(manifest, is_judged)
