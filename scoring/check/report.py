"""What the check of an archive found, as a value and as JSON.

Conventions: each finding has a stable code, the file, the rule, the cure and a severity; an archive
without errors is acceptable, also when files are missing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.check.sound import Key
from scoring.errors import Finding, ScoringError
from scoring.manifest import ExpectedFile
from scoring.recording import Content
from scoring.rules import as_finding, said_to_json

SCHEMA = "check-report/1"


class Count(NamedTuple):
    """Files of one scenario in one language.

    Attributes:
        expected: files that a submission must hold.
        received: of these, those that are there, readable or not.
        unreadable: of those that are there, files with an error.
        silent: of those that are there, files in which nothing is heard.
    """

    expected: int
    received: int
    unreadable: int
    silent: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found.

    Attributes:
        findings: the archive first, then names, missing files and sound.
        members: item key and kind of each file that is there → member name in the archive.
        files: all expected files, in the order of the manifest.
        unreadable: keys of the files that are there and have an error.
        silent: keys of the files in which nothing is heard.
        contents: what each file holds that is there and can be read.
    """

    findings: tuple[Finding, ...]
    members: Mapping[Key, str]
    files: tuple[ExpectedFile, ...]
    unreadable: frozenset[Key] = frozenset()
    silent: frozenset[Key] = frozenset()
    contents: Mapping[Key, Content] = field(default_factory=dict)

    @property
    def acceptable(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def expected(self) -> int:
        """Number of files that a submission must hold."""
        return len(self.files)

    @property
    def received(self) -> int:
        """Number of expected files that are there, readable or not."""
        return len(self.members)

    @property
    def missing(self) -> tuple[ExpectedFile, ...]:
        """Expected files that are not there, in the order of the manifest."""
        return tuple(file for file in self.files if file.key not in self.members)

    @property
    def counts(self) -> dict[tuple[str, str], Count]:
        """Expected, received, unreadable and silent files of each language and scenario."""
        numbers: dict[tuple[str, str], list[int]] = {}
        for file in self.files:
            place = numbers.setdefault((file.item.language, file.item.scenario), [0, 0, 0, 0])
            place[0] += 1
            for at, keys in enumerate((self.members, self.unreadable, self.silent), 1):
                place[at] += file.key in keys
        return {place: Count(*found) for place, found in numbers.items()}

    def summary(self) -> tuple[str, ...]:
        """One sentence for each code, with its number and its first case."""
        numbers = Counter(one.code for one in self.findings)
        firsts: dict[str, Finding] = {}
        for one in self.findings:
            firsts.setdefault(one.code, one)
        return tuple(_sentence(first, numbers[code]) for code, first in firsts.items())

    def to_json(self) -> dict[str, Any]:
        """Return the report with stable keys (schema ``check-report/1``)."""
        return {
            "schema": SCHEMA,
            "acceptable": self.acceptable,
            "expected": self.expected,
            "received": self.received,
            "findings": [finding_to_json(one) for one in self.findings],
            "counts": [
                {"language": language, "scenario": scenario, **count._asdict()}
                for (language, scenario), count in self.counts.items()
            ],
        }


def finding_to_json(one: Finding) -> dict[str, Any]:
    """Return a finding with stable keys."""
    return {
        "code": one.code,
        "path": one.path,
        "rule": one.rule,
        "cure": one.cure,
        "severity": one.severity,
        **said_to_json(one.said),
    }


def _sentence(first: Finding, number: int) -> str:
    head = f"{first.severity.capitalize()} {first.code}"
    where = f" {first.path}:" if first.path else ""
    if number == 1:
        return f"{head}:{where} {first.rule}"
    return f"{head}, {number:,} times, first{where} {first.rule}"


def refuse(error: ScoringError, expected: Sequence[ExpectedFile]) -> CheckReport:
    """The report on an archive that could not even be opened."""
    return CheckReport((as_finding(error),), {}, tuple(expected))
