"""The scorer at home, run as teams run it: in a process of its own."""

import csv
import json
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests.golden import golden
from tests.scoring.test_ranking import as_entry

SYSTEMS = ("prompt", "steamroller", "jumpy")


def scoring(*arguments, env=None):
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def report_of(mini, tmp_path, system, *more):
    out = tmp_path / f"{system}.json"
    folder = mini / "submissions" / system
    done = scoring(
        "score", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", folder / "HD-Track2.zip", "--transcripts", folder / "transcripts",
        "--json", out, *more,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text(encoding="utf-8"))


def truth_of(mini):
    return json.loads((mini / "truth.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_report_equals_the_known_truth(mini, tmp_path, system):
    report = report_of(mini, tmp_path, system)
    truth = truth_of(mini)
    assert report["schema"] == "score-report/1"
    assert len(report["items"]) == 20
    wrong = []
    for item in report["items"]:
        planned = truth[item["item"]]["systems"][system]
        if "label" in planned and item["label"] != planned["label"]:
            wrong.append((item["language"], item["item"]))
        if "rejected" in planned:
            assert item["success"] is planned["rejected"]
        if "official_stop" in planned:
            stop = [pytest.approx(one, abs=0.002) for one in planned["official_stop"]]
            assert item["stop"] == stop
        else:
            assert item["stop"] is None
    assert wrong == []


def test_strict_mode_is_named_in_the_report_and_the_signature(mini, tmp_path):
    report = report_of(mini, tmp_path, "prompt", "--mode", "strict")
    assert report["mode"] == "strict"
    assert "mode:strict" in report["signature"]
    assert report["totals"]["rankable"] is True
    assert "offline" in report["unofficial"]


def test_absent_values_are_null_and_never_zero(mini, tmp_path):
    report = report_of(mini, tmp_path, "jumpy")
    pause = next(i for i in report["items"] if i["scenario"] == "pause_handling")
    assert pause["first_response_delay"] is None
    assert pause["stop"] is None
    assert pause["label"] is None


def official_layout(mini, root, system):
    """Lay out one system as the official scripts expect it: outputs beside the recordings."""
    folder = mini / "submissions" / system
    with zipfile.ZipFile(folder / "HD-Track2.zip") as archive:
        for row in csv.DictReader((mini / "manifest.csv").open(encoding="utf-8")):
            place = root / row["language"] / row["folder"]
            source = mini / "reference" / row["language"] / row["folder"]
            if not place.exists():
                shutil.copytree(source, place)
            for kind, number, stem in (
                ("test", row["test_id"], f"{row['item']}_output"),
                ("clean", row["clean_id"], f"clean_{row['item']}_output"),
            ):
                if number:
                    name = f"{kind}-{number}_output"
                    data = archive.read(f"HD-Track2/{kind}/{name}.wav")
                    (place / f"{stem}.wav").write_bytes(data)
                    shutil.copy(folder / "transcripts" / f"{name}.json", place / f"{stem}.json")
    return root


def test_the_official_layout_gives_the_same_numbers(mini, tmp_path):
    root = official_layout(mini, tmp_path / "official", "jumpy")
    out = tmp_path / "layout.json"
    done = scoring("score", "--layout", "official", root, "--json", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text(encoding="utf-8"))
    other = report_of(mini, tmp_path, "jumpy")
    assert report["totals"] == other["totals"]
    keyed = {(i["language"], i["item"]): i for i in report["items"]}
    assert keyed == {(i["language"], i["item"]): i for i in other["items"]}


@pytest.mark.parametrize(("name", "code"), [("HD-Track2.zip", 0), ("cut.zip", 1)])
def test_check_answers_with_its_exit_code(mini, tmp_path, name, code):
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    if code:
        archive = tmp_path / name
        whole = (mini / "submissions" / "prompt" / "HD-Track2.zip").read_bytes()
        archive.write_bytes(whole[: len(whole) // 2])
    done = scoring("check", archive, "--manifest", mini / "manifest.csv", "--json")
    assert done.returncode == code
    report = json.loads(done.stdout)
    assert report["acceptable"] is (code == 0)
    assert {"code", "path", "rule", "cure"} <= set(
        report["findings"][0] if report["findings"] else ["code", "path", "rule", "cure"]
    )


def test_check_cannot_tell_without_a_manifest(mini, tmp_path):
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    done = scoring("check", archive, "--manifest", tmp_path / "none.csv")
    assert done.returncode == 2
    assert "none.csv" in done.stderr
    assert "Traceback" not in done.stderr


def table(tmp_path, rows):
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["team", "kind", "interruption", "rejection", "delay"])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_rank_reproduces_the_published_table(tmp_path):
    rows = golden("humdial_published_table")["rows"]
    done = scoring("rank", table(tmp_path, map(as_entry, rows)), "--json")
    assert done.returncode == 0, done.stderr
    ranked = {row["team"]: row for row in json.loads(done.stdout)["rows"]}
    for row in rows:
        assert ranked[row["team"]]["total"] == float(row["published"]["final"])
        rank = row["published"]["rank"]
        assert ranked[row["team"]]["rank"] == (None if rank is None else int(rank))


def test_rank_says_in_one_line_what_is_wrong(tmp_path):
    done = scoring("rank", table(tmp_path, [{"team": "a", "kind": "guest"}]))
    assert done.returncode == 2
    assert "guest" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_reports_are_compared_in_words(mini, tmp_path):
    for mode in ("official", "strict"):
        report = report_of(mini, tmp_path, "prompt", "--mode", mode)
        (tmp_path / f"{mode}.json").write_text(json.dumps(report), encoding="utf-8")
    done = scoring("compare", tmp_path / "official.json", tmp_path / "strict.json")
    assert done.returncode == 0
    assert "The mode differs: official against strict." in done.stdout


def test_the_scorer_runs_without_the_site(mini, tmp_path):
    code = (
        "import sys, scoring.__main__; "
        "sys.exit(any(m.split('.')[0] in ('django', 'celery') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
