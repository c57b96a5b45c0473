"""Compare the outputs of a submission with the expected files and say in findings what differs.

Conventions: each finding has a stable code, the file, the rule, the cure and a severity; an
archive without errors is acceptable, also when files are missing (they count as failures in strict
mode, decision 15). Each member is read once, one at a time. Protocol 1.6 and 1.7.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from scoring.archive import Outputs
from scoring.archive.members import shown
from scoring.check.layout import match
from scoring.check.report import CheckReport
from scoring.check.sound import Inspect, Key, Sounds, inspect_output
from scoring.errors import Finding, Phrase
from scoring.humdial import names as humdial
from scoring.manifest import ExpectedFile
from scoring.rules import finding, listed

# Findings of one code that a report carries; the rest is counted. A full entry has 9,100 files.
MOST_OF_A_CODE = 10_000

Progress = Callable[[int, int], None]


def check(
    outputs: Outputs,
    expected: Sequence[ExpectedFile],
    *,
    inspect: Inspect | None = None,
    progress: Progress | None = None,
    durations: Mapping[str, float] | None = None,
    model_channel: int | None = None,
    by_dialogue: bool = True,
) -> CheckReport:
    """Compare an open archive with the expected files.

    Args:
        outputs: the opened archive or folder.
        expected: all files that a submission must hold.
        inspect: looks into the content of one file and says what it finds; ours by default.
        progress: called with the number of files looked into and the number to look into.
        durations: seconds of the user's recordings by item key, where they are known.
        model_channel: the model's channel in recordings with several, counted from 1 (D5).
        by_dialogue: as ``match`` takes it.

    Returns:
        The report. A damaged member, a wrong name or bad sound is a finding, not an exception.
    """
    matched = match(outputs.names, expected, by_dialogue=by_dialogue)
    files = {file.key: file for file in expected}
    looked_into = inspect or partial(inspect_output, model_channel=model_channel)
    sound = Sounds(looked_into, durations or {})
    for done, (key, name) in enumerate(matched.members.items(), 1):
        sound.take(outputs, name, files[key])
        if progress:
            progress(done, len(matched.members))
    lacking = _lacking(outputs.names, matched.members, expected)
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
