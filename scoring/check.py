"""Compare the outputs of a submission with the expected files and say in findings what differs.

Conventions: each finding has a stable code, the file, the rule, the cure and a severity; an
archive without errors is acceptable, also when files are missing (they count as failures in strict
mode, decision 15). Each member is read once, one at a time. Protocol 1.6 and 1.7.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring import audio
from scoring.archive import Outputs
from scoring.errors import ArchiveError, AudioError, Finding, ScoringError
from scoring.layout import TREE_CURE, match
from scoring.manifest import ExpectedFile

SCHEMA = "check-report/1"

Inspect = Callable[[bytes, str], Sequence[Finding]]
Progress = Callable[[int, int], None]


class Count(NamedTuple):
    """Files of one scenario in one language."""

    expected: int
    received: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found.

    Attributes:
        findings: the archive first, then names, missing files and sound.
        members: item key and kind of each file that is there → member name in the archive.
        files: all expected files, in the order of the manifest.
    """

    findings: tuple[Finding, ...]
    members: Mapping[tuple[str, str], str]
    files: tuple[ExpectedFile, ...]

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
        """Expected and received files of each language and scenario."""
        expected = Counter((file.item.language, file.item.scenario) for file in self.files)
        missing = Counter((file.item.language, file.item.scenario) for file in self.missing)
        return {key: Count(total, total - missing[key]) for key, total in expected.items()}

    def summary(self) -> tuple[str, ...]:
        """One sentence for each code, with its number and its first case."""
        numbers = Counter(finding.code for finding in self.findings)
        firsts: dict[str, Finding] = {}
        for finding in self.findings:
            firsts.setdefault(finding.code, finding)
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
                    "code": finding.code,
                    "path": finding.path,
                    "rule": finding.rule,
                    "cure": finding.cure,
                    "severity": finding.severity,
                }
                for finding in self.findings
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


def as_finding(error: ScoringError, *, path: str = "") -> Finding:
    """Turn an error into a finding of severity ``error``; ``path`` is used where it names none."""
    return Finding(error.code, error.path or path, error.rule, error.cure)


def refuse(error: ScoringError, expected: Sequence[ExpectedFile]) -> CheckReport:
    """The report on an archive that could not even be opened."""
    return CheckReport((as_finding(error),), {}, tuple(expected))


def inspect_output(data: bytes, path: str, *, channel: int | None = None) -> list[Finding]:
    """Look into one output recording (protocol 1.7, decision D5).

    Args:
        data: content of the wav file.
        path: its name in the archive.
        channel: the model's channel, where the submission names one.

    Returns:
        An error with the code of the ``AudioError``, or ``audio-resampled`` and ``audio-silent``
        where they apply.
    """
    try:
        recording = audio.read(data, path=path, channel=channel)
    except AudioError as error:
        return [as_finding(error, path=path)]
    findings = []
    if recording.header.rate != audio.SAMPLE_RATE:
        findings.append(_resampled(path, recording.header.rate))
    if audio.is_silent(recording.samples):
        findings.append(_silent(path))
    return findings


def check(
    outputs: Outputs,
    expected: Sequence[ExpectedFile],
    *,
    inspect: Inspect = inspect_output,
    progress: Progress | None = None,
) -> CheckReport:
    """Compare an open archive with the expected files.

    Args:
        outputs: the opened archive or folder.
        expected: all files that a submission must hold.
        inspect: looks into the content of one file and says what it finds.
        progress: called with the number of files looked into and the number to look into.

    Returns:
        The report. A damaged member, a wrong name or bad sound is a finding, not an exception.
    """
    matched = match(outputs.names, expected)
    absent = [file for file in expected if file.key not in matched.members]
    sound = _Sound(inspect)
    for done, ((key, _), name) in enumerate(matched.members.items(), 1):
        sound.take(outputs, name, item=key)
        if progress:
            progress(done, len(matched.members))
    lacking = [*map(_missing, absent)] if matched.members else [_nothing_found(outputs.names)]
    findings = [*outputs.findings, *matched.findings, *lacking, *sound.findings()]
    return CheckReport(_without_repeats(findings), matched.members, tuple(expected))


@dataclass(slots=True)
class _Sound:
    """What was found in the files so far; of each file only its hash is kept."""

    inspect: Inspect
    found: list[Finding] = field(default_factory=list)
    resampled: list[Finding] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    seen: dict[str, tuple[str, str]] = field(default_factory=dict)

    def take(self, outputs: Outputs, name: str, *, item: str) -> None:
        """Read one member and look into it."""
        try:
            data = outputs.read(name)
        except ArchiveError as error:
            self.found.append(as_finding(error, path=name))
            return
        findings = self.inspect(data, name)
        for finding in findings:
            (self.resampled if finding.code == "audio-resampled" else self.found).append(finding)
        if not any(f.severity == "error" or f.code == "audio-silent" for f in findings):
            self._compare(hashlib.sha256(data).hexdigest(), name, item)

    def _compare(self, digest: str, name: str, item: str) -> None:
        first_item, first_name = self.seen.setdefault(digest, (item, name))
        if first_name == name:
            return
        if first_item == item:
            self.unchanged.append(name)
        else:
            self.found.append(_duplicate(name, first_name))

    def findings(self) -> list[Finding]:
        """Findings of all files; what concerns most files of an archive is one line."""
        notes = [_together(self.resampled)] if self.resampled else []
        return [*self.found, *notes, *([_unchanged(self.unchanged)] if self.unchanged else [])]


def _without_repeats(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Drop the second of two findings with one code on one file, such as a refused member."""
    return tuple({(one.code, one.path, one.rule): one for one in findings}.values())


# ---- findings -----------------------------------------------------------------------------------


def _missing(file: ExpectedFile) -> Finding:
    return Finding(
        "file-missing",
        file.path,
        f"The {file.kind} output of {file.item.key} is missing; its item counts as a failure in"
        " strict mode and is left out in official mode.",
        "Add it if you have it. The archive is accepted without it.",
        severity="warning",
    )


def _nothing_found(names: Sequence[str]) -> Finding:
    some = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
    return Finding(
        "nothing-expected-found",
        "",
        f"None of the expected files is in the archive. Found: {some or 'no file at all'}.",
        TREE_CURE,
    )


def _resampled(path: str, rate: int) -> Finding:
    return Finding(
        "audio-resampled",
        path,
        f"The file has {rate:,} samples a second instead of {audio.SAMPLE_RATE:,}.",
        "Nothing needs to be done; it is resampled.",
        severity="note",
    )


def _together(findings: Sequence[Finding]) -> Finding:
    first = findings[0]
    if len(findings) == 1:
        return first
    rule = f"{len(findings):,} files have another rate; for example {first.path}: {first.rule}"
    return Finding(first.code, "", rule, "Nothing needs to be done; they are resampled.", "note")


def _silent(path: str) -> Finding:
    return Finding(
        "audio-silent",
        path,
        "Nothing is heard in this file from start to end.",
        "Right if the system did not answer; otherwise check the recording.",
        severity="warning",
    )


def _duplicate(path: str, first: str) -> Finding:
    return Finding(
        "audio-duplicate",
        path,
        f"The file is the same, byte by byte, as {first}, which answers another item.",
        "Check whether outputs were mixed up.",
        severity="warning",
    )


def _unchanged(names: Sequence[str]) -> Finding:
    return Finding(
        "audio-same-as-partner",
        "",
        f"{len(names):,} item(s) have the same file for test and clean, such as {names[0]}.",
        "Right for a repeatable system that ignores the event; otherwise check for mixed up files.",
        severity="note",
    )
