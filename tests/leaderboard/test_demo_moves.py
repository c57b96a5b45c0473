"""The demonstration at size: sound, words and annotation of a dialogue move together."""

import hashlib
import json
import zipfile
from collections import Counter
from itertools import product

import numpy as np
import pytest

from leaderboard.demo import at_size
from leaderboard.demo.cast import CAST, FRAME, choices
from leaderboard.demo.mini import SYSTEMS, Mini
from leaderboard.demo.moved import Planned, later_annotation, later_words
from leaderboard.demo.unpack import unpacked
from scoring import vad
from scoring.audio import read
from scoring.dialogue import Annotation, Transcript
from scoring.hearing import hear_users
from scoring.home import Engines
from scoring.humdial.names import expected_files
from scoring.reference import user_side

EACH = 2
FEW_MS = 0.005
# The detector remembers what it heard: after more silence a few of its times fall a frame aside.
ONE_FRAME = 0.0321
KITE = next(one for one in CAST if one.slug == "demo-paper-kite")
BASELINE = next(one for one in CAST if one.kind == "baseline")


@pytest.fixture(scope="module")
def little(mini):
    return Mini.read(mini)


@pytest.fixture(scope="module")
def those(little):
    return at_size.dialogues(little.manifest, EACH)


@pytest.fixture(scope="module")
def tools():
    return Engines(judge="none").tools(imported=True)


@pytest.fixture(scope="module")
def entries(little, those, tmp_path_factory):
    folder = tmp_path_factory.mktemp("entries")
    return {
        player.slug: at_size.write_entry(folder / player.slug, little, those, player)
        for player in (BASELINE, KITE)
    }


def test_every_dialogue_stands_in_the_list_as_often_as_asked_each_under_its_own_name(those, little):
    sources = Counter(one.source.key for one in those)
    assert sources == dict.fromkeys((one.key for one in little.manifest.items), EACH)
    manifest = at_size.manifest_of(those)
    assert type(manifest).from_csv(manifest.to_csv()) == manifest
    assert len({one.by for one in those if one.source == those[0].source}) == EACH


def test_the_user_is_heard_later_by_just_as_much_as_the_annotation_and_the_words(
    mini, little, those, tools, tmp_path
):
    folder = at_size.write_split(tmp_path, little, those)
    items = little.manifest.items
    before = {one.item.key: one for one in hear_users([user_side(mini, i) for i in items], tools)}
    heard = hear_users([user_side(folder, one.item) for one in those], tools)
    off = []
    for dialogue, after in zip(those, heard, strict=True):
        source, by = before[dialogue.source.key], dialogue.by / 16_000
        assert after.duration == pytest.approx(source.duration + by)
        off += (np.array(after.speech) - np.array(source.speech) - by).ravel().tolist()
        starts = [part.start for part in after.annotation.segments]
        assert starts == pytest.approx([part.start + by for part in source.annotation.segments])
        assert clean_starts(after) == pytest.approx([one + by for one in clean_starts(source)])
    assert np.abs(off).max() < ONE_FRAME
    assert np.mean(np.abs(off) < FEW_MS) > 0.9


def clean_starts(reference):
    return [] if reference.clean is None else [word.start for word in reference.clean.words]


def test_an_answer_is_heard_later_by_just_as_much_as_its_words(little):
    delay = 7 * FRAME
    places = [place for place in little.answers if place.kind == "test"]
    plain = [little.answers[place] for place in places]
    moved = [one.later(delay) for one in plain]
    heard = vad.detect([sound(one) for one in plain]), vad.detect([sound(one) for one in moved])
    for one, other, first, second in zip(plain, moved, *heard, strict=True):
        assert np.array(second) == pytest.approx(np.array(first) + delay / 16_000, abs=FEW_MS)
        assert other.words.first_start == pytest.approx(one.words.first_start + delay / 16_000)


def sound(planned):
    return planned.samples.astype(np.float32) / 32768


def test_the_words_of_every_recording_begin_where_its_sound_begins(entries):
    counts = Counter()
    for entry in entries.values():
        with zipfile.ZipFile(entry.archive) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                first, begins = words_of(entry, data).first_start, beginning(read(data).samples)
                counts["silent" if first is None else "speech"] += 1
                assert (first is None) == (begins is None), name
                assert first is None or abs(first - begins) < FEW_MS, name
    # Four dialogues of the baseline, with and without their event where they have both.
    assert counts["silent"] in range(BASELINE.silent, 2 * BASELINE.silent + 1)
    assert counts["speech"] > 100


