"""Delay score, total, and the order of one board.

Conventions: scores are 0-100 and higher is better, the delay is seconds and lower is better. All
arithmetic is decimal; rounding is half up (protocol sections 9 and 10; paper section 4.3).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

from scoring.errors import RankingError
from scoring.rounding import decimal, half_up

Number = int | float | str | Decimal

# Weights of interruption, rejection and delay score (paper eq. 3; decision 39).
WEIGHTS = (Decimal("0.4"), Decimal("0.4"), Decimal("0.2"))
# The baseline gets 100 - 40 = 60 (paper eq. 2; decision 4: not the older factor 50).
DELAY_FACTOR = 40
FULL_SCORE = Decimal(100)

KINDS = ("participant", "late", "baseline", "open", "closed")
# The baseline holds a place among the participants (decision 6).
RANKED_KINDS = ("participant", "baseline")
_KIND_ALIASES = {"participant-late": "late"}


@dataclass(frozen=True, slots=True)
class Reference:
    """The two latencies that the delay score is measured against (decision D12)."""

    l_min: Decimal
    l_base: Decimal
    name: str = ""


# The frozen constants of the published table: HelloWorld and the baseline.
HUMDIAL_2025_12 = Reference(Decimal("0.624"), Decimal("2.531"), "humdial-2025-12")


@dataclass(frozen=True, slots=True)
class Entry:
    """What one row of a board brings along; ``None`` is a value that is missing."""

    team: str
    kind: str
    interruption: Decimal | None
    rejection: Decimal | None
    delay: Decimal | None
    rankable: bool = True

    @classmethod
    def from_mapping(cls, row: Mapping[str, Any]) -> "Entry":
        """Read a row with the keys team, kind, interruption, rejection, delay.

        Raises:
            RankingError: a key is missing, the kind is unknown, or a value is no number.
        """
        team = str(_needed(row, "team"))
        kind = str(_needed(row, "kind")).strip()
        kind = _KIND_ALIASES.get(kind, kind)
        if kind not in KINDS:
            raise RankingError(
                f"Kind {kind!r} of {team} is unknown.", cure=f"Use one of {', '.join(KINDS)}."
            )
        return cls(
            team,
            kind,
            interruption=_value(row, "interruption", team),
            rejection=_value(row, "rejection", team),
            delay=_value(row, "delay", team),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a ranking; the rounded numbers beside the unrounded ones.

    Attributes:
        delay_score: one decimal, not clamped; above 100 it is marked ``beyond_reference``.
        total: one decimal, from the rounded delay score (at most 100 of it).
        rank: place among participants and baseline; ``None`` for late and reference rows and for
            rows without a total.
        note: why there is no rank, or what is special; empty otherwise.
    """

    team: str
    kind: str
    interruption: Decimal | None
    rejection: Decimal | None
    delay: Decimal | None
    delay_score: Decimal | None = None
    total: Decimal | None = None
    rank: int | None = None
    delay_score_raw: Decimal | None = None
    total_raw: Decimal | None = None
    beyond_reference: bool = False
    note: str = ""


def delay_score(latency: Number, l_min: Number, l_base: Number) -> Decimal:
    """Score of a latency: 100 for the fastest system, 60 for the baseline (paper eq. 2).

    Args:
        latency: total delay in seconds.
        l_min: total delay of the fastest system.
        l_base: total delay of the baseline.

    Returns:
        The unrounded, unclamped score.

    Raises:
        RankingError: a latency is not above 0, or both reference latencies are equal.
    """
    values = [_positive(value) for value in (latency, l_min, l_base)]
    if values[1] == values[2]:
        raise RankingError(
            f"The fastest system and the baseline share the latency {values[1]} s, so the scale "
            "has no length.",
            cure="Give the constants of a frozen reference instead.",
        )
    with localcontext() as context:
        context.prec = 50
        own, fastest, base = (value.ln() for value in values)
        return FULL_SCORE - DELAY_FACTOR * (own - fastest) / (base - fastest)


def total(interruption: Number, rejection: Number, delay_score: Number) -> Decimal:
    """Weighted total 0.4 / 0.4 / 0.2, unrounded (paper eq. 3)."""
    parts = (interruption, rejection, delay_score)
    pairs = zip(WEIGHTS, map(decimal, parts), strict=True)
    return sum((weight * part for weight, part in pairs), Decimal(0))


