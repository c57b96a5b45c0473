"""The report on an archive: in the reader's language, as a table, as a CSV, and for whom."""

import csv
import io

import pytest
from django.utils import translation

from leaderboard.entry import check_report
from scoring.check import CheckReport
from scoring.errors import Finding
from scoring.rules import finding
from tests.leaderboard.reader import login, text_of, url
from tests.scoring import hostile
from tests.scoring.handed_in import SPLIT, TREE, filled, report_on


def stored(*findings):
    return CheckReport(findings, {}, SPLIT).to_json()


def test_findings_are_worded_anew_in_the_readers_language():
    report = stored(finding("audio-duplicate", "a.wav", first="b.wav"))
    german = {"Check whether outputs were mixed up.": "Sind Ausgaben vertauscht?"}
    with translation.override("en"):
        (group,) = check_report.findings(report)
        assert group.rule.startswith("The file is the same, byte by byte, as b.wav")
    assert (
        check_report.rules.sentences(
            check_report.rules.said_from_json(report["findings"][0]),
            lambda text: german.get(text, text),
        )[1]
        == "Sind Ausgaben vertauscht?"
    )


def test_every_rule_is_translated_into_chinese():
    untranslated = []
    with translation.override("zh-hans"):
        for key, rule in check_report.rules.RULES.items():
            for text in (rule.rule, rule.cure):
                if translation.gettext(text) == text:
                    untranslated.append((key, text))
    assert untranslated == []


def test_a_report_from_before_the_table_keeps_its_own_words():
    old = {"code": "gone", "path": "", "rule": "Odd.", "cure": "Mend it.", "severity": "note"}
    changed = {**old, "key": "audio-duplicate", "values": {"renamed": "b.wav"}}
    for one in (old, changed, {**old, "key": "gone", "values": {}}):
        assert check_report.worded(one) == ("Odd.", "Mend it.")


def test_groups_have_errors_first_and_files_with_words_of_their_own():
    report = stored(
        finding("audio-silent", "a.wav"),
        finding("audio-silent", "b.wav"),
        finding("file-unknown:id", "c.wav", kind="test", id="1"),
        finding("file-unknown:id", "d.wav", kind="test", id="2"),
        finding("audio-empty", "e.wav"),
    )
    groups = check_report.findings(report)
    assert [(one.code, one.count) for one in groups] == [
        ("audio-empty", 1),
        ("audio-silent", 2),
        ("file-unknown", 2),
    ]
    assert [line.rule for line in groups[1].paths] == ["", ""]
    assert [line.rule for line in groups[2].paths] == [
        "",
        "No test recording of this split has the id 2.",
    ]


def test_thousands_of_files_are_counted_and_left_to_the_csv():
    report = stored(*(finding("file-missing", f"{n}.wav") for n in range(2000)))
    (group,) = check_report.findings(report)
    assert (len(group.paths), len(group.more), group.hidden) == (20, 480, 1500)
    assert check_report.as_csv(report).count("\r\n") == 2001


def test_the_table_counts_by_scenario_and_language_with_a_total():
    files = filled(TREE) | {TREE[0]: b"", TREE[3]: hostile.wav(0)}
    del files[TREE[4]]
    lines = check_report.counts(report_on(files).to_json())
    assert [(str(one.scenario), str(one.language), one.numbers) for one in lines] == [
        ("Follow-up questions", "Chinese", ("2", "2", "0", "1", "0")),
        ("Negation or dissatisfaction", "English", ("2", "2", "0", "0", "1")),
        ("Pause handling", "Chinese", ("1", "0", "1", "0", "0")),
        ("all", "", ("5", "4", "1", "1", "1")),
    ]


def test_what_an_old_report_did_not_count_is_a_dash_and_no_zero():
    row = {"scenario": "negation", "language": "en", "expected": 3, "received": 2}
    lines = check_report.counts({"counts": [row]})
    assert lines[0].numbers == ("3", "2", "1", "—", "—")
    assert check_report.counts({}) == []


def test_the_csv_has_every_finding_and_no_formula():
    names = ["=HYPERLINK(1).wav", "+1.wav", "a.wav"]
    report = stored(*(Finding("odd", name, "Rule.", "Cure.", "note") for name in names))
    rows = list(csv.DictReader(io.StringIO(check_report.as_csv(report))))
    assert [row["file"] for row in rows] == ["'=HYPERLINK(1).wav", "'+1.wav", "a.wav"]
    assert rows[2] == {
        "severity": "note", "code": "odd", "file": "a.wav", "rule": "Rule.", "cure": "Cure.",
    }  # fmt: skip


@pytest.fixture
def checked(submission):
    submission.check_report = report_on(filled(TREE[:2])).to_json()
    submission.save()
    return submission


def test_the_csv_is_for_the_team_and_organisers_only(client, checked, alice, charlie, olga):
    address = url("submission-check", checked.pk)
    assert client.get(address).status_code == 404
    assert login(client, charlie).get(address).status_code == 404
    for user in (alice, olga):
        response = login(client, user).get(address)
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert response.content.decode().count("file-missing") == 3
        assert login(client, user).post(address).status_code == 405


def test_there_is_no_csv_before_the_check(client, submission, alice):
    assert login(client, alice).get(url("submission-check", submission.pk)).status_code == 404


def test_the_page_shows_table_and_link_to_the_team(client, checked, alice):
    response = login(client, alice).get(url("submission", checked.pk))
    text = text_of(response)
    assert "Follow-up questions Chinese 2 2 0 0 0" in text
    assert "all 5 2 3 0 0" in text
    assert url("submission-check", checked.pk) in response.content.decode()
