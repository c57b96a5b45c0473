"""Everything that changes a number, as one line.

Conventions: ``key:value`` pairs in a fixed order, joined by ``|``. Two numbers whose signatures
differ must not share a ranking without a mark (protocol section 12, decision 27).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

from scoring import __version__, reasons
from scoring.errors import Phrase, ScoringError
from scoring.judge import Verdict

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
    "judge_strict": "the judge of the strict mode",
    "prompt_strict": "the instruction of the strict mode's judge",
    "corrections": "the list of corrections",
}
# What an absent list of corrections is called beside one that is there.
NONE = "none"
# Where no judge is named: there is none, or its mode was not asked.
NO_JUDGE, NOT_ASKED = "pending", "not-asked"
BOTH = "both"
# Left out of the line where they are empty.
_OPTIONAL = ("judge_strict", "prompt_strict", "corrections")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a number was made with.

    Attributes:
        protocol: benchmark and version.
        mode: ``official``, ``strict`` or ``both`` (a run that stores both).
        manifest: hash of the expected items, shortened.
        vad, asr_cn, asr_en: engines.
        judge: as asked; the names that came back stand behind ``=>``, parameters that the model
            does not take behind ``without=``. Of the official mode in a run that stores both.
        prompt: id of the judge's instruction.
        rounding: name of the rounding rules.
        scorer: version of this library.
        judge_strict, prompt_strict: of the strict mode in a run that stores both; empty, and then
            left out of the line, where one judge serves both.
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
    judge_strict: str = ""
    prompt_strict: str = ""
    corrections: str = ""

    def __str__(self) -> str:
        # A model may be called anything; a bar in its name would split the line.
        return "|".join(f"{name}:{value.replace('|', '/')}" for name, value in self.pairs())

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names and values in order."""
        for field in fields(self):
            if field.name not in _OPTIONAL or getattr(self, field.name):
                yield field.name, getattr(self, field.name)

    def of(self, mode: str) -> "Signature":
        """Return what the numbers of one mode were made with."""
        one = replace(self, mode=mode, judge_strict="", prompt_strict="")
        if mode != "strict" or not self.judge_strict:
            return one
        return replace(one, judge=self.judge_strict, prompt=self.prompt_strict)

    def asks(self, mode: str) -> bool:
        """Whether a judge was asked in a mode."""
        return self.of(mode).judge not in (NO_JUDGE, NOT_ASKED)

    def absence(self, mode: str) -> Phrase:
        """Say what it means when a mode has no verdict of a judged item."""
        named = {NO_JUDGE: reasons.NO_JUDGE, NOT_ASKED: reasons.NOT_ASKED}
        return named.get(self.of(mode).judge, reasons.PENDING)

    def answered(self, said: str) -> "Signature":
        """Return it with what came back of the judge behind the judge's name (``returned``)."""
        return replace(self, judge=f"{self.judge}=>{said}") if said else self

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
        if {*_OPTIONAL, *values} != {field.name for field in fields(cls)}:
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


def both(official: Signature, strict: Signature) -> Signature:
    """Return the signature of a run that stores both modes."""
    made = replace(official, mode=BOTH)
    if (official.judge, official.prompt) == (strict.judge, strict.prompt):
        return made
    return replace(made, judge_strict=strict.judge, prompt_strict=strict.prompt)


def returned(verdicts: Iterable[Verdict]) -> str:
    """Say what came back of a judge, where it is not what was asked for.

    That is the names of its models (decision 27), and the parameters that they do not take.
    """
    known = list(verdicts)
    names = {one.returned for one in known if one.returned}
    left_out = {name for one in known for name in one.left_out}
    told = [",".join(sorted(names))] if names - {one.asked for one in known} else []
    return " ".join([*told, *([f"without={'+'.join(sorted(left_out))}"] if left_out else [])])


def uncorrected(line: str) -> str:
    """Return a signature line without its corrections: engines and rules alone."""
    return line.partition("|corrections:")[0]


def _headed(name: str) -> str:
    """The words for a pair at the head of a sentence; 'Chinese' keeps its capital."""
    return WORDS[name][0].upper() + WORDS[name][1:]
