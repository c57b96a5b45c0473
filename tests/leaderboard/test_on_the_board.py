"""What stands on a board is a chosen finished run, whatever anybody does with the entry besides."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from leaderboard.boards import latest
from leaderboard.snapshots import freeze
from submissions.models import Split, Submission
from submissions.services import publish as publishing
from submissions.services.announce import announce_reveal
from submissions.services.publish import PublishRefused, publish, publish_when_due, reveal
from submissions.services.refused import Refused
from submissions.services.rescore import RunRefused, fail, newest_run, put_on_board, rescore, settle
from submissions.services.standing import disqualify, mark, reinstate, withdraw
from submissions.services.sweep import sweep
from submissions.states import IllegalMove, State
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def lost(sent):
    """Tasks that are sent do not run here; ``sent`` has them."""


@pytest.fixture
def entered(split, submission):
    """A published entry with a perfect run, on a board."""
    stage.score(submission)
    stage.published_board(split)
    return submission


def score_again(submission, split, **changes):
    """Finish another scoring of an entry, in which no recording was found."""
    missing = {item.slug for item in split.items.all()}
    run = stage.score(submission, missing=missing, **changes)
    Submission.objects.filter(pk=submission.pk).update(state=State.SCORING)
    settle(run)
    submission.refresh_from_db()
    return run


def rows(split):
    return {row["system"]: row for row in latest(split).rows}


# Scoring again


@pytest.mark.parametrize("state", [State.QUEUED, State.SCORING])
def test_an_entry_that_is_scored_again_stays_on_a_board_frozen_meanwhile(
    split, entered, olga, state
):
    rescore(entered, who=olga)
    Submission.objects.filter(pk=entered.pk).update(state=state)
    freeze(split, "frozen by an organiser")
    assert rows(split)["Parrot"]["run"] == entered.board_run_id
    assert rows(split)["Parrot"]["interruption"] == "100.0"


def test_scores_stay_while_the_baseline_is_scored_again(split, entered, team, olga):
    split.l_min = split.l_base = None
    split.save()
    base = stage.make_submission(split, team, "Base", kind="baseline")
    # A baseline slower than the entry gives the board its scale.
    stage.score(base, speech=((7.0, 9.8), (14.0, 20.0)), starts=(7.0, 14.0))
    before = freeze(split, "new entry: Base")
    rescore(base, who=olga)
    after = freeze(split, "frozen by an organiser")
    totals = [[row["total"] for row in board.rows] for board in (before, after)]
    assert totals[0] == totals[1]
    assert all(totals[0])


def test_a_failing_rescoring_leaves_the_entry_where_it_was(split, entered, olga):
    rescore(entered, who=olga)
    fail(entered, why="Trouble on our side.", detail="org-42 at /var/models: quota")
    assert entered.state == State.SCORED
    freeze(split, "frozen by an organiser")
    assert rows(split)["Parrot"]["interruption"] == "100.0"
    assert entered.events.last().detail == "org-42 at /var/models: quota"


def test_a_first_scoring_that_fails_has_nothing_to_keep(split, submission):
    Submission.objects.filter(pk=submission.pk).update(state=State.SCORING)
    fail(submission, why="Trouble on our side.", detail="")
    assert submission.state == State.FAILED


def test_an_unrelated_board_publishes_no_new_run(split, entered, team):
    score_again(entered, split)
    other = stage.make_submission(split, team, "Echo")
    stage.score(other)
    freeze(split, "new entry: Echo")
    assert rows(split)["Parrot"]["run"] == entered.board_run_id
    assert rows(split)["Parrot"]["interruption"] == "100.0"


def test_another_run_is_put_on_the_board_by_an_act_that_the_cause_names(split, entered, olga):
    first = entered.board_run
    again = score_again(entered, split)
    put_on_board([newest_run(entered)], who=olga)
    assert latest(split).cause == "scored again: Parrot"
    assert rows(split)["Parrot"]["run"] == again.pk
    assert rows(split)["Parrot"]["interruption"] != "100.0"
    put_on_board([first], who=olga)  # and back, when it was a mistake
    assert rows(split)["Parrot"]["interruption"] == "100.0"


def test_several_runs_come_to_one_board(split, entered, team, olga):
    other = stage.make_submission(split, team, "Echo")
    stage.score(other)
    freeze(split, "new entry: Echo")
    before = split.snapshots.count()
    runs = [score_again(one, split) for one in (entered, other)]
    put_on_board(runs, who=olga)
    assert split.snapshots.count() == before + 1
    assert {row["run"] for row in latest(split).rows} == {run.pk for run in runs}


def test_a_run_that_cannot_stand_is_refused_and_nothing_changes(split, entered, olga):
    boards = split.snapshots.count()
    with pytest.raises(RunRefused) as refused:
        put_on_board([entered.board_run], who=olga)
    assert refused.value.code == "run-stands"
    unfinished = entered.runs.create(signature=stage.SIGNATURE)
    with pytest.raises(RunRefused) as refused:
        put_on_board([unfinished], who=olga)
    assert refused.value.code == "run-unfinished"
    again = score_again(entered, split)
    withdraw(entered, who=olga)
    with pytest.raises(RunRefused) as refused:
        put_on_board([again], who=olga)
    assert refused.value.code == "left-the-board"
    assert split.snapshots.count() == boards + 1  # the withdrawal's own


def test_before_it_is_published_the_newest_run_stands_by_itself(split, submission):
    stage.score(submission, publish=False)
    again = score_again(submission, split, publish=False)
    assert submission.board_run == again


def test_only_organisers_put_a_run_on_the_board(client, split, entered, alice, orla, charlie):
    again = score_again(entered, split)
    address = reverse("put-on-board", args=[entered.pk, again.pk])
    assert client.post(address).status_code == 302  # to the log-in
    for user in (alice, charlie):
        assert login(client, user).post(address).status_code == 404
    assert rows(split)["Parrot"]["run"] == entered.board_run_id
    login(client, orla).post(address)
    assert rows(split)["Parrot"]["run"] == again.pk


def test_the_baseline_beside_an_entry_is_the_one_of_the_board(client, split, entered, team):
    base = stage.make_submission(split, stage.make_team("Base"), "Base", kind="baseline")
    stage.score(base)
    freeze(split, "new entry: Base")
    before = text_of(client.get(url("submission", entered.pk)))
    score_again(base, split)
    cache.clear()
    assert text_of(client.get(url("submission", entered.pk))) == before


# Publishing


def test_a_withdrawal_in_the_last_second_is_not_published(split, submission, alice):
    run = stage.score(submission, publish=False)
    stale = Submission.objects.get(pk=submission.pk)
    withdraw(submission, who=alice)
    settle(run)
    publish_when_due(settle(run))
    with pytest.raises(PublishRefused) as refused:
        publish([stale], who=alice)
    assert refused.value.code == "left-the-board"
    assert Submission.objects.get().published is None
    assert latest(split) is None


def test_publishing_twice_makes_no_second_board(split, submission, olga):
    Split.objects.update(publication=Split.Publication.BY_HAND)
    stage.score(submission, publish=False)
    publish([submission], who=olga)
    with pytest.raises(PublishRefused) as refused:
        publish([submission], who=olga)
    assert refused.value.code == "already-published"
    assert split.snapshots.count() == 1
    assert submission.events.filter(why="Published.", role="organiser").count() == 1


def test_nobody_publishes_before_the_reveal_by_hand(split, submission, olga):
    Split.objects.update(publication="reveal", reveal=timezone.now() + timedelta(hours=1))
    stage.score(submission, publish=False)
    with pytest.raises(PublishRefused) as refused:
        publish([submission], who=olga)
    assert refused.value.code == "before-the-reveal"
    assert latest(split) is None


def test_entries_published_together_come_to_one_board_or_to_none(split, team, olga):
    Split.objects.update(publication=Split.Publication.BY_HAND)
    made = [stage.make_submission(split, team, name) for name in ("One", "Two")]
    stage.score(made[0], publish=False)
    with pytest.raises(PublishRefused) as refused:
        publish(made, who=olga)
    assert refused.value.code == "not-scored"
    assert latest(split) is None
    stage.score(made[1], publish=False)
    publish(made, who=olga)
    assert split.snapshots.count() == 1
    assert latest(split).cause == "new entry: One, Two"


@pytest.fixture
def waiting(split, django_user_model):
    """Three teams with an entry each, on a split whose reveal time has just come."""
    made = []
    for name in ("Ants", "Bees", "Crabs"):
        person = django_user_model.objects.create_user(name.lower(), f"{name}@example.org")
        submission = stage.make_submission(split, stage.make_team(name, person), name)
        stage.score(submission, publish=False)
        made.append(submission)
    Split.objects.update(publication="reveal", reveal=timezone.now() - timedelta(seconds=1))
    split.refresh_from_db()
    return made


def test_one_reveal_makes_one_board_and_one_mail_to_each(split, waiting, sent):
    sweep()
    sweep()
    assert [board.cause for board in split.snapshots.all()] == ["reveal"]
    assert set(rows(split)) == {"Ants", "Bees", "Crabs"}
    assert sent.count(("mail_reveal", split.pk)) == 1
    assert announce_reveal(split) == 3
    assert announce_reveal(split) == 0  # a task that runs twice
    assert sorted(one.to[0] for one in mail.outbox) == [
        "Ants@example.org", "Bees@example.org", "Crabs@example.org",
    ]  # fmt: skip
    assert {one.subject for one in mail.outbox} == {"The results of Demo are revealed"}


def test_a_reveal_shows_an_entry_that_is_just_scored_again_and_none_that_left(split, waiting, olga):
    ants, bees, _crabs = waiting
    rescore(ants, who=olga)
    withdraw(bees, who=olga)
    assert reveal(split) == 2
    assert set(rows(split)) == {"Ants", "Crabs"}


def test_nothing_is_revealed_early(split, waiting):
    Split.objects.update(reveal=timezone.now() + timedelta(hours=1))
    split.refresh_from_db()
    assert reveal(split) == 0
    assert publishing.to_reveal() == []


# Leaving the board


def test_reason_and_disqualification_are_one_step(client, split, entered, olga):
    with pytest.raises(Refused) as refused:
        disqualify(entered, who=olga, why="  ")
    assert refused.value.code == "reason-missing"
    assert rows(split)
    disqualify(entered, who=olga, why="Made by hand.")
    assert latest(split).rows == []
    text = text_of(client.get(url("submission", entered.pk)))
    assert "Disqualified since" in text
    assert "Made by hand." in text
    assert "blind" not in text


def test_a_disqualification_can_be_taken_back(client, split, entered, olga):
    run = entered.board_run_id
    disqualify(entered, who=olga, why="Made by hand.")
    with pytest.raises(IllegalMove):
        rescore(entered, who=olga)  # no way around
    reinstate(entered, who=olga)
    assert (entered.state, entered.reason) == (State.SCORED, "")
    assert latest(split).cause == "Parrot reinstated"
    assert rows(split)["Parrot"]["run"] == run
    assert entered.events.filter(why="Reinstated.", role="organiser").exists()
    with pytest.raises(IllegalMove):
        reinstate(entered, who=olga)


def test_an_entry_is_disqualified_while_it_is_scored_again(split, entered, olga):
    rescore(entered, who=olga)
    disqualify(entered, who=olga, why="Made by hand.")
    assert latest(split).rows == []
    score_again_run = stage.score(entered)
    Submission.objects.filter(pk=entered.pk).update(state=State.DISQUALIFIED)
    settle(score_again_run)  # a worker that did not notice
    assert Submission.objects.get().state == State.DISQUALIFIED


def test_what_was_disqualified_before_its_scores_goes_on_where_it_was(
    split, submission, olga, sent
):
    Submission.objects.filter(pk=submission.pk).update(
        state=State.QUEUED, check_report={"acceptable": True}
    )
    disqualify(submission, who=olga, why="Two accounts.")
    reinstate(submission, who=olga)
    assert submission.state == State.QUEUED
    assert ("start", str(submission.pk)) in sent


def test_the_log_says_the_role_to_everybody_and_the_person_to_insiders(
    client, split, entered, olga, alice
):
    mark(entered, "late", who=olga)
    public = text_of(client.get(url("submission", entered.pk)))
    assert "marked as late" in public
    assert "an organiser" in public
    assert "olga" not in public
    assert "olga" in text_of(login(client, alice).get(url("submission", entered.pk)))


def test_a_withdrawal_by_an_organiser_is_logged_as_one(split, entered, olga):
    withdraw(entered, who=olga)
    event = entered.events.last()
    assert (event.role, event.why) == ("organiser", "Withdrawn by the organisers.")


def test_marking_as_what_it_is_changes_nothing(split, entered, olga):
    boards = split.snapshots.count()
    mark(entered, entered.kind, who=olga)
    assert split.snapshots.count() == boards


# What readers see


def test_details_of_a_failure_are_for_organisers(client, split, entered, olga, alice):
    rescore(entered, who=olga)
    fail(entered, why="Trouble on our side stopped the scoring; the organisers see what it was.",
         detail="Error 402 for org-42")  # fmt: skip
    page, log = url("submission", entered.pk), f"/api/v1/submissions/{entered.pk}/events"
    for user in (None, alice):
        if user:
            login(client, user)
        for address in (page, log):
            assert "org-42" not in client.get(address).content.decode()
    assert "org-42" in login(client, olga).get(page).content.decode()


def test_pages_show_the_mode_of_the_board_until_there_is_another(client, split, entered):
    Split.objects.update(ranking_mode="strict")
    text = text_of(client.get(url("submission", entered.pk)))
    assert "Scenarios · official" in text
    file = client.get(url("submission-items", entered.pk, "json"))
    assert '"mode": "official"' in b"".join(file.streaming_content).decode()
    freeze(Split.objects.get(), "frozen by an organiser")
    assert "Scenarios · strict" in text_of(client.get(url("submission", entered.pk)))


def test_a_constant_that_goes_is_told_without_empty_brackets(client, split, entered, team):
    Split.objects.update(l_min=None, l_base=None)
    freeze(Split.objects.get(), "frozen by an organiser")
    text = text_of(client.get(url("board", latest(split).pk)))
    assert "L_min was 0.624 s and is unknown now" in text
    assert "()" not in text
