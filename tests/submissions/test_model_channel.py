"""Recordings with several channels are refused, unless the submission names that of the model."""

import io
import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import soundfile
from django.core.files.uploadedfile import SimpleUploadedFile

from leaderboard.items.sound import model_side
from scoring.audio import read, read_answer
from submissions.models import Submission, Upload
from submissions.services.channel import channel_of
from submissions.services.slots import SubmissionRefused
from submissions.services.submit import submit
from submissions.states import State
from tests.submissions.sending import Sender
from tests.submissions.test_scoring_a_submission import zip_of

pytestmark = pytest.mark.django_db(transaction=True)


def both(data):
    """The same answer on the right, and noise as of a user on the left."""
    model, rate = soundfile.read(io.BytesIO(data), dtype="int16")
    noise = np.random.default_rng(len(data)).integers(-9000, 9000, len(model)).astype("int16")
    out = io.BytesIO()
    soundfile.write(out, np.stack([noise, model], 1), rate, format="WAV", subtype="PCM_16")
    return out.getvalue()


def stereo_of(mini, system):
    out = io.BytesIO()
    with (
        zipfile.ZipFile(mini / "submissions" / system / "HD-Track2.zip") as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, both(old.read(name)))
    return out.getvalue()


@pytest.fixture
def send(split, team, alice, eager):
    def submit_archive(upload, **said):
        made = submit(
            split=split, team=team, system_name="Parrot", user=alice, upload=upload, **said
        )
        return Submission.objects.get(pk=made.pk)

    return submit_archive


def totals(submission):
    results = submission.current_run.results
    return [results[mode]["totals"] for mode in ("official", "strict")]


def test_the_named_channel_gives_the_numbers_of_the_model_alone_in_both_modes(send, mini):
    alone = send(zip_of(mini, "jumpy"))
    upload = SimpleUploadedFile("HD-Track2.zip", stereo_of(mini, "jumpy"))
    named = send(upload, model_channel=2)
    assert named.state == State.SCORED
    assert totals(named) == totals(alone)
    notes = [one["rule"] for one in named.check_report["findings"]]
    count = len(named.check_report["members"])
    assert notes == [f"Channel 2 is heard as the model, in {count} file(s) with several."]


def test_without_a_channel_they_are_refused_with_the_way_to_name_one(send, mini):
    refused = send(SimpleUploadedFile("HD-Track2.zip", stereo_of(mini, "jumpy")))
    assert refused.state == State.REJECTED
    finding = refused.check_report["findings"][0]
    assert finding["code"] == "audio-multi-channel"
    assert "--model-channel 1" in finding["cure"]


def test_a_channel_that_is_not_there_is_refused(send, mini):
    upload = SimpleUploadedFile("HD-Track2.zip", stereo_of(mini, "jumpy"))
    refused = send(upload, model_channel=3)
    assert refused.check_report["findings"][0]["code"] == "audio-channel-missing"
    assert "Channel 3 was named, but the file has 2" in refused.check_report["findings"][0]["rule"]


def test_recordings_with_one_channel_hold_the_model_whatever_was_said(send, mini):
    assert send(zip_of(mini, "prompt"), model_channel=2).state == State.SCORED


def test_what_was_heard_in_one_channel_is_not_taken_for_another(mini):
    name = "HD-Track2/test/test-0320_output.wav"
    with zipfile.ZipFile(mini / "submissions" / "jumpy" / "HD-Track2.zip") as archive:
        data = archive.read(name)
    left, right = (read_answer(both(data), model_channel=one) for one in (1, 2))
    assert left.sha256 != right.sha256
    assert np.array_equal(right.samples, read(data).samples)


def test_the_item_page_plays_the_named_channel(send, mini, split):
    upload = SimpleUploadedFile("HD-Track2.zip", stereo_of(mini, "jumpy"))
    submission = send(upload, model_channel=2)
    item = split.items.first()
    with zipfile.ZipFile(mini / "submissions" / "jumpy" / "HD-Track2.zip") as archive:
        data = archive.read(f"HD-Track2/test/test-{item.test_id}_output.wav")
    assert np.array_equal(model_side(submission, item).samples(), read(data).samples)


# ---- the doors ----------------------------------------------------------------------------------


@pytest.fixture
def door(client, settings, tmp_path, split, team, alice, sent):
    settings.PARTIAL_DIR = tmp_path / "partial"
    client.force_login(alice)
    return client


