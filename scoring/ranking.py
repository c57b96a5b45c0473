"""Delay score, total, and the order of one board.

Conventions: scores are 0-100 and higher is better, the delay is seconds and lower is better. All
arithmetic is decimal; rounding is half up (protocol sections 9 and 10; paper section 4.3). In
official mode a total is made from the rounded delay score and the order goes by the rounded total;
in strict mode both come from exact numbers, and a total is rounded once, for display (decision 17).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any, NamedTuple

from scoring.errors import RankingError
from scoring.evidence import MODES
from scoring.rounding import decimal, half_up

Number = int | float | str | Decimal


class Weights(NamedTuple):
    """What interruption, rejection and delay score weigh in the total; together 1."""

    interruption: Decimal
    rejection: Decimal
    delay_score: Decimal

    @classmethod
    def of(cls, values: Iterable[Number]) -> "Weights":
        """Read three weights.

        Raises:
            RankingError: they are not three numbers of at least 0 with the sum 1.
        """
        given = [str(value) for value in values]
        try:
            weights = [decimal(text) for text in given]
        except ValueError as cause:
            raise _bad_weights(given) from cause
        if len(weights) != len(cls._fields) or min(weights) < 0 or sum(weights) != 1:
            raise _bad_weights(given)
        return cls(*weights)


def _bad_weights(given: list[str]) -> RankingError:
    return RankingError(
        f"The weights {', '.join(given) or '(none)'} give no total.",
        cure="Give interruption, rejection and delay score a weight of at least 0 each; sum: 1.",
    )


# Paper eq. 3; a board may have others (decision 39).
WEIGHTS = Weights(Decimal("0.4"), Decimal("0.4"), Decimal("0.2"))
# The baseline gets 100 - 40 = 60 (paper eq. 2; decision 4: not the older factor 50).
DELAY_FACTOR = 40
FULL_SCORE = Decimal(100)

KINDS = ("participant", "late", "baseline", "open", "closed")
# The baseline holds a place among the participants, unless a board says otherwise (decision 6).
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
        total: one decimal; in official mode from the rounded delay score (at most 100 of it), in
            strict mode from ``total_raw``.
        rank: place among participants and baseline; ``None`` for late and reference rows, for
            rows without a total, and for a baseline that is not to be ranked.
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


def total(
    interruption: Number, rejection: Number, delay_score: Number, weights: Weights = WEIGHTS
) -> Decimal:
    """Weighted total, unrounded (paper eq. 3)."""
    parts = (interruption, rejection, delay_score)
    pairs = zip(weights, map(decimal, parts), strict=True)
    return sum((weight * part for weight, part in pairs), Decimal(0))


class Total(NamedTuple):
    """A total as shown (one decimal) and exact.

    Attributes:
        order: what rows are sorted by, greatest first; rows equal in it share a place.
    """

    shown: Decimal
    exact: Decimal
    order: tuple[Decimal, ...]


def totalled(
    interruption: Number,
    rejection: Number,
    delay_score: Number,
    *,
    weights: Weights = WEIGHTS,
    mode: str = "official",
) -> Total:
    """Total of one row in a mode, from its unrounded delay score, of which at most 100 counts.

    Official: from the delay score as shown; ordered by the shown total, then by the exact one.
    Strict: shown is the exact total rounded once, and only the exact one orders.
    """
    # D12: faster than the reference is shown unclamped but enters the total as 100.
    capped = min(decimal(delay_score), FULL_SCORE)
    exact = total(interruption, rejection, capped, weights)
    if mode == "strict":
        return Total(half_up(exact, 1), exact, (exact,))
    shown = half_up(total(interruption, rejection, half_up(capped, 1), weights), 1)
    return Total(shown, exact, (shown, exact))


def rank(
    entries: Iterable[Entry | Mapping[str, Any]],
    *,
    l_min: Number | None = None,
    l_base: Number | None = None,
    mode: str = "official",
    weights: Weights = WEIGHTS,
    rank_baseline: bool = True,
) -> list[Row]:
    """Score and order the rows of one board (protocol section 9).

    Rows are ordered by total, as ``totalled`` says; rows equal in it share a rank and the next
    rank is skipped (decision D13). Rows without a total come last.

    Args:
        entries: ``Entry`` objects or mappings with its first five names.
        l_min: fastest total delay; taken from the ranked rows unless given.
        l_base: baseline's total delay; taken from the baseline row unless given.
        mode: ``official`` or ``strict``.
        weights: of the three parts of the total (decision 39).
        rank_baseline: whether the baseline holds a rank, or only stands in its order (decision 6).

    Returns:
        The rows in order.

    Raises:
        RankingError: a row cannot be read, there is no reference latency, or no such mode.
    """
    if mode not in MODES:
        raise RankingError(f"There is no mode {mode!r}.", cure=f"Use {' or '.join(MODES)}.")
    read = [e if isinstance(e, Entry) else Entry.from_mapping(e) for e in entries]
    if not read:
        return []
    reference = reference_of(read, l_min=l_min, l_base=l_base)
    found = [_scored(entry, reference, weights, mode) for entry in read]
    kinds = RANKED_KINDS if rank_baseline else ("participant",)
    places = Counter(order for row, order in found if _is_ranked(row, kinds))
    # A key stands on the place behind all that is greater.
    ranks = {key: 1 + sum(n for other, n in places.items() if other > key) for key in places}
    return [
        replace(row, rank=ranks[order]) if _is_ranked(row, kinds) else row
        for row, order in sorted(found, key=lambda pair: pair[1], reverse=True)
    ]


def _is_ranked(row: Row, kinds: Iterable[str]) -> bool:
    return row.kind in kinds and not row.note


def reference_of(
    entries: Iterable[Entry], *, l_min: Number | None = None, l_base: Number | None = None
) -> Reference:
    """Return the reference latencies: as given, or from the ranked rows (D12, "dynamic").

    A baseline without a rank (decision 6) still sets the scale, and may be the fastest: scores
    that rise with the delay would be the alternative.

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


def _scored(
    entry: Entry, reference: Reference, weights: Weights, mode: str
) -> tuple[Row, tuple[Decimal, ...]]:
    """A row without its rank, and what it is ordered by; nothing where it has no total."""
    row = Row(entry.team, entry.kind, entry.interruption, entry.rejection, entry.delay)
    if entry.delay is None:
        return replace(row, note="no total delay was measured"), ()
    if entry.delay <= 0:
        # Decision 18: no interval gives the best possible latency 0.0, which has no score.
        return replace(row, note="a total delay of 0 has no score"), ()
    raw = delay_score(entry.delay, reference.l_min, reference.l_base)
    row = replace(
        row,
        delay_score=half_up(raw, 1),
        delay_score_raw=raw,
        beyond_reference=entry.delay < reference.l_min,
    )
    if entry.interruption is None or entry.rejection is None:
        return replace(row, note="a group of scenarios has no score"), ()
    made = totalled(entry.interruption, entry.rejection, raw, weights=weights, mode=mode)
    note = "" if entry.rankable else "not rankable"
    return replace(row, total=made.shown, total_raw=made.exact, note=note), made.order


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
