"""The chat judge against a real local server that speaks the OpenAI protocol, and misbehaves."""

import json
import threading
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.errors import EngineError
from tests.scoring.chat_endpoint import GOOD, KEY, Endpoint, exchange, judge, serving


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
    assert "majority" in verdict.reason


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


UNUSABLE = {
    "empty": "",
    "null": None,
    "line feeds": "\n\n",
    "cut": '{"behaviour": ["C_RES',
    "american": '{"behavior": ["C_RESUME"]}',
    "no choices": (200, {}, b'{"object": "chat.completion", "choices": []}'),
    "choices null": (200, {}, b'{"object": "chat.completion", "choices": null}'),
    "cut body": (200, {}, b'{"object": "chat.completion", "choi'),
    "a web page": (200, {"Content-Type": "text/html"}, b"<html>welcome</html>"),
    "a bare list": (200, {}, b"[1, 2]"),
    "a bare null": (200, {}, b"null"),
}


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_reply_is_asked_for_again_and_then_left_unjudged(
    endpoint: Endpoint, reply: Any
) -> None:
    endpoint.script = [reply]
    verdict = judge(endpoint).judge([exchange()])[0]
    assert (verdict.judged, verdict.label, len(verdict.raw)) == (False, None, 5)
    assert verdict.reason.startswith("Unjudged after 5 call(s)")


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_good_reply_after_an_unusable_one_counts(endpoint: Endpoint, reply: Any) -> None:
    endpoint.script = [reply, GOOD]
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"


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
    assert "empty list" in verdict.reason


def test_too_many_requests_are_waited_for_by_the_library(endpoint: Endpoint) -> None:
    endpoint.script = [(429, {"Retry-After": "0.05"}, b"{}"), GOOD]
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"
    assert len(endpoint.seen) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_stays_broken_leaves_the_item_unjudged(
    endpoint: Endpoint, status: int
) -> None:
    endpoint.script = [(status, {"Retry-After": "0.01"}, b'{"error": {"message": "busy"}}')]
    verdict = judge(endpoint, max_retries=0).judge([exchange()])[0]
    assert not verdict.judged
    assert f"HTTP {status}" in verdict.reason
    assert len(endpoint.seen) == (1 if status == 429 else 3)


def test_a_closed_port_leaves_the_item_unjudged() -> None:
    nobody = Endpoint(url="http://127.0.0.1:9/v1")
    verdict = judge(nobody, max_retries=0).judge([exchange()])[0]
    assert not verdict.judged
    assert "cannot be reached" in verdict.reason


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
def test_a_refused_key_stops_the_run_and_is_never_shown(endpoint: Endpoint, status: int) -> None:
    body = json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()
    endpoint.script = [(status, {}, body)]
    with pytest.raises(EngineError) as caught:
        judge(endpoint).judge([exchange()])
    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told
    assert f"HTTP {status}" in str(caught.value)
    assert caught.value.__cause__ is None


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
    assert "[key]" in verdict.reason


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
