"""Two score reports side by side, and what is no score report."""

import json
from dataclasses import replace

import pytest

from scoring import pipeline
from scoring.__main__ import main
from scoring.comparison import compare, read_report
from scoring.errors import ScoringError
from scoring.evidence import MISSING
from scoring.humdial import BENCHMARK
from scoring.report import score_report
from scoring.signature import Signature, differences
from tests.builders import evidence, reference, silent

SIGNATURE = Signature("humdial-1", "strict", "ab12", "silero", "paraformer", "parakeet", "j", "p")
ITEMS = ("0001", "0002", "0003", "0004")


def report(*answers, names=ITEMS, **signature):
    made = replace(SIGNATURE, **signature)
    references = [reference(name=name) for name in names[: len(answers)]]
    scored = pipeline.score(BENCHMARK, references, answers, mode=made.mode)
    # Through JSON, as reports come from files.
    return json.loads(json.dumps(score_report(scored, made, ())))


GOOD = report(evidence(), evidence(), evidence(), evidence())
LATER = ((5.2, 10.2), (13.1, 20.0))
WORSE = report(evidence(), evidence("C_RESUME"), evidence(speech=LATER), MISSING)


def number(comparison, language, name):
    (pair,) = [p for p in comparison.totals if (p.language, p.name) == (language, name)]
    return pair.one, pair.other, pair.difference


def test_a_report_equals_itself():
    found = compare(GOOD, GOOD)
    assert found.is_equal
    assert found.changes == ()
    assert number(found, "all", "interruption") == ("100", "100", "0")


def test_totals_stand_side_by_side_with_their_difference():
    found = compare(GOOD, WORSE)
    assert number(found, "en", "interruption") == ("100", "50.0", "-50.0")
    stop = number(found, "en", "stop")
    assert [float(text) for text in stop] == pytest.approx([0.8, 2.8 / 3, 2.8 / 3 - 0.8])
    assert number(found, "all", "received") == ("4", "3", "-1")


def test_what_is_absent_has_no_difference():
    found = compare(GOOD, report(silent(), silent(), silent(), silent()))
    assert number(found, "en", "stop")[1:] == (None, None)
    assert number(compare(GOOD, GOOD), "all", "rejection") == (None, None, None)


def test_changed_items_tell_which_fields_changed_from_what_to_what():
    changes = {change.item: dict(change.changes) for change in compare(GOOD, WORSE).changes}
    assert list(changes) == ["0002", "0003", "0004"]
    assert changes["0002"]["label"] == ("C_RESPOND", "C_RESUME")
    assert changes["0002"]["success"] == (True, False)
    assert changes["0003"] == {"stop": ([[9.0, 9.8]], [[9.0, 10.2]])}
    assert changes["0004"]["received"] == (True, False)
    assert changes["0004"]["stop"] == ([[9.0, 9.8]], None)


def test_changes_are_counted_by_scenario():
    (scenario,) = compare(GOOD, WORSE).scenarios
    assert (scenario.scenario, scenario.items, scenario.changed) == ("follow_up", 4, 3)
    assert dict(scenario.fields) == {
        "received": 1,
        "label": 2,
        "success": 2,
        "silent": 1,
        "first_response_delay": 2,
        "stop": 2,
        "response": 1,
    }


def test_items_that_one_report_lacks_are_named_and_not_compared():
    fewer = report(evidence(), evidence(), names=("0002", "0009"))
    found = compare(GOOD, fewer)
    assert found.changes == ()
    assert found.only_in_one == ("en/follow_up/0001", "en/follow_up/0003", "en/follow_up/0004")
    assert found.only_in_other == ("en/follow_up/0009",)
    assert not found.is_equal


def test_another_engine_is_a_difference_even_when_no_number_moves():
    found = compare(GOOD, report(*[evidence()] * 4, asr_cn="whisper"))
    assert found.differences == ("The Chinese transcriber differs: paraformer against whisper.",)
    assert not found.is_equal


def write(tmp_path, **reports):
    paths = []
    for name, content in reports.items():
        path = tmp_path / f"{name}.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        paths.append(str(path))
    return paths


def said(tmp_path, capsys, one, other, *more):
    assert main(["compare", *write(tmp_path, one=one, other=other), *more]) == 0
    return capsys.readouterr().out


def test_the_command_says_that_nothing_differs(tmp_path, capsys):
    assert said(tmp_path, capsys, GOOD, GOOD) == "Nothing differs.\n"


def test_the_command_tells_the_differences_in_words(tmp_path, capsys):
    strict_and_official = report(*[evidence()] * 4, mode="official")
    lines = said(tmp_path, capsys, GOOD, strict_and_official).splitlines()
    assert lines[0] == "The mode differs: strict against official."
    assert "0 of 4 items differ." in lines


