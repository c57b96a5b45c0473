"""A judge in trouble is never the team's failure: the run waits, says why, and goes on."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from leaderboard.snapshots import latest
from scoring.reasons import in_words
from submissions import queue
from submissions.models import ItemResult, Remembered, Submission
from submissions.services import judging, score, waiting
from submissions.services.refused import Refused
from submissions.services.sweep import sweep
from submissions.services.waiting import ask_again
from submissions.states import State
from tests.leaderboard.reader import text_of, url
from tests.scoring.chat_endpoint import GOOD, KEY, ODD, OTHER, TROUBLE, UNUSABLE
from tests.submissions.judging import PRICED, go_through
from tests.submissions.judging import waiting as still_to_judge

pytestmark = pytest.mark.django_db(transaction=True)

BOTH = ("official", True)
SETTINGS = [("official", False), ("strict", False), BOTH]
# Items of the demonstration that a judge is asked about, and calls for each in a mode.
JUDGED = 16
CALLS = {"official": 1, "strict": 3}
# So many calls are answered well before the trouble; it is in the middle of a strict item.
GOOD_FIRST = 4


def of(run):
    return Submission.objects.get(pk=run.submission_id)


def troubled(endpoint, name):
    endpoint.script = [*[lambda _body: GOOD] * GOOD_FIRST, TROUBLE[name][0]]


def look_again(run):
    """The organiser's click, and the worker that takes it up."""
    ask_again(of(run), who=None)
    go_through(score.start(of(run)))
    run.refresh_from_db()
    return run


def calls_of(modes):
    ranking, both = modes
    return JUDGED * (sum(CALLS.values()) if both else CALLS[ranking])


@pytest.mark.parametrize("name", TROUBLE)
@pytest.mark.parametrize("modes", SETTINGS)
def test_decision_26a_the_run_waits_says_why_and_goes_on_without_paying_twice(
    run, endpoint, name, modes
):
    troubled(endpoint, name)
    go_through(run)
    submission = of(run)
    assert (run.finished, submission.state, submission.published) == (None, State.SCORING, None)
    assert latest(submission.split) is None
    assert run.waiting["trouble"]["key"] == TROUBLE[name][1]
    assert in_words(run.waiting["trouble"])[-1] in ".)"
    paid = judging.used_so_far(run)["calls"]
    assert paid >= endpoint.paid == GOOD_FIRST
    # What is not judged has no outcome, and what is stored of it is no failure.
    assert set(run.items.filter(judged=None).values_list("official", "strict")) == {(None, None)}
    assert not ItemResult.objects.filter(official__success=False, judged=None).exists()

    endpoint.script = [GOOD]
    look_again(run)
    assert (bool(run.finished), run.waiting, of(run).state) == (True, None, State.SCORED)
    assert endpoint.paid == calls_of(modes)
    assert run.results["usage"]["calls"] == paid - GOOD_FIRST + calls_of(modes)
    assert all(run.results[mode]["totals"]["unjudged"] == 0 for mode in run.asked)
    assert not Remembered.objects.filter(engine__endswith=" begun").exists()


@pytest.mark.parametrize("modes", [BOTH])
def test_the_numbers_after_trouble_are_those_of_an_undisturbed_run(
    run, endpoint, split, team, monkeypatch
):
    troubled(endpoint, "503")
    go_through(run)
    endpoint.script = [GOOD]
    disturbed = look_again(run)
    Remembered.objects.filter(engine__startswith="chat").delete()
    submission = of(run)
    submission.state = State.QUEUED
    submission.save()
    plain = go_through(score.start(submission))
    assert plain.pk != run.pk
    for mode in ("official", "strict"):
        assert plain.results[mode] == disturbed.results[mode]
    assert plain.full_signature == disturbed.full_signature
    assert endpoint.paid == 2 * calls_of(BOTH)


