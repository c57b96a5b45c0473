"""A small split, and what a team may hand in for it.

Conventions: three items with anonymous ids need five files; every file has a sound of its own.
"""

from collections.abc import Sequence

from scoring.archive import open_outputs
from scoring.check import CheckReport, check
from scoring.errors import Finding
from scoring.manifest import ExpectedFile, Item
from tests.scoring import hostile

FOLLOW = Item("0001_5538", "cn", "follow_up", "", "Follow-up_Questions", "0320", "5996")
DENY = Item("0012_1849", "en", "negation", "", "Negation_Dissatisfaction", "6000", "2531")
PAUSE = Item("0007_5432", "cn", "pause_handling", "", "Pause_Handling", "2668")
SPLIT = hostile.split(FOLLOW, DENY, PAUSE)
TREE = [file.path for file in SPLIT]
TEST = "HD-Track2/test/test-0320_output.wav"


def filled(names: Sequence[str]) -> dict[str, bytes]:
    """One short recording per name, each with a sound of its own."""
    return {name: hostile.wav(seed, seconds=0.05) for seed, name in enumerate(names, 1)}


def report_on(
    files: hostile.Files | bytes, expected: Sequence[ExpectedFile] = SPLIT
) -> CheckReport:
    data = files if isinstance(files, bytes) else hostile.zipped(files)
    with open_outputs(hostile.opened(data)) as outputs:
        return check(outputs, expected)


def found(report: CheckReport) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in report.findings]


def the(report: CheckReport, code: str) -> Finding:
    (finding,) = [finding for finding in report.findings if finding.code == code]
    return finding
