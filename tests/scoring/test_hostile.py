"""Every archive of the table at the command line: verdict, codes, no file written, memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.__main__ import main
from tests.scoring.hostile_cases import CASES, Case

MOST_MEMORY = 2**30
# Each archive has 20 s; what comes close shows in the bench, this only ends a hang.
PATIENCE = 20 * len(CASES)
# VmHWM begins anew with the program; ru_maxrss would go on from the size of the test process.
CHECK_ALL = """
import re, sys
from pathlib import Path
from scoring.__main__ import main
for path in sys.argv[2:]:
    code = main(["check", path, "--manifest", sys.argv[1], "--quiet"])
    assert code in (0, 1), path
print(1024 * int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]))
"""


def test_there_are_at_least_fifty_archives_each_with_its_own_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 50


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_command_line_gives_verdict_and_codes(
    case: Case, hostile_archives: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(hostile_archives.rglob("*"))
    path = hostile_archives / f"{case.name}.zip"
    code = main(
        ["check", str(path), "--manifest", str(hostile_archives / "manifest.csv"), "--json"]
    )
    report = json.loads(capsys.readouterr().out)
    assert sorted({one["code"] for one in report["findings"]}) == sorted(case.codes)
    assert report["acceptable"] is case.acceptable
    assert code == (0 if case.acceptable else 1)
    assert all(one["rule"] and one["cure"] for one in report["findings"])
    assert sorted(hostile_archives.rglob("*")) == before
    assert len(json.dumps(report)) < 100_000


def test_all_of_them_together_take_less_than_a_gibibyte(hostile_archives: Path) -> None:
    paths = [str(hostile_archives / f"{case.name}.zip") for case in CASES]
    done = subprocess.run(
        [sys.executable, "-c", CHECK_ALL, str(hostile_archives / "manifest.csv"), *paths],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    assert int(done.stdout) < MOST_MEMORY
