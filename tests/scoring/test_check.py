import io
import json
from pathlib import Path

import pytest

from scoring.archive import open_outputs
from scoring.check import check, refuse
from scoring.check.sound import Inspected
from scoring.errors import ArchiveError, Finding
from scoring.manifest import ExpectedFile, Item
from tests.scoring import hostile
from tests.scoring.handed_in import FOLLOW, SPLIT, TEST, TREE, filled, found, report_on, the

# The same three items in a split without anonymous ids.
OPEN = hostile.split(
    Item("0001_5538", "cn", "follow_up", folder="Follow-up_Questions"),
    Item("0012_1849", "en", "negation", folder="Negation_Dissatisfaction"),
    Item("0007_5432", "cn", "pause_handling", folder="Pause_Handling"),
)


# ---- trees --------------------------------------------------------------------------------------


def test_the_expected_tree_has_no_findings() -> None:
    report = report_on(filled(TREE))
    assert report.findings == ()
    assert report.acceptable
    assert (report.expected, report.received, report.missing) == (5, 5, ())
    assert report.members == {
        ("cn/follow_up/0001_5538", "test"): "HD-Track2/test/test-0320_output.wav",
        ("cn/follow_up/0001_5538", "clean"): "HD-Track2/clean/clean-5996_output.wav",
        ("en/negation/0012_1849", "test"): "HD-Track2/test/test-6000_output.wav",
        ("en/negation/0012_1849", "clean"): "HD-Track2/clean/clean-2531_output.wav",
        ("cn/pause_handling/0007_5432", "test"): "HD-Track2/test/test-2668_output.wav",
    }


def test_a_folder_is_checked_like_a_zip(tmp_path: Path) -> None:
    for name, data in filled(TREE).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    with open_outputs(tmp_path) as outputs:
        assert check(outputs, SPLIT).findings == ()
    with open_outputs(tmp_path / "HD-Track2") as outputs:
        assert found(check(outputs, SPLIT)) == [("layout-differs", "")]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("HD-Track2/", "my team/HD-Track2/", "there is the folder my team around it"),
        ("HD-Track2/", "", "there is no folder HD-Track2"),
        ("HD-Track2/", "hd_track2/", "the outer folder is called hd_track2"),
        ("HD-Track2/", "a/b/c/", "the outer folder is called a/b/c"),
        ("_output.wav", "_output.WAV", "suffixes are in capitals"),
        ("/test/", "/Test/", None),
    ],
)
def test_other_trees_are_accepted_with_one_note(before: str, after: str, said: str | None) -> None:
    report = report_on(filled([name.replace(before, after) for name in TREE]))
    assert (report.received, report.acceptable) == (5, True)
    assert found(report) == ([("layout-differs", "")] if said else [])
    if said:
        note = the(report, "layout-differs")
        assert said in note.rule
        assert note.severity == "note"
        assert "HD-Track2/test/test-{id}_output.wav" in note.cure


@pytest.mark.parametrize("folder", ["", "HD-Track2/", "all of it/"])
def test_files_that_are_not_sorted_into_folders_are_accepted(folder: str) -> None:
    report = report_on(filled([folder + name.rsplit("/", 1)[1] for name in TREE]))
    assert report.received == 5
    assert found(report) == [("layout-differs", "")]
    assert "not sorted into the folders test and clean" in the(report, "layout-differs").rule


def test_the_name_decides_when_test_and_clean_are_swapped() -> None:
    names = ["HD-Track2/clean/test-0320_output.wav", "HD-Track2/test/clean-5996_output.wav"]
    report = report_on(filled(names), hostile.split(FOLLOW))
    assert report.members["cn/follow_up/0001_5538", "test"] == names[0]
    assert "test files lie in the folder clean" in the(report, "layout-differs").rule


def test_dialogue_names_are_accepted_where_test_ids_are_expected() -> None:
    names = ["x/0001_5538_output.wav", "x/clean_0001_5538_output.wav"]
    report = report_on(filled(names), hostile.split(FOLLOW))
    assert list(report.members.values()) == names
    assert "named by dialogue" in the(report, "layout-differs").rule


