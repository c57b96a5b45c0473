"""The chat judge against a real local server that speaks the OpenAI protocol, and misbehaves."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.errors import Phrase
from scoring.judge import verdict_to_json, vote_from_json, vote_to_json
from scoring.reasons import Said, worded
from scoring.signature import returned
from tests.scoring.chat_endpoint import (
    GOOD,
    KEY,
    ODD,
    OTHER,
    TROUBLE,
    UNUSABLE,
    Endpoint,
    exchange,
    judge,
    refusal,
    serving,
)


def key_of(said: Said) -> str:
    """The key of a reason; none for a text."""
    return said.key if isinstance(said, Phrase) else ""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as state:
        yield state


def test_a_good_reply_gives_the_label_and_both_names_of_the_model(endpoint: Endpoint) -> None:
    chat = judge(endpoint)
    verdict = chat.judge([exchange()])[0]
    assert (verdict.label, verdict.asked, verdict.returned) == ("C_RESUME", "judge", "judge-2026")
    assert verdict.raw == (GOOD,)
    assert verdict.prompt == chat.prompt
    assert (verdict.agreement, verdict.votes) == (None, ())


def test_the_official_call_has_no_temperature_and_sends_the_double_encoded_message(
    endpoint: Endpoint,
) -> None:
    judge(endpoint, formats=("text",)).judge([exchange()])
    body = endpoint.seen[0]
    assert set(body) == {"messages", "model"}
    assert body["messages"][1] == {"role": "user", "content": exchange().message()}
    assert "C_UNCERTAIN_HANDLING" in body["messages"][0]["content"]


def test_strict_mode_asks_three_times_at_temperature_zero(endpoint: Endpoint) -> None:
    endpoint.script = [GOOD, '{"behaviour": ["C_RESPOND"]}', GOOD]
    verdict = judge(endpoint, mode="strict").judge([exchange()])[0]
    assert verdict.label == "C_RESUME"
    assert verdict.agreement == pytest.approx(2 / 3)
    assert sorted(verdict.votes) == ["C_RESPOND", "C_RESUME", "C_RESUME"]
    assert [body["temperature"] for body in endpoint.seen] == [0.0, 0.0, 0.0]


def test_three_different_votes_are_no_majority(endpoint: Endpoint) -> None:
    endpoint.script = [GOOD, '{"behaviour": ["C_RESPOND"]}', '{"behaviour": ["C_UNKNOWN"]}']
    verdict = judge(endpoint, mode="strict").judge([exchange()])[0]
    assert (verdict.judged, verdict.agreement) == (False, None)
    assert sorted(verdict.votes) == ["C_RESPOND", "C_RESUME", "C_UNKNOWN"]
    assert "majority" in worded(verdict.reason)


def test_a_vote_without_a_usable_label_is_an_empty_one(endpoint: Endpoint) -> None:
    endpoint.script = [lambda _body: GOOD, lambda _body: GOOD, "no idea"]
    verdict = judge(endpoint, mode="strict", concurrency=1, tries=1).judge([exchange()])[0]
    assert sorted(verdict.votes) == ["", "C_RESUME", "C_RESUME"]
    assert verdict.label == "C_RESUME"
    assert verdict.agreement == pytest.approx(2 / 3)


def test_strict_mode_asks_again_until_exactly_one_known_label_comes(endpoint: Endpoint) -> None:
    endpoint.script = ['{"behaviour": ["C_RESUME", "C_RESPOND"]}', '{"behaviour": ["C_ODD"]}', GOOD]
    verdict = judge(endpoint, mode="strict", votes=1).judge([exchange()])[0]
    assert (verdict.label, len(verdict.raw)) == ("C_RESUME", 3)


def test_official_mode_keeps_two_labels_as_they_are(endpoint: Endpoint) -> None:
    endpoint.script = ['{"behaviour": ["C_RESUME", "C_RESPOND"]}']
    verdict = judge(endpoint).judge([exchange()])[0]
    assert (verdict.labels, verdict.label) == (("C_RESUME", "C_RESPOND"), None)


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
@pytest.mark.parametrize(("mode", "tries"), [("official", 5), ("strict", 9)])
def test_decision_26_an_unusable_reply_is_asked_for_again_and_then_unjudged(
    endpoint: Endpoint, reply: Any, mode: str, tries: int
) -> None:
    endpoint.script = [reply]
    verdict = judge(endpoint, mode=mode).judge([exchange()])[0]
    assert (verdict.judged, verdict.pending, verdict.label) == (False, False, None)
    assert len(verdict.raw) == endpoint.paid == verdict.calls == tries
    assert worded(verdict.reason).startswith(f"Unjudged after {tries} call(s) to judge: ")


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_good_reply_after_an_unusable_one_counts(endpoint: Endpoint, reply: Any) -> None:
    endpoint.script = [reply, GOOD]
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"


@pytest.mark.parametrize("name", TROUBLE)
@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_26a_trouble_of_the_endpoint_is_pending_and_closes_the_desk(
    endpoint: Endpoint, name: str, mode: str
) -> None:
    reply, key = TROUBLE[name]
    endpoint.script = [*[lambda _body: GOOD] * 3, reply]
    chat = judge(endpoint, mode=mode, concurrency=1, max_retries=0)
    verdicts = chat.judge([exchange(str(number)) for number in range(40)])
    good = 3 if mode == "official" else 1
    assert [one.label for one in verdicts] == ["C_RESUME"] * good + [None] * (40 - good)
    assert all(one.pending for one in verdicts[good:])
    assert {key_of(one.reason) for one in verdicts[good:]} == {key}
    assert sum(one.calls for one in verdicts) >= endpoint.paid == 3
    # At most three items in a row are tried, and none at all where it is of no use.
    assert len(endpoint.seen) <= 3 + 3 * 3 * 5


@pytest.mark.parametrize("name", ["402", "quota", "401", "404"])
def test_what_stops_every_item_is_asked_once(endpoint: Endpoint, name: str) -> None:
    endpoint.script = [GOOD, TROUBLE[name][0]]
    judge(endpoint, concurrency=1, max_retries=0).judge([exchange(str(n)) for n in range(9)])
    assert len(endpoint.seen) == 2


def test_one_item_that_the_endpoint_refuses_stops_no_other(endpoint: Endpoint) -> None:
    def refuse_the_third(body: dict[str, Any]) -> Any:
        is_third = "third" in body["messages"][1]["content"]
        return TROUBLE["risk"][0] if is_third else GOOD

    endpoint.script = [refuse_the_third]
    names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]
    verdicts = judge(endpoint, concurrency=1).judge([exchange(name) for name in names])
    assert [one.pending for one in verdicts] == [name == "third" for name in names]
    assert key_of(verdicts[2].reason) == "judge-refused-item"


def test_an_endpoint_that_has_taken_nothing_yet_is_set_up_wrongly(endpoint: Endpoint) -> None:
    endpoint.script = [TROUBLE["risk"][0]]
    verdicts = judge(endpoint, concurrency=1).judge([exchange(str(n)) for n in range(9)])
    assert {key_of(one.reason) for one in verdicts} == {"judge-setup"}


def test_an_answer_after_trouble_counts_the_trouble_no_longer(endpoint: Endpoint) -> None:
    bad = TROUBLE["429"][0]
    endpoint.script = [bad, bad, GOOD, bad, bad, GOOD]
    chat = judge(endpoint, concurrency=1, max_retries=0)
    verdicts = chat.judge([exchange(str(number)) for number in range(6)])
    assert [one.pending for one in verdicts] == [True, True, False, True, True, False]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_26b_an_odd_reply_gives_its_answer_and_not_its_thoughts(
    endpoint: Endpoint, name: str, mode: str
) -> None:
    endpoint.script = [ODD[name]]
    verdict = judge(endpoint, mode=mode).judge([exchange()])[0]
    assert (verdict.label, verdict.notes) == ("C_RESUME", ())
    json.dumps(verdict_to_json(verdict), ensure_ascii=False).encode()
    assert "\x00" not in repr(verdict.raw)


def test_characters_that_nothing_can_store_are_kept_as_escapes(endpoint: Endpoint) -> None:
    endpoint.script = [ODD["nul"] + " \ud83d"]
    assert judge(endpoint).judge([exchange()])[0].raw == (GOOD + "\\u0000 \\ud83d",)
    endpoint.script = ['{"behaviour": ["C_\\u0000\\ud83d"]}']
    assert judge(endpoint).judge([exchange()])[0].labels == ("C_\\u0000\\ud83d",)


def test_decision_26b_two_different_answers_are_none_in_strict_mode_and_told_in_official(
    endpoint: Endpoint,
) -> None:
    endpoint.script = [f"{GOOD} or rather {OTHER}"]
    told = judge(endpoint).judge([exchange()])[0]
    assert told.label == "C_RESUME"
    assert [worded(note) for note in told.notes] == [
        "The judge's reply holds different answers: C_RESUME / C_RESPOND."
    ]
    strict = judge(endpoint, mode="strict").judge([exchange()])[0]
    assert (strict.judged, strict.pending, strict.calls) == (False, False, 9)
    assert "different answers: C_RESUME / C_RESPOND" in worded(strict.reason)


def test_the_same_answer_twice_is_one(endpoint: Endpoint) -> None:
    endpoint.script = [f"{GOOD} {GOOD}"]
    verdict = judge(endpoint, mode="strict").judge([exchange()])[0]
    assert (verdict.label, verdict.notes) == ("C_RESUME", ())


def test_a_refused_temperature_is_left_out_after_the_first_refusal_and_told(
    endpoint: Endpoint,
) -> None:
    endpoint.script = [ODD["temperature"]]
    chat = judge(endpoint, mode="strict", concurrency=1)
    verdicts = chat.judge([exchange("a"), exchange("b")])
    assert [one.label for one in verdicts] == ["C_RESUME"] * 2
    assert [("temperature" in body) for body in endpoint.seen] == [True] + [False] * 6
    assert {one.left_out for one in verdicts} == {("temperature",)}
    assert returned(verdicts) == "judge-2026 without=temperature"


@pytest.mark.parametrize("name", ["402", "503", "risk"])
def test_votes_that_were_paid_for_are_not_asked_for_again(endpoint: Endpoint, name: str) -> None:
    endpoint.script = [GOOD, "no label", TROUBLE[name][0]]
    chat = judge(endpoint, mode="strict", concurrency=1, max_retries=0)
    first = chat.judge([exchange()])[0]
    assert (first.pending, first.calls, len(first.begun)) == (True, 2, 3)
    kept = [vote_from_json(json.loads(json.dumps(vote_to_json(one)))) for one in first.begun]
    endpoint.script = [GOOD]
    second = dict(chat.arriving([exchange()], begun={0: kept}))[0]
    assert (second.label, second.votes) == ("C_RESUME", ("C_RESUME",) * 3)
    # Three votes and one reply that could not be used, each paid for once.
    assert (second.calls, endpoint.paid, len(second.raw)) == (2, 4, 4)


def test_without_a_key_that_is_needed_nobody_is_asked(endpoint: Endpoint) -> None:
    verdict = judge(endpoint, api_key="", key_needed=True).judge([exchange()])[0]
    assert (verdict.pending, key_of(verdict.reason)) == (True, "judge-key-missing")
    assert endpoint.seen == []


def test_text_around_the_object_and_a_second_object_do_no_harm(endpoint: Endpoint) -> None:
    endpoint.script = [f'Well: {GOOD} or {{"behaviour": ["C_RESPOND"]}}']
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"


def test_raw_replies_are_kept_but_shortened(endpoint: Endpoint) -> None:
    endpoint.script = ["x" * 5000]
    assert [len(raw) for raw in judge(endpoint).judge([exchange()])[0].raw] == [400] * 5


def test_an_empty_list_of_labels_is_unjudged_and_says_so(endpoint: Endpoint) -> None:
    endpoint.script = ['{"behaviour": []}']
    verdict = judge(endpoint).judge([exchange()])[0]
    assert not verdict.judged
    assert "empty list" in worded(verdict.reason)


def test_too_many_requests_are_waited_for_by_the_library(endpoint: Endpoint) -> None:
    endpoint.script = [(429, {"Retry-After": "0.05"}, b"{}"), GOOD]
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"
    assert len(endpoint.seen) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_stays_broken_leaves_the_item_pending(
    endpoint: Endpoint, status: int
) -> None:
    endpoint.script = [(status, {"Retry-After": "0.01"}, b'{"error": {"message": "busy"}}')]
    verdict = judge(endpoint, max_retries=0).judge([exchange()])[0]
    assert (verdict.judged, verdict.pending) == (False, True)
    assert f"(HTTP {status}: busy)" in worded(verdict.reason)
    assert len(endpoint.seen) == (1 if status == 429 else 3)


def test_a_closed_port_leaves_the_item_pending() -> None:
    nobody = Endpoint(url="http://127.0.0.1:9/v1")
    verdict = judge(nobody, max_retries=0).judge([exchange()])[0]
    assert verdict.pending
    assert "cannot be reached" in worded(verdict.reason)


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_refused_response_format_is_stepped_down_once_and_remembered(
    endpoint: Endpoint, status: int
) -> None:
    endpoint.refuse = {"json_schema": status, "json_object": status}
    chat = judge(endpoint, max_retries=0, concurrency=1)
    assert [one.label for one in chat.judge([exchange("a"), exchange("b")])] == ["C_RESUME"] * 2
    chat.judge([exchange("c")])
    kinds = [body.get("response_format", {}).get("type", "text") for body in endpoint.seen]
    assert kinds == ["json_schema", "json_object", "text", "text", "text"]


def test_verdicts_come_in_the_order_of_the_exchanges(endpoint: Endpoint) -> None:
    labels = ["C_RESPOND", "C_RESUME", "C_UNCERTAIN_HANDLING", "C_UNKNOWN"] * 5

    def slow_first(body: dict[str, Any]) -> str:
        number = int(json.loads(json.loads(body["messages"][1]["content"])["input_clean"])["text"])
        threading.Event().wait(0.02 * (5 - number % 5))
        return json.dumps({"behaviour": [labels[number]]})

    endpoint.script = [slow_first]
    exchanges = [exchange(str(number)) for number in range(20)]
    parallel = judge(endpoint, concurrency=8).judge(exchanges)
    serial = judge(endpoint, concurrency=1).judge(exchanges)
    assert [one.label for one in parallel] == [one.label for one in serial] == labels


def test_no_exchange_needs_no_call(endpoint: Endpoint) -> None:
    assert judge(endpoint).judge([]) == []
    assert endpoint.seen == []


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_is_pending_and_is_never_shown(endpoint: Endpoint, status: int) -> None:
    endpoint.script = [refusal(status, f"bad key {KEY}", "error")]
    verdict = judge(endpoint).judge([exchange()])[0]
    assert verdict.pending
    assert KEY not in repr(verdict)
    assert f"(HTTP {status}: bad key [key])" in worded(verdict.reason)


def test_the_key_stands_in_no_text_of_the_judge(endpoint: Endpoint) -> None:
    endpoint.script = [f"your key is {KEY}"]
    chat = judge(endpoint)
    verdict = chat.judge([exchange()])[0]
    settings = chat.settings  # type: ignore[attr-defined] # of the chat judge only
    told = f"{chat!r} {chat.signature} {chat.prompt} {settings!r} {verdict!r}"
    assert KEY not in told
    assert "[key]" in verdict.raw[0]
    assert endpoint.keys == {f"Bearer {KEY}"}


def test_the_key_echoed_by_a_broken_server_is_blotted_out(endpoint: Endpoint) -> None:
    body = json.dumps({"error": {"message": f"internal trouble with {KEY}"}}).encode()
    endpoint.script = [(500, {}, body)]
    verdict = judge(endpoint, max_retries=0).judge([exchange()])[0]
    assert KEY not in repr(verdict)
    assert "[key]" in worded(verdict.reason)


def test_whatever_changes_a_label_changes_the_signature(endpoint: Endpoint) -> None:
    signatures = {
        judge(endpoint, **settings).signature
        for settings in (
            {}, {"model": "other"}, {"temperature": 0.0}, {"votes": 3}, {"tries": 3},
            {"prompt_file": "humdial-2"}, {"one_label": True}, {"formats": ("text",)},
        )
    }  # fmt: skip
    assert len(signatures) == 8
    assert judge(endpoint, pause=3.0, concurrency=2).signature in signatures


def test_the_strict_instruction_differs_by_one_paragraph(endpoint: Endpoint) -> None:
    judge(endpoint).judge([exchange()])
    judge(endpoint, mode="strict", votes=1).judge([exchange()])
    official, strict = (set(body["messages"][0]["content"].splitlines()) for body in endpoint.seen)
    assert official < strict
    assert len(strict - official) == 2
