"""Everything that changes a number, as one line.

Conventions: ``key:value`` pairs in a fixed order, joined by ``|``. Two numbers whose signatures
differ must not share a ranking without a mark (protocol section 12, decision 27).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from scoring import __version__
from scoring.errors import ScoringError

WORDS = {
    "protocol": "the protocol",
    "mode": "the mode",
    "manifest": "the list of expected items",
    "vad": "the voice activity detector",
    "asr_cn": "the Chinese transcriber",
    "asr_en": "the English transcriber",
    "judge": "the judge",
    "prompt": "the judge's instruction",
    "rounding": "the rounding",
    "scorer": "the scorer's version",
    "corrections": "the list of corrections",
}
# What an absent list of corrections is called beside one that is there.
NONE = "none"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a number was made with.

    Attributes:
        protocol: benchmark and version.
        mode: ``official``, ``strict`` or ``both`` (a run that stores both).
        manifest: hash of the expected items, shortened.
        vad, asr_cn, asr_en: engines.
        judge: as asked; the names that came back stand behind ``=>``.
        prompt: id of the judge's instruction.
        rounding: name of the rounding rules.
        scorer: version of this library.
        corrections: number and hash of the labels that people corrected; empty, and then left
            out of the line, when there are none.
    """

    protocol: str
    mode: str
    manifest: str
    vad: str
    asr_cn: str
    asr_en: str
    judge: str
    prompt: str
    rounding: str = "half-up"
    scorer: str = __version__
    corrections: str = ""

    def __str__(self) -> str:
        # A model may be called anything; a bar in its name would split the line.
        return "|".join(f"{name}:{value.replace('|', '/')}" for name, value in self.pairs())

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names and values in order."""
        for field in fields(self):
            if field.name != "corrections" or self.corrections:
                yield field.name, getattr(self, field.name)

    def explain(self) -> list[str]:
        """Say in sentences what the number was made with, one per pair and in their order.

        Examples:
            >>> made = Signature("p-1", "strict", "ab12", "v", "a", "b", "offline", "rules-1")
            >>> made.explain()[1]
            'The mode is strict.'
        """
        return [f"{_headed(name)} is {value or 'not named'}." for name, value in self.pairs()]

    @classmethod
    def parse(cls, line: str) -> "Signature":
        """Read a signature line.

        Raises:
            ScoringError: the line is no signature.
        """
        values = dict(part.split(":", 1) for part in line.split("|") if ":" in part)
        if {"corrections", *values} != {field.name for field in fields(cls)}:
            raise ScoringError(
                f"{line[:80]!r} is not a signature.",
                cure="Copy the whole line, from 'protocol:' on.",
                code="signature-unreadable",
            )
        return cls(**values)


def differences(one: Signature, other: Signature) -> list[str]:
    """Say in sentences what differs between two signatures; empty when nothing does."""
    pairs = {name: [getattr(side, name) or NONE for side in (one, other)] for name in WORDS}
    return [
        f"{_headed(name)} differs: {value} against {second}."
        for name, (value, second) in pairs.items()
        if value != second
    ]


def uncorrected(line: str) -> str:
    """Return a signature line without its corrections: engines and rules alone."""
    return line.partition("|corrections:")[0]


def _headed(name: str) -> str:
    """The words for a pair at the head of a sentence; 'Chinese' keeps its capital."""
    return WORDS[name][0].upper() + WORDS[name][1:]