def test_while_it_waits_nobody_asks_and_the_distance_between_looks_grows(run, endpoint):
    troubled(endpoint, "402")
    go_through(run)
    asked, distances = len(endpoint.seen), []
    assert score.work(run) is False
    for _look in range(8):
        due = timezone.datetime.fromisoformat(run.waiting["next"])
        distances.append((due - timezone.now()).total_seconds())
        assert len(endpoint.seen) == asked
        asked += 1
        look_again(run)
    minutes = [round(one / 60) for one in distances]
    assert minutes == [1, 2, 4, 8, 16, 32, 60, 60]
    assert len(endpoint.seen) == asked
    assert run.waiting["looks"] == 9


def test_the_sweep_takes_it_up_when_it_is_due_and_not_before(run, endpoint, monkeypatch):
    sent = []
    monkeypatch.setattr(queue, "send", lambda task, key: sent.append(task))
    troubled(endpoint, "quota")
    go_through(run)
    assert sweep(patience=timedelta(0)) == 0
    past = (timezone.now() - timedelta(seconds=1)).isoformat()
    run.waiting["next"] = past
    run.save(update_fields=["waiting"])
    assert sweep(patience=timedelta(0)) == 1
    assert sent == ["start"]
    endpoint.script = [GOOD]
    go_through(run)
    assert (bool(run.finished), endpoint.paid) == (True, JUDGED)


def test_a_look_that_brought_a_label_begins_the_distances_anew(run, endpoint):
    troubled(endpoint, "402")
    go_through(run)
    look_again(run)
    assert run.waiting["looks"] == 2
    endpoint.script = [lambda _body: GOOD, TROUBLE["402"][0]]
    look_again(run)
    assert (run.waiting["looks"], still_to_judge(run)) == (1, JUDGED - GOOD_FIRST - 1)


def test_only_what_waits_can_be_asked_again(run, endpoint, olga):
    with pytest.raises(Refused):
        ask_again(of(run), who=olga)
    go_through(run)
    with pytest.raises(Refused):
        ask_again(of(run), who=olga)


def test_who_asks_again_stands_in_the_log_with_the_role(run, endpoint, olga):
    troubled(endpoint, "402")
    go_through(run)
    ask_again(of(run), who=olga)
    event = of(run).events.last()
    assert (event.who, event.role, event.why) == (olga, "organiser", "The judge is asked again.")


@pytest.mark.parametrize("modes", SETTINGS)
def test_decision_25_what_the_judge_says_unreadably_is_unjudged_and_no_failure(
    run, endpoint, modes
):
    endpoint.script = [*[lambda _body: GOOD] * GOOD_FIRST, UNUSABLE["wide quotes"]]
    go_through(run)
    assert (bool(run.finished), run.waiting) == (True, None)
    for mode in run.asked:
        rows = [getattr(row, mode) for row in run.items.all() if getattr(row, mode)["unjudged"]]
        assert rows
        assert {(one["counted"], one["success"]) for one in rows} == {(False, None)}
    if "strict" in run.asked:
        totals = run.results["strict"]["totals"]
        assert totals["absent"]["key"] == "items-unjudged"
        assert [totals[one] for one in ("interruption", "rejection", "delay")] == [None] * 3
        assert not totals["rankable"]


@pytest.mark.parametrize("modes", [("strict", False)])
def test_decision_25_a_person_gives_the_label_that_the_judge_could_not(run, endpoint, olga):
    from submissions.services.correct import correct
    from submissions.services.rescore import rescore

    def unreadable(body):
        return "no label" if body["messages"][1]["content"] == first else GOOD

    row = run.items.filter(judged=None).order_by("item__position").first()
    first = _message(row)
    endpoint.script = [unreadable]
    go_through(run)
    assert run.results["strict"]["totals"]["rankable"] is False
    correct(of(run), row.item, label="C_RESPOND", reason="It answers.", by=olga)
    rescore(of(run), who=olga)
    again = go_through(score.start(of(run)))
    totals = again.results["strict"]["totals"]
    assert (totals["unjudged"], totals.get("absent")) == (0, None)
    assert totals["interruption"] is not None


