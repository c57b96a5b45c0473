from scoring.check import CheckReport
from scoring.errors import Finding
from scoring.words import SHOWN, check_lines


def finding(number, severity="warning", code="file-missing"):
    return Finding(code, f"test-{number}.wav", "It is missing.", "Add it.", severity)


def test_a_short_report_shows_each_finding_with_its_cure():
    lines = check_lines(CheckReport((finding(1),), {}, ()))
    assert lines == [
        "warning file-missing: test-1.wav: It is missing. Add it.",
        "0 of 0 recordings found: acceptable.",
    ]


def test_a_long_report_shows_errors_first_and_ends_with_one_sentence_per_kind():
    many = [finding(number) for number in range(50)]
    lines = check_lines(CheckReport((*many, finding(99, "error", "audio-empty")), {}, ()))
    assert lines[0].startswith("error audio-empty: test-99.wav")
    assert lines[SHOWN].startswith("… and 31 more findings")
    assert lines[SHOWN + 1].startswith("Warning file-missing, 50 times, first test-0.wav:")
    assert lines[SHOWN + 2].startswith("Error audio-empty: test-99.wav:")
    assert lines[-1] == "0 of 0 recordings found: not acceptable."
