"""The sound of an item: both sides in one file, drawn, kept within bounds, for whoever may hear."""

import io
import os
from datetime import timedelta

import numpy as np
import pytest
import soundfile
from django.utils import timezone

from leaderboard.items import waveform
from leaderboard.items.file_cache import FileCache
from scoring import audio
from submissions.models import Split
from tests.leaderboard import sounded, stage
from tests.leaderboard.reader import login, url
from tests.leaderboard.sounded import ITEM, MODEL, USER

NAMES = ("item-sound", "item-user-audio", "item-model-audio", "item-user-wave", "item-model-wave")


@pytest.fixture
def parrot(split, team):
    sounded.add_user_sound(split)
    submission = sounded.submit(split, team)
    stage.score(submission)
    return submission


def get(client, name, submission, **headers):
    return client.get(url(name, "demo", ITEM, sys=submission.pk), headers=headers)


# What is heard


def test_the_user_is_left_and_the_model_is_right_sample_for_sample(client, parrot):
    response = get(client, "item-sound", parrot)
    assert response["Content-Type"] == "audio/flac"
    frames, rate = soundfile.read(io.BytesIO(response.content), dtype="int16")
    assert rate == 16_000
    assert np.array_equal(frames[:, 0], USER)
    assert np.array_equal(frames[: len(MODEL), 1], MODEL)
    assert not frames[len(MODEL) :, 1].any()


def test_each_side_is_heard_alone_as_it_was_handed_in(client, parrot):
    assert get(client, "item-user-audio", parrot).content == sounded.wav(USER)
    assert get(client, "item-model-audio", parrot).content == sounded.wav(MODEL)


def test_without_an_answer_the_user_is_heard_and_the_right_is_silent(client, split, team):
    sounded.add_user_sound(split)
    submission = sounded.submit(split, team)
    stage.score(submission)
    submission.check_report["members"] = {}
    submission.save()
    frames, _ = soundfile.read(io.BytesIO(get(client, "item-sound", submission).content))
    assert frames[:, 0].any()
    assert not frames[:, 1].any()
    assert get(client, "item-model-audio", submission).status_code == 404


def test_an_item_without_any_recording_has_no_sound(client, split, submission):
    stage.score(submission)
    submission.check_report["members"] = {}
    submission.save()
    for name in NAMES:
        assert get(client, name, submission).status_code == 404


def test_a_damaged_archive_has_no_sound_but_the_page_stands(client, parrot):
    with parrot.archive.open("r+b") as file:
        file.truncate(100)
    assert get(client, "item-sound", parrot).status_code == 404
    assert get(client, "item", parrot).status_code == 200


@pytest.mark.parametrize("name", ["item-sound", "item-user-audio", "item-model-audio"])
def test_a_part_of_a_sound_is_that_part(client, parrot, name):
    whole = get(client, name, parrot).content
    part = get(client, name, parrot, range="bytes=1000-1999")
    assert (part.status_code, part.content) == (206, whole[1000:2000])
    assert get(client, name, parrot, range=f"bytes={len(whole)}-").status_code == 416


def test_of_several_systems_the_sound_is_asked_for_one_by_one(client, split, team, parrot):
    other = sounded.submit(split, team, "Magpie", sounded.tone(10.0, 440))
    stage.score(other)
    both = f"{parrot.pk},{other.pk}"
    assert client.get(url("item-sound", "demo", ITEM, sys=both)).status_code == 404
    assert get(client, "item-sound", other).content != get(client, "item-sound", parrot).content


# Who may hear it


@pytest.mark.parametrize("name", NAMES)
def test_a_closed_split_is_heard_by_the_team_and_the_organiser_only(
    client, split, parrot, alice, charlie, olga, name
):
    assert get(client, name, parrot)["Cache-Control"] == "public, max-age=600"
    split.items_public = False
    split.save()
    # What was made for one reader is not handed to the next who may not have it.
    assert get(client, name, parrot).status_code == 404
    assert get(login(client, charlie), name, parrot).status_code == 404
    for user in (alice, olga):
        answer = get(login(client, user), name, parrot)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-cache")


@pytest.mark.parametrize("name", NAMES)
def test_before_the_reveal_only_the_organiser_hears(client, split, team, alice, olga, name):
    split.publication = Split.Publication.REVEAL
    split.reveal = timezone.now() + timedelta(days=1)
    split.save()
    sounded.add_user_sound(split)
    submission = sounded.submit(split, team)
    stage.score(submission, publish=False)
    assert get(client, name, submission).status_code == 404
    assert get(login(client, alice), name, submission).status_code == 404
    assert get(login(client, olga), name, submission).status_code == 200


# What is drawn


def test_the_waveform_is_drawn_from_the_samples(client, parrot):
    response = get(client, "item-model-wave", parrot)
    drawn = response.content.decode()
    assert response["Content-Type"] == "image/svg+xml"
    assert 'viewBox="0 0 2050 128"' in drawn
    assert '<path id="wave" d="M0 ' in drawn


def test_the_outline_goes_along_the_highest_and_back_along_the_lowest_samples():
    peaks = np.array([[-1.0, 1.0], [-0.5, 0.0]], np.float32)
    assert waveform.outline(peaks) == "M0 0l1 63V97l-1 31Z"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_silence_is_a_thin_line(count):
    found = waveform.outline(np.zeros((count, 2), np.float32))
    steps = "l1 0" * (count - 1)
    back = "l-1 0" * (count - 1)
    assert found == (f"M0 63{steps}V65{back}Z" if count else "")


def test_quiet_speech_fills_its_lane():
    loud = audio.peaks(np.sin(np.arange(16_000, dtype=np.float32)))
    assert waveform.outline(loud * np.float32(0.05)) == waveform.outline(loud)


# What is kept


def test_a_sound_is_made_once_and_then_kept(client, parrot, media):
    first = get(client, "item-sound", parrot).content
    (kept,) = (media / "made").glob("*.flac")
    assert kept.read_bytes() == first
    kept.write_bytes(b"kept")
    assert get(client, "item-sound", parrot).content == b"kept"


def test_another_recording_of_the_user_is_another_sound(client, split, parrot):
    before = get(client, "item-sound", parrot)
    sounded.add_user_sound(split, sounded.tone(22.0, 110))
    after = get(client, "item-sound", parrot)
    assert (before.content == after.content, before["ETag"] == after["ETag"]) == (False, False)


def test_the_least_recently_used_file_goes_first(tmp_path):
    cache = FileCache(tmp_path / "made", limit=25)
    for age, name in enumerate(("c", "b", "a")):
        cache.open(name, lambda: b"x" * 10).close()
        if (path := cache.folder / name).exists():
            os.utime(path, (1000 + age, 1000 + age))
    assert sorted(path.name for path in cache.folder.iterdir()) == ["a", "b"]
    cache.open("b", lambda: b"").close()
    cache.open("d", lambda: b"x" * 10).close()
    assert sorted(path.name for path in cache.folder.iterdir()) == ["b", "d"]


def test_what_is_larger_than_the_whole_cache_is_handed_out_and_not_kept(tmp_path):
    cache = FileCache(tmp_path / "made", limit=5)
    assert cache.open("a", lambda: b"x" * 10).read() == b"x" * 10
    assert not cache.folder.exists()


def test_a_failed_making_leaves_nothing_behind(tmp_path):
    def fail():
        raise KeyError("no such member")

    cache = FileCache(tmp_path / "made", limit=5)
    with pytest.raises(KeyError):
        cache.open("a", fail)
    assert cache.open("a", lambda: b"good").read() == b"good"
