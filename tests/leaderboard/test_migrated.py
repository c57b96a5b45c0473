"""What stood in a database before rows named their runs still shows the same numbers."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from leaderboard.models import Snapshot
from submissions.models import Event, Run, Submission
from tests.leaderboard import stage

pytestmark = pytest.mark.django_db

RUNS = import_module("submissions.migrations.0007_board_run")
ROWS = import_module("leaderboard.migrations.0006_rows_name_runs")


@pytest.fixture
def before(split, submission, olga):
    """An entry that was scored again after its board, in a database of the time before."""
    stage.score(submission)
    board = stage.published_board(split, "frozen by olga")
    again = stage.score(submission, missing={item.slug for item in split.items.all()})
    Run.objects.filter(pk=again.pk).update(finished=board.created + timedelta(seconds=1))
    for row in board.rows:
        del row["run"]
    board.save()
    Submission.objects.update(board_run=None)
    Event.objects.create(submission=submission, who=olga, to_state="scored", role="system")
    return board


def test_every_row_and_every_entry_names_the_run_behind_the_newest_board(before, submission):
    RUNS.stand(apps, None)
    ROWS.name_runs(apps, None)
    first = submission.runs.order_by("created").first()
    board = Snapshot.objects.get(pk=before.pk)
    assert [row["run"] for row in board.rows] == [first.pk]
    assert Submission.objects.get().board_run == first


def test_an_entry_on_no_board_has_its_newest_run(before, split, team):
    hidden = stage.make_submission(split, team, "Ghost")
    newest = [stage.score(hidden, publish=False) for _ in range(2)][-1]
    Submission.objects.update(board_run=None)
    RUNS.stand(apps, None)
    ROWS.name_runs(apps, None)
    assert Submission.objects.get(pk=hidden.pk).board_run == newest


def test_no_person_stands_in_a_cause_any_more(before):
    ROWS.name_runs(apps, None)
    assert Snapshot.objects.get(pk=before.pk).cause == "frozen by an organiser"


def test_events_say_in_which_role_somebody_acted(before, submission, olga, alice):
    Event.objects.create(submission=submission, who=alice, to_state="scored")
    Event.objects.create(submission=submission, to_state="scored")
    RUNS.name_roles(apps, None)
    roles = list(submission.events.order_by("pk").values_list("who__username", "role"))
    assert roles == [("olga", "organiser"), ("alice", "team"), (None, "system")]
