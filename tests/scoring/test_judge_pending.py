"""Trouble of the judge's endpoint, and verdicts by mode: nothing is lost or paid twice."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from scoring import pipeline
from scoring.evidence import MODES, evidence_from_json, evidence_to_json
from scoring.judge import Usage, load_by_mode
from scoring.pipeline import begun_name
from scoring.tools import Notebook, Tools
from tests import builders
from tests.scoring.chat_endpoint import GOOD, OTHER, TROUBLE, Endpoint, judge, serving
from tests.scoring.test_judge_chat_running import (
    COUNTED,
    PRICED,
    dialogues,
    tools,
    verdict_of,
)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as state:
        yield state


def keys_of(sides: Any) -> list[str]:
    pairs = (pipeline.exchange(*pair) for pair in zip(*sides, strict=True))
    return [one.sha256 for one in pairs if one]


def instruction(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


@pytest.mark.parametrize("name", TROUBLE)
@pytest.mark.parametrize("mode", MODES)
def test_decision_26a_after_trouble_the_rest_is_asked_and_nothing_is_paid_twice(
    endpoint, name, mode
):
    memory, quick = Notebook(), {"mode": mode, "concurrency": 1, "max_retries": 0}
    sides = dialogues(*range(5, 15))
    endpoint.script = [*[lambda _body: GOOD] * 4, TROUBLE[name][0]]
    first = pipeline.judge(*sides, tools(endpoint, memory, **quick), modes=[mode])
    assert any(verdict_of(one, mode).pending for one in first)
    endpoint.script = [GOOD]
    second = pipeline.judge(*sides, tools(endpoint, memory, **quick), modes=[mode])
    assert {verdict_of(one, mode).label for one in second} == {"C_RESUME"}
    assert endpoint.paid == 10 * (1 if mode == "official" else 3)
    assert memory.recall(begun_name(judge(endpoint, **quick)), keys_of(sides)) == {}


def test_a_run_that_goes_on_pays_for_what_it_had_begun(endpoint):
    memory, quick = Notebook(), {"mode": "strict", "concurrency": 1, "max_retries": 0}
    endpoint.extra, endpoint.script = COUNTED, [GOOD, GOOD, TROUBLE["402"][0]]
    begun = pipeline.judge(*dialogues(5), tools(endpoint, memory, **quick))
    assert verdict_of(begun[0], "strict").usage == Usage(2, 2000, 40)
    endpoint.script = [GOOD]
    references, _ = dialogues(5)
    same = pipeline.judge(references, begun, tools(endpoint, memory, **quick))
    assert verdict_of(same[0], "strict").usage == Usage(3, 3000, 60)


def test_an_unjudged_exchange_is_asked_afresh_though_it_was_begun(endpoint):
    memory, quick = Notebook(), {"mode": "strict", "concurrency": 1, "tries": 1}
    endpoint.script = ["no label", "no label", TROUBLE["402"][0]]
    pipeline.judge(*dialogues(5), tools(endpoint, memory, **quick))
    endpoint.script = ["no label"]
    unjudged = pipeline.judge(*dialogues(5), tools(endpoint, memory, **quick))
    assert (verdict_of(unjudged[0], "strict").pending, endpoint.paid) == (False, 3)
    endpoint.script = [GOOD]
    again = pipeline.judge(*dialogues(5), tools(endpoint, memory, **quick))
    assert (verdict_of(again[0], "strict").label, endpoint.paid) == ("C_RESUME", 6)


def test_each_mode_is_asked_by_its_own_judge_and_keeps_its_own_verdicts(endpoint):
    memory = Notebook()
    endpoint.script = [lambda body: OTHER if "PLAIN CONTINUATION" in instruction(body) else GOOD]
    judges = {mode: judge(endpoint, mode=mode) for mode in MODES}
    engines = Tools(lambda files: [], "none", {}, judges, memory)
    (both,) = pipeline.judge(*dialogues(5), engines)
    assert {mode: one.label for mode, one in both.verdicts.items()} == {
        "official": "C_RESUME", "strict": "C_RESPOND"
    }  # fmt: skip
    assert [("temperature" in body) for body in endpoint.seen] == [False] + [True] * 3
    (again,) = pipeline.judge(*dialogues(5), engines)
    assert (len(endpoint.seen), verdict_of(again, "strict").label) == (4, "C_RESPOND")


def test_a_mode_that_is_not_asked_has_no_verdict(endpoint):
    judges = {mode: judge(endpoint, mode=mode) for mode in MODES}
    engines = Tools(lambda files: [], "none", {}, judges, Notebook())
    (one,) = pipeline.judge(*dialogues(5), engines, modes=["official"])
    assert (set(one.verdicts), len(endpoint.seen)) == ({"official"}, 1)


def test_a_judge_that_does_not_differ_by_mode_serves_both():
    engines = Tools(lambda files: [], "none", {}, load_by_mode("offline", MODES), Notebook())
    (one,) = pipeline.judge(*dialogues(5), engines)
    assert one.verdicts["official"] == one.verdicts["strict"]


def test_the_budget_counts_both_modes_together(endpoint):
    endpoint.extra = COUNTED
    settings = {**PRICED, "budget": "0.0036", "concurrency": 1}
    judges = {mode: judge(endpoint, mode=mode, **settings) for mode in MODES}
    engines = Tools(lambda files: [], "none", {}, judges, Notebook())
    judged = pipeline.judge(*dialogues(5, 6), engines)
    assert endpoint.paid == 3  # two for the first mode, one for the second
    pending = [one.verdicts["strict"].pending for one in judged]
    assert pending == [True, True]


def test_one_verdict_of_an_older_release_is_that_of_the_mode_that_was_asked():
    new = evidence_to_json(builders.evidence())
    del new["verdicts"]
    for prompt, modes in (
        ("humdial-1+abc", {"official"}), ("humdial-2+abc", {"strict"}), ("rules", {*MODES})
    ):  # fmt: skip
        old = asdict(builders.verdict("C_RESUME")) | {"prompt": prompt}
        read = evidence_from_json({**new, "verdict": old})
        assert set(read.verdicts) == modes
        assert {one.label for one in read.verdicts.values()} == {"C_RESUME"}
    assert evidence_from_json({**new, "verdict": None}).verdicts == {}
