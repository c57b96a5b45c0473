"""Compare the outputs of a submission with the expected files and say in findings what differs.

Conventions: each finding has a stable code, the file, the rule, the cure and a severity; an
archive without errors is acceptable, also when files are missing (they count as failures in strict
mode, decision 15). Each member is read once, one at a time. Protocol 1.6 and 1.7.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.archive import Outputs
from scoring.check_sound import Inspect, Key, Sounds, inspect_output
from scoring.errors import Finding, Phrase, ScoringError
from scoring.humdial import names as humdial
from scoring.layout import match
from scoring.manifest import ExpectedFile
from scoring.members import shown
from scoring.recording import Content
from scoring.rules import as_finding, finding, listed, said_to_json

SCHEMA = "check-report/1"

# Findings of one code that a report carries; the rest is counted. A full entry has 9,100 files.
MOST_OF_A_CODE = 10_000

Progress = Callable[[int, int], None]


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
            "findings": [
                {
                    "code": one.code,
                    "path": one.path,
                    "rule": one.rule,
                    "cure": one.cure,
                    "severity": one.severity,
                    **said_to_json(one.said),
                }
                for one in self.findings
            ],
            "counts": [
                {"language": language, "scenario": scenario, **count._asdict()}
                for (language, scenario), count in self.counts.items()
            ],
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


def check(
    outputs: Outputs,
    expected: Sequence[ExpectedFile],
    *,
    inspect: Inspect = inspect_output,
    progress: Progress | None = None,
    durations: Mapping[str, float] | None = None,
) -> CheckReport:
    """Compare an open archive with the expected files.

    Args:
        outputs: the opened archive or folder.
        expected: all files that a submission must hold.
        inspect: looks into the content of one file and says what it finds.
        progress: called with the number of files looked into and the number to look into.
        durations: seconds of the user's recordings by item key, where they are known.

    Returns:
        The report. A damaged member, a wrong name or bad sound is a finding, not an exception.
    """
    matched = match(outputs.names, expected)
    files = {file.key: file for file in expected}
    sound = Sounds(inspect, durations or {})
    for done, (key, name) in enumerate(matched.members.items(), 1):
        sound.take(outputs, name, files[key])
        if progress:
            progress(done, len(matched.members))
    lacking = [] if matched.later else _lacking(outputs.names, matched.members, expected)
    findings = [*outputs.findings, *matched.findings, *lacking, *sound.findings()]
    return CheckReport(
        _bounded(_without_repeats(findings)),
        matched.members,
        tuple(expected),
        frozenset(sound.unreadable),
        frozenset(sound.silent),
        sound.contents,
    )


def _without_repeats(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Drop the second of two findings with one code on one file, such as a refused member."""
    return tuple({(one.code, one.path, one.rule): one for one in findings}.values())


def _bounded(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Keep a report readable when tens of thousands of files have the same fault."""
    numbers: Counter[str] = Counter()
    kept: list[Finding] = []
    for one in findings:
        numbers[one.code] += 1
        if numbers[one.code] <= MOST_OF_A_CODE:
            kept.append(one)
    left = {code: count - MOST_OF_A_CODE for code, count in numbers.items()}
    return (
        *kept,
        *(
            finding("findings-left-out", count=f"{count:,}", code=code)
            for code, count in left.items()
            if count > 0
        ),
    )


# ---- findings -----------------------------------------------------------------------------------


def _lacking(
    names: Sequence[str], members: Mapping[Key, str], expected: Sequence[ExpectedFile]
) -> list[Finding]:
    if not members:
        return [_nothing_found(names)]
    return [_missing(file) for file in expected if file.key not in members]


def _missing(file: ExpectedFile) -> Finding:
    # The item stays unnamed: who has only the anonymous ids must not learn the pairs from this.
    return finding("file-missing", file.path)


def _nothing_found(names: Sequence[str]) -> Finding:
    some = listed([*map(shown, names)]) if names else Phrase("no-file")
    return finding("nothing-expected-found", found=some, tree=humdial.TREE)