def the_channel():
    return Submission.objects.get().model_channel


def test_tus_takes_it_as_metadata(door, split, team):
    assert Sender(door, split, team).send(b"PK", model_channel="2").status_code == 204
    assert (the_channel(), Upload.objects.get().model_channel) == (2, 2)


def test_one_plain_body_takes_it_in_its_query(door, split, team):
    address = f"/uploads/plain/?split={split.slug}&team={team.slug}&system=Parrot"
    answer = door.put(f"{address}&model_channel=2", data=b"PK")
    assert answer.status_code == 201
    assert the_channel() == 2


def test_the_form_takes_it(door, split, team):
    upload = SimpleUploadedFile("a.zip", b"PK")
    said = {"split": split.slug, "team": team.slug, "system_name": "Parrot", "archive": upload}
    assert door.post("/en/submit/", said | {"model_channel": "2"}).status_code == 302
    assert the_channel() == 2
    receipt = door.get(f"/en/submission/{Submission.objects.get().pk}/").content.decode()
    assert "2, counted from 1" in receipt


def test_the_api_takes_it_and_has_it_in_the_receipt(door, split, team, alice):
    said = {"split": split.slug, "team": team.slug, "system": "Parrot", "model_channel": "2"}
    archive = SimpleUploadedFile("a.zip", b"PK")
    answer = door.post("/api/v1/submissions/", said | {"archive": archive})
    assert answer.status_code == 201, answer.content
    found = door.get(f"/api/v1/submissions/{the_pk()}").json()
    assert found["receipt"]["model_channel"] == 2


def the_pk():
    return Submission.objects.get().pk


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "257", "²", "99999"])
def test_what_is_no_channel_is_refused_at_every_door(door, split, team, text):
    with pytest.raises(SubmissionRefused) as raised:
        channel_of(text)
    assert raised.value.code == "model-channel-unknown"
    address = f"/uploads/plain/?split={split.slug}&team={team.slug}&system=Parrot"
    answer = door.put(f"{address}&model_channel={text}", data=b"PK")
    assert answer.json()["code"] == "model-channel-unknown"
    upload = SimpleUploadedFile("a.zip", b"PK")
    said = {"split": split.slug, "team": team.slug, "system_name": "Parrot", "archive": upload}
    assert door.post("/en/submit/", said | {"model_channel": text}).status_code == 422
    assert not Submission.objects.exists()


def test_nothing_said_is_no_channel():
    assert channel_of(" ") is None


# ---- at home ------------------------------------------------------------------------------------


def at_home(*arguments):
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_at_home_takes_it_too(mini, tmp_path):
    archive = tmp_path / "HD-Track2.zip"
    archive.write_bytes(stereo_of(mini, "jumpy"))
    manifest = mini / "manifest.csv"
    assert at_home("check", archive, "--manifest", manifest).returncode == 1
    told = at_home("check", archive, "--manifest", manifest, "--model-channel", 2, "--json")
    assert told.returncode == 0
    codes = {one["code"] for one in json.loads(told.stdout)["findings"]}
    assert codes == {"audio-channel-chosen"}
    wrong = at_home("check", archive, "--manifest", manifest, "--model-channel", 0)
    assert wrong.returncode == 2
    assert "the first is 1" in wrong.stderr


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_scoring_at_home_with_the_channel_gives_the_numbers_of_the_model_alone(
    mini, tmp_path, mode
):
    archive = tmp_path / "HD-Track2.zip"
    archive.write_bytes(stereo_of(mini, "jumpy"))
    reports = []
    for submission, said in (
        (mini / "submissions" / "jumpy" / "HD-Track2.zip", ()),
        (archive, ("--model-channel", 2)),
    ):
        report = tmp_path / f"{len(reports)}.json"
        done = at_home(
            "score", "--reference", mini, "--manifest", mini / "manifest.csv",
            "--submission", submission, "--mode", mode, "--no-cache", "--json", report,
            "--transcripts", mini / "submissions" / "jumpy" / "transcripts", *said,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        reports.append(json.loads(report.read_text(encoding="utf-8")))
    assert reports[0]["totals"] == reports[1]["totals"]
    assert "model_channel" not in reports[0]
    assert reports[1]["model_channel"] == 2
