"""Reading and counting judge labels, against the official answers."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from scoring.dialogue import Transcript
from scoring.errors import EngineError, Phrase, ScoringError
from scoring.judge import Exchange, JudgeReplyError, Verdict, count_labels, load, parse_label
from scoring.judge.labels import read_answer
from tests.scoring.chat_endpoint import GOOD, OTHER

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data/golden/judge_parsing.json").read_text(encoding="utf-8")
)


def by_id(case: dict[str, Any]) -> str:
    return f"{case['id']} {case['note']}"


@pytest.mark.parametrize("case", GOLDEN["parse_cases"], ids=by_id)
def test_replies_are_read_as_the_official_script_reads_them(case: dict[str, Any]) -> None:
    value = case["expect_humdial"].get("value", {}).get("behaviour")
    if isinstance(value, list):
        assert parse_label(case["content"]) == tuple(value)
    else:
        with pytest.raises(JudgeReplyError) as caught:
            parse_label(case["content"])
        assert caught.value.reply == case["content"]


@pytest.mark.parametrize("case", GOLDEN["stats_cases"], ids=by_id)
def test_labels_are_counted_as_the_official_script_counts_them(case: dict[str, Any]) -> None:
    replies = [record.get("behaviour", ()) for record in case["records"]]
    if "error" in case["expect"]:
        with pytest.raises(ScoringError, match="Judge this sample again"):
            count_labels(replies)
        return
    expect, counted = case["expect"]["value"], count_labels(replies)
    assert dict(counted.counts) == expect["counts"]["C"]
    assert counted.total == expect["totals"]["C"]
    assert {label: counted.ratio(label) for label in counted.counts} == expect["ratios"]["C"]
    rounded = {label: counted.rounded(label) for label in counted.counts}
    assert rounded == expect["rounded_2dp"]["C"]


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ('{"a": {"b": 1}} text {"behaviour": ["C_RESUME"]}', ("C_RESUME",)),
        ('```json\n{"behaviour": ["C_UNKNOWN"]}\n```', ("C_UNKNOWN",)),
        ('\ufeff{"behaviour": ["C_RESPOND"]}', ("C_RESPOND",)),
        ('{"behaviour": ["C_RESPOND", "C_RESUME"]}', ("C_RESPOND", "C_RESUME")),
        ('{"behaviour": ["\u4e2d"]}', ("\u4e2d",)),
        ('{"score": NaN, "behaviour": ["C_RESUME"]}', ("C_RESUME",)),
        ('{"n": %s} {"behaviour": ["C_RESUME"]}' % ("9" * 5000), ("C_RESUME",)),
        ("{" * 50_000 + '{"behaviour": ["C_RESUME"]}', ("C_RESUME",)),
        ("x" * 500_000 + '{"behaviour": ["C_RESUME"]}' + "y" * 500_000, ("C_RESUME",)),
        ('{\r\n"behaviour":\r\n["C_RESUME"]}', ("C_RESUME",)),
        ('[{"behaviour": ["C_RESUME"]}]', ("C_RESUME",)),
    ],
)
def test_the_first_object_with_the_key_is_found(reply: str, labels: tuple[str, ...]) -> None:
    assert parse_label(reply) == labels


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "\n\n",
        "null",
        '{"behaviour": null}',
        '{"behaviour": {"label": "C_RESUME"}}',
        '{"behaviour": ["C_RESUME", 1]}',
        '{"behaviour": [["C_RESUME"]]}',
        '{"result": {"behaviour": ["C_RESUME"]}}',
        "{'behaviour': ['C_RESUME']}",
        '{"Behaviour": ["C_RESUME"]}',
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"behaviour": ' + "[" * 100_000,
    ],
)
def test_a_reply_without_usable_labels_is_refused_with_its_text(reply: str | None) -> None:
    with pytest.raises(JudgeReplyError) as caught:
        parse_label(reply)
    assert caught.value.code == "judge-reply-unusable"
    assert caught.value.reply == (reply or "")
    assert caught.value.at("item 7").reply == (reply or "")


def test_a_rate_over_no_labels_is_absent_and_not_zero() -> None:
    nothing = count_labels([(), ()])
    assert (nothing.total, nothing.ratio("C_RESUME"), nothing.rounded("C_RESUME")) == (
        0, None, None,
    )  # fmt: skip
    assert count_labels([("C_RESUME",)]).ratio("C_RESPOND") == 0.0


@pytest.mark.parametrize("reply", ["C", "", ("",), ("c_resume",), (" C_RESUME",)])
def test_what_is_no_list_of_labels_is_refused(reply: tuple[str, ...]) -> None:
    with pytest.raises(ScoringError) as caught:
        count_labels([reply])
    assert caught.value.code == "judge-label-unusable"


def test_rates_are_rounded_as_python_rounds_binary_floats() -> None:
    counted = count_labels([("C_RESUME",)] * 33 + [("C_RESPOND",)] * 7)
    assert counted.rounded("C_RESUME") == 0.82  # 0.825; half up would give 0.83


def test_the_message_holds_four_json_texts_inside_json() -> None:
    golden = GOLDEN["message_encoding"]
    transcript = Transcript.from_json(golden["transcript"])
    exchange = Exchange(transcript, transcript, transcript, transcript)
    assert exchange.message() == golden["humdial_user_message_with_four_equal_transcripts"]
    assert exchange.sha256 == Exchange(*[transcript] * 4).sha256
    silent = Exchange(transcript, transcript, transcript, Transcript(""))
    assert exchange.sha256 != silent.sha256


THOUGHTS = {
    "closed": f"<think>{OTHER} perhaps</think>\n{GOOD}",
    "opening tag swallowed": f"{OTHER}? No.\n</think>\n{GOOD}",
    "never closed": f"{GOOD} <think>or is it {OTHER}",
    "twice": f"<think>{OTHER}</think><think>{OTHER}</think>{GOOD}",
    "inside each other": f"<think>a <think>{OTHER}</think> {OTHER} </think>{GOOD}",
    "other tags": f"<Thinking>{OTHER}</Thinking ><reasoning>{OTHER}</reasoning>{GOOD}",
    "fenced": f"<think>{OTHER}</think>\n```json\n{GOOD}\n```",
}


@pytest.mark.parametrize("reply", THOUGHTS.values(), ids=THOUGHTS.keys())
def test_decision_26b_a_label_in_the_thoughts_is_not_the_answer(reply: str) -> None:
    assert read_answer(reply) == (("C_RESUME",), ())


@pytest.mark.parametrize("reply", [f"<think>{GOOD}", f"{GOOD}</think>", f"<think>{GOOD}</think>"])
def test_decision_26b_thoughts_without_an_answer_have_no_label(reply: str) -> None:
    with pytest.raises(JudgeReplyError) as caught:
        parse_label(reply)
    assert caught.value.said == Phrase("reply-without-object")


def test_thoughts_of_any_length_are_cut_in_one_pass() -> None:
    began = time.perf_counter()
    assert parse_label("</think>" + "<think>" * 200_000 + "</think>" + GOOD) == ("C_RESUME",)
    assert time.perf_counter() - began < 2


def test_decision_26b_different_answers_in_one_reply_are_told() -> None:
    answer = read_answer(f'{GOOD} {OTHER} {GOOD} {{"behaviour": null}}')
    assert (answer.labels, answer.others) == (("C_RESUME",), (("C_RESPOND",),))
    assert answer.note == Phrase("reply-two-answers", {"answers": "C_RESUME / C_RESPOND"})
    assert read_answer(f"{GOOD}{GOOD}").note is None


def verdict(*labels: str) -> Verdict:
    return Verdict(labels, "", (), "", "", "")


def test_a_verdict_has_a_label_only_when_exactly_one_is_known() -> None:
    assert verdict("C_RESUME").label == "C_RESUME"
    assert verdict("C_RESUME", "C_RESPOND").label is None
    assert verdict("C_RESUME ").label is None
    assert (verdict().label, verdict().judged, verdict("C_ODD").judged) == (None, False, True)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("oracle", {}),
        ("offline", {"votes": 3}),
        ("chat", {}),
        ("chat", {"base_url": "http://judge.test/v1", "model": "m", "colour": "red"}),
        ("chat", {"base_url": "http://judge.test/v1", "model": "m", "mode": "lenient"}),
        ("chat", {"base_url": "http://judge.test/v1", "model": "m", "votes": 0}),
        ("chat", {"base_url": "http://judge.test/v1", "model": "m", "formats": ("xml",)}),
        ("chat", {"base_url": "http://judge.test/v1", "model": "m", "prompt_file": "none"}),
    ],
)
def test_a_judge_that_cannot_be_loaded_says_what_to_do(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(EngineError) as caught:
        load(name, **settings)
    assert caught.value.cure
