"""The scorer at home: one command, its output and its exit code.

Most tests call the command's function; those about signals, terminals and exit codes run it as
teams do, in a process of its own.
"""

import csv
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import wave
import zipfile

import pytest

from scoring.__main__ import main

SYSTEMS = ("prompt", "steamroller", "jumpy")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path_factory):
    """No test finds what another one left, or touches the cache of whoever runs them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def scoring(*arguments, env=None):
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def scored(mini, system, out, *more, submission=None):
    """Score a system of the demonstration with its transcripts; return the exit code."""
    folder = mini / "submissions" / system
    command = [
        "score", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", submission or folder / "HD-Track2.zip",
        "--transcripts", folder / "transcripts", "--json", out, *more,
    ]  # fmt: skip
    return main(list(map(str, command)))


@pytest.fixture(scope="module")
def report_file(mini, tmp_path_factory):
    """Reports are made once for all tests of this file."""
    folder = tmp_path_factory.mktemp("reports")

    def make(system, mode="official"):
        out = folder / f"{system}-{mode}.json"
        if not out.exists():
            assert scored(mini, system, out, "--mode", mode) == 0
        return out

    return make


@pytest.fixture(scope="module")
def report_of(report_file):
    return lambda *which: json.loads(report_file(*which).read_text(encoding="utf-8"))


def truth_of(mini):
    return json.loads((mini / "truth.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_report_equals_the_known_truth(mini, report_of, system):
    report = report_of(system)
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


def test_strict_mode_is_named_in_the_report_and_the_signature(report_of):
    report = report_of("prompt", "strict")
    assert report["mode"] == "strict"
    assert "mode:strict" in report["signature"]
    assert report["totals"]["rankable"] is True
    assert "offline" in report["unofficial"]


def test_absent_values_are_null_and_never_zero(report_of):
    report = report_of("jumpy")
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


def test_the_official_layout_gives_the_same_numbers(mini, report_of, tmp_path):
    root = official_layout(mini, tmp_path / "official", "jumpy")
    out = tmp_path / "layout.json"
    done = scoring("score", "--layout", "official", root, "--json", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text(encoding="utf-8"))
    other = report_of("jumpy")
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


def archive(tmp_path, mini, change):
    """Make jumpy's archive anew; ``change`` turns a file's name and content into its content."""
    made = tmp_path / "HD-Track2.zip"
    with (
        zipfile.ZipFile(mini / "submissions" / "jumpy" / "HD-Track2.zip") as old,
        zipfile.ZipFile(made, "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return made


def cut(tmp_path, mini):
    path = tmp_path / "cut.zip"
    whole = (mini / "submissions" / "jumpy" / "HD-Track2.zip").read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def with_a_text_for_a_wav(tmp_path, mini):
    return archive(tmp_path, mini, lambda name, data: b"no sound" if "test-0320" in name else data)


def folder_without_outputs(tmp_path, mini):
    path = tmp_path / "empty"
    path.mkdir()
    (path / "notes.txt").write_text("soon", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("broken", "finding"),
    [
        (cut, "archive-truncated"),
        (with_a_text_for_a_wav, "audio-not-wav: HD-Track2/test/test-0320_output.wav"),
        (folder_without_outputs, "nothing-expected-found"),
    ],
)
def test_what_check_refuses_is_not_scored_and_the_findings_are_said(
    mini, tmp_path, capsys, broken, finding
):
    submission, out = broken(tmp_path, mini), tmp_path / "report.json"
    assert scored(mini, "jumpy", out, submission=submission) == 1
    said = capsys.readouterr()
    assert f"error {finding}" in said.err
    assert "not acceptable." in said.err
    assert said.out == ""
    assert not out.exists()
    assert main(["check", str(submission), "--manifest", str(mini / "manifest.csv")]) == 1
    assert capsys.readouterr().out == said.err


def test_a_broken_output_in_the_official_layout_is_not_acceptable(mini, tmp_path, capsys):
    root = official_layout(mini, tmp_path / "official", "jumpy")
    next(root.rglob("*_output.wav")).write_bytes(b"no sound")
    assert main(["score", "--layout", "official", str(root)]) == 1
    assert "_output.wav" in capsys.readouterr().err


def test_a_broken_user_recording_is_no_fault_of_the_submission(mini, tmp_path, capsys):
    root = official_layout(mini, tmp_path / "official", "jumpy")
    (root / "cn" / "Follow-up_Questions" / "0001_5538.wav").write_bytes(b"no sound")
    assert main(["score", "--layout", "official", str(root)]) == 2
    assert "0001_5538.wav" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "score"])
def test_an_archive_that_is_not_there_is_no_refusal(mini, tmp_path, capsys, command):
    manifest = ["--manifest", str(mini / "manifest.csv")]
    gone = str(tmp_path / "gone.zip")
    arguments = [gone] if command == "check" else ["--reference", str(mini), "--submission", gone]
    assert main([command, *manifest, *arguments]) == 2
    assert capsys.readouterr().err.startswith("archive-unreadable: gone.zip cannot be opened")


def test_a_folder_that_holds_just_the_zip_is_the_zip(mini, capsys):
    folder = mini / "submissions" / "prompt"
    assert main(["check", str(folder), "--manifest", str(mini / "manifest.csv")]) == 0
    assert capsys.readouterr().out.endswith("36 of 36 recordings found: acceptable.\n")


def test_a_manifest_that_is_no_text_is_named(mini, tmp_path, capsys):
    path = tmp_path / "manifest.csv"
    path.write_bytes("item,语言\n".encode("gbk"))
    assert main(["check", str(mini), "--manifest", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"file-not-text: {path}: ")


@pytest.mark.parametrize(
    "arguments", [[], ["--manifest", "m.csv"], ["--reference", "x", "--submission", "y"]]
)
def test_score_says_what_it_needs(arguments, capsys):
    assert main(["score", *arguments]) == 2
    assert "Give --reference, --manifest and --submission" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_is_told_before_the_work(mini, tmp_path, capsys):
    out = tmp_path / "nowhere" / "report.json"
    gone = tmp_path / "gone.zip"
    assert scored(mini, "jumpy", out, submission=gone) == 2
    assert "The folder for the report is not there." in capsys.readouterr().err


def test_quiet_leaves_the_report_the_exit_code_and_errors(mini, tmp_path, capsys):
    out = tmp_path / "report.json"
    assert scored(mini, "jumpy", out, "--quiet") == 0
    assert json.loads(out.read_text(encoding="utf-8"))["totals"]["received"] == 20
    assert tuple(capsys.readouterr()) == ("", "")
    check = ["check", "--quiet", "--manifest", str(mini / "manifest.csv")]
    assert main([*check, str(cut(tmp_path, mini))]) == 1
    assert tuple(capsys.readouterr()) == ("", "")
    assert main([*check, str(tmp_path / "gone.zip")]) == 2
    assert "cannot be opened" in capsys.readouterr().err


def test_a_summary_tells_what_happened_beside_the_score(mini, tmp_path, capsys):
    assert scored(mini, "jumpy", tmp_path / "report.json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "answered both speakers: 2 of 2 answers" in lines
    assert "speaking when the event starts: 16 of 16 answers" in lines
    assert not [line for line in lines if "first sound" in line]


def from_its_first_sound(name, data):
    """A wav without the silence before its first sound, as careless recorders write it."""
    with wave.open(io.BytesIO(data)) as old:
        form, frames = old.getparams(), old.readframes(old.getnframes())
    start = len(frames) - len(frames.lstrip(b"\0"))
    out = io.BytesIO()
    with wave.open(out, "wb") as new:
        new.setparams(form)
        new.writeframes(frames[start - start % 2 :])
    return out.getvalue()


def test_files_that_start_at_the_models_first_sound_are_noticed(mini, tmp_path, capsys):
    submission, out = archive(tmp_path, mini, from_its_first_sound), tmp_path / "report.json"
    assert scored(mini, "jumpy", out, submission=submission) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["diagnostics"]["not_on_users_clock"] == {"count": 20, "of": 20}
    (warning,) = report["warnings"]
    assert warning.startswith("20 of 20 answers start in the first 0.1 s of their file")
    assert warning in capsys.readouterr().out


def in_a_terminal(*arguments):
    """Start the command with a terminal for standard error; return it and the terminal's end."""
    master, slave = pty.openpty()
    # A background job may ignore interrupts; this one must not, whoever started the tests.
    heeding = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "runpy.run_module('scoring', run_name='__main__', alter_sys=True)"
    )
    command = [sys.executable, "-c", heeding, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    return process, master


def rest_of(terminal):
    found = b""
    try:
        while part := os.read(terminal, 4096):
            found += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(terminal)
    return found.decode()


def test_a_terminal_shows_progress(mini):
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    process, terminal = in_a_terminal("check", archive, "--manifest", mini / "manifest.csv")
    shown = rest_of(terminal)
    assert process.wait() == 0
    assert "\rchecking [██████████          ] 18/36" in shown
    assert shown.endswith("\rchecking [████████████████████] 36/36\r\n")


def test_what_is_no_terminal_shows_no_progress(mini):
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    done = scoring("check", archive, "--manifest", mini / "manifest.csv")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_ends_with_one_line(mini):
    folder = mini / "submissions" / "prompt"
    process, terminal = in_a_terminal(
        "score", "--reference", mini, "--manifest", mini / "manifest.csv",
        "--submission", folder / "HD-Track2.zip", "--transcripts", folder / "transcripts",
    )  # fmt: skip
    shown = os.read(terminal, 4096).decode()
    process.send_signal(signal.SIGINT)
    shown += rest_of(terminal)
    assert process.wait() == 130
    assert shown.startswith("\rchecking [")
    assert shown.endswith("\r\nStopped.\r\n")
    assert "Traceback" not in shown
    assert process.stdout.read() == b""


def test_the_scorer_runs_without_the_site():
    code = (
        "import sys, scoring.__main__; "
        "sys.exit(any(m.split('.')[0] in ('django', 'celery') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
