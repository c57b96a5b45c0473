"""Whatever teams, organisers and workers do, in any order: the board follows the rules, nobody
reads a hidden number, and nothing but a refusal in words is raised.

``contest.Contest`` is the plain model. A run's total delay (7.001 s, 7.002 s …) is its sentinel: it
must not stand in any answer to a reader who may not know it.
"""

import os
import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from leaderboard.boards import latest
from leaderboard.snapshots import freeze
from submissions.models import Run, Split, Submission
from submissions.services.choose import choose
from submissions.services.correct import correct
from submissions.services.publish import publish, publish_when_due
from submissions.services.refused import Refused
from submissions.services.rescore import fail, put_on_board, rescore, settle
from submissions.services.standing import disqualify, mark, reinstate, withdraw
from submissions.services.submit import Files, record
from submissions.services.sweep import sweep
from submissions.states import UNFINISHED, State
from tests.leaderboard import stage
from tests.leaderboard.contest import LEFT, Contest, Entry
from tests.leaderboard.contest_runs import keep_templates, run_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# CONTEST_EXAMPLES=500 in the environment looks longer.
EXAMPLES = int(os.environ.get("CONTEST_EXAMPLES", "40"))
SENTINEL = re.compile(r"(?<![\d.])7\.\d{3}(?!\d)")
TEAMS = ("ants", "bees")
OF_ENTRY = (
    "/en/submission/{pk}/",
    "/en/items/demo/?sys={pk}",
    "/en/submission/{pk}/items.json",
    "/en/submission/{pk}/items.csv",
    "/en/submission/{pk}/report.json",
    "/api/v1/submissions/{pk}",
    "/api/v1/submissions/{pk}/items",
    "/en/compare/?s={pk}&s={other}",
    "/badge/{pk}.svg",
    "/en/system/{system}/",
)
OF_SPLIT = (
    "/en/split/demo/",
    "/en/split/demo.json",
    "/en/split/demo.csv",
    "/en/boards/?split=demo",
    "/en/boards.atom",
    "/en/scenario/follow_up.json?split=demo",
    "/api/v1/boards/",
    "/api/v1/submissions/",
)


# Steps before the window may close: an entry is worth a choice only while there is one.
EARLY = 6
# Set by the test before the machine runs: users by name.
PEOPLE: dict = {}


def _exists(entry):
    return True


def _is_under_way(entry):
    return entry.state in UNFINISHED


def _may_finish(entry):
    """Also a worker that has not noticed that the entry has left comes to an end."""
    return _is_under_way(entry) or entry.state in LEFT


def _has_run(entry):
    return bool(entry.runs)


def _several_are_left(self):
    """Without entries on the board nothing of interest happens any more."""
    return sum(one.state not in LEFT for one in self.contest.entries) > len(TEAMS)


def needs(fits):
    """A step that needs an entry of some kind."""
    return precondition(lambda self: any(map(fits, self.contest.entries)))


