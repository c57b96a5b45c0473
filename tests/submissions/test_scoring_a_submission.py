"""From a zip to a published result, with the real services."""

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leaderboard.boards import latest
from leaderboard.snapshots import freeze
from submissions.models import ItemResult, Submission
from submissions.services.submit import SubmissionRefused, submit
from submissions.states import State

pytestmark = pytest.mark.django_db(transaction=True)


def zip_of(mini, system, *, without=(), silent=False, extra=None):
    """Build a system's archive anew, perhaps with files missing, silenced or added."""
    out = io.BytesIO()
    source = mini / "submissions" / system / "HD-Track2.zip"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if silent:
                data = data[:44] + bytes(len(data) - 44)
            if name.rsplit("/", 1)[-1] not in without:
                new.writestr(name, data)
        for name, data in (extra or {}).items():
            new.writestr(name, data)
    return SimpleUploadedFile("HD-Track2.zip", out.getvalue())


@pytest.fixture
def send(split, team, alice, mini, eager):
    def submit_system(system, **changes):
        upload = zip_of(mini, system, **changes)
        made = submit(split=split, team=team, system_name=system, user=alice, upload=upload)
        return Submission.objects.get(pk=made.pk)

    return submit_system


def totals(submission, mode="official"):
    return submission.current_run.results[mode]["totals"]


def truth_of(mini, system):
    truth = json.loads((mini / "truth.json").read_text(encoding="utf-8"))
    return {name: item["systems"][system] for name, item in truth.items()}


def test_a_good_archive_is_scored_and_published(send, split, mini):
    submission = send("prompt")
    assert submission.state == State.SCORED
    moves = list(submission.events.values_list("to_state", flat=True))
    assert moves == ["received", "checking", "queued", "scoring", "scored"]
    assert totals(submission)["interruption"] == "100.0"
    assert totals(submission)["rejection"] == "100.0"
    board = latest(split)
    assert [row["system"] for row in board.rows] == ["prompt"]
    assert board.cause == "new entry: prompt"


@pytest.mark.parametrize("system", ["prompt", "steamroller", "jumpy"])
def test_stop_and_response_intervals_equal_the_official_ones(send, mini, system):
    run = send(system).current_run
    truth = truth_of(mini, system)
    checked = 0
    for row in run.items.select_related("item"):
        planned = truth[row.item.name]
        if "official_stop" in planned:
            for name in ("stop", "response"):
                found, expected = row.official[name], planned[f"official_{name}"]
                assert len(found) == len(expected), (row.item, name)
                for one, other in zip(found, expected, strict=True):
                    assert one == pytest.approx(other, abs=0.002)
            checked += 1
        if "rejected" in planned:
            assert row.official["success"] is planned["rejected"]
    assert checked == 10


def test_scoring_the_same_archive_again_remembers_everything(send, monkeypatch, planned_tools):
    first = send("prompt")
    monkeypatch.setattr(planned_tools.transcribers["en"], "known", {})
    second = send("prompt")
    assert second.state == State.SCORED
    assert totals(first) == totals(second)


def test_three_missing_files_are_three_failures_in_strict_mode_and_three_fewer_officially(send):
    lost = ("test-4147_output.wav", "test-6000_output.wav", "test-2005_output.wav")
    submission = send("prompt", without=lost)
    assert submission.state == State.SCORED
    missing = [f for f in submission.check_report["findings"] if f["code"] == "file-missing"]
    assert len(missing) == 3
    official, strict = totals(submission), totals(submission, "strict")
    assert (official["expected"], official["received"]) == (20, 17)
    assert official["interruption"] is None  # three English scenarios have no item left
    assert strict["languages"][1]["interruption"] == "40.0"
    rows = ItemResult.objects.filter(run=submission.current_run, strict__received=False)
    assert {row.strict["success"] for row in rows} == {False}
    assert {row.official["success"] for row in rows} == {None}