def test_the_command_shows_totals_scenarios_and_items(tmp_path, capsys):
    lines = [" ".join(line.split()) for line in said(tmp_path, capsys, GOOD, WORSE).splitlines()]
    assert "all interruption 100.0 50.0 -50.0" in lines
    assert "en stop 0.800 0.933 +0.133" in lines
    assert "all rejection — — —" in lines
    assert "all silent 0 0 =" in lines
    assert "3 of 4 items differ." in lines
    assert "en 0003: stop 9.000–9.800 → 9.000–10.200" in lines
    assert any(
        line.startswith("en 0002: label C_RESPOND → C_RESUME; success yes → no") for line in lines
    )
    assert not [line for line in lines if line.startswith("en 0001")]


def test_the_command_lists_ten_changed_items_and_says_that_there_are_more(tmp_path, capsys):
    names = [f"{number:04}" for number in range(12)]
    one, other = (
        report(*[evidence(label)] * 12, names=names) for label in ("C_RESPOND", "C_RESUME")
    )
    lines = said(tmp_path, capsys, one, other).splitlines()
    assert "The first 10 (--json has them all):" in lines
    assert [line[:7] for line in lines[-10:]] == [f"en {name}" for name in names[:10]]
    found = json.loads(said(tmp_path, capsys, one, other, "--json"))
    assert len(found["changes"]) == 12


def test_a_difference_too_small_to_show_is_not_called_none(tmp_path, capsys):
    other = json.loads(json.dumps(GOOD))
    other["totals"]["languages"][0]["stop_raw"] = "0.8001"
    assert any(line.endswith("≈") for line in said(tmp_path, capsys, GOOD, other).splitlines())


def test_the_same_number_written_with_more_zeros_is_equal(tmp_path, capsys):
    other = json.loads(json.dumps(GOOD))
    other["totals"]["languages"][0]["interruption_raw"] = "100.0"
    assert said(tmp_path, capsys, GOOD, other) == "Nothing differs.\n"


def test_the_comparison_as_json_has_stable_keys(tmp_path, capsys):
    found = json.loads(said(tmp_path, capsys, GOOD, WORSE, "--json"))
    assert found["schema"] == "comparison/1"
    assert found["equal"] is False
    assert found["signatures"] == [str(SIGNATURE), str(SIGNATURE)]
    assert {
        "language": "all",
        "name": "received",
        "one": "4",
        "other": "3",
        "difference": "-1",
    } in found["totals"]
    assert found["changes"][1]["changes"] == {"stop": [[[9.0, 9.8]], [[9.0, 10.2]]]}
    assert found["scenarios"][0]["fields"]["label"] == 2


def without(key, **more):
    return {**{name: value for name, value in GOOD.items() if name != key}, **more}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "it is not JSON"),
        ("[1]", "it holds list where an object should be"),
        ({"item": {}}, "its schema is None"),
        ({**GOOD, "schema": "check-report/1"}, "its schema is 'check-report/1'"),
        (without("signature"), "it has no signature"),
        ({**GOOD, "signature": None}, "it has no signature"),
        (without("items"), "'items' is not what it should be"),
        (without("totals"), "'totals' is not what it should be"),
        (without("items", items=[{"item": "0001"}]), "'received' is missing in 'items'"),
        (without("totals", totals={"languages": []}), "'interruption_raw' is missing"),
        (
            {**GOOD, "totals": {**GOOD["totals"], "delay_raw": "fast"}},
            "'delay_raw' is 'fast', where a decimal",
        ),
        (
            {**GOOD, "items": [{**GOOD["items"][0], "stop": [9.0, 9.8]}]},
            "'stop' of item 0001 is no list of [start, end]",
        ),
    ],
)
def test_what_is_no_score_report_is_refused_in_one_line(tmp_path, capsys, content, why):
    paths = write(tmp_path, one=GOOD, other=content)
    assert main(["compare", *paths]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"report-unreadable: {paths[1]}: This is no score report: ")
    assert why in told.err
    assert told.err.count("\n") == 1


def test_a_damaged_signature_is_named_with_its_file():
    with pytest.raises(ScoringError) as raised:
        read_report(json.dumps({**GOOD, "signature": "protocol:x"}), path="one.json")
    assert (raised.value.code, raised.value.path) == ("signature-unreadable", "one.json")


def test_a_signature_explains_itself():
    told = SIGNATURE.explain()
    assert told[0] == "The protocol is humdial-1."
    assert told[4] == "The Chinese transcriber is paraformer."
    assert len(told) == 10
    assert Signature.parse(str(SIGNATURE)) == SIGNATURE
    assert differences(SIGNATURE, SIGNATURE) == []


def test_a_model_with_a_bar_in_its_name_does_not_break_the_line():
    odd = Signature.parse(str(replace(SIGNATURE, judge="chat/a|prompt:b")))
    assert odd.judge == "chat/a/prompt:b"
    assert odd.prompt == "p"
