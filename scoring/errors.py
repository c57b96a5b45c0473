"""Errors that speak to their reader: a code, the file, the rule, and how to mend it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

Value: TypeAlias = "str | Phrase | Sequence[Phrase]"


class Phrase(NamedTuple):
    """A sentence, or part of one, by its name in the table of rules.

    Attributes:
        key: its name there.
        values: what stands in its places, by name; numbers are written out as text.
    """

    key: str
    values: Mapping[str, Value] = {}


class ScoringError(ValueError):
    """Something a person can mend.

    Attributes:
        code: stable short name, for example ``annotation-segment-missing``.
        path: the file (or item) it is about; empty when it is about no single file.
        rule: what was expected, and what was found.
        cure: what to do about it.
        said: where rule and cure come from, when they are in the table of rules.
    """

    code = "scoring-error"

    def __init__(
        self,
        rule: str,
        *,
        cure: str,
        path: str = "",
        code: str | None = None,
        said: Phrase | None = None,
    ) -> None:
        self.rule, self.cure, self.path, self.said = rule, cure, path, said
        self.code = code or type(self).code
        super().__init__(": ".join(part for part in (path, f"{rule} {cure}") if part))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes whole: a queue makes something else of what it cannot pickle."""
        made = partial(
            type(self), self.rule, cure=self.cure, path=self.path, code=self.code, said=self.said
        )
        return made, (), self.__dict__

    def at(self, path: str) -> "ScoringError":
        """Return the same error, naming the file it was found in."""
        return type(self)(self.rule, cure=self.cure, path=path, code=self.code, said=self.said)


class AnnotationError(ScoringError):
    """The annotation of an item cannot be used."""

    code = "annotation-unusable"


class TranscriptError(ScoringError):
    """A word-level transcript cannot be used."""

    code = "transcript-unusable"


class ScenarioError(ScoringError):
    """A scenario is unknown, or the measure does not exist for it."""

    code = "scenario-unknown"


class ManifestError(ScoringError):
    """The list of expected items cannot be used."""

    code = "manifest-unusable"


class ArchiveError(ScoringError):
    """An archive cannot be read."""

    code = "archive-unreadable"


class AudioError(ScoringError):
    """A recording cannot be read, or breaks a rule of the benchmark."""

    code = "audio-unreadable"


class EngineError(ScoringError):
    """An engine (voice activity, transcriber, judge) is not available here."""

    code = "engine-unavailable"


class RankingError(ScoringError):
    """A ranking cannot be computed from these rows."""

    code = "ranking-impossible"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a check report.

    Attributes:
        code: stable short name of the rule, the same in browser, server and command line.
        path: the file it is about, as named in the archive; empty for the archive itself.
        rule: what was expected and what was found, in one sentence.
        cure: how to mend it, in one sentence.
        severity: ``error`` (the archive is refused), ``warning`` (scored, but look) or ``note``.
        said: where rule and cure come from, when they are in the table of rules.
    """

    code: str
    path: str
    rule: str
    cure: str
    severity: str = "error"
    said: Phrase | None = None