@pytest.mark.parametrize(
    "folder", ["", "cn/Follow-up_Questions/", "ask/", "out/Chinese/follow up questions/"]
)
def test_the_scoring_layout_is_read_under_any_folders(folder: str) -> None:
    files = hostile.split(Item("0001_5538", "cn", "follow_up", folder="Follow-up_Questions"))
    names = [f"{folder}0001_5538_output.wav", f"{folder}clean_0001_5538_output.wav"]
    report = report_on(filled(names), files)
    assert list(report.members.values()) == names
    assert report.findings == ()


# ---- names that need their folders --------------------------------------------------------------


def twins() -> tuple[ExpectedFile, ...]:
    """Three items that share the number: two scenarios, two languages."""
    return hostile.split(
        Item("0003_0006", "cn", "pause_handling", folder="Pause_Handling"),
        Item("0003_0006", "en", "pause_handling", folder="Pause_Handling"),
        Item("0003_0006", "cn", "third_party", "before", folder="Third-party_Speech_before"),
    )


def test_folders_tell_items_of_the_same_name_apart() -> None:
    names = [
        "zh/pause/0003_0006_output.wav",
        "English/0003_0006_output.wav",
        "others_talk_to_user_before/0003_0006_output.wav",
    ]
    report = report_on(filled(names), twins())
    assert report.findings == ()
    assert report.members == {
        ("cn/pause_handling/0003_0006", "test"): names[0],
        ("en/pause_handling/0003_0006", "test"): names[1],
        ("cn/third_party_before/0003_0006", "test"): names[2],
    }


def test_a_folder_name_of_the_manifest_tells_items_apart() -> None:
    split = hostile.split(
        Item("0003_0006", "cn", "pause_handling", folder="Batch 1"),
        Item("0003_0006", "en", "pause_handling", folder="Batch 2"),
    )
    report = report_on(filled(["batch_2/0003_0006_output.wav"]), split)
    assert list(report.members) == [("en/pause_handling/0003_0006", "test")]


@pytest.mark.parametrize("folder", ["", "pause/", "cn/", "outputs/"])
def test_a_name_that_stands_for_several_items_is_an_error(folder: str) -> None:
    name = f"{folder}0003_0006_output.wav"
    report = report_on(filled([name, "en/pause/0003_0006_output.wav"]), twins())
    assert ("name-ambiguous", name) in found(report)
    assert "cn/pause_handling/0003_0006" in the(report, "name-ambiguous").rule
    assert not report.acceptable


def test_an_add_dialogue_is_another_one() -> None:
    split = hostile.split(
        Item("0003_0006", "cn", "pause_handling"), Item("0003_0006_add", "cn", "pause_handling")
    )
    report = report_on(filled(["0003_0006_output.wav", "0003_0006_add_output.wav"]), split)
    assert report.findings == ()
    assert report.members == {
        ("cn/pause_handling/0003_0006", "test"): "0003_0006_output.wav",
        ("cn/pause_handling/0003_0006_add", "test"): "0003_0006_add_output.wav",
    }


def test_a_file_in_the_folder_of_another_language_answers_no_item() -> None:
    split = hostile.split(Item("0001_0002", "cn", "pause_handling"))
    names = ["cn/pause/0001_0002_output.wav", "en/pause/0001_0002_output.wav"]
    report = report_on(filled(names), split)
    assert found(report) == [("file-unknown", names[1])]
    assert "its folders say otherwise" in the(report, "file-unknown").rule


def test_before_is_part_of_the_id_for_third_party_before_only() -> None:
    split = hostile.split(Item("0009_4841_before", "cn", "third_party", "before"))
    assert report_on(filled(["0009_4841_before_output.wav"]), split).findings == ()
    other = hostile.split(Item("0009_4841", "cn", "third_party", "before"))
    report = report_on(filled(["0009_4841_output.wav", "0009_4841_before_output.wav"]), other)
    assert found(report) == [("file-unknown", "0009_4841_before_output.wav")]


def test_a_before_name_is_no_other_name_of_an_anonymous_item() -> None:
    split = hostile.split(Item("0009_4841_before", "cn", "third_party", "after", test_id="0007"))
    report = report_on(filled(["test-0007_output.wav", "0009_4841_before_output.wav"]), split)
    assert ("file-unknown", "0009_4841_before_output.wav") in found(report)


def test_the_exact_tree_of_the_manifest_is_right_even_where_a_folder_sounds_like_another() -> None:
    split = hostile.split(Item("0001_0002", "cn", "pause_handling", folder="shift"))
    report = report_on(filled(["out/cn/shift/0001_0002_output.wav"]), split)
    assert report.findings == ()
    assert report.received == 1


