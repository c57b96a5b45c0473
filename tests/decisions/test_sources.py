"""What the sources say differently about data and names; one test per decision, by its number."""

import json
from decimal import Decimal

import numpy as np
import pytest

from leaderboard.texts.prose import CONTENT, PAGES
from scoring.archive import open_outputs
from scoring.audio import read
from scoring.check import check
from scoring.errors import AudioError
from scoring.humdial import SCENARIOS, SCRIPTS
from scoring.humdial.names import expected_files, may_carry, scenario_of
from scoring.humdial.rejection import rejection
from scoring.humdial.void import without_void
from scoring.manifest import Item, Manifest
from scoring.reference import Folder
from tests import builders
from tests.scoring import hostile
from tests.scoring.handed_in import DENY, FOLLOW, found, report_on, the

PUBLISHED = json.loads((CONTENT / "humdial-2026.json").read_text(encoding="utf-8"))
ROWS = {row["team"]: row for row in PUBLISHED["rows"]}


def test_decision_01_a_recording_has_the_user_or_the_model_and_never_both():
    stereo = hostile.wav(channels=2)
    with pytest.raises(AudioError) as raised:
        read(stereo)
    assert raised.value.code == "audio-multi-channel"
    assert read(stereo, channel=1).samples.ndim == 1


def test_decision_02_there_are_nine_scenarios_and_eight_in_the_training_data():
    assert len(SCENARIOS) == 9
    assert [slug for slug in SCENARIOS if slug == "directed_at_others"]


def test_decision_05_eight_teams_were_on_time_one_was_late_and_the_baseline_stands_beside_them():
    kinds = [row["kind"] for row in ROWS.values()]
    assert [kinds.count(kind) for kind in ("participant", "late", "baseline")] == [8, 1, 1]
    assert ROWS["Unity Squad"]["kind"] == "late"


def test_decision_07_late_and_invited_are_two_facts_and_no_star():
    invited = {team for team, row in ROWS.items() if row["invited"]}
    assert invited == {"Cookie asr", "Badcat"}
    assert {ROWS[team]["kind"] for team in invited} == {"participant"}
    assert not any("*" in team for team in ROWS)


def test_decision_08_the_corrected_table_holds_and_its_history_is_told():
    badcat = ROWS["Badcat"]
    assert (badcat["rejection"], badcat["published_total"]) == ("57.8", "73.5")
    assert "57.3" in badcat["note"]
    assert "2025-12-14" in badcat["note"]


def test_decision_09_other_names_of_a_team_are_kept_with_its_row():
    assert ROWS["SenseDialog"]["aliases"] == ["SenseTime"]
    assert ROWS["Cookie asr"]["aliases"] == ["cookie_asr (Transsion)"]


def test_decision_10_who_is_fastest_is_computed_and_never_quoted():
    delays = {team: Decimal(row["delay"]) for team, row in ROWS.items()}
    assert min(delays, key=lambda team: delays[team]) == "HelloWorld"
    references = [team for team, row in ROWS.items() if row["kind"] in ("open", "closed")]
    assert min(references, key=lambda team: delays[team]) == "Gemini-2.5"
    assert not any("Gemini" in path.read_text(encoding="utf-8") for path in PAGES.glob("*.md"))


def test_decision_22_a_before_name_is_an_item_of_third_party_speech_before_the_question_only():
    assert may_carry(Item("0001_0002_before", "cn", "third_party", "before"))
    assert not may_carry(Item("0001_0002_before", "cn", "third_party", "after"))
    assert not may_carry(Item("0001_0002_before", "cn", "follow_up"))


