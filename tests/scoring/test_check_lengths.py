"""The check at home against a reference folder: lengths of the user's recordings."""

import json
import shutil
from pathlib import Path

import pytest

from scoring.__main__ import main
from scoring.manifest import Manifest
from scoring.reference import user_seconds


def report_of(
    mini: Path, capsys: pytest.CaptureFixture[str], archive: Path, *more: str
) -> list[tuple[str, str]]:
    manifest = str(mini / "manifest.csv")
    code = main(["check", str(archive), "--manifest", manifest, "--json", *more])
    assert code == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    # The demonstration repeats itself, which is told in a note of its own.
    return [(one["code"], one["path"]) for one in found if one["severity"] != "note"]


def test_lengths_of_the_users_recordings_are_read_from_headers(mini: Path) -> None:
    manifest = Manifest.from_csv((mini / "manifest.csv").read_text(encoding="utf-8"))
    seconds = user_seconds(mini, manifest)
    assert set(seconds) == {item.key for item in manifest.items}
    assert all(5 < one < 60 for one in seconds.values())


def test_outputs_on_the_users_clock_have_no_findings(
    mini: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    assert report_of(mini, capsys, archive, "--reference", str(mini)) == []


def test_an_output_that_ends_early_is_told_only_against_the_reference(
    mini: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    archive = mini / "submissions" / "prompt" / "HD-Track2.zip"
    shutil.unpack_archive(archive, tmp_path)
    first = sorted(tmp_path.rglob("test-*_output.wav"))[0]
    # A length of all ones is that of a stream: what is there counts.
    data = bytearray(first.read_bytes()[: 44 + 2 * 16_000 * 3])
    data[4:8] = data[40:44] = b"\xff" * 4
    first.write_bytes(data)
    name = first.relative_to(tmp_path).as_posix()
    assert report_of(mini, capsys, tmp_path) == [("audio-silent", name)]
    assert report_of(mini, capsys, tmp_path, "--reference", str(mini)) == [
        ("audio-silent", name),
        ("audio-shorter-than-user", name),
    ]
