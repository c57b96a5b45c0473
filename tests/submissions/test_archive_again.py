"""What an archive holds is remembered: neither check nor scoring reads without need."""

import zipfile

import pytest

from submissions.models import Remembered, Submission
from submissions.services.check import check
from submissions.services.remembered import contents_of
from submissions.services.score import start, work
from submissions.services.submit import submit
from submissions.states import State

pytestmark = pytest.mark.django_db(transaction=True)

SYSTEM = "prompt"


@pytest.fixture
def hand_in(split, team, alice, mini, monkeypatch):
    """Take the archive in, and do nothing with it yet."""
    monkeypatch.setattr("submissions.queue.send", lambda *_: None)

    def take_in(**options):
        path = mini / "submissions" / SYSTEM / "HD-Track2.zip"
        with path.open("rb") as upload:
            return submit(
                split=split, team=team, system_name=SYSTEM, user=alice, upload=upload, **options
            )

    return take_in


def scored(submission):
    run = start(check(submission))
    while work(run):
        pass
    return Submission.objects.get(pk=submission.pk)


def totals(submission):
    return {mode: submission.current_run.results[mode]["totals"] for mode in ("official", "strict")}


def spoil_recordings(submission):
    """Overwrite the content of every file; the directory of the zip stays."""
    with zipfile.ZipFile(submission.archive.path) as archive:
        starts = [
            (one.header_offset + 30 + len(one.filename), one.compress_size)
            for one in archive.infolist()
        ]
    with open(submission.archive.path, "r+b") as file:
        for start_of, size in starts:
            file.seek(start_of)
            file.write(bytes(size))


def test_the_same_archive_again_is_neither_checked_nor_heard_again(hand_in):
    first = scored(hand_in())
    again = hand_in()
    spoil_recordings(again)
    again = scored(again)
    assert again.state == State.SCORED
    assert again.check_report == first.check_report
    assert totals(again) == totals(first)


def test_a_spoiled_archive_that_nobody_knows_is_refused(hand_in):
    submission = hand_in()
    spoil_recordings(submission)
    assert check(submission).state == State.REJECTED


def test_another_length_of_a_users_recording_asks_for_another_check(hand_in, split):
    scored(hand_in())
    item = split.items.first()
    item.duration += 100
    item.save()
    report = check(hand_in()).check_report
    assert "audio-shorter-than-user" in {one["code"] for one in report["findings"]}


def test_a_refused_archive_is_read_again(hand_in):
    submission = hand_in()
    whole = submission.archive.path
    with open(whole, "rb") as file:
        content = file.read()
    spoil_recordings(submission)
    assert check(submission).state == State.REJECTED
    again = hand_in()
    with open(again.archive.path, "wb") as file:
        file.write(content)
    assert check(again).state == State.QUEUED


def test_a_trial_says_nothing_of_the_whole_archive(hand_in):
    check(hand_in(is_trial=True))
    assert not Remembered.objects.filter(engine__startswith="c").exists()
    submission = hand_in()
    spoil_recordings(submission)
    assert check(submission).state == State.REJECTED


def test_what_is_not_remembered_is_read(hand_in):
    first = scored(hand_in())
    assert len(contents_of(first)) == 36
    Remembered.objects.filter(engine="contents/1").delete()
    assert totals(scored(hand_in())) == totals(first)