def _message(row):
    from scoring import pipeline
    from scoring.evidence import evidence_from_json

    return pipeline.exchange(row.item.reference, evidence_from_json(row.evidence)).message()


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("modes", [BOTH])
def test_decision_26b_odd_replies_are_read_and_can_be_stored(run, endpoint, name):
    endpoint.script = [ODD[name]]
    go_through(run)
    assert run.finished
    assert endpoint.paid == calls_of(BOTH)
    for mode in ("official", "strict"):
        assert run.results[mode]["totals"]["unjudged"] == 0
    stored = json.dumps(list(run.items.values_list("evidence", flat=True)), ensure_ascii=False)
    assert "\\u0000" not in stored.replace("\\\\u0000", "")
    stored.encode("utf-8")
    left_out = " without=temperature" if name == "temperature" else ""
    assert run.signature_of("strict").count(left_out or "strict") >= 1
    assert "without=" not in run.signature_of("official")


# Each mode its own verdicts


@pytest.mark.parametrize("modes", [BOTH])
def test_decision_28_each_mode_has_the_labels_of_its_own_judge(run, endpoint, client, olga):
    def strict_says_respond(body):
        return OTHER if "PLAIN CONTINUATION" in body["messages"][0]["content"] else GOOD

    endpoint.script = [strict_says_respond]
    go_through(run)
    assert run.asked == ("official", "strict")
    for row in run.items.filter(item__scenario="follow_up"):
        assert (row.official["label"], row.official["success"]) == ("C_RESUME", False)
        assert (row.strict["label"], row.strict["success"]) == ("C_RESPOND", True)
    signatures = {mode: run.signature_of(mode) for mode in ("official", "strict")}
    assert "votes=1" in signatures["official"]
    assert "temperature=0 votes=3" in signatures["strict"]
    assert all("=>judge-2026|" in one for one in signatures.values())
    # Decision 27: a board's rows differ by the judge of the mode that ranks, and by no other.
    (row,) = latest(run.submission.split).rows
    assert row["signature"] == signatures["official"]
    client.force_login(olga)
    item = run.items.filter(item__scenario="follow_up").first().item
    text = text_of(client.get(url("item", run.submission.split.slug, item.slug, sys=of(run).pk)))
    assert "Judge: RESUME official" in text
    assert "strict: RESPOND" in text
    assert "Agreement of the votes 3 of 3 (100 %)" in text


@pytest.mark.parametrize("modes", [("official", False), ("strict", False)])
def test_a_mode_that_was_not_asked_is_absent_with_that_reason(run, endpoint, modes, client, olga):
    go_through(run)
    ranking = modes[0]
    other = "strict" if ranking == "official" else "official"
    assert len(endpoint.seen) == calls_of(modes)
    asked, absent = run.results[ranking]["totals"], run.results[other]["totals"]
    assert (asked.get("absent"), asked["unjudged"]) == (None, 0)
    assert absent["absent"] == {"key": "mode-not-asked", "values": {}}
    assert [absent[one] for one in ("interruption", "rejection", "delay")] == [None] * 3
    assert all(one["stop"] for one in absent["languages"])
    rates = {one["scenario"]: one["rate"] for one in run.results[other]["scenarios"]}
    assert rates["follow_up"] is None
    assert rates["pause_handling"] is not None
    assert "|judge:not-asked|" in run.signature_of(other)
    row = run.items.filter(item__scenario="follow_up").first()
    assert getattr(row, other)["unjudged"] == {"key": "mode-not-asked", "values": {}}
    assert (getattr(row, other)["label"], getattr(row, other)["success"]) == (None, None)
    client.force_login(olga)
    why = "The judge was not asked in this mode, so it has no judged numbers."
    text = text_of(client.get(url("submission", of(run).pk)))
    assert f"{other}: {why}" in text
    item = text_of(client.get(url("item", of(run).split.slug, row.item.slug, sys=of(run).pk)))
    assert why in item
    for form in ("report.json", "items.csv", "items.json"):
        address = f"/en/submission/{of(run).pk}/{form}?mode={other}"
        assert client.get(address).getvalue()
    report = client.get(f"/en/submission/{of(run).pk}/report.json?mode={other}").getvalue()
    assert b'"unjudged_key": "mode-not-asked"' in report
    api = client.get(f"/api/v1/submissions/{of(run).pk}").json()["results"]
    assert api[other]["totals"]["absent"]["key"] == "mode-not-asked"
    assert api[other]["totals"]["reasons"][0] == why
    assert "|judge:not-asked|" in api[other]["signature"]


