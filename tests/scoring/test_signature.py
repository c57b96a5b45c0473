"""The signature of each mode has the judge of that mode, and what came back of it."""

import pytest

from scoring.evidence import MODES
from scoring.humdial import BENCHMARK
from scoring.judge import Verdict, load_by_mode
from scoring.manifest import Item, Manifest
from scoring.reasons import NO_JUDGE, NOT_ASKED, PENDING
from scoring.signature import Signature, both, differences, returned, uncorrected
from scoring.tools import Tools

MANIFEST = Manifest((Item("0001_0001", "en", "follow_up", ""),))
CHAT = {"base_url": "http://judge.test/v1", "model": "m"}


def tools(name="chat"):
    judges = {} if name == "none" else load_by_mode(name, MODES, **(CHAT if name == "chat" else {}))
    return Tools(lambda files: [], "vad", {}, judges)


def signature(mode, name="chat", **options):
    return tools(name).signature(BENCHMARK, MANIFEST, mode, **options)


def test_decision_28_each_mode_names_its_own_judge_and_instruction():
    official, strict = (signature(mode) for mode in MODES)
    assert "prompt=humdial-1" in official.judge
    assert "prompt=humdial-2" in strict.judge
    assert "votes=3" in strict.judge
    assert official.prompt != strict.prompt


@pytest.mark.parametrize("name", ["chat", "offline", "none"])
def test_the_line_of_a_run_of_both_modes_gives_back_the_line_of_each(name):
    line = str(signature("both", name))
    read = Signature.parse(line)
    assert str(read) == line
    for mode in MODES:
        assert read.of(mode) == signature(mode, name)
    assert ("judge_strict" in line) == (name == "chat")


@pytest.mark.parametrize("ranking", MODES)
@pytest.mark.parametrize("name", ["chat", "offline"])
def test_a_mode_that_is_not_asked_says_so_and_the_other_is_as_usual(ranking, name):
    other = next(mode for mode in MODES if mode != ranking)
    read = Signature.parse(str(signature("both", name, asked=[ranking])))
    assert read.of(ranking) == signature(ranking, name)
    assert (read.of(other).judge, read.of(other).prompt) == ("not-asked", "none")
    assert [read.asks(ranking), read.asks(other)] == [True, False]
    assert [read.absence(ranking), read.absence(other)] == [PENDING, NOT_ASKED]


def test_without_a_judge_no_mode_is_asked():
    read = Signature.parse(str(signature("both", "none")))
    assert [read.asks(mode) for mode in MODES] == [False, False]
    assert [read.absence(mode) for mode in MODES] == [NO_JUDGE] * 2


def test_decision_27_what_came_back_stands_behind_what_was_asked_for():
    plain = Verdict(("C_RESUME",), "", (), "alias", "alias", "p")
    assert returned([plain]) == returned([]) == ""
    moved = Verdict(("C_RESUME",), "", (), "alias", "model-2026", "p", left_out=("temperature",))
    assert returned([plain, moved]) == "alias,model-2026 without=temperature"
    official, strict = (signature(mode) for mode in MODES)
    made = both(official.answered(returned([moved])), strict)
    assert made.of("official").judge.endswith("=>model-2026 without=temperature")
    assert made.of("strict") == strict
    assert differences(official, made.of("official"))[0].startswith("The judge differs: ")


def test_corrections_stay_at_the_end_of_the_line():
    line = f"{signature('both')}|corrections:1:abc"
    read = Signature.parse(line)
    assert str(read) == line
    assert read.of("strict").corrections == "1:abc"
    assert uncorrected(line) == str(signature("both"))