def test_decision_23_an_annotation_and_a_transcript_are_told_by_their_keys(tmp_path):
    annotation = {"speech_segments": [{"xmin": 0, "xmax": 4, "text": "q"}]}
    transcript = {"text": "q", "chunks": [{"text": "q", "timestamp": [0.1, 0.2]}]}
    for names in (("X_sentence.json", "X.json"), ("X.json", "X_timestamp.json")):
        folder = tmp_path / names[0]
        folder.mkdir()
        for name, data in zip(names, (annotation, transcript), strict=True):
            (folder / name).write_text(json.dumps(data), encoding="utf-8")
        known = Folder(tmp_path, folder)
        assert known.annotation("X").end_of(0) == 4
        assert [word.start for word in known.transcript("X").words] == [0.1]


@pytest.mark.parametrize("name", ["Speech_Directe_at_Others", "talk_to_others", "peech Directed"])
def test_decision_34_misspelt_folders_are_understood_and_the_manifest_decides(name):
    item = Item("0001_0002_add", "en", "directed_at_others", "", "Speech_Directed_at_Others")
    files = {f"en/{name}/0001_0002_add_output.wav": hostile.wav(1),
             f"en/{name}/clean_0001_0002_add_output.wav": hostile.wav(2)}  # fmt: skip
    report = report_on(files, hostile.split(item))
    assert report.received == 2
    assert report.acceptable


def test_decision_35_the_rejection_rate_is_shown_and_not_its_complement():
    waits = rejection("pause_handling", _pause(), builders.words(4.5))
    interrupts = rejection("pause_handling", _pause(), builders.words(3.5))
    assert (waits.success, interrupts.success) == (True, False)


def test_decision_36_the_manifest_says_how_many_files_there_are():
    files = expected_files(Manifest((FOLLOW, DENY)))
    assert len(files) == 4
    assert len(expected_files(Manifest((FOLLOW,)))) == 2


@pytest.mark.parametrize(
    ("folder", "slug"),
    [
        ("Topic Switch", "topic_switch"),
        ("Topic Switching", "topic_switch"),
        ("Silence or Stop", "silence_stop"),
        ("Silence/Termination", "silence_stop"),
        ("Speech Directed to Others", "directed_at_others"),
        ("Speech Directed at Others", "directed_at_others"),
    ],
)
def test_decision_40_other_names_of_a_scenario_mean_the_same(folder, slug):
    assert scenario_of(folder) == (slug, "")
    assert {script.scenario for script in SCRIPTS.values()} == set(SCENARIOS)


VOID = Item("0010_0099_add", "cn", "directed_at_others", "", "Others", "003126", "000899")


def test_decision_41_what_the_organisers_took_out_is_neither_expected_nor_scored():
    manifest, names = without_void(Manifest((FOLLOW, VOID, DENY)))
    assert manifest.items == (FOLLOW, DENY)
    assert names == ("test-003126.wav", "clean-000899.wav")
    assert without_void(manifest) == (manifest, ())


def test_decision_41_handing_in_an_answer_to_it_is_noted_and_no_fault():
    files = {file.path: hostile.wav(seed) for seed, file in enumerate(hostile.split(FOLLOW), 1)}
    files["HD-Track2/test/test-003126_output.wav"] = hostile.wav(9)
    files["HD-Track2/clean/clean-003126_output.wav"] = hostile.wav(10)
    report = report_on(files, hostile.split(FOLLOW))
    assert found(report) == [
        ("file-void", "HD-Track2/test/test-003126_output.wav"),
        ("file-unknown", "HD-Track2/clean/clean-003126_output.wav"),
    ]
    assert the(report, "file-void").severity == "note"


def test_decision_01_the_named_channel_is_heard_and_the_other_is_not():
    left, right = (np.frombuffer(hostile.wav(seed)[44:], "<i2") for seed in (1, 2))
    data = hostile.wav(3, channels=2)[:44] + np.stack([left, right], 1).astype("<i2").tobytes()
    heard = read(data, channel=1).samples
    assert np.allclose(heard, right / 32_768)
    with open_outputs(hostile.opened(hostile.zipped({hostile.split(FOLLOW)[0].path: data}))) as one:
        assert not check(one, hostile.split(FOLLOW)).acceptable


def _pause():
    return builders.reference("pause_handling").annotation