@pytest.mark.parametrize("modes", [BOTH])
def test_corrections_count_in_both_modes(run, endpoint, olga):
    from submissions.services.correct import correct
    from submissions.services.rescore import rescore

    go_through(run)
    item = run.items.filter(item__scenario="follow_up").first().item
    correct(of(run), item, label="C_RESPOND", reason="It answers.", by=olga)
    rescore(of(run), who=olga)
    again = go_through(score.start(of(run)))
    row = again.items.get(item=item)
    assert [row.official["label"], row.strict["label"]] == ["C_RESPOND"] * 2
    assert len(endpoint.seen) == calls_of(BOTH)


# Who is told what


def test_the_public_is_told_in_words_and_organisers_in_detail(
    run, endpoint, client, alice, olga, monkeypatch
):
    troubled(endpoint, "402")
    go_through(run)
    address, detail = url("submission", run.submission_id), "Insufficient Balance"
    client.force_login(alice)
    told = text_of(client.get(address))
    assert "Waiting for the judge. What is done stays done" in told
    assert detail not in told
    client.force_login(olga)
    told = text_of(client.get(address))
    assert "has no money: top it up. (HTTP 402:" in told
    assert detail in told
    client.logout()
    board = text_of(client.get("/en/"))
    assert detail not in board
    assert "waiting for the judge" in board


def test_the_api_says_that_it_waits_and_not_why(run, endpoint, client, alice):
    troubled(endpoint, "402")
    go_through(run)
    client.force_login(alice)
    answer = client.get(f"/api/v1/submissions/{run.submission_id}")
    assert answer.json()["progress"]["next"].startswith("Waiting for the judge.")
    assert b"Insufficient" not in answer.content


def test_one_click_of_an_organiser_asks_again_and_nobody_elses(
    run, endpoint, client, alice, olga, monkeypatch
):
    sent = []
    monkeypatch.setattr(queue, "send", lambda task, key: sent.append(task))
    troubled(endpoint, "402")
    go_through(run)
    address = url("ask-judge-again", run.submission_id)
    client.force_login(alice)
    assert client.post(address).status_code == 404
    assert sent == []
    client.force_login(olga)
    assert "asked again" in text_of(client.post(address, follow=True))
    assert sent == ["start"]
    endpoint.script = [GOOD]
    run.refresh_from_db()
    assert go_through(run).finished


@pytest.mark.parametrize("prices", [{"api_key": ""}])
def test_a_chat_judge_without_a_key_keeps_the_run_waiting(run, endpoint, chat):
    go_through(run)
    assert (run.finished, run.waiting["trouble"]["key"]) == (None, "judge-key-missing")
    assert endpoint.seen == []
    chat(api_key=KEY)
    assert look_again(run).finished


def test_another_judge_begins_anew_and_no_run_mixes_two(run, endpoint, chat):
    troubled(endpoint, "402")
    go_through(run)
    endpoint.script = [GOOD]
    chat(model="another")
    ask_again(of(run), who=None)
    run.refresh_from_db()
    assert score.work(run) is False
    other = go_through(score.start(of(run)))
    assert other.pk != run.pk
    assert (bool(other.finished), waiting.run_of(of(run))) == (True, None)
    assert "chat/another@" in other.signature_of("official")


@pytest.mark.parametrize("modes", [BOTH])
@pytest.mark.parametrize("prices", [{**PRICED, "budget": "0.024"}])
def test_the_budget_is_one_for_both_modes_and_what_was_begun_counts(run, endpoint, chat, settings):
    go_through(run)
    assert run.waiting["trouble"]["key"] == "judge-budget"
    assert endpoint.paid == 20  # 16 in the mode that ranks, then four votes
    look_again(run)
    assert endpoint.paid == 20
    chat(**PRICED, budget="1")
    assert look_again(run).finished
    assert endpoint.paid == run.results["usage"]["calls"] == calls_of(BOTH)
