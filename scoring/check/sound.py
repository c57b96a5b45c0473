"""Look into the recordings of a submission: can each be used, and is one there twice?

Conventions: a file that cannot be used has a finding that is an error; everything else is said and
accepted. Protocol 1.7 and decision D5.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring import audio
from scoring.archive import Outputs
from scoring.archive.members import shown
from scoring.errors import ArchiveError, AudioError, Finding
from scoring.humdial.diagnostics import CLOCK_SHORTER, CLOCK_START
from scoring.manifest import ExpectedFile
from scoring.recording import Content, Recording
from scoring.rules import as_finding, finding

# An answer may go on after the user's recording ends, but hardly for so long.
LONGER = 30.0

# Item key, and test or clean.
Key = tuple[str, str]


class Inspected(NamedTuple):
    """What was found in one file, and what it holds; ``None`` where it cannot be read."""

    findings: Sequence[Finding]
    content: Content | None = None


# Content of a file, its name, and the length of the user's recording where it is known.
Inspect = Callable[[bytes, str, float | None], Inspected]


def inspect_output(
    data: bytes, path: str, user_seconds: float | None = None, *, model_channel: int | None = None
) -> Inspected:
    """Look into one output recording (protocol 1.7, decision D5).

    Args:
        data: content of the wav file.
        path: its name in the archive.
        user_seconds: length of the user's recording; nothing is said about lengths without it.
        model_channel: the model's channel, counted from 1, where the submission names one.

    Returns:
        What the file holds, or an error with the code of the ``AudioError``. Beside the content
        ``audio-channel-chosen``, ``audio-resampled``, ``audio-silent`` and one of
        ``audio-shorter-than-user``, ``audio-longer-than-user`` and ``audio-not-on-users-clock``
        where they apply.
    """
    try:
        recording = audio.read_answer(data, path=path, model_channel=model_channel)
    except AudioError as error:
        return Inspected([as_finding(error, path)])
    findings = []
    if recording.header.channels > 1:
        findings.append(_chosen(path, f"{model_channel}", 1))
    if recording.header.rate != audio.SAMPLE_RATE:
        findings.append(_resampled(path, recording.header.rate))
    if audio.is_silent(recording.samples):
        findings.append(finding("audio-silent", path))
    if user_seconds is not None:
        findings += _lengths(path, recording, user_seconds)
    return Inspected(findings, recording.content)


def _lengths(path: str, recording: Recording, user: float) -> Iterator[Finding]:
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


@dataclass(slots=True)
class Sounds:
    """What was found in the files so far; of each only its hash and its length are kept."""

    inspect: Inspect
    durations: Mapping[str, float]
    found: list[Finding] = field(default_factory=list)
    resampled: list[Finding] = field(default_factory=list)
    chosen: list[Finding] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    seen: dict[str, tuple[ExpectedFile, str]] = field(default_factory=dict)
    contents: dict[Key, Content] = field(default_factory=dict)
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
        findings, content = self.inspect(data, shown(name), self._user_seconds(file))
        once = {"audio-resampled": self.resampled, "audio-channel-chosen": self.chosen}
        for one in findings:
            once.get(one.code, self.found).append(one)
        if content is None:
            self.unreadable.add(file.key)
            return
        self.contents[file.key] = content
        if any(one.code == "audio-silent" for one in findings):
            self.silent.add(file.key)
        else:
            self._compare(content.sha256, name, file)

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
        if self.chosen and (said := self.chosen[0].said):
            notes.append(_chosen("", f"{said.values['channel']}", len(self.chosen)))
        same = [_unchanged(self.unchanged)] if self.unchanged else []
        unclear = [_unclear(self.unclear)] if self.unclear else []
        return [*self.found, *notes, *same, *unclear]


def _chosen(path: str, channel: str, count: int) -> Finding:
    return finding("audio-channel-chosen", path, channel=channel, count=f"{count:,}")


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
    return finding("audio-same-as-partner:untold", count=f"{len(names):,}")
