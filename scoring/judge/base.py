"""What every judge takes and gives: an exchange of four transcripts in, a verdict out.

Conventions: *noisy* has the event, *clean* has not; times inside the transcripts are seconds on
the user's clock. A verdict without labels is *unjudged*, which is neither failure nor zero.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from scoring.dialogue import Transcript
from scoring.judge.labels import LABELS
from scoring.judge.usage import NOTHING, Tariff, Usage


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
        votes: what each vote said, empty for one without a usable label; none without voting.
        calls: answered calls that were paid for it; 0 for a judge that costs nothing, and for a
            remembered verdict.
        tokens_in: tokens of the instructions and messages of these calls.
        tokens_out: tokens of their replies.
    """

    labels: tuple[str, ...]
    reason: str
    raw: tuple[str, ...]
    asked: str
    returned: str
    prompt: str
    agreement: float | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    votes: tuple[str, ...] = ()

    @property
    def label(self) -> str | None:
        """The label, when there is exactly one and it is known (decision 25, strict)."""
        return self.labels[0] if len(self.labels) == 1 and self.labels[0] in LABELS else None

    @property
    def judged(self) -> bool:
        """Whether the judge gave any label."""
        return bool(self.labels)

    @property
    def usage(self) -> Usage:
        """What it cost."""
        return Usage(self.calls, self.tokens_in, self.tokens_out)

    def remembered(self) -> "Verdict":
        """Return the same verdict, for somebody who need not pay for it again."""
        return replace(self, calls=0, tokens_in=0, tokens_out=0)


@dataclass(frozen=True, slots=True)
class Watch:
    """What whoever waits for verdicts has to say meanwhile.

    Attributes:
        goes_on: asked between verdicts and once a second; ``False`` stops the judging.
        used: what the same run has used elsewhere, for its budget; asked as often.
    """

    goes_on: Callable[[], bool] = lambda: True
    used: Callable[[], Usage] = lambda: NOTHING


UNWATCHED = Watch()


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

    @property
    def tariff(self) -> Tariff:
        """Prices and budget; empty for a judge that costs nothing."""
        ...

    def estimate(self, exchanges: Sequence[Exchange]) -> Usage:
        """Estimate what judging will use, before any call."""
        ...

    def judge(self, exchanges: Sequence[Exchange]) -> list[Verdict]:
        """Return one verdict per exchange, in the same order."""
        ...

    def arriving(
        self, exchanges: Sequence[Exchange], *, watch: Watch = UNWATCHED
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yield verdicts as they come, each with the position of its exchange.

        Every exchange gets a verdict unless ``watch`` stops the judging.
        """
        ...


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
