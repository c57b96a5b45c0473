"""The check at home with the list of files of a blind split says what the site's check says."""

import csv
import io
import json
from pathlib import Path

import pytest

from scoring.__main__ import main
from scoring.archive import open_outputs
from scoring.check import CheckReport, check, refuse
from scoring.check.file_list import files_from_csv, is_file_list
from scoring.errors import ArchiveError, Finding, ManifestError
from scoring.manifest import Item, Manifest
from tests.scoring import hostile
from tests.scoring.handed_in import SPLIT, TEST, TREE, filled, found, report_on, the
from tests.scoring.hostile_cases import CASES, Case

CLEAN = "HD-Track2/clean/clean-5996_output.wav"
OTHER_CLEAN = "HD-Track2/clean/clean-2531_output.wav"


def listed(paths: list[str]) -> str:
    """The list as the site writes it: sorted, so that it tells nothing."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["file"], *([path] for path in sorted(paths))])
    return out.getvalue()


LIST = listed(TREE)
HOME = files_from_csv(LIST)


def told(report: CheckReport) -> list[Finding]:
    """Findings in an order of their own: what is missing comes in the order of the list."""
    return sorted(report.findings, key=lambda one: (one.code, one.path, one.rule))


def both(path: Path) -> tuple[CheckReport, CheckReport]:
    """The report of the site, which knows the items, and the one at home."""
    try:
        with open_outputs(path) as outputs:
            return check(outputs, SPLIT), check(outputs, HOME)
    except ArchiveError as error:
        return refuse(error, SPLIT), refuse(error, HOME)


# Files are named by dialogue, or a test file is a clean one: only who knows the items can tell.
KNOWN_THERE = {"names-by-dialogue", "audio-same-as-partner"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_archive_of_the_table_gets_the_same_verdict_codes_and_sentences(
    case: Case, hostile_archives: Path
) -> None:
    there, home = both(hostile_archives / f"{case.name}.zip")
    assert home.expected == there.expected
    if not KNOWN_THERE & {one.code for one in home.findings}:
        assert told(home) == told(there)
        assert (home.received, home.acceptable) == (there.received, there.acceptable)


def test_the_table_holds_what_only_the_site_can_tell(hostile_archives: Path) -> None:
    reports = [both(hostile_archives / f"{case.name}.zip")[1] for case in CASES]
    seen = [bool(KNOWN_THERE & {one.code for one in report.findings}) for report in reports]
    assert 0 < sum(seen) < len(CASES) / 5


def test_the_command_takes_the_list_in_place_of_the_manifest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "files.csv").write_text("\ufeff" + LIST, encoding="utf-8")
    (tmp_path / "a.zip").write_bytes(hostile.zipped(filled(TREE[1:])))
    command = ["check", str(tmp_path / "a.zip"), "--manifest", str(tmp_path / "files.csv")]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert f"warning file-missing: {TREE[0]}: " in text
    assert "4 of 5 recordings found: acceptable." in text
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["expected"], report["received"]) == (5, 4)
    assert report["counts"] == [
        {"language": "", "scenario": "", "expected": 5, "received": 4, "unreadable": 0, "silent": 0}
    ]
    assert main([*command, "--reference", str(tmp_path)]) == 2
    assert "Leave --reference out" in capsys.readouterr().err


def test_a_list_is_not_enough_to_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "files.csv").write_text(LIST, encoding="utf-8")
    where = ["--reference", str(tmp_path), "--submission", str(tmp_path / "a.zip")]
    assert main(["score", "--manifest", str(tmp_path / "files.csv"), *where]) == 2
    assert "to score, take a split with public items" in capsys.readouterr().err


@pytest.mark.parametrize("expected", [HOME, SPLIT], ids=["list", "items"])
def test_names_by_dialogue_stand_for_nothing_where_dialogues_are_not_told(expected) -> None:
    files = filled(["cn/ask/0001_5538_output.wav", "clean_0001_5538_output.wav", TREE[0]])
    with open_outputs(io.BytesIO(hostile.zipped(files))) as outputs:
        report = check(outputs, expected, by_dialogue=False)
    assert report.received == 1
    assert the(report, "names-by-dialogue").rule == (
        "2 file(s) are named by dialogue, such as cn/ask/0001_5538_output.wav. Which dialogues this"
        " split has is not told, so its files go by the names of their list alone."
    )
    missing = [path for code, path in found(report) if code == "file-missing"]
    assert sorted(missing) == sorted(TREE[1:])
    assert report.acceptable


def test_two_answers_of_one_kind_that_are_the_same_answer_two_items() -> None:
    files = filled(TREE)
    files[TREE[2]] = files[TEST]
    there, home = report_on(files), report_on(files, HOME)
    assert told(home) == told(there)
    assert {one.code for one in home.findings} == {"audio-duplicate"}


@pytest.mark.parametrize("clean", [CLEAN, OTHER_CLEAN])
def test_whether_a_test_and_a_clean_file_that_are_the_same_are_partners_is_left_open(
    clean: str,
) -> None:
    files = filled(TREE)
    files[clean] = files[TEST]
    report = report_on(files, HOME)
    assert found(report) == [("audio-same-as-partner", "")]
    assert report.findings[0].rule == (
        "1 file(s) for test and clean are the same as one of the other kind."
    )
    assert report.acceptable is report_on(files).acceptable is True


def test_a_file_without_anonymous_id_tells_its_item() -> None:
    item = Item("0001_0002", "cn", "negation", folder="Negation")
    split = hostile.split(item)
    home = files_from_csv(listed([file.path for file in split]))
    assert {file.item for file in home} == {item}
    files = filled(["Negation/cn/0001_0002_output.wav", "cn/ask/clean_0001_0002_output.wav"])
    assert told(report_on(files, home)) == told(report_on(files, split))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file\n", "names no file"),
        (f"file\n{TEST}\n{TEST}\n", "stands in more than one line"),
        ("file\nHD-Track2/readme.txt\n", "Line 2: 'HD-Track2/readme.txt' is no name of an output"),
        (f"file\n\n{TEST}\ntest/test-0320.wav\n", "Line 4: 'test/test-0320.wav' is no name"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ManifestError, match=said.replace("(", r"\(")):
        files_from_csv(text)


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        (LIST, True),
        ("\ufefffile\r\n", True),
        ("", False),
        (Manifest((Item("0001_0002", "cn", "negation"),)).to_csv(), False),
    ],
)
def test_a_list_is_known_by_its_first_line(text: str, is_list: bool) -> None:
    assert is_file_list(text) is is_list
