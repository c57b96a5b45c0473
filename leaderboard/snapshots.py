"""Freeze a board: lock → load → rank → one write."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from django.db import transaction

from leaderboard.models import Snapshot
from scoring import ranking
from scoring.errors import RankingError
from scoring.rounding import half_up
from submissions.models import Split
from submissions.queries import BoardEntry, board_entries


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of a frozen board; numbers are texts as shown, empty where absent.

    Attributes:
        origin: ``scored`` (by us) or ``reported`` (published elsewhere).
        link: submission id of a scored row, slug of a reported one.
        languages: per language, interruption and rejection as texts.
        published: what the source printed, for reported rows.
        unofficial: engines behind the row that are not the official ones.
        note: why there is no rank, or what is special.
    """

    rank: int | None
    team: str
    system: str
    kind: str
    origin: str
    link: str
    interruption: str
    rejection: str
    delay: str
    delay_score: str
    delay_score_raw: str
    total: str
    total_raw: str
    languages: dict[str, dict[str, str]]
    beyond_reference: bool
    published: dict[str, str]
    architecture: str
    unofficial: list[str]
    signature: str
    notes: list[str]


@transaction.atomic
def freeze(split: Split, cause: str) -> Snapshot:
    """Rank all published entries of a split and write one board with its cause."""
    split = Split.objects.select_for_update().get(pk=split.pk)
    entries = board_entries(split)
    l_min, l_base = split.frozen_reference
    reference, rows = _ranked(entries, l_min, l_base)
    return Snapshot.objects.create(
        split=split,
        cause=cause,
        mode=split.ranking_mode,
        l_min=str(reference.l_min) if reference else "",
        l_base=str(reference.l_base) if reference else "",
        l_min_holder=_holder(entries, reference.l_min if reference else None),
        reference_name=split.reference_name if l_min is not None else "",
        signatures=sorted({entry.signature for entry in entries if entry.signature}),
        rows=[asdict(row) for row in rows],
    )


def latest(split: Split) -> Snapshot | None:
    """Return the newest board of a split."""
    return split.snapshots.order_by("-id").first()


def _ranked(
    entries: Sequence[BoardEntry], l_min: Decimal | None, l_base: Decimal | None
) -> tuple[ranking.Reference | None, list[BoardRow]]:
    """Rank, or list without scores while a board has no reference latency yet."""
    plain = [_plain(number, entry) for number, entry in enumerate(entries)]
    try:
        reference = ranking.reference_of(plain, l_min=l_min, l_base=l_base)
    except RankingError:
        rows = [ranking.Row(e.team, e.kind, e.interruption, e.rejection, e.delay) for e in plain]
        return None, [_row(entries[int(row.team)], row) for row in rows]
    ranked = ranking.rank(plain, l_min=reference.l_min, l_base=reference.l_base)
    return reference, [_row(entries[int(row.team)], row) for row in ranked]


def _plain(number: int, entry: BoardEntry) -> ranking.Entry:
    """Give the ranking a name that is surely unique; teams may enter several systems."""
    return ranking.Entry(
        str(number),
        entry.kind,
        entry.interruption,
        entry.rejection,
        entry.delay,
        rankable=entry.rankable,
    )


def _row(entry: BoardEntry, row: ranking.Row) -> BoardRow:
    return BoardRow(
        rank=row.rank,
        team=entry.team,
        system=entry.system,
        kind=entry.kind,
        origin=entry.origin,
        link=entry.link,
        interruption=_text(entry.interruption, 1),
        rejection=_text(entry.rejection, 1),
        delay=_text(entry.delay, 3),
        delay_score=_text(row.delay_score, 1),
        delay_score_raw=_text(row.delay_score_raw, 6),
        total=_text(row.total, 1),
        total_raw=_text(row.total_raw, 6),
        languages=entry.languages,
        beyond_reference=row.beyond_reference,
        published=entry.published or {},
        architecture=entry.architecture,
        unofficial=list(entry.unofficial),
        signature=entry.signature,
        notes=[*_notes(row), *entry.notes],
    )


def _notes(row: ranking.Row) -> Iterable[str]:
    if row.beyond_reference:
        yield "Faster than the reference: shown unclamped, 100 is used in the total."
    if row.note:
        yield row.note


def _text(value: Decimal | None, places: int) -> str:
    return "" if value is None else str(half_up(value, places))


def _holder(entries: Sequence[BoardEntry], l_min: Decimal | None) -> str:
    holders = [entry.team for entry in entries if l_min is not None and entry.delay == l_min]
    return ", ".join(holders)


def on_board_changed(*, split: Split, cause: str, **_: object) -> None:
    """Freeze a new board; receiver of ``submissions.signals.board_changed``."""
    freeze(split, cause)
