"""What every judge takes and gives: an exchange of four transcripts in, a verdict out.

Conventions: *noisy* has the event, *clean* has not; times inside the transcripts are seconds on
the user's clock. A verdict without labels is *unjudged*, which is neither failure nor zero.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.dialogue import Transcript
from scoring.judge.labels import LABELS


@dataclass(frozen=True, slots=True)
class Exchange:
    """The four transcripts of one sample, as a judge sees them (protocol 4.1).

    Attributes:
        input_clean: the user without the event.
        input_noisy: the user, and whoever else speaks, with the event.
        output_clean: what the model says when there is no event.
        output_noisy: what the model says when there is one.
    """

    input_clean: Transcript
    input_noisy: Transcript
    output_clean: Transcript
    output_noisy: Transcript

    def message(self) -> str:
        """Return the official user message: compact JSON whose four values are JSON texts."""
        names = ("input_clean", "input_noisy", "output_clean", "output_noisy")
        return _compact({name: _compact(getattr(self, name).to_json()) for name in names})

    @property
    def sha256(self) -> str:
        """Hash of the message: equal exchanges need judging only once."""
        return hashlib.sha256(self.message().encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said about one exchange.

    Attributes:
        labels: the labels as given; empty when the exchange is unjudged.
        reason: one sentence for a reader; for an unjudged exchange, why.
        raw: the raw replies, shortened; empty for a judge that uses none.
        asked: name of the judging model as asked for.
        returned: its name as the endpoint returned it (decision 27); empty when unknown.
        prompt: id of the instruction.
        agreement: share of the votes that gave this label; ``None`` without voting.
    """

    labels: tuple[str, ...]
    reason: str
    raw: tuple[str, ...]
    asked: str
    returned: str
    prompt: str
    agreement: float | None = None

    @property
    def label(self) -> str | None:
        """The label, when there is exactly one and it is known (decision 25, strict)."""
        return self.labels[0] if len(self.labels) == 1 and self.labels[0] in LABELS else None

    @property
    def judged(self) -> bool:
        """Whether the judge gave any label."""
        return bool(self.labels)


class Judge(Protocol):
    """A judge of behaviour labels."""

    @property
    def name(self) -> str:
        """Short name, as ``load`` takes it."""
        ...

    @property
    def signature(self) -> str:
        """Everything that can change a label, as one line; never a key."""
        ...

    @property
    def prompt(self) -> str:
        """Id of the instruction."""
        ...

    @property
    def unofficial(self) -> bool:
        """Whether its labels may not stand beside official ones without a mark."""
        ...

    def judge(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        """Return one verdict per exchange, in the same order."""
        ...


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
