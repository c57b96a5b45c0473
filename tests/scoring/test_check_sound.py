import struct

import pytest

from scoring.check import inspect_output
from tests.scoring import hostile
from tests.scoring.handed_in import TREE, filled, found, report_on


def test_a_good_recording_has_no_findings() -> None:
    assert inspect_output(hostile.wav(), "a.wav") == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"ID3\x04 an mp3 with another name", "audio-not-wav"),
        (b"", "audio-not-wav"),
        (hostile.wav(seconds=0), "audio-empty"),
        (hostile.wav(channels=2), "audio-multi-channel"),
        (hostile.wav(0, seconds=601, rate=4000), "audio-too-long"),
    ],
)
def test_unusable_sound_is_an_error_that_names_the_file(data: bytes, code: str) -> None:
    (finding,) = inspect_output(data, "HD-Track2/test/a.wav")
    assert (finding.code, finding.path) == (code, "HD-Track2/test/a.wav")
    assert finding.severity == "error"
    assert finding.cure


def test_samples_that_are_no_numbers_are_an_error() -> None:
    body = struct.pack("<4f", 0.1, float("nan"), 0.1, 0.1)
    form = struct.pack("<HHLLHH", 3, 1, 16_000, 64_000, 4, 32)
    chunks = b"fmt " + struct.pack("<L", 16) + form + b"data" + struct.pack("<L", 16) + body
    data = b"RIFF" + struct.pack("<L", 4 + len(chunks)) + b"WAVE" + chunks
    assert [finding.code for finding in inspect_output(data, "a.wav")] == ["audio-not-finite"]


def test_stereo_is_accepted_when_the_model_channel_is_named() -> None:
    assert inspect_output(hostile.wav(channels=2), "a.wav", channel=1) == []


def test_a_silent_file_of_another_rate_has_both_findings() -> None:
    findings = inspect_output(hostile.wav(0, rate=48_000), "a.wav")
    assert [(f.code, f.path, f.severity) for f in findings] == [
        ("audio-resampled", "a.wav", "note"),
        ("audio-silent", "a.wav", "warning"),
    ]


def test_other_rates_are_one_note_for_the_whole_archive() -> None:
    files = {name: hostile.wav(seed, rate=24_000) for seed, name in enumerate(TREE, 1)}
    report = report_on(files)
    assert found(report) == [("audio-resampled", "")]
    assert "5 files" in report.findings[0].rule
    assert TREE[0] in report.findings[0].rule
    assert "24,000" in report.findings[0].rule


def test_one_bad_file_makes_the_archive_unacceptable_and_is_named() -> None:
    report = report_on(filled(TREE) | {TREE[3]: hostile.wav(channels=2)})
    assert found(report) == [("audio-multi-channel", TREE[3])]
    assert not report.acceptable


def test_silent_files_are_warned_of_one_by_one_and_are_no_duplicates() -> None:
    report = report_on(dict.fromkeys(TREE, hostile.wav(0)))
    assert found(report) == [("audio-silent", path) for path in TREE]
    assert report.acceptable


def test_the_same_sound_for_two_items_is_a_warning() -> None:
    files = filled(TREE)
    report = report_on(files | {TREE[4]: files[TREE[0]]})
    assert found(report) == [("audio-duplicate", TREE[4])]
    assert TREE[0] in report.findings[0].rule
    assert report.findings[0].severity == "warning"


def test_the_same_sound_with_and_without_the_event_is_only_a_note() -> None:
    files = filled(TREE)
    report = report_on(files | {TREE[1]: files[TREE[0]], TREE[3]: files[TREE[2]]})
    assert found(report) == [("audio-same-as-partner", "")]
    assert report.findings[0].severity == "note"
    assert "2 item(s)" in report.findings[0].rule
