"""What every judge takes and gives: an exchange of four transcripts in, a verdict out.

Conventions: *noisy* has the event, *clean* has not; times inside the transcripts are seconds on
the user's clock. A verdict without labels is *unjudged* where the judge has answered, and *pending*
where its endpoint was in trouble; neither is a failure, or zero.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeAlias

from scoring import reasons
from scoring.dialogue import Transcript
from scoring.errors import Phrase
from scoring.judge.labels import LABELS
from scoring.judge.usage import NOTHING, Tariff, Usage
from scoring.reasons import Said


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
class Vote:
    """What came of one vote on an exchange, finished or not.

    Attributes:
        labels: of its usable reply; ``None`` while there is none.
        raw: the replies, shortened; as many as were paid for.
        why: why the last of them cannot be used; ``None`` where it can.
        note: what is odd about the one that can.
        trouble: what kept the endpoint from answering; ``None`` when the vote is finished.
        returned: name of the model as the endpoint returned it; empty when unknown.
        left_out: parameters that the model does not take.
        usage: what was paid now; what an earlier judging has paid is not in it.
    """

    labels: tuple[str, ...] | None = None
    raw: tuple[str, ...] = ()
    why: Said | None = None
    note: Phrase | None = None
    trouble: Said | None = None
    returned: str = ""
    left_out: tuple[str, ...] = ()
    usage: Usage = NOTHING

    def resumed(self) -> "Vote":
        """Return the same vote for a judging that goes on with it and has paid nothing yet."""
        return replace(self, trouble=None, usage=NOTHING)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said about one exchange.

    Attributes:
        labels: the labels as given; empty when the exchange is unjudged or pending.
        reason: for a reader; for an exchange without labels, why.
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
        notes: what is odd about the replies (decision 26b).
        left_out: parameters that the model does not take, and so was not sent.
        pending: whether the endpoint was in trouble before the judge was done (decision 26a): no
            outcome, and to be asked again.
        begun: the votes of a pending verdict, where some were paid for.
    """

    labels: tuple[str, ...]
    reason: Said
    raw: tuple[str, ...]
    asked: str
    returned: str
    prompt: str
    agreement: float | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    votes: tuple[str, ...] = ()
    notes: tuple[Said, ...] = ()
    left_out: tuple[str, ...] = ()
    pending: bool = False
    begun: tuple[Vote, ...] = ()

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
        return replace(self, **NOTHING._asdict())

    def after(self, pending: "Verdict | None") -> "Verdict":
        """Return it with what a pending verdict before it has cost the same run."""
        if pending is None or not pending.pending:
            return self
        return replace(self, **self.usage.plus(pending.usage)._asdict())


# The fields of a verdict that older releases did not write have their defaults.
_LISTS = ("labels", "raw", "votes", "left_out")


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """Return plain JSON values; how far an unfinished one came is kept apart (``begun``)."""
    plain = {one.name: getattr(verdict, one.name) for one in fields(verdict)}
    del plain["begun"]
    return {
        **plain,
        **{name: list(plain[name]) for name in _LISTS},
        "reason": reasons.to_json(verdict.reason),
        "notes": [*map(reasons.to_json, verdict.notes)],
    }


def verdict_from_json(data: Mapping[str, Any]) -> Verdict:
    """Read what ``verdict_to_json`` wrote, of this release or an older one."""
    lists = {name: tuple(data.get(name, ())) for name in _LISTS}
    notes = tuple(map(reasons.from_json, data.get("notes", ())))
    reason = reasons.from_json(data["reason"])
    return Verdict(**{**data, **lists, "notes": notes, "reason": reason})


def vote_to_json(vote: Vote) -> dict[str, Any]:
    """Return what is needed to go on with a vote."""
    return {
        "labels": None if vote.labels is None else list(vote.labels),
        "raw": list(vote.raw),
        "why": None if vote.why is None else reasons.to_json(vote.why),
        "note": None if vote.note is None else reasons.to_json(vote.note),
        "returned": vote.returned,
        "left_out": list(vote.left_out),
    }


def vote_from_json(data: Mapping[str, Any]) -> Vote:
    """Read what ``vote_to_json`` wrote."""
    note = data["note"] and reasons.from_json(data["note"])
    return Vote(
        None if data["labels"] is None else tuple(data["labels"]),
        tuple(data["raw"]),
        None if data["why"] is None else reasons.from_json(data["why"]),
        note if isinstance(note, Phrase) else None,
        returned=data["returned"],
        left_out=tuple(data["left_out"]),
    )


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
# Votes by the position of their exchange.
Begun: TypeAlias = Mapping[int, Sequence[Vote]]
NONE_BEGUN: Begun = {}


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
        self, exchanges: Sequence[Exchange], *, watch: Watch = UNWATCHED, begun: Begun = NONE_BEGUN
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yield verdicts as they come, each with the position of its exchange.

        Every exchange gets a verdict unless ``watch`` stops the judging; where the judge is in
        trouble it is a pending one. ``begun`` has votes of earlier judgings to go on with.
        """
        ...


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
