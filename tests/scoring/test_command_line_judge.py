"""The chat judge at home: settings, costs told before and after, and labels that outlive a kill."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager

import pytest

from scoring.__main__ import main
from scoring.judge import chat_settings
from tests.scoring.chat_endpoint import GOOD, KEY, ODD, TROUBLE, UNUSABLE, serving

# Items of the demonstration that a judge is asked about.
JUDGED = 16


@pytest.fixture
def endpoint(monkeypatch):
    """A chat model, named in the environment as it would be for the site."""
    for name in [name for name in os.environ if name.startswith("JUDGE_")]:
        monkeypatch.delenv(name)
    with serving() as state:
        monkeypatch.setenv("JUDGE_BASE_URL", state.url)
        monkeypatch.setenv("JUDGE_MODEL", "judge")
        monkeypatch.setenv("JUDGE_API_KEY", KEY)
        yield state


def scoring(mini, *more):
    """The arguments that score one system of the demonstration."""
    folder = mini / "submissions" / "prompt"
    command = [
        "score", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", folder / "HD-Track2.zip", "--transcripts", folder / "transcripts", *more,
    ]  # fmt: skip
    return list(map(str, command))


@pytest.fixture(scope="module")
def heard(mini, tmp_path_factory):
    """A cache in which everything is heard and nothing is judged."""
    cache = tmp_path_factory.mktemp("heard")
    assert main(scoring(mini, "--quiet", "--judge", "none", "--cache", cache)) == 0
    return cache


@pytest.fixture
def command(mini, heard, tmp_path, endpoint):
    """The arguments that score it with the chat judge, with a cache of its own."""
    shutil.copytree(heard, tmp_path / "cache")
    out = ["--json", tmp_path / "report.json", "--cache", tmp_path / "cache"]
    return scoring(mini, "--judge", "chat", *out)


@pytest.fixture
def fresh_cache(heard, tmp_path):
    """Another cache in which everything is heard and nothing is judged."""
    return str(shutil.copytree(heard, tmp_path / "fresh"))


def report(tmp_path):
    return json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))


def messages(endpoint):
    """How often each message was asked about."""
    return Counter(body["messages"][-1]["content"] for body in endpoint.seen)


def priced(monkeypatch, **more):
    for name, value in {"PRICE_IN": "2", "PRICE_OUT": "10", **more}.items():
        monkeypatch.setenv(f"JUDGE_{name}", value)


def test_the_costs_are_told_before_and_counted_after(
    command, endpoint, monkeypatch, tmp_path, capsys
):
    priced(monkeypatch)
    endpoint.extra = {"usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1}}
    assert main(command) == 0
    before, after = capsys.readouterr().err.splitlines()
    usage = report(tmp_path)["usage"]
    expected = usage.pop("estimate")
    assert usage == {"calls": 16, "tokens_in": 16_000, "tokens_out": 160, "cost": "0.0336"}
    assert (expected["calls"], expected["tokens_out"]) == (JUDGED, 16 * JUDGED)
    assert before.startswith("Judging will take about 16 call(s), about ")
    assert f"{expected['tokens_in']:,} tokens sent" in before
    assert after == (
        "Judging took 16 call(s), 16,000 tokens sent and 160 received, 0.034; "
        "16 label(s) came of it."
    )


def test_without_prices_no_cost_is_told_which_is_not_zero(command, tmp_path, capsys):
    assert main(command) == 0
    usage = report(tmp_path)["usage"]
    assert (usage["calls"], usage["cost"], usage["estimate"]["cost"]) == (JUDGED, None, None)
    assert "received; 16 label(s)" in capsys.readouterr().err


def test_the_offline_judge_costs_nothing_and_says_nothing(command, tmp_path, capsys):
    assert main([*command, "--judge", "offline"]) == 0
    assert capsys.readouterr().err == ""
    nothing = {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": None}
    assert report(tmp_path)["usage"] == {**nothing, "estimate": nothing}


def test_a_second_run_asks_nothing_again_and_gives_the_same(command, endpoint, tmp_path, capsys):
    assert main(command) == 0
    first, asked = report(tmp_path), len(endpoint.seen)
    capsys.readouterr()
    assert main(command) == 0
    second = report(tmp_path)
    assert (asked, len(endpoint.seen)) == (JUDGED, JUDGED)
    assert capsys.readouterr().err == ""
    assert second.pop("usage")["calls"] == second.pop("estimate", 0) == 0
    del first["usage"]
    assert second == first


def test_nothing_is_remembered_without_a_cache(command, endpoint):
    command = [*command[:-2], "--no-cache"]
    assert [main(command), main(command)] == [0, 0]
    assert set(messages(endpoint).values()) == {2}


@contextmanager
def running(command):
    process = subprocess.Popen(
        [sys.executable, "-m", "scoring", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_after_a_kill_no_label_that_was_paid_is_paid_again(
    command, endpoint, monkeypatch, tmp_path
):
    monkeypatch.setenv("JUDGE_CONCURRENCY", "1")
    sixth, dead = threading.Event(), threading.Event()

    def hold(body):
        sixth.set()
        assert dead.wait(60)
        return GOOD

    endpoint.script = [GOOD] * 5 + [hold, GOOD]
    with running(command) as process:
        assert sixth.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
    dead.set()
    before = messages(endpoint)
    assert before.total() == 6
    assert not (tmp_path / "report.json").exists()
    assert main(command) == 0
    counts = messages(endpoint)
    in_hand = [message for message, count in counts.items() if count > 1]
    assert len(counts) == JUDGED
    assert counts.total() == JUDGED + 1  # only the one that never got its answer
    assert in_hand == [endpoint.seen[5]["messages"][-1]["content"]]
    assert report(tmp_path)["usage"]["calls"] == JUDGED - 5
    assert report(tmp_path)["totals"]["unjudged"] == 0


@pytest.mark.parametrize("by", ["option", "variable"])
def test_at_the_budget_judging_pauses_and_a_larger_one_goes_on(
    command, endpoint, monkeypatch, tmp_path, capsys, by
):
    priced(monkeypatch, CONCURRENCY="1", BUDGET="0.01" if by == "variable" else "9")
    endpoint.extra = {"usage": {"prompt_tokens": 1000, "completion_tokens": 0, "total_tokens": 1}}
    small = [*command, *(["--budget", "0.01"] if by == "option" else [])]
    assert main(small) == 2
    items = report(tmp_path)["items"]
    assert [one["unjudged_key"] for one in items if "unjudged_key" in one] == (
        ["judge-budget"] * (JUDGED - 5)
    )
    said = capsys.readouterr().err
    assert "The budget is 0.01." in said
    assert said.splitlines()[-1].startswith(
        "judge-budget: The budget of 0.01 for judging one run is used up: raise it"
    )
    assert main([*command, "--budget", "5"]) == 0
    assert report(tmp_path)["totals"]["unjudged"] == 0
    assert set(messages(endpoint).values()) == {1}


def test_the_key_may_lie_in_a_file_and_appears_nowhere(
    command, endpoint, monkeypatch, tmp_path, capsys
):
    (tmp_path / "key").write_text(f"{KEY}\n", encoding="utf-8")
    monkeypatch.delenv("JUDGE_API_KEY")
    monkeypatch.setenv("JUDGE_API_KEY_FILE", str(tmp_path / "key"))
    assert main(command) == 0
    assert endpoint.keys == {f"Bearer {KEY}"}
    said = capsys.readouterr()
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "key"]
    assert {"report.json", "remembered-1.sqlite3"} <= {path.name for path in files}
    assert KEY not in said.out + said.err
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("API_KEY", "", "judge-key-missing: The chat judge needs a key."),
        ("API_KEY_FILE", "/nowhere/key", "judge-key-missing: /nowhere/key: The file that"),
        ("CONCURRENCY", "many", "judge-setting-wrong: JUDGE_CONCURRENCY is 'many'."),
        ("TIMEOUT", "1 min", "judge-setting-wrong: JUDGE_TIMEOUT is '1 min'."),
        ("TIMEOUT", "nan", "engine-unavailable: The judge needs time to answer."),
        ("TIMEOUT", "inf", "engine-unavailable: The judge needs time to answer."),
        ("CONCURRENCY", "0", "engine-unavailable: Votes, tries, concurrency"),
        ("PRICE_IN", "cheap", "engine-unavailable: 'cheap' is no amount of money."),
        ("BUDGET", "5", "engine-unavailable: A price or budget of the judge stands alone."),
    ],
)
def test_a_setting_that_cannot_be_used_is_told_before_the_work(
    command, endpoint, monkeypatch, capsys, name, value, told
):
    monkeypatch.setenv(f"JUDGE_{name}", value)
    assert main(command) == 2
    assert capsys.readouterr().err.startswith(told)
    assert endpoint.seen == []


@pytest.mark.parametrize(("mode", "votes"), [("official", 1), ("strict", 3)])
def test_decision_28_the_judge_asks_as_the_mode_of_the_scoring_asks(
    command, endpoint, monkeypatch, tmp_path, mode, votes
):
    # The variable of older releases decides nothing any more.
    monkeypatch.setenv("JUDGE_MODE", "official" if mode == "strict" else "strict")
    assert main([*command, "--mode", mode]) == 0
    made = report(tmp_path)
    assert f"votes={votes} " in made["signature"]
    # Decision 27: what came back stands beside what was asked for.
    assert "=>judge-2026|prompt:" in made["signature"]
    assert made["usage"]["calls"] == endpoint.paid == votes * JUDGED


TOTALS = ("interruption", "rejection", "delay", "rankable")


@pytest.mark.parametrize("name", TROUBLE)
@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_26a_trouble_ends_with_2_and_one_sentence_and_goes_on_later(
    command, fresh_cache, endpoint, monkeypatch, tmp_path, capsys, mode, name
):
    monkeypatch.setenv("JUDGE_CONCURRENCY", "1")
    monkeypatch.setitem(chat_settings.MODES[mode], "pause", 0.001)
    votes = 3 if mode == "strict" else 1
    reply, key = TROUBLE[name]
    endpoint.script = [*[lambda _body: GOOD] * 3, reply]
    command = [*command, "--mode", mode, "--quiet"]
    assert main(command) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{key}: ")
    assert len(told.err.splitlines()) == 1
    waiting = [one for one in report(tmp_path)["items"] if one["unjudged"]]
    assert {one.get("unjudged_key") for one in waiting} == {key}
    assert {(one["label"], one["success"]) for one in waiting} == {(None, None)}
    assert len(waiting) == JUDGED - 3 // votes
    totals = report(tmp_path)["totals"]
    assert totals["absent"] == {"key": "items-pending", "values": {"n": str(len(waiting))}}
    assert [totals[one] for one in TOTALS[:2]] == [None, None]
    assert not totals["rankable"]
    endpoint.script = [GOOD]
    assert main(command) == 0
    made, paid = report(tmp_path), endpoint.paid
    assert paid == votes * JUDGED
    assert main([*command, "--cache", fresh_cache]) == 0
    undisturbed = report(tmp_path)
    del made["usage"], undisturbed["usage"]
    assert made == undisturbed


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_25_what_the_judge_says_unreadably_is_unjudged_and_no_failure(
    command, endpoint, tmp_path, mode
):
    endpoint.script = [*[lambda _body: GOOD] * 3, UNUSABLE["wide quotes"]]
    assert main([*command, "--mode", mode, "--quiet"]) == 0
    made = report(tmp_path)
    unjudged = [one for one in made["items"] if one["unjudged"]]
    assert len(unjudged) >= JUDGED - 3
    assert {(one["label"], one["success"], one["counted"]) for one in unjudged} == {
        (None, None, False)
    }
    strict = mode == "strict"
    assert (made["totals"].get("absent", {}).get("key") == "items-unjudged") == strict
    if strict:
        assert [made["totals"][one] for one in TOTALS] == [None, None, None, False]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_26b_an_odd_reply_changes_no_number(
    command, fresh_cache, endpoint, tmp_path, mode, name
):
    command = [*command, "--mode", mode, "--quiet"]
    endpoint.script = [ODD[name]]
    assert main(command) == 0
    odd = report(tmp_path)
    endpoint.script = [GOOD]
    assert main([*command, "--cache", fresh_cache]) == 0
    plain = report(tmp_path)
    left_out = " without=temperature" if (name, mode) == ("temperature", "strict") else ""
    assert odd["signature"] == plain["signature"].replace("|prompt:", f"{left_out}|prompt:")
    assert [odd["items"], odd["totals"]] == [plain["items"], plain["totals"]]


def test_an_interrupt_tells_what_was_paid(command, endpoint, monkeypatch, capsys):
    monkeypatch.setenv("JUDGE_CONCURRENCY", "1")

    def interrupt(body):
        signal.raise_signal(signal.SIGINT)
        return GOOD

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    endpoint.script = [GOOD] * 3 + [interrupt, GOOD]
    try:
        assert main(command) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("Stopped. Judging took 3 call(s), ")
    assert last.endswith("3 label(s) came of it.")


def test_a_cache_that_nobody_asked_for_is_no_reason_to_stop(command, monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert main([*command[:-2], "--judge", "offline"]) == 0
    assert "Nothing is remembered for another run." in capsys.readouterr().err
    assert main([*command[:-1], str(tmp_path / "file" / "cache"), "--judge", "offline"]) == 2
    assert capsys.readouterr().err.startswith("cache-unusable: ")