class ContestMachine(RuleBasedStateMachine):
    """One split, two teams with a member each, an organiser, and workers."""

    @initialize(
        counting=st.sampled_from(["every", "newest", "chosen"]),
        publication=st.sampled_from(["automatic", "by-hand", "reveal"]),
        items_public=st.booleans(),
    )
    def begin(self, counting, publication, items_public):
        self.block = transaction.atomic()
        self.block.__enter__()
        self.split = stage.make_split(
            "demo",
            counting=counting,
            publication=publication,
            items_public=items_public,
            limit_per_day=None,
            reveal=timezone.now() + timedelta(hours=1) if publication == "reveal" else None,
        )
        self.people = {name: PEOPLE[name] for name in (*TEAMS, "organiser")}
        self.teams = {name: stage.make_team(name, self.people[name]) for name in TEAMS}
        self.split.organisers.add(self.people["organiser"])
        self.contest = Contest(counting, publication)
        self.touched = None
        self.runs = self.steps = 0
        for team in (*TEAMS, "ants"):
            self.hand_in(team, trial=False)
            self.finish(self.contest.entries[-1], complete=True)
        if publication == "by-hand":
            for entry in self.contest.entries:
                publish([Submission.objects.get(pk=entry.key)], who=self.people["organiser"])
                entry.published = True
        self.contest.note_shown()
        # One of them has another run beside the one that stands.
        twice = self.contest.entries[0]
        rescore(Submission.objects.get(pk=twice.key), who=self.people["organiser"])
        self.finish(twice, complete=True)

    def teardown(self):
        if hasattr(self, "block"):
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    # What teams do

    @precondition(lambda self: not self.contest.choice_over)
    @rule(team=st.sampled_from(TEAMS), trial=st.booleans())
    def submit(self, team, trial):
        self.hand_in(team, trial)

    @precondition(_several_are_left)
    @rule(data=st.data(), by_team=st.booleans())
    def withdraw(self, data, by_team):
        entry, submission = self.some(data)
        who = self.people[entry.team if by_team else "organiser"]
        if self.act(withdraw, submission, who=who):
            self.leave(entry, "withdrawn")

    @needs(_exists)
    @rule(data=st.data())
    def choose(self, data):
        entry, submission = self.some(data)
        done = self.act(choose, submission, who=self.people[entry.team])
        assert bool(done) == self.contest.may_choose(entry)
        if done:
            for other in self.contest.entries:
                other.chosen = other is entry if other.team == entry.team else other.chosen

    # What workers do

    @needs(_may_finish)
    @rule(data=st.data(), complete=st.booleans())
    def score(self, data, complete):
        """A scoring ends, also one whose entry has left meanwhile."""
        entry, _ = self.some(data, _may_finish)
        self.finish(entry, complete)

    @needs(_is_under_way)
    @rule(data=st.data())
    def fail(self, data):
        entry, submission = self.some(data, _is_under_way)
        fail(submission, why="Trouble on our side.", detail="secret-endpoint 7.999")
        entry.state = "scored" if entry.standing else "failed"

    # What organisers do

    @needs(_exists)
    @rule(data=st.data())
    def score_again(self, data):
        entry, submission = self.some(data)
        done = self.act(rescore, submission, who=self.people["organiser"])
        assert bool(done) == (entry.state in ("scored", "failed"))
        if done:
            entry.state = "queued"

    @needs(_has_run)
    @rule(data=st.data())
    def put_on_board(self, data):
        entry, submission = self.some(data, _has_run)
        run = data.draw(st.sampled_from(entry.runs))
        chosen = submission.runs.get(pk=run.key)
        done = self.act(put_on_board, [chosen], who=self.people["organiser"]) is not None
        assert done == (entry.state not in LEFT and run is not entry.standing)
        if done:
            entry.standing = run

    @needs(_exists)
    @rule(data=st.data())
    def publish(self, data):
        entry, submission = self.some(data)
        done = self.act(publish, [submission], who=self.people["organiser"])
        assert bool(done) == self.contest.may_publish(entry)
        if done:
            entry.published = True

    @needs(_exists)
    @rule(data=st.data(), kind=st.sampled_from(["participant", "late", "baseline", "open"]))
    def mark(self, data, kind):
        entry, submission = self.some(data)
        mark(submission, kind, who=self.people["organiser"])
        entry.kind = kind

    @precondition(_several_are_left)
    @rule(data=st.data(), why=st.sampled_from(["", "Made by hand."]))
    def disqualify(self, data, why):
        entry, submission = self.some(data)
        if self.act(disqualify, submission, who=self.people["organiser"], why=why):
            self.leave(entry, "disqualified")

    @needs(_exists)
    @rule(data=st.data())
    def reinstate(self, data):
        entry, submission = self.some(data)
        done = self.act(reinstate, submission, who=self.people["organiser"])
        assert bool(done) == (entry.state == "disqualified")
        if done:
            entry.state, entry.left_late = "scored" if entry.standing else "queued", False

    @needs(_exists)
    @rule(data=st.data(), label=st.sampled_from(["", "C_RESUME"]))
    def correct(self, data, label):
        """A correction alone moves no number."""
        _, submission = self.some(data)
        item = self.split.items.get(slug="en-follow_up-0009_0001")
        organiser = self.people["organiser"]
        self.act(correct, submission, item, label=label, reason="It goes on.", by=organiser)

    @rule()
    def freeze(self):
        freeze(self.split, "frozen by an organiser")

    # What the clock does

    @precondition(lambda self: not self.contest.choice_over and self.steps > EARLY)
    @rule()
    def close(self):
        Split.objects.update(closes=timezone.now())
        self.split.refresh_from_db()
        self.contest.choice_over = True

    @precondition(lambda self: self.contest.is_blind and self.steps > EARLY)
    @rule()
    def reveal(self):
        Split.objects.update(reveal=timezone.now())
        self.split.refresh_from_db()
        boards = self.split.snapshots.count()
        waits = any(
            one.standing and one.state not in LEFT and not one.trial and not one.published
            for one in self.contest.entries
        )
        sweep(patience=timedelta(hours=1))
        self.contest.reveal()
        assert self.split.snapshots.count() == boards + waits

    # What must hold after every step

    @invariant()
    def the_contest_holds(self):
        self.the_newest_board_is_the_one_of_the_rules()
        self.nobody_reads_a_hidden_number()

    def the_newest_board_is_the_one_of_the_rules(self):
        board = latest(self.split)
        found = {
            row["link"]: (row["run"], row["kind"], row["rank"])
            for row in (board.rows if board else [])
        }
        assert found == self.contest.board()
        self.contest.note_shown()

    def nobody_reads_a_hidden_number(self):
        if self.touched is None:
            return
        # A process trusts its newest board for a second; here a second is many steps.
        for cache in caches.all(initialized_only=True):
            cache.clear()
        for team in (None, TEAMS[self.steps % len(TEAMS)]):
            client, known = Client(), self.contest.known_to(team)
            if team:
                client.force_login(self.people[team])
            for address in self.addresses():
                response = client.get(address)
                assert response.status_code in (200, 302, 400, 401, 404), address
                found = set(SENTINEL.findall(_text(response)))
                assert found <= known, f"{team} at {address}"
        self.touched, self.steps = None, self.steps + 1

    # Help

    def hand_in(self, team, trial):
        files = Files("archives/none.zip", "a.zip", 1, "0" * 64)
        made = record(
            files, self.split, self.teams[team], "System", self.people[team],
            is_trial=trial, received=timezone.now(),
        )  # fmt: skip
        report = {"acceptable": True, "findings": [], "members": {}, "expected": 20, "received": 20}
        Submission.objects.filter(pk=made.pk).update(state=State.QUEUED, check_report=report)
        entry = Entry(str(made.pk), team, len(self.contest.entries), trial)
        self.contest.entries.append(entry)
        self.touched = entry

    def finish(self, entry, complete):
        submission = Submission.objects.get(pk=entry.key)
        self.runs += 1
        made = run_of(submission, self.runs, complete=complete)
        with transaction.atomic():
            publish_when_due(settle(Run.objects.get(pk=made.key)))
        self.contest.finish(entry, made)
        self.contest.note_shown()

    def act(self, service, *args, **options):
        """Do it; a refusal is an answer in words, and anything else that is raised is a fault."""
        try:
            return service(*args, **options) or True
        except Refused as refusal:
            said = refusal
        assert said.rule
        assert said.cure
        return None

    def some(self, data, fits=_exists):
        """Draw an entry; its page is looked at after the step."""
        entry = data.draw(st.sampled_from([one for one in self.contest.entries if fits(one)]))
        self.touched = entry
        return entry, Submission.objects.select_related("split", "team", "system").get(pk=entry.key)

    def leave(self, entry, state):
        could_count = entry.was_scored or entry.state != "failed"
        entry.left_late = self.contest.choice_over and could_count
        entry.state = state

    def addresses(self):
        names = {"pk": self.touched.key, "other": self.contest.entries[0].key}
        names["system"] = f"{self.touched.team}-system"
        return [*(one.format(**names) for one in OF_ENTRY), *OF_SPLIT]


def _text(response):
    if response.streaming:
        return b"".join(response.streaming_content).decode()
    return response.content.decode()


@pytest.fixture
def cast(django_user_model, media):
    """The people, and what a complete and an incomplete scoring store."""
    keep_templates()
    for name in (*TEAMS, "organiser"):
        PEOPLE[name] = django_user_model.objects.create_user(name)


def test_the_contest_holds_whatever_anybody_does(cast, sent):
    run_state_machine_as_test(
        ContestMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
