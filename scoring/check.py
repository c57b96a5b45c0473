"""Compare the outputs of a submission with the expected files and say in findings what differs.

Conventions: each finding has a stable code, the file, the rule, the cure and a severity; an
archive without errors is acceptable, also when files are missing (they count as failures in strict
mode, decision 15). Each member is read once, one at a time. Protocol 1.6 and 1.7.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring import audio
from scoring.archive import Outputs
from scoring.errors import ArchiveError, AudioError, Finding, Phrase, ScoringError
from scoring.humdial import names as humdial
from scoring.humdial.diagnostics import CLOCK_SHORTER, CLOCK_START
from scoring.layout import match
from scoring.manifest import ExpectedFile
from scoring.members import shown
from scoring.rules import as_finding, finding, listed, said_to_json

SCHEMA = "check-report/1"

# An answer may go on after the user's recording ends, but hardly for so long.
LONGER = 30.0
# Findings of one code that a report carries; the rest is counted. A full entry has 9,100 files.
MOST_OF_A_CODE = 10_000

# Content of a file, its name, and the length of the user's recording where it is known.
Inspect = Callable[[bytes, str, float | None], Sequence[Finding]]
Progress = Callable[[int, int], None]
Key = tuple[str, str]


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
    """

    findings: tuple[Finding, ...]
    members: Mapping[Key, str]
    files: tuple[ExpectedFile, ...]
    unreadable: frozenset[Key] = frozenset()
    silent: frozenset[Key] = frozenset()

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


def inspect_output(
    data: bytes, path: str, user_seconds: float | None = None, *, channel: int | None = None
) -> list[Finding]:
    """Look into one output recording (protocol 1.7, decision D5).

    Args:
        data: content of the wav file.
        path: its name in the archive.
        user_seconds: length of the user's recording; nothing is said about lengths without it.
        channel: the model's channel, where the submission names one.

    Returns:
        An error with the code of the ``AudioError``, or ``audio-resampled``, ``audio-silent`` and
        one of ``audio-shorter-than-user``, ``audio-longer-than-user`` and
        ``audio-not-on-users-clock`` where they apply.
    """
    try:
        recording = audio.read(data, path=path, channel=channel)
    except AudioError as error:
        return [as_finding(error, path)]
    findings = []
    if recording.header.rate != audio.SAMPLE_RATE:
        findings.append(_resampled(path, recording.header.rate))
    if audio.is_silent(recording.samples):
        findings.append(finding("audio-silent", path))
    if user_seconds is not None:
        findings += _lengths(path, recording, user_seconds)
    return findings


def _lengths(path: str, recording: audio.Recording, user: float) -> Iterator[Finding]:
    """Compare with the user's recording; a file cut at its first sound is shorter, and more."""
    seconds = {"seconds": f"{recording.duration:.1f}", "user": f"{user:.1f}"}
    if recording.duration > user + LONGER:
        yield finding("audio-longer-than-user", path, **seconds)
    elif user - recording.duration > CLOCK_SHORTER:
        if audio.starts_with_sound(recording.samples, CLOCK_START):
            shorter = f"{user - recording.duration:.1f}"
            yield finding("audio-not-on-users-clock", path, shorter=shorter)
        else:
            yield finding("audio-shorter-than-user", path, **seconds)


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
    sound = _Sound(inspect, durations or {})
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
    )


@dataclass(slots=True)
class _Sound:
    """What was found in the files so far; of each file only its hash is kept."""

    inspect: Inspect
    durations: Mapping[str, float]
    found: list[Finding] = field(default_factory=list)
    resampled: list[Finding] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    seen: dict[str, tuple[ExpectedFile, str]] = field(default_factory=dict)
    unreadable: set[Key] = field(default_factory=set)
    silent: set[Key] = field(default_factory=set)

    def take(self, outputs: Outputs, name: str, file: ExpectedFile) -> None:
        """Read one member and look into it."""
        try:
            data = outputs.read(name)
        except ArchiveError as error:
            self.found.append(as_finding(error, shown(name)))
            self.unreadable.add(file.key)
            return
        findings = self.inspect(data, shown(name), self._user_seconds(file))
        for one in findings:
            (self.resampled if one.code == "audio-resampled" else self.found).append(one)
        if any(one.severity == "error" for one in findings):
            self.unreadable.add(file.key)
        elif any(one.code == "audio-silent" for one in findings):
            self.silent.add(file.key)
        else:
            self._compare(hashlib.sha256(data).hexdigest(), name, file)

    def _user_seconds(self, file: ExpectedFile) -> float | None:
        """Length of the user's recording; a clean one that was cut again is not known here."""
        is_cut = file.kind == "clean" and file.item.script == "directed_at_others"
        return None if is_cut else self.durations.get(file.item.key)

    def _compare(self, digest: str, name: str, file: ExpectedFile) -> None:
        first, first_name = self.seen.setdefault(digest, (file, name))
        if first_name == name:
            return
        if first.item.key == file.item.key:
            self.unchanged.append(name)
        elif first.stands_alone and file.stands_alone and first.kind != file.kind:
            self.unclear.append(name)
        else:
            self.found.append(finding("audio-duplicate", shown(name), first=shown(first_name)))

    def findings(self) -> list[Finding]:
        """Findings of all files; what concerns most files of an archive is one line."""
        notes = [_together(self.resampled)] if self.resampled else []
        same = [_unchanged(self.unchanged)] if self.unchanged else []
        unclear = [_unclear(self.unclear)] if self.unclear else []
        return [*self.found, *notes, *same, *unclear]


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


def _resampled(path: str, rate: int) -> Finding:
    return finding("audio-resampled", path, rate=f"{rate:,}", wanted=f"{audio.SAMPLE_RATE:,}")


def _together(findings: Sequence[Finding]) -> Finding:
    """One line for all files of other rates: it is true of most files, or of none."""
    first = findings[0]
    if len(findings) == 1 or first.said is None:
        return first
    values = {**first.said.values, "count": f"{len(findings):,}", "name": first.path}
    return finding("audio-resampled:many", "", **values)


def _unchanged(names: Sequence[str]) -> Finding:
    return finding("audio-same-as-partner", count=f"{len(names):,}", name=shown(names[0]))


def _unclear(names: Sequence[str]) -> Finding:
    values = {"count": f"{len(names):,}", "name": shown(names[0])}
    return finding("audio-same-as-partner:unclear", **values)