def test_no_word_is_said_after_the_end_of_its_recording(entries):
    for entry in entries.values():
        with zipfile.ZipFile(entry.archive) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                assert words_of(entry, data).problems(read(data).duration) == [], name


@pytest.mark.parametrize(("blank", "text"), [(" ", "well yes"), ("", "wellyes")])
def test_words_that_a_recording_ends_too_early_for_are_left_out(blank, text):
    chunks = [("well", 0.0), ("yes", 0.5), ("sir", 1.0)]
    words = Transcript.from_json(
        {
            "text": blank.join(word for word, _ in chunks),
            "chunks": [{"text": word, "timestamp": [at, at + 0.4]} for word, at in chunks],
        }
    )
    cut = Planned(np.ones(16_000, np.int16), words).heard()
    assert (cut.words.text, len(cut.words.words)) == (text, 2)
    whole = Planned(np.ones(16_001, np.int16), words)
    assert whole.heard() is whole


def words_of(entry, data):
    (path,) = entry.words.glob(f"*/{hashlib.sha256(data).hexdigest()}.json")
    return Transcript.from_json(json.loads(path.read_text(encoding="utf-8")))


def beginning(samples):
    loud = np.flatnonzero(samples)
    return loud[0] / 16_000 if loud.size else None


def test_an_entry_lacks_just_the_answers_that_its_system_does_not_hand_in(entries, those):
    expected = {file.path for file in expected_files(at_size.manifest_of(those))}
    absent = {}
    for slug, entry in entries.items():
        with zipfile.ZipFile(entry.archive) as archive:
            names = archive.namelist()
        assert len(names) == len(set(names))
        absent[slug] = len(expected - set(names))
        assert set(names) <= expected
    assert absent == {BASELINE.slug: 0, KITE.slug: KITE.missing} == {BASELINE.slug: 0, KITE.slug: 1}


def test_the_same_call_writes_the_same_archive(entries, little, those, tmp_path):
    again = at_size.write_entry(tmp_path, little, those, KITE)
    assert again.archive.read_bytes() == entries[KITE.slug].archive.read_bytes()


@pytest.mark.parametrize("player", CAST, ids=lambda one: one.slug)
def test_choices_follow_the_skill_and_never_change(player):
    drawn = choices(player, 20_000)
    assert drawn == choices(player, 20_000)
    shares = {style: sum(one.style == style for one in drawn) / 20_000 for style in SYSTEMS}
    wanted = 1 - player.stubborn - player.hasty, player.stubborn, player.hasty
    assert shares == pytest.approx(dict(zip(SYSTEMS, wanted, strict=True)), abs=0.015)
    delays = {one.delay // FRAME for one in drawn}
    assert (min(delays), max(delays)) == (player.late, player.late + player.spread)
    assert all(one.delay % FRAME == 0 for one in drawn)
    assert sum(one.silent for one in drawn) == player.silent
    assert sum(one.missing for one in drawn) == player.missing


def test_systems_choose_apart_from_each_other():
    drawn = [[one.style for one in choices(player, 200)] for player in CAST]
    same = [one == other for one, other in product(drawn, drawn)]
    assert sum(same) == len(CAST)


def test_what_has_no_time_gets_none_by_moving():
    words = Transcript.from_json({"text": "a", "chunks": [{"text": "a", "timestamp": [None, 1]}]})
    assert later_words(words, 2).words[0].start is None
    assert later_words(words, 2).words[0].end == 3
    annotation = Annotation.from_json({"speech_segments": [{"xmin": 1.5, "xmax": "?"}]})
    moved = later_annotation(annotation, 0.25)
    assert (moved.segments[0].start, moved.segments[0].end) == (1.75, None)
    assert moved.final_duration is None


def test_a_silenced_answer_lasts_as_long_and_says_nothing():
    spoken = Planned(np.ones(5, np.int16), Transcript("well"))
    samples, words = spoken.silenced()
    assert samples.tolist() == [0, 0, 0, 0, 0]
    assert words.is_silent
    assert not words.text


def test_a_demonstration_that_was_half_laid_out_is_laid_out_anew(tmp_path):
    target = tmp_path / "humdial-mini"
    half = tmp_path / "humdial-mini.begun"
    half.mkdir()
    (half / "manifest.csv").write_text("item", encoding="utf-8")
    assert unpacked(target) == target
    assert (target / "manifest.csv").read_text(encoding="utf-8").count("\n") == 21
    assert [path.name for path in tmp_path.iterdir()] == ["humdial-mini"]
    (target / "mine").touch()
    assert (unpacked(target) / "mine").exists()
