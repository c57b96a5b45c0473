"""The site asks a chat judge: written one by one, stopped by a withdrawal, bounded by a budget."""

import json
from itertools import count, cycle

import pytest

from scoring.reasons import in_words
from submissions.models import ItemResult, Remembered, Submission
from submissions.services import judging, score
from submissions.services.correct import correct
from submissions.services.rescore import rescore
from submissions.services.standing import withdraw
from submissions.services.submit import submit
from submissions.services.waiting import ask_again
from submissions.states import State
from tests.leaderboard.reader import text_of, url
from tests.scoring.chat_endpoint import GOOD, KEY
from tests.submissions.judging import PRICED, go_through, waiting
from tests.submissions.test_scoring_a_submission import zip_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def after_each(monkeypatch):
    """Do something whenever a verdict has been taken."""

    def choose(act):
        def take(desk, position, evidence):
            plain(desk, position, evidence)
            act()

        monkeypatch.setattr(judging._Desk, "take", take)

    plain = judging._Desk.take
    return choose


def remembered():
    return Remembered.objects.filter(engine__startswith="chat").count()


def judged(run):
    rows = ItemResult.objects.filter(run=run).order_by("item__position")
    return [one for row in rows for one in row.evidence["verdicts"].values()]


def test_all_items_of_a_run_go_to_the_judge_in_one_chunk(run, endpoint):
    todo = waiting(run)
    assert todo > 10
    score.work(run)
    assert (waiting(run), len(endpoint.seen)) == (0, todo)


def test_the_chunk_of_the_judge_is_a_setting_of_its_own(run, endpoint, settings):
    settings.JUDGE_CHUNK, todo = 3, waiting(run)
    score.work(run)
    assert (waiting(run), len(endpoint.seen)) == (todo - 3, 3)


class Died(Exception):
    pass


def test_a_worker_that_dies_loses_no_answer_that_it_had_taken(run, endpoint, after_each):
    todo, taken = waiting(run), count(1)

    def die_after_five():
        if next(taken) == 5:
            raise Died

    after_each(die_after_five)
    with pytest.raises(Died):
        score.work(run)
    assert (waiting(run), remembered()) == (todo - 5, 5)
    go_through(run)
    assert run.finished
    messages = [body["messages"][1]["content"] for body in endpoint.seen]
    assert len(set(messages)) == todo
    assert len(messages) <= todo + 1  # one call was under way


def test_a_withdrawn_entry_stops_asking_and_keeps_what_came(
    run, endpoint, monkeypatch, after_each, alice
):
    monkeypatch.setattr(judging, "EVERY", 0.0)
    todo, taken = waiting(run), count(1)

    def withdraw_at_the_third():
        if next(taken) == 3:
            withdraw(Submission.objects.get(pk=run.submission_id), who=alice)

    after_each(withdraw_at_the_third)
    score.work(run)
    assert len(endpoint.seen) <= 5
    assert 3 <= todo - waiting(run) == remembered() <= 5
    run.submission.refresh_from_db()
    assert score.work(run) is False
    assert not run.items.filter(claimed__isnull=False).exists()


def test_a_run_shows_what_its_judging_cost(run, endpoint, chat):
    chat(**PRICED)
    todo = waiting(run)
    usage = go_through(run).results["usage"]
    assert {**usage, "estimate": None} == {
        "calls": todo, "tokens_in": 1000 * todo, "tokens_out": 20 * todo,
        "cost": f"{0.0012 * todo:.4f}", "estimate": None, "budget": None,
    }  # fmt: skip
    assert usage["estimate"]["calls"] == todo
    assert usage["estimate"]["tokens_out"] == 16 * todo
    assert float(usage["estimate"]["cost"]) > 0


@pytest.mark.parametrize("prices", [PRICED])
def test_the_estimate_is_on_the_run_before_the_first_call(run, endpoint):
    todo = waiting(run)
    assert endpoint.seen == []
    run.refresh_from_db()
    assert run.estimate["calls"] == todo
    assert run.estimate["tokens_out"] == 16 * todo
    assert run.estimate["tokens_in"] > 100 * todo
    cost = (run.estimate["tokens_in"] + 160 * todo) / 1_000_000
    assert float(run.estimate["cost"]) == pytest.approx(cost, abs=0.0001)


@pytest.mark.parametrize("prices", [PRICED])
def test_what_judging_has_cost_can_be_told_meanwhile(run, settings):
    settings.JUDGE_CHUNK = 3
    score.work(run)
    run.refresh_from_db()
    assert judging.used_so_far(run) == {
        "calls": 3, "tokens_in": 3000, "tokens_out": 60, "cost": "0.0036"
    }  # fmt: skip


def test_the_results_of_an_item_are_in_its_row_with_its_last_word(run):
    pending = run.items.filter(judged=None)
    assert set(pending.values_list("official", "strict")) == {(None, None)}
    done = run.items.filter(judged__isnull=False)
    assert done.exists()
    score.work(run)
    assert all(row.official["item"] == row.strict["item"] == row.item.name for row in done)
    before = list(done.values_list("official", "strict"))
    go_through(run)
    assert list(run.items.values_list("official", "strict")) == before


def test_without_prices_the_cost_is_unknown_and_not_zero(run):
    usage = go_through(run).results["usage"]
    assert usage["cost"] is None
    assert usage["estimate"]["cost"] is None