def rank(
    entries: Iterable[Entry | Mapping[str, Any]],
    *,
    l_min: Number | None = None,
    l_base: Number | None = None,
) -> list[Row]:
    """Score and order the rows of one board (protocol section 9).

    Rows are ordered by total, then by the unrounded total; rows equal in both share a rank and
    the next rank is skipped (decision D13). Rows without a total come last.

    Args:
        entries: ``Entry`` objects or mappings with its first five names.
        l_min: fastest total delay; taken from the ranked rows unless given.
        l_base: baseline's total delay; taken from the baseline row unless given.

    Returns:
        The rows in order.

    Raises:
        RankingError: a row cannot be read, or there is no reference latency.
    """
    read = [e if isinstance(e, Entry) else Entry.from_mapping(e) for e in entries]
    if not read:
        return []
    reference = reference_of(read, l_min=l_min, l_base=l_base)
    rows = sorted((_scored(entry, reference) for entry in read), key=_order)
    rankable = {id(row) for row in rows if row.kind in RANKED_KINDS and not row.note}
    places = Counter(_order(row) for row in rows if id(row) in rankable)
    ranks: dict[tuple[Decimal, Decimal], int] = {}
    for key in sorted(places):
        ranks[key] = 1 + sum(count for other, count in places.items() if other < key)
    return [replace(r, rank=ranks[_order(r)]) if id(r) in rankable else r for r in rows]


def reference_of(
    entries: Iterable[Entry], *, l_min: Number | None = None, l_base: Number | None = None
) -> Reference:
    """Return the reference latencies: as given, or from the ranked rows (D12, "dynamic").

    Raises:
        RankingError: a latency was not given and cannot be found.
    """
    ranked = [
        (entry.kind, entry.delay)
        for entry in entries
        if entry.kind in RANKED_KINDS and entry.rankable
        if entry.delay is not None and entry.delay > 0
    ]
    bases = {delay for kind, delay in ranked if kind == "baseline"}
    delays = [delay for _, delay in ranked]
    if l_base is None and len(bases) != 1:
        raise RankingError(
            f"The delay score needs one baseline row with a delay, found {len(bases)}.",
            cure="Mark one row as 'baseline', or give its latency (--l-base).",
        )
    if l_min is None and not delays:
        raise RankingError(
            "No ranked row has a delay, so there is no fastest system.",
            cure="Give the fastest latency (--l-min).",
        )
    base = bases.pop() if l_base is None else _positive(l_base)
    fastest = min(delays) if l_min is None else _positive(l_min)
    return Reference(fastest, base)


def _scored(entry: Entry, reference: Reference) -> Row:
    row = Row(entry.team, entry.kind, entry.interruption, entry.rejection, entry.delay)
    if entry.delay is None:
        return replace(row, note="no total delay was measured")
    if entry.delay <= 0:
        # Decision 18: no interval gives the best possible latency 0.0, which has no score.
        return replace(row, note="a total delay of 0 has no score")
    raw = delay_score(entry.delay, reference.l_min, reference.l_base)
    row = replace(
        row,
        delay_score=half_up(raw, 1),
        delay_score_raw=raw,
        beyond_reference=entry.delay < reference.l_min,
    )
    if entry.interruption is None or entry.rejection is None:
        return replace(row, note="a group of scenarios has no score")
    # D12: faster than the reference is shown unclamped but enters the total as 100.
    capped = min(raw, FULL_SCORE)
    return replace(
        row,
        total=half_up(total(entry.interruption, entry.rejection, half_up(capped, 1)), 1),
        total_raw=total(entry.interruption, entry.rejection, capped),
        note="" if entry.rankable else "not rankable",
    )


def _order(row: Row) -> tuple[Decimal, Decimal]:
    lowest = Decimal("-Infinity")
    return (-(lowest if row.total is None else row.total), -(row.total_raw or Decimal(0)))


def _positive(value: Number) -> Decimal:
    try:
        number = decimal(value)
    except ValueError as cause:
        raise RankingError(
            f"A latency is {value!r}.", cure="Write a plain number of seconds."
        ) from cause
    if number <= 0:
        raise RankingError(
            f"A latency of {number} s has no score.", cure="Latencies must be above 0 seconds."
        )
    return number


def _needed(row: Mapping[str, Any], name: str) -> Any:
    if row.get(name) in (None, ""):
        raise RankingError(f"A row lacks the value {name!r}.", cure=f"Add the column {name}.")
    return row[name]


def _value(row: Mapping[str, Any], name: str, team: str) -> Decimal | None:
    value = row.get(name)
    if value is None or not str(value).strip():
        return None
    try:
        return decimal(value)
    except ValueError as cause:
        raise RankingError(
            f"The {name} of {team} is {value!r}.", cure="Write a plain number, or leave it empty."
        ) from cause