def test_two_files_for_one_item_are_an_error() -> None:
    twice = "HD-Track2/test/old/test-0320_output.wav"
    report = report_on(filled([*TREE, twice]))
    assert found(report)[0] == ("file-twice", twice)
    assert "first as HD-Track2/test/test-0320_output.wav" in the(report, "file-twice").rule
    assert not report.acceptable
    assert report.members["cn/follow_up/0001_5538", "test"] == TEST


# ---- missing and foreign files ------------------------------------------------------------------


def test_three_missing_files_are_named_and_still_acceptable() -> None:
    report = report_on(filled(TREE[:2]))
    assert found(report) == [("file-missing", path) for path in TREE[2:]]
    assert report.acceptable
    assert [file.path for file in report.missing] == TREE[2:]
    assert (report.expected, report.received) == (5, 2)
    assert {finding.severity for finding in report.findings} == {"warning"}
    assert "strict mode" in report.findings[0].rule


def test_counts_are_kept_by_language_and_scenario() -> None:
    report = report_on(filled(TREE[:3]))
    assert report.counts == {
        ("cn", "follow_up"): (2, 2, 0, 0),
        ("en", "negation"): (2, 1, 0, 0),
        ("cn", "pause_handling"): (1, 0, 0, 0),
    }


def test_an_archive_without_any_expected_file_is_refused_and_told_what_was_found() -> None:
    names = ["results/1.wav", "results/2.wav", "results/3.wav", "results/4.wav"]
    report = report_on(filled(names))
    assert found(report) == [
        *(("file-unknown", name) for name in names),
        ("nothing-expected-found", ""),
    ]
    refusal = the(report, "nothing-expected-found")
    assert "results/1.wav, results/2.wav, results/3.wav and 1 more" in refusal.rule
    assert "HD-Track2/clean/clean-{id}_output.wav" in refusal.cure
    assert not report.acceptable
    assert len(report.missing) == 5


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("HD-Track2/test/test-9999_output.wav", "No test recording of this split has the id 9999"),
        (
            "HD-Track2/clean/clean-0320_output.wav",
            "No clean recording of this split has the id 0320",
        ),
        ("0099_0001_output.wav", "No item of this split is called 0099_0001"),
        ("HD-Track2/test/test-0320.wav", "the recording of the user"),
        ("0001_5538.wav", "the recording of the user"),
        ("HD-Track2/test/0320.wav", "that of no output recording"),
        ("HD-Track2/description.pdf", "no wav recording"),
        ("HD-Track2/test/test-0320_output.json", "no wav recording"),
        ("HD-Track2/README", "no wav recording"),
    ],
)
def test_foreign_files_are_named_and_ignored(name: str, said: str) -> None:
    report = report_on(filled([*TREE, name]))
    assert found(report) == [("file-unknown", name)]
    assert said in report.findings[0].rule
    assert report.findings[0].severity == "warning"
    assert (report.acceptable, report.received) == (True, 5)


def test_a_user_side_file_is_told_how_outputs_end() -> None:
    report = report_on(filled([*TREE, "HD-Track2/test/test-0320.wav"]))
    assert "_output.wav" in the(report, "file-unknown").cure


def test_a_clean_file_that_nobody_needs_is_a_note() -> None:
    report = report_on(
        filled([file.path for file in OPEN] + ["cn/Pause_Handling/clean_0007_5432_output.wav"]),
        OPEN,
    )
    assert found(report) == [("clean-not-needed", "cn/Pause_Handling/clean_0007_5432_output.wav")]
    assert report.findings[0].severity == "note"


@pytest.mark.parametrize(("encoding", "folder"), [("gbk", "结果"), ("utf-8", "结果")])
def test_folders_with_chinese_names_do_no_harm(encoding: str, folder: str) -> None:
    raw = folder.encode(encoding)
    names = [name.replace("HD-Track2", "#" * len(raw)) for name in TREE]
    data = hostile.renamed(hostile.zipped(filled(names)), b"#" * len(raw), raw)
    report = report_on(data)
    assert report.received == 5
    assert f"the outer folder is called {folder}" in the(report, "layout-differs").rule


# ---- archives with bad members ------------------------------------------------------------------