def test_an_answer_that_was_remembered_costs_the_next_run_nothing(run, endpoint):
    calls = go_through(run).results["usage"]["calls"]
    submission = Submission.objects.get(pk=run.submission_id)
    submission.state = State.QUEUED
    submission.save()
    again = score.start(submission)
    assert again != run
    assert go_through(again).results["usage"]["calls"] == 0
    assert again.results["usage"]["estimate"]["calls"] == 0
    assert again.results["official"] == run.results["official"]
    assert len(endpoint.seen) == calls


TWO_OF_THREE = [GOOD, GOOD.replace("C_RESUME", "C_RESPOND"), GOOD]


@pytest.mark.parametrize("modes", [("strict", False)])
@pytest.mark.parametrize("prices", [{"model": "judge-alias"}])
def test_a_corrected_item_keeps_three_votes_and_is_not_asked_again(
    run, endpoint, olga, client, split
):
    turns = cycle(TWO_OF_THREE)
    endpoint.script = [lambda _body: next(turns)]
    usage = go_through(run).results["usage"]
    asked = len(endpoint.seen)
    assert usage["calls"] == asked == 3 * len(judged(run))
    submission = Submission.objects.get(pk=run.submission_id)
    item = run.items.filter(item__scenario="follow_up").first().item
    correct(submission, item, label="C_RESPOND", reason="It answers.", by=olga)
    rescore(submission, who=olga)
    again = go_through(score.start(Submission.objects.get(pk=submission.pk)))
    assert (len(endpoint.seen), again.results["usage"]["calls"]) == (asked, 0)
    row = again.items.get(item=item)
    assert row.strict["label"] == "C_RESPOND"
    verdict = row.evidence["verdicts"]["strict"]
    assert verdict["labels"] == ["C_RESUME"]
    assert len(verdict["votes"]) == len(verdict["raw"]) == 3
    client.force_login(olga)
    text = text_of(client.get(url("item", split.slug, item.slug, sys=submission.pk)))
    for part in (
        "Judge: RESUME corrected to RESPOND",
        "Asked judge-alias",
        "Answered as judge-2026",
        "Instruction humdial-2",
        "Agreement of the votes 2 of 3 (67 %)",
        "3 raw replies",
        "RESPOND · olga ,",
        "It answers.",
    ):
        assert part in text, part
    votes = text.partition("Votes ")[2].partition(" Agreement")[0].split(" · ")
    assert sorted(votes) == ["RESPOND", "RESUME", "RESUME"]


def test_a_run_whose_budget_is_used_up_waits_for_a_larger_one(run, endpoint, chat, settings):
    chat(**PRICED, budget="0.0048")
    settings.JUDGE_CHUNK, todo = 3, waiting(run)
    go_through(run)
    assert (run.finished, run.waiting["trouble"]) == (
        None, {"key": "judge-budget", "values": {"budget": "0.0048"}}
    )  # fmt: skip
    # The second chunk knows what the first has spent.
    assert (len(endpoint.seen), waiting(run)) == (4, todo - 4)
    assert judging.used_so_far(run)["calls"] == 4
    chat(**PRICED, budget="1")
    ask_again(run.submission, who=None)
    go_through(score.start(Submission.objects.get(pk=run.submission_id)))
    run.refresh_from_db()
    assert (bool(run.finished), run.waiting, len(endpoint.seen)) == (True, None, todo)
    usage = run.results["usage"]
    assert (usage["calls"], usage["estimate"]["calls"], usage["budget"]) == (todo, todo, "1.0000")
    assert all(one["labels"] for one in judged(run))


@pytest.mark.parametrize("prices", [{"tries": 1}])
def test_a_reply_that_cannot_be_used_is_kept_with_its_reason(run, endpoint):
    endpoint.script = ["I cannot say.", GOOD]
    go_through(run)
    verdicts = [one for one in judged(run) if not one["labels"]]
    assert [one["raw"] for one in verdicts] == [["I cannot say."]]
    assert in_words(verdicts[0]["reason"]).startswith("Unjudged after 1 call(s)")
    assert run.results["official"]["totals"]["unjudged"] == 1


def test_every_verdict_that_was_paid_for_is_in_its_row_before_the_next_is_taken(run, after_each):
    todo, left = waiting(run), []
    after_each(lambda: left.append(waiting(run)))
    score.work(run)
    assert left == list(range(todo - 1, -1, -1))


def test_a_long_judging_shows_life_and_keeps_its_claims_young(run, monkeypatch, after_each):
    monkeypatch.setattr(judging, "EVERY", 0.0)
    seen = []

    def look():
        claimed = run.items.filter(claimed__isnull=False).earliest("claimed").claimed
        seen.append((claimed, Submission.objects.get(pk=run.submission_id).sign_of_life))

    after_each(look)
    score.work(run)
    claims, signs = map(set, zip(*seen, strict=True))
    assert len(claims) == len(signs) == len(seen) > 10


def test_the_offline_judge_costs_nothing(split, team, alice, mini, eager):
    upload = zip_of(mini, "prompt")
    made = submit(split=split, team=team, system_name="prompt", user=alice, upload=upload)
    usage = Submission.objects.get(pk=made.pk).current_run.results["usage"]
    nothing = {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": None}
    assert usage == {**nothing, "estimate": nothing, "budget": None}


def test_the_key_stands_nowhere_in_the_database(run, endpoint):
    endpoint.script = [f"your key is {KEY}", (500, {}, f"trouble with {KEY}".encode()), GOOD]
    go_through(run)
    stored = [
        list(model.objects.filter().values())
        for model in (ItemResult, Remembered, Submission, type(run))
    ]
    assert KEY not in json.dumps(stored, default=str)
    assert "[key]" in json.dumps(stored, default=str)
