"""From the votes on one exchange to its verdict: majority, reasons, what it cost.

Conventions: a vote that trouble kept from being finished makes the verdict pending (decision 26a),
whatever the others say: it is asked for, not counted out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from scoring.errors import Phrase
from scoring.judge.base import Verdict, Vote
from scoring.judge.usage import NOTHING, Usage
from scoring.reasons import PENDING, Said, distinct


def verdict_of(votes: Sequence[Vote], *, model: str, prompt: str) -> Verdict:
    """Count the votes on one exchange.

    Args:
        votes: finished or not; at least one.
        model: name of the model as asked for.
        prompt: id of the instruction.
    """
    pending = any(vote.trouble for vote in votes)
    labels, count = _majority(votes) if not pending else ((), 0)
    several = len(votes) > 1
    return Verdict(
        labels=labels,
        reason=_trouble(votes) if pending else _reason(votes, labels, count, model),
        raw=tuple(reply for vote in votes for reply in vote.raw),
        asked=model,
        returned=next((vote.returned for vote in votes if vote.returned), ""),
        prompt=prompt,
        agreement=count / len(votes) if labels and several else None,
        votes=tuple(", ".join(vote.labels or ()) for vote in votes if several and not pending),
        notes=distinct(vote.note for vote in votes if vote.note is not None),
        left_out=tuple(sorted({name for vote in votes for name in vote.left_out})),
        pending=pending,
        begun=tuple(votes) if pending and any(vote.raw for vote in votes) else (),
        **_sum(vote.usage for vote in votes)._asdict(),
    )


def _majority(votes: Sequence[Vote]) -> tuple[tuple[str, ...], int]:
    ballots = Counter(vote.labels for vote in votes if vote.labels is not None)
    labels, count = ballots.most_common(1)[0] if ballots else ((), 0)
    return (labels, count) if 2 * count > len(votes) else ((), 0)


def _trouble(votes: Sequence[Vote]) -> Said:
    return next((vote.trouble for vote in votes if vote.trouble), PENDING)


def _reason(votes: Sequence[Vote], labels: tuple[str, ...], count: int, model: str) -> Said:
    told, number = {"model": model, "labels": ", ".join(labels)}, str(len(votes))
    if labels and len(votes) == 1:
        return Phrase("judge-answered", told)
    if labels:
        return Phrase("judge-voted", {**told, "count": str(count), "votes": number})
    if why := next((vote.why for vote in votes if vote.labels is None and vote.why), None):
        calls = str(sum(len(vote.raw) for vote in votes))
        return Phrase("judge-unusable", {"calls": calls, "model": model, "why": why})
    if 2 * sum(vote.labels == () for vote in votes) > len(votes):
        return Phrase("judge-empty", {"model": model})
    return Phrase("judge-no-majority", {"votes": number})


def _sum(usages: Iterable[Usage]) -> Usage:
    total = NOTHING
    for usage in usages:
        total = total.plus(usage)
    return total