GOOD = hostile.zipped(filled(TREE))
BACKSLASHES = TEST.replace("/", "\\")


@pytest.mark.parametrize(
    ("data", "code", "path"),
    [
        (hostile.encrypted(filled(TREE)), "archive-encrypted", TEST),
        (hostile.spoilt(GOOD, "crc", 1), "member-damaged", TEST),
        (hostile.spoilt(GOOD, "method", 97), "member-compression-unknown", TEST),
        (hostile.with_link(TEST, "/etc/passwd"), "member-symlink", TEST),
        (hostile.zipped([(TEST, b"a"), (TEST, b"b")]), "member-duplicate", TEST),
        (hostile.zipped({"../" + TEST: b"a"}), "member-path-unsafe", "../" + TEST),
        (hostile.zipped({BACKSLASHES: b"a"}), "member-backslash", BACKSLASHES),
    ],
)
def test_a_bad_member_is_one_error_and_not_missing(data: bytes, code: str, path: str) -> None:
    report = report_on(data)
    errors = [(f.code, f.path) for f in report.findings if f.severity == "error"]
    assert errors == [(code, path)]
    assert not report.acceptable
    assert "cn/follow_up/0001_5538" not in [
        file.item.key for file in report.missing if file.kind == "test"
    ]


def test_an_archive_that_cannot_be_opened_has_a_report_too() -> None:
    with pytest.raises(ArchiveError) as caught:
        open_outputs(io.BytesIO(b"no zip"))
    report = refuse(caught.value, SPLIT)
    assert found(report) == [("archive-not-zip", "")]
    assert (report.acceptable, report.expected, report.received) == (False, 5, 0)


# ---- the report ---------------------------------------------------------------------------------


NO_FAULT = {"unreadable": 0, "silent": 0}


class Counting:
    """Outputs that count how often each member is read."""

    def __init__(self, data: bytes) -> None:
        self._outputs = open_outputs(io.BytesIO(data))
        self.names, self.findings = self._outputs.names, self._outputs.findings
        self.size, self.close = self._outputs.size, self._outputs.close
        self.reads: list[str] = []

    def read(self, name: str) -> bytes:
        self.reads.append(name)
        return self._outputs.read(name)

    def __enter__(self) -> "Counting":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def test_each_expected_member_is_read_once_in_archive_order_and_no_other() -> None:
    names = [*reversed(TREE), "notes.txt"]
    outputs, steps = Counting(hostile.zipped(filled(names))), list[tuple[int, int]]()
    check(outputs, SPLIT, progress=lambda done, total: steps.append((done, total)))
    assert outputs.reads == names[:-1]
    assert steps == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_another_inspection_can_be_handed_in() -> None:
    odd = Finding("odd", "x", "Odd.", "Mend it.")
    with open_outputs(hostile.opened(hostile.zipped({TEST: b"anything"}))) as outputs:
        report = check(outputs, hostile.split(FOLLOW)[:1], inspect=lambda *_: Inspected([odd]))
    assert report.findings == (odd,)


def test_the_report_is_json_with_stable_keys() -> None:
    report = report_on(filled(TREE[1:]))
    assert json.loads(json.dumps(report.to_json())) == {
        "schema": "check-report/1",
        "acceptable": True,
        "expected": 5,
        "received": 4,
        "findings": [
            {
                "code": "file-missing",
                "path": TREE[0],
                "rule": "The output is missing; its item counts as a failure in strict mode and is"
                " left out in official mode.",
                "cure": "Add it if you have it. The archive is accepted without it.",
                "severity": "warning",
                "key": "file-missing",
                "values": {},
            }
        ],
        "counts": [
            NO_FAULT | {"language": "cn", "scenario": "follow_up", "expected": 2, "received": 1},
            NO_FAULT | {"language": "en", "scenario": "negation", "expected": 2, "received": 2},
            NO_FAULT
            | {"language": "cn", "scenario": "pause_handling", "expected": 1, "received": 1},
        ],
    }


def test_the_summary_has_one_sentence_per_code() -> None:
    report = report_on(filled([*TREE[:3], "a.pdf"]))
    assert report.summary() == (
        "Warning file-unknown: a.pdf: The file is no wav recording.",
        "Warning file-missing, 2 times, first HD-Track2/clean/clean-2531_output.wav: The"
        " output is missing; its item counts as a failure in strict mode and is left out in"
        " official mode.",
    )
