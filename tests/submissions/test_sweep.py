"""Whatever lost its worker is taken up again, in any state."""

import os
import socket
import subprocess
import sys
from datetime import timedelta

import psutil
import pytest
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from leaderboard.boards import latest
from leaderboard.models import Snapshot
from submissions.models import ItemResult, Run, Split, Submission
from submissions.services import score
from submissions.services.claims import claim, release_dead, worker_name
from submissions.services.rescore import rescore
from submissions.services.standing import disqualify, mark, withdraw
from submissions.services.submit import submit
from submissions.services.sweep import sweep
from submissions.states import State
from tests.submissions.test_scoring_a_submission import totals, zip_of

pytestmark = pytest.mark.django_db(transaction=True)
NO_PATIENCE = timedelta(0)


@pytest.fixture
def unsent(monkeypatch):
    """Lose every task, as a broker does that dies before delivery."""
    from submissions import queue

    sent = []
    monkeypatch.setattr(queue, "send", lambda task, key: sent.append(task))
    return sent


def received(split, team, alice, mini, system="prompt"):
    return submit(
        split=split, team=team, system_name=system, user=alice, upload=zip_of(mini, system)
    )


def dead_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lost_check_is_sent_again(split, team, alice, mini, unsent, eager):
    received(split, team, alice, mini)
    assert sweep() == 0  # it may still be waiting in the queue
    assert sweep(patience=NO_PATIENCE) == 1
    assert unsent == ["check", "check"]


@pytest.mark.parametrize("steps", [0, 1, 4, 9])
def test_a_run_goes_on_where_its_worker_died(split, team, alice, mini, eager, monkeypatch, steps):
    from submissions import queue

    with monkeypatch.context() as patch:
        patch.setattr(queue, "send", lambda task, key: None)
        # One chunk of four items a step.
        patch.setattr(score, "TURN", 0)
        patch.setattr(settings, "JUDGE_CHUNK", 4)
        patch.setattr(settings, "SCORING_CHUNK", 4)
        submission = received(split, team, alice, mini)
        run = score.start(score_ready(submission))
        for _ in range(steps):
            assert score.work(run)
        held = claim(run, Q(judged=None), 3)
        names = ItemResult.objects.filter(pk__in=[row.pk for row in held])
        names.update(claimed_by=f"{socket.gethostname()}:{dead_pid()}:1700000000")
    assert sweep(patience=NO_PATIENCE) == 1
    submission.refresh_from_db()
    assert submission.state == State.SCORED
    assert totals(submission)["interruption"] == "100.0"
    assert submission.runs.count() == 1


def score_ready(submission):
    from submissions.services.check import check

    return check(submission)


def test_the_claims_of_a_living_worker_are_respected(split, team, alice, mini, unsent):
    submission = score_ready(received(split, team, alice, mini))
    score.start(submission)
    run = submission.runs.get()
    mine = claim(run, Q(heard=None), 5)
    others = claim(run, Q(heard=None), 100)
    assert len(mine) == 5
    assert not {row.pk for row in mine} & {row.pk for row in others}
    assert release_dead() == []
    assert {row.claimed_by for row in run.items.all()} == {worker_name()}
    assert f":{os.getpid()}:" in worker_name()


def test_a_killed_worker_that_nobody_reaped_is_dead(split, team, alice, mini, unsent):
    submission = score_ready(received(split, team, alice, mini))
    score.start(submission)
    run = submission.runs.get()
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = int(psutil.Process(process.pid).create_time())
    held = claim(run, Q(heard=None), 5)
    names = ItemResult.objects.filter(pk__in=[row.pk for row in held])
    names.update(claimed_by=f"{socket.gethostname()}:{process.pid}:{started}")
    assert release_dead() == []
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, but not reaped
    assert release_dead() == [run.pk]
    process.wait()


def test_a_claim_without_a_sign_of_life_is_taken_over(split, team, alice, mini, unsent, settings):
    submission = score_ready(received(split, team, alice, mini))
    score.start(submission)
    run = submission.runs.get()
    claim(run, Q(heard=None), 100)
    old = timezone.now() - timedelta(seconds=settings.CLAIM_LEASE + 1)
    run.items.update(claimed=old, claimed_by="another-machine:1")
    assert len(claim(run, Q(heard=None), 100)) == 20


@pytest.fixture
def scored(split, team, alice, mini, eager):
    submission = received(split, team, alice, mini)
    submission.refresh_from_db()
    return submission


def test_rescoring_makes_a_new_run_and_the_same_engines_change_no_number(scored, olga):
    before = totals(scored)
    rescore(scored, who=olga)
    scored.refresh_from_db()
    assert scored.state == State.SCORED
    assert scored.runs.count() == 2
    assert totals(scored) == before


def test_rescoring_with_other_engines_makes_a_second_run(scored, olga, planned_tools, monkeypatch):
    monkeypatch.setattr(type(planned_tools.transcribers["cn"]), "engine", "planned-2")
    rescore(scored, who=olga)
    scored.refresh_from_db()
    assert scored.state == State.SCORED
    assert scored.runs.filter(finished__isnull=False).count() == 2
    signatures = set(scored.runs.values_list("signature", flat=True))
    assert any("planned-1" in one for one in signatures)
    assert any("planned-2" in one for one in signatures)


def test_a_disqualified_entry_leaves_the_board_with_a_cause(scored, split, olga):
    disqualify(scored, who=olga, why="The outputs were made by hand.")
    board = latest(split)
    assert board.rows == []
    assert board.cause == "prompt disqualified: The outputs were made by hand."
    scored.refresh_from_db()
    assert scored.reason == "The outputs were made by hand."


def test_a_withdrawn_entry_leaves_the_board(scored, split, alice):
    withdraw(scored, who=alice)
    assert latest(split).rows == []
    assert split.snapshots.count() == 2


def test_a_late_entry_keeps_its_place_but_no_rank(scored, split, olga):
    assert latest(split).rows[0]["rank"] == 1
    mark(scored, Submission.Kind.LATE, who=olga)
    row = latest(split).rows[0]
    assert (row["rank"], row["kind"]) == (None, "late")
    assert row["total"]


def test_nothing_is_published_before_the_reveal(split, team, alice, mini, eager):
    split.publication = Split.Publication.REVEAL
    split.reveal = timezone.now() + timedelta(hours=1)
    split.save()
    submission = received(split, team, alice, mini)
    submission.refresh_from_db()
    assert (submission.state, submission.published) == (State.SCORED, None)
    assert latest(split) is None
    Split.objects.update(reveal=timezone.now() - timedelta(seconds=1))
    sweep()
    submission.refresh_from_db()
    assert submission.published is not None
    assert latest(split).rows[0]["system"] == "prompt"


def test_an_entry_is_published_with_its_board_or_not_at_all(
    split, team, alice, mini, unsent, monkeypatch
):
    submission = score_ready(received(split, team, alice, mini))
    run = score.start(submission)
    with monkeypatch.context() as patch:
        patch.setattr(Snapshot.objects, "create", died)
        with pytest.raises(KeyboardInterrupt):
            work_on(run)
    submission.refresh_from_db()
    assert (submission.state, submission.published) == (State.SCORING, None)
    work_on(run)
    submission.refresh_from_db()
    assert (submission.state, latest(split).rows[0]["system"]) == (State.SCORED, "prompt")


def work_on(run):
    while score.work(Run.objects.select_related("submission__split").get(pk=run.pk)):
        pass


def died(**fields):
    raise KeyboardInterrupt
