"""Judging many exchanges: remembered one by one, stopped, paid for, and kept secret."""

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from scoring import pipeline
from scoring.errors import EngineError, Phrase
from scoring.evidence import Evidence, evidence_from_json, evidence_to_json
from scoring.judge import Usage, Verdict, Watch
from scoring.judge.chat_settings import ChatSettings, settings_for
from scoring.judge.usage import Tariff, estimated_tokens
from scoring.reasons import worded
from scoring.tools import Notebook, Tools
from tests import builders
from tests.scoring.chat_endpoint import (
    GOOD,
    KEY,
    Endpoint,
    exchange,
    judge,
    serving,
)

PRICED = {"price_in": "1", "price_out": "10"}
COUNTED = {"usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as state:
        yield state


def tools(endpoint, memory, **settings):
    mode = settings.get("mode", "official")
    return Tools(lambda files: [], "none", {}, {mode: judge(endpoint, **settings)}, memory)


def verdict_of(one: Evidence, mode: str = "official") -> Verdict:
    return one.verdicts[mode]


def dialogues(*starts: float):
    """Make one reference and one answer per number; different numbers differ in a word's time."""
    references = [builders.reference(name=f"{start}") for start in starts]
    return references, [builders.evidence("", starts=(start,)) for start in starts]


def asked(endpoint: Endpoint) -> Counter[str]:
    return Counter(body["messages"][1]["content"] for body in endpoint.seen)


class Killed(Exception):
    pass


@pytest.mark.parametrize("concurrency", [1, 4])
def test_what_was_judged_before_a_kill_is_not_asked_for_again(endpoint, concurrency):
    memory, came = Notebook(), []

    def die_after_three(position: int, evidence: Evidence) -> None:
        came.append(position)
        if len(came) == 3:
            raise Killed

    sides = dialogues(*range(5, 17))
    engines = tools(endpoint, memory, concurrency=concurrency)
    with pytest.raises(Killed):
        pipeline.judge(*sides, engines, on_evidence=die_after_three)
    first = asked(endpoint)
    assert 3 <= first.total() <= 3 + concurrency
    remembered = {pipeline.exchange(*pair).sha256 for pair in zip(*sides, strict=True)}
    remembered = set(memory.recall(engines.judges["official"].signature, list(remembered)))
    assert len(remembered) == 3
    judged = pipeline.judge(*sides, tools(endpoint, memory, concurrency=concurrency))
    assert [verdict_of(one).label for one in judged] == ["C_RESUME"] * 12
    again = {message: count for message, count in asked(endpoint).items() if count > 1}
    assert len(again) <= concurrency
    paid_twice = [
        pair
        for pair in zip(*sides, strict=True)
        if pipeline.exchange(*pair).sha256 in remembered
        and asked(endpoint)[pipeline.exchange(*pair).message()] > 1
    ]
    assert paid_twice == []


def test_each_label_is_remembered_before_the_next_is_taken(endpoint):
    memory, sizes = Notebook(), []
    sides = dialogues(5, 6, 7)
    engines = tools(endpoint, memory)
    keys = [pipeline.exchange(*pair).sha256 for pair in zip(*sides, strict=True)]

    def look(position: int, evidence: Evidence) -> None:
        sizes.append(len(memory.recall(engines.judges["official"].signature, keys)))

    pipeline.judge(*sides, engines, on_evidence=look)
    assert sizes == [1, 2, 3]


def test_a_slow_taker_lets_no_more_calls_be_made_than_are_under_way(endpoint):
    ahead = []

    def take_long(position, evidence):
        threading.Event().wait(0.05)
        ahead.append(len(endpoint.seen) - len(ahead))

    pipeline.judge(
        *dialogues(*range(5, 17)), tools(endpoint, Notebook(), concurrency=2), on_evidence=take_long
    )
    assert len(ahead) == 12
    assert max(ahead) <= 2


def test_evidence_stays_in_its_place_whatever_comes_first(endpoint):
    def later_first(body: dict[str, Any]) -> str:
        start = json.loads(json.loads(body["messages"][1]["content"])["output_noisy"])
        second = int(start["chunks"][0]["timestamp"][0])
        threading.Event().wait(0.02 * (15 - second))
        return json.dumps({"behaviour": ["C_RESPOND" if second % 2 else "C_RESUME"]})

    endpoint.script = [later_first]
    order = []
    judged = pipeline.judge(
        *dialogues(*range(5, 13)),
        tools(endpoint, Notebook()),
        on_evidence=lambda position, evidence: order.append(position),
    )
    assert [verdict_of(one).label for one in judged] == ["C_RESPOND", "C_RESUME"] * 4
    assert sorted(order) == list(range(8))
    assert order != list(range(8))


def test_an_unjudged_exchange_is_asked_for_again_another_time(endpoint):
    memory = Notebook()
    endpoint.script = ["no label", GOOD]
    quick = {"tries": 1, "concurrency": 1}
    first = pipeline.judge(*dialogues(5, 6), tools(endpoint, memory, **quick))
    assert [verdict_of(one).label for one in first] == [None, "C_RESUME"]
    assert verdict_of(first[0]).raw == ("no label",)
    second = pipeline.judge(*dialogues(5, 6), tools(endpoint, memory, **quick))
    assert [verdict_of(one).label for one in second] == ["C_RESUME"] * 2
    assert len(endpoint.seen) == 3


def test_whoever_no_longer_wants_it_stops_the_asking_and_keeps_what_came(
    endpoint,
):
    memory, came = Notebook(), []
    watch = Watch(goes_on=lambda: len(came) < 4)
    judged = pipeline.judge(
        *dialogues(*range(5, 17)),
        tools(endpoint, memory, concurrency=2),
        on_evidence=lambda position, evidence: came.append(position),
        watch=watch,
    )
    assert 4 <= len(came) <= 6
    assert len(endpoint.seen) <= len(came) + 2
    given = [position for position, one in enumerate(judged) if one.verdicts]
    assert given == sorted(came)


def test_a_caller_that_waits_for_a_slow_reply_is_asked_meanwhile(endpoint):
    released = threading.Event()
    endpoint.script = [lambda body: GOOD if released.wait(20) else ""]
    looks = iter([True, True, False])
    judged = pipeline.judge(
        *dialogues(5), tools(endpoint, Notebook()), watch=Watch(goes_on=lambda: next(looks))
    )
    released.set()
    assert judged[0].verdicts == {}


def test_retry_after_is_waited_for(endpoint):
    times = []

    def note(body):
        times.append(time.monotonic())
        return GOOD if len(times) > 1 else (429, {"Retry-After": "1.2"}, b"{}")

    endpoint.script = [note]
    assert judge(endpoint).judge([exchange()])[0].label == "C_RESUME"
    assert times[1] - times[0] >= 1.2  # the library's own first wait is at most half a second


def test_a_format_that_was_taken_once_is_not_given_up_for_a_broken_reply(
    endpoint,
):
    endpoint.script = [GOOD, (500, {}, b"{}"), GOOD]
    chat = judge(endpoint, max_retries=0, concurrency=1)
    labels = [one.label for one in chat.judge([exchange("a"), exchange("b"), exchange("c")])]
    assert labels == ["C_RESUME", None, "C_RESUME"]
    assert {body["response_format"]["type"] for body in endpoint.seen} == {"json_schema"}


def test_replies_that_trickle_in_for_ever_are_given_up(endpoint, monkeypatch):
    monkeypatch.setattr(ChatSettings, "patience", 0.3)
    released = threading.Event()

    def blank_lines() -> Iterator[bytes]:
        while not released.wait(0.02):
            yield b"\n"

    endpoint.script = [(200, {}, blank_lines())]
    verdict = judge(endpoint, timeout=20.0).judge([exchange()])[0]
    released.set()
    assert verdict.pending
    assert "(No answer within 0.3 s.)" in worded(verdict.reason)


def test_tokens_are_counted_from_the_replies_of_every_call(endpoint):
    endpoint.extra = COUNTED
    endpoint.script = ["no label", GOOD]
    verdict = judge(endpoint).judge([exchange()])[0]
    assert verdict.usage == Usage(calls=2, tokens_in=2000, tokens_out=40)


def test_strict_mode_pays_for_three_votes(endpoint):
    endpoint.extra = COUNTED
    verdict = judge(endpoint, mode="strict").judge([exchange()])[0]
    assert verdict.usage == Usage(3, 3000, 60)
    assert (verdict.agreement, worded(verdict.reason)) == (
        1.0,
        "judge answered C_RESUME (3 of 3 votes).",
    )


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": {"prompt_tokens": "many"}}])
def test_an_endpoint_that_counts_no_tokens_is_counted_by_characters(endpoint, usage):
    endpoint.extra = usage
    chat = judge(endpoint)
    verdict = chat.judge([exchange()])[0]
    expected = chat.estimate([exchange()])
    assert verdict.calls == expected.calls == 1
    assert verdict.tokens_in == pytest.approx(expected.tokens_in, abs=2)
    assert verdict.tokens_out == estimated_tokens(GOOD) == 9


def test_a_refused_call_costs_nothing(endpoint):
    endpoint.script = [(429, {"Retry-After": "0.01"}, b"{}")]
    assert judge(endpoint, max_retries=1).judge([exchange()])[0].usage == Usage()


def test_tokens_are_estimated_from_characters():
    assert estimated_tokens("") == 0
    assert estimated_tokens("ten letter") == 3
    assert estimated_tokens("十个字十个字十个字十") == 6


def test_an_estimate_counts_instruction_message_and_every_vote(endpoint):
    one = judge(endpoint).estimate([exchange()])
    assert judge(endpoint).estimate([exchange()] * 5) == one.times(5)
    assert judge(endpoint, votes=3).estimate([exchange()]) == one.times(3)
    head = estimated_tokens(judge(endpoint)._instruction)
    assert one == (1, head + estimated_tokens(exchange().message()), 16)
    assert endpoint.seen == []


def test_the_estimate_leaves_out_what_is_remembered(endpoint):
    engines = tools(endpoint, Notebook())
    assert pipeline.estimate(*dialogues(5, 6, 7), engines).calls == 3
    pipeline.judge(*dialogues(5), engines)
    assert pipeline.estimate(*dialogues(5, 6, 7), engines).calls == 2


def test_a_remembered_verdict_and_an_equal_exchange_cost_nothing(endpoint):
    endpoint.extra, memory = COUNTED, Notebook()
    first = pipeline.judge(*dialogues(5, 5), tools(endpoint, memory))
    second = pipeline.judge(*dialogues(5), tools(endpoint, memory))
    assert [verdict_of(one).calls for one in (*first, *second)] == [1, 0, 0]
    assert {verdict_of(one).label for one in (*first, *second)} == {"C_RESUME"}
    assert len(endpoint.seen) == 1


def test_money_is_tokens_times_prices():
    tariff = Tariff(Decimal("0.28"), Decimal("0.42"))
    assert tariff.cost(Usage(1, 1_000_000, 500_000)) == Decimal("0.49")
    assert Tariff().cost(Usage(1, 10, 10)) is None


# A call costs 0.0012 here.
def test_judging_stops_at_the_budget_and_says_so(endpoint):
    endpoint.extra, memory = COUNTED, Notebook()
    settings = {**PRICED, "budget": "0.0036", "concurrency": 1}
    judged = pipeline.judge(*dialogues(*range(5, 11)), tools(endpoint, memory, **settings))
    assert [verdict_of(one).label for one in judged] == ["C_RESUME"] * 3 + [None] * 3
    assert len(endpoint.seen) == 3
    last = verdict_of(judged[-1])
    assert (last.pending, last.raw, last.usage) == (True, (), Usage())
    assert last.reason == Phrase("judge-budget", {"budget": "0.0036"})
    richer = {**settings, "budget": "1"}
    judged = pipeline.judge(*dialogues(*range(5, 11)), tools(endpoint, memory, **richer))
    assert [verdict_of(one).label for one in judged] == ["C_RESUME"] * 6
    assert len(endpoint.seen) == 6


def test_the_budget_is_exceeded_by_the_calls_under_way_at_most(endpoint):
    endpoint.extra = COUNTED
    chat = judge(endpoint, **PRICED, budget="0.0036", concurrency=4)
    verdicts = chat.judge([exchange(str(number)) for number in range(30)])
    assert 3 <= len(endpoint.seen) <= 3 + 4
    assert sum(one.judged for one in verdicts) == len(endpoint.seen)
    assert sum(one.calls for one in verdicts) == len(endpoint.seen)


def test_what_the_run_used_elsewhere_counts_for_its_budget(endpoint):
    chat = judge(endpoint, **PRICED, budget="1")
    watch = Watch(used=lambda: Usage(800, 900_000, 10_000))
    verdicts = dict(chat.arriving([exchange("a"), exchange("b")], watch=watch))
    assert [verdicts[position].judged for position in (0, 1)] == [False, False]
    assert endpoint.seen == []


def test_what_is_used_elsewhere_meanwhile_counts_too(endpoint):
    chat, came = judge(endpoint, **PRICED, budget="1", concurrency=1), []
    watch = Watch(used=lambda: Usage(1, 1_000_000 * (len(came) >= 2), 0))
    for position, verdict in chat.arriving([exchange(str(n)) for n in range(6)], watch=watch):
        came.append((position, verdict.judged))
    assert [judged for _, judged in came[:2]] == [True, True]
    assert 2 <= len(endpoint.seen) <= 3  # one may be under way
    assert not came[-1][1]


def test_an_unusable_reply_is_not_retried_beyond_the_budget(endpoint):
    endpoint.extra, endpoint.script = COUNTED, ["no label"]
    verdict = judge(endpoint, **PRICED, budget="0.0024").judge([exchange()])[0]
    assert (len(endpoint.seen), verdict.calls, verdict.raw) == (2, 2, ("no label",) * 2)
    assert (verdict.pending, verdict.reason) == (True, Phrase("judge-budget", {"budget": "0.0024"}))


@pytest.mark.parametrize(
    "settings",
    [
        {"budget": "5"},
        {"price_in": "1"},
        {"price_in": "1", "price_out": "cheap"},
        {"price_in": "-1", "price_out": "1"},
        {"price_in": "1", "price_out": "NaN"},
        {"timeout": 0.0, "max_retries": 0},
        {"tariff": Tariff()},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(EngineError):
        settings_for(base_url="http://localhost/v1", model="judge", **settings)


def test_money_and_speed_change_no_signature(endpoint):
    rich = judge(endpoint, **PRICED, budget="5", timeout=3.0, concurrency=200)
    assert rich.signature == judge(endpoint).signature


def test_verdicts_written_before_tokens_were_counted_are_still_read():
    new = builders.evidence()
    data = evidence_to_json(new)
    assert evidence_from_json(data) == new
    for verdict in data["verdicts"].values():
        for name in (*Usage._fields, "notes", "left_out", "pending"):
            del verdict[name]
    assert evidence_from_json(data) == new


def test_the_key_stands_in_no_log_and_no_result(endpoint, caplog):
    caplog.set_level(logging.DEBUG)
    endpoint.script = [f"is it {KEY}?", GOOD]
    judged = pipeline.judge(*dialogues(5), tools(endpoint, Notebook(), **PRICED))
    records = [f"{one.getMessage()} {one.__dict__}" for one in caplog.records]
    assert records
    assert [one for one in records if KEY in one] == []
    assert KEY not in json.dumps(evidence_to_json(judged[0]))
