"""The end of a run is one worker's work."""

import pytest

from submissions.models import Submission
from submissions.services import score
from submissions.services.check import check
from submissions.services.claims import claim_end, release
from submissions.services.submit import submit
from submissions.states import State
from tests.submissions.test_scoring_a_submission import zip_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(split, team, alice, mini, monkeypatch):
    """A run with everything done but its end."""
    monkeypatch.setattr(score.queue, "send", lambda task, key: None)
    upload = zip_of(mini, "prompt")
    made = submit(split=split, team=team, system_name="prompt", user=alice, upload=upload)
    run = score.start(check(Submission.objects.get(pk=made.pk)))
    while run.items.filter(judged=None).exists():
        assert score.work(run)
    return run


def test_while_one_worker_ends_a_run_the_others_leave(run, monkeypatch):
    end = claim_end(run)
    assert claim_end(run) == []
    score.finish(run)
    assert score.work(run) is False
    run.refresh_from_db()
    assert run.finished is None
    release(end)
    assert score.work(run) is False
    run.refresh_from_db()
    assert run.finished
    assert Submission.objects.get().state == State.SCORED
    assert not run.items.filter(claimed__isnull=False).exists()


def test_what_was_measured_already_is_not_written_again(run, monkeypatch):
    written = []
    plain = score.write
    monkeypatch.setattr(
        score, "write", lambda rows, fields: (written.extend(rows), plain(rows, fields))
    )
    stale = run.items.order_by("item__position")[3]
    stale.official = {**stale.official, "success": None, "label": "of another version"}
    stale.save()
    score.finish(run)
    assert [row.pk for row in written] == [stale.pk]
    stale.refresh_from_db()
    assert stale.official["label"] != "of another version"
