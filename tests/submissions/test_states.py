import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from submissions.models import Split, Submission, System
from submissions.states import FREE, MOVES, UNFINISHED, IllegalMove, State, advance


@pytest.fixture
def submission(team, alice, media):
    return Submission.objects.create(
        split=Split.objects.create(slug="s", name="S"),
        team=team,
        system=System.objects.create(team=team, name="x", slug="x"),
        submitted_by=alice,
        archive=SimpleUploadedFile("a.zip", b"zip"),
        archive_name="a.zip",
        size=3,
        sha256="0" * 64,
    )


def test_a_move_writes_an_event_with_who_and_why(submission, olga):
    advance(submission, State.CHECKING)
    advance(submission, State.FAILED, why="The disk is full.", who=olga)
    event = submission.events.last()
    assert (event.from_state, event.to_state) == ("checking", "failed")
    assert (event.who, event.why) == (olga, "The disk is full.")
    assert submission.reason == "The disk is full."
    assert submission.sign_of_life is not None


def test_an_unknown_move_changes_nothing(submission):
    with pytest.raises(IllegalMove):
        advance(submission, State.SCORED)
    submission.refresh_from_db()
    assert submission.state == State.RECEIVED
    assert not submission.events.exists()


def test_the_same_move_twice_is_made_once(submission):
    stale = Submission.objects.get(pk=submission.pk)
    advance(submission, State.CHECKING)
    with pytest.raises(IllegalMove):
        advance(stale, State.CHECKING)
    assert submission.events.count() == 1


def test_every_unfinished_state_leads_on_and_can_be_withdrawn():
    for state in UNFINISHED:
        assert State.WITHDRAWN in MOVES[state]
        assert State.FAILED in MOVES[state]


def test_every_state_has_its_moves():
    assert set(MOVES) == set(State.values)
    reachable = {state for moves in MOVES.values() for state in moves}
    assert reachable == set(State.values) - {State.UPLOADING}


def test_failed_refused_and_withdrawn_attempts_are_free():
    assert set(FREE) == {State.UPLOADING, State.REJECTED, State.FAILED, State.WITHDRAWN}
