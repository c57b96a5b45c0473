import struct

import pytest

from scoring.archive import open_outputs
from scoring.check import check
from scoring.check.sound import inspect_output
from scoring.manifest import Item
from tests.scoring import hostile, wavs
from tests.scoring.handed_in import TREE, filled, found, report_on


def test_a_good_recording_has_no_findings() -> None:
    assert inspect_output(hostile.wav(), "a.wav").findings == []


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
    (finding,) = inspect_output(data, "HD-Track2/test/a.wav").findings
    assert (finding.code, finding.path) == (code, "HD-Track2/test/a.wav")
    assert finding.severity == "error"
    assert finding.cure


def test_samples_that_are_no_numbers_are_an_error() -> None:
    body = struct.pack("<4f", 0.1, float("nan"), 0.1, 0.1)
    form = struct.pack("<HHLLHH", 3, 1, 16_000, 64_000, 4, 32)
    chunks = b"fmt " + struct.pack("<L", 16) + form + b"data" + struct.pack("<L", 16) + body
    data = b"RIFF" + struct.pack("<L", 4 + len(chunks)) + b"WAVE" + chunks
    assert [finding.code for finding in inspect_output(data, "a.wav").findings] == [
        "audio-not-finite"
    ]


def test_stereo_is_accepted_when_the_model_channel_is_named() -> None:
    (chosen,) = inspect_output(hostile.wav(channels=2), "a.wav", model_channel=2).findings
    assert (chosen.code, chosen.severity) == ("audio-channel-chosen", "note")


def test_a_silent_file_of_another_rate_has_both_findings() -> None:
    findings = inspect_output(hostile.wav(0, rate=48_000), "a.wav").findings
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


# ---- against the user's recording ---------------------------------------------------------------

QUIET = bytes(2 * 16_000)  # a second


def lasting(seconds: int, *, first: bytes = b"") -> bytes:
    """Silence, and some sound at the end; ``first`` comes before all of it."""
    sound = hostile.wav(1, seconds=0.5)[44:]
    return wavs.wav(first + QUIET * (seconds - 1) + sound + bytes(16_000 - len(first)))


@pytest.mark.parametrize(
    ("seconds", "user", "code"),
    [
        (20, None, []),
        (20, 20.0, []),
        (20, 20.9, []),
        (20, 21.5, ["audio-shorter-than-user"]),
        (20, 1.0, []),
        (40, 9.0, ["audio-longer-than-user"]),
    ],
)
def test_lengths_are_compared_with_the_users_recording(
    seconds: int, user: float | None, code: list[str]
) -> None:
    findings = inspect_output(lasting(seconds), "a.wav", user).findings
    assert [finding.code for finding in findings] == code
    assert all(finding.severity == "warning" for finding in findings)


def test_a_short_file_that_starts_with_sound_is_not_on_the_users_clock() -> None:
    data = lasting(10, first=hostile.wav(2, seconds=0.4)[44:])
    (finding,) = inspect_output(data, "a.wav", 25.0).findings
    assert finding.code == "audio-not-on-users-clock"
    assert "15.0 s shorter" in finding.rule
    assert inspect_output(data, "a.wav", 10.0).findings == []


def test_a_floor_of_noise_is_no_sound_at_the_start() -> None:
    noise = struct.pack("<3200h", *([40, -40] * 1600))
    findings = inspect_output(lasting(10, first=noise), "a.wav", 25.0).findings
    assert [finding.code for finding in findings] == ["audio-shorter-than-user"]


def test_a_clean_recording_that_was_cut_again_has_no_length_to_compare_with() -> None:
    aside = Item("0001_0002_add", "cn", "directed_at_others")
    names = ["0001_0002_add_output.wav", "clean_0001_0002_add_output.wav"]
    with open_outputs(hostile.opened(hostile.zipped(filled(names)))) as outputs:
        report = check(outputs, hostile.split(aside), durations={aside.key: 9.0})
    assert found(report) == [("audio-not-on-users-clock", names[0])]


def test_unreadable_and_silent_files_are_counted() -> None:
    files = filled(TREE) | {TREE[0]: b"", TREE[1]: hostile.wav(0), TREE[2]: hostile.wav(0)}
    report = report_on(files)
    assert report.counts["cn", "follow_up"] == (2, 2, 1, 1)
    assert report.counts["en", "negation"] == (2, 2, 0, 1)
    assert report.counts["cn", "pause_handling"] == (1, 1, 0, 0)


def test_a_report_stays_short_when_thousands_of_files_have_the_same_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scoring.check.expected.MOST_OF_A_CODE", 3)
    report = report_on(filled([*TREE, *(f"{number}.txt" for number in range(8))]))
    assert [finding.code for finding in report.findings] == [
        *["file-unknown"] * 3,
        "findings-left-out",
    ]
    assert report.findings[-1].rule == (
        "5 more findings with the code file-unknown are left out here."
    )


def test_an_empty_archive_is_refused() -> None:
    report = report_on({})
    assert found(report) == [("nothing-expected-found", "")]
    assert "no file at all" in report.findings[0].rule