def test_silence_has_no_latency_and_no_rank(send, split):
    submission = send("prompt", silent=True)
    for mode in ("official", "strict"):
        assert totals(submission, mode)["delay"] is None
        assert totals(submission, mode)["silent"] == 20
        assert not totals(submission, mode)["rankable"]
    row = latest(split).rows[0]
    assert (row["rank"], row["delay"], row["total"]) == (None, "", "")
    assert row["notes"]


def test_a_refused_archive_says_why_and_costs_no_quota(send, split, team, alice, mini, settings):
    split.limit_total = 1
    split.save()
    refused = submit(
        split=split,
        team=team,
        system_name="x",
        user=alice,
        upload=SimpleUploadedFile("x.zip", b"PK\x03\x04 this was cut off"),
    )
    refused.refresh_from_db()
    assert refused.state == State.REJECTED
    finding = refused.check_report["findings"][0]
    assert finding["code"].startswith("archive-")
    assert finding["cure"]
    assert refused.archive.size == refused.size  # nothing a user sent is lost
    assert send("prompt").state == State.SCORED
    with pytest.raises(SubmissionRefused) as raised:
        send("jumpy")
    assert raised.value.code == "quota-total-used"


def test_stereo_is_refused_by_name(send, mini):
    import numpy as np
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, np.zeros((16000, 2), "int16"), 16000, format="WAV")
    name = "HD-Track2/test/test-0320_output.wav"
    submission = send("prompt", without=("test-0320_output.wav",), extra={name: out.getvalue()})
    assert submission.state == State.REJECTED
    findings = [f for f in submission.check_report["findings"] if f["severity"] == "error"]
    assert [(f["code"], f["path"]) for f in findings] == [("audio-multi-channel", name)]


def test_the_receipt_holds_size_and_hash_as_measured_here(send, mini):
    import hashlib

    submission = send("jumpy")
    with submission.archive.open("rb") as file:
        data = file.read()
    assert submission.size == len(data)
    assert submission.sha256 == hashlib.sha256(data).hexdigest()


def test_without_a_judge_everything_but_the_judged_numbers_works(send, split, monkeypatch):
    from dataclasses import replace

    from submissions.services import engines, score

    without = replace(engines.tools(), judges={})
    monkeypatch.setattr(score, "tools", lambda: without)
    submission = send("prompt")
    assert submission.state == State.SCORED
    for mode in ("official", "strict"):
        found = totals(submission, mode)
        assert (found["interruption"], found["rejection"]) == (None, None)
        assert found["unjudged"] == 16
        assert found["absent"] == {"key": "judge-none", "values": {}}
        assert found["absent"] in found["reasons"]
    assert "judge:pending" in submission.current_run.signature
    row = submission.current_run.items.get(item__name="0011_1054")
    assert row.official["unjudged"] == {"key": "judge-none", "values": {}}
    assert row.official["stop"]
    assert latest(split).rows[0]["total"] == ""


def test_a_run_is_finished_once(send, split):
    from submissions.services.score import finish

    submission = send("prompt")
    run = submission.current_run
    before = run.finished
    finish(run)
    run.refresh_from_db()
    assert run.finished == before
    assert split.snapshots.count() == 1
    assert submission.events.filter(to_state=State.SCORED).count() == 1


def test_what_the_organiser_has_not_published_is_on_no_board(send, split):
    split.publication = "by-hand"
    split.save()
    submission = send("prompt")
    assert (submission.state, submission.published) == (State.SCORED, None)
    assert freeze(split, "a look").rows == []


def test_too_few_recordings_hold_no_rank_in_strict_mode(send, split):
    split.ranking_mode = "strict"
    split.save()
    send("prompt", without=("test-4147_output.wav", "test-1511_output.wav"))
    row = latest(split).rows[0]
    assert row["rank"] is None
    assert any("Only 18 of 20" in note for note in row["notes"])
