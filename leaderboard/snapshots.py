"""Freeze a board: lock → load → rank → resample → write the draws and the board."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction

from leaderboard import tasks
from leaderboard.board.movement import movement
from leaderboard.board.paired import keep
from leaderboard.board.rules import Rules, of_split
from leaderboard.board.spread import Known, Spread, draw, spreads
from leaderboard.boards import latest
from leaderboard.models import Snapshot
from scoring import ranking, uncertainty
from scoring.components import Components
from scoring.coverage import Coverage
from scoring.errors import RankingError
from scoring.rounding import half_up
from scoring.signature import uncorrected
from scoring.weighting import Stability, stability
from submissions import components
from submissions.models import Split
from submissions.queries import ORGANISER, BoardEntry, board_entries

OTHER_SIGNATURE = "Scored with other engines or rules than most rows of this board."


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of a frozen board; numbers are texts as shown, empty where absent.

    Attributes:
        origin: ``scored`` (by us) or ``reported`` (published elsewhere).
        link: submission id of a scored row, slug of a reported one.
        system_slug: name of the system in addresses.
        languages: per language, interruption, rejection and delay as texts.
        published: what the source printed, for reported rows.
        unofficial: engines behind the row that are not the official ones.
        notes: why there is no rank, or what is special; a sentence, or a key with values.
        intervals: by name of a number (``total``, ``delay_cn`` …), low and high end.
        rank_low, rank_high: best and worst plausible place.
        tie_group: number of the tie group among the ranked rows.
        best: numbers in which the row cannot be told from the best ranked one.
        stability: share of other weightings that keep the place; best and worst place in them.
        coverage: test recordings expected and received, then clean ones where they were counted.
        draws: number of its kept draws; ``None`` where it was not resampled with others.
        run: number of the run behind a scored row; every page of the board reads that run.
        interruption_raw, rejection_raw: as the total is made from them; the strict ones exact.
        latency_source, measured_how: whose delay it is, and how the organisers measured theirs.
        source, source_url, published_on: where a reported row was published, and when.
        invited: whether its team was invited to submit a paper.
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
    notes: list[Any]
    system_slug: str = ""
    weights: str = ""
    received: str = ""
    coverage: list[int] = field(default_factory=list)
    intervals: dict[str, list[float]] = field(default_factory=dict)
    rank_low: int | None = None
    rank_high: int | None = None
    tie_group: int | None = None
    best: list[str] = field(default_factory=list)
    stability: dict[str, Any] = field(default_factory=dict)
    draws: int | None = None
    run: int | None = None
    interruption_raw: str = ""
    rejection_raw: str = ""
    latency_source: str = ""
    measured_how: str = ""
    source: str = ""
    source_url: str = ""
    published_on: str = ""
    invited: bool = False


@transaction.atomic
def freeze(split: Split, cause: str) -> Snapshot:
    """Rank all published entries of a split and write one board with its cause."""
    split = Split.objects.select_for_update().get(pk=split.pk)
    entries = board_entries(split)
    rules = of_split(split)
    reference, ranked = _ranked(entries, split.frozen_reference, rules)
    ordered = [(entries[int(row.team)], row) for row in ranked]
    known = [_known(entry, row, split.ranking_mode) for entry, row in ordered]
    drawn = draw(known, reference, rules)
    found = spreads(known, drawn)
    kept = keep(drawn, [entry.run for entry, _ in ordered])
    is_drawn = any(one.intervals for one in found)
    board = {
        "l_min": str(reference.l_min) if reference else "",
        "l_base": str(reference.l_base) if reference else "",
        "l_min_holder": _holder(entries, reference.l_min if reference else None),
        "rules": rules.to_json(),
        "rows": [asdict(row) for row in _rows(ordered, found, kept, rules)],
    }
    return Snapshot.objects.create(
        split=split,
        cause=cause,
        mode=split.ranking_mode,
        reference_name=split.reference_name if split.l_min is not None else "",
        signatures=sorted({entry.signature for entry in entries if entry.signature}),
        draws=uncertainty.DRAWS if is_drawn else 0,
        seed=uncertainty.SEED if is_drawn else 0,
        moved=_moved(latest(split), board),
        **board,
    )


def _moved(previous: Snapshot | None, board: dict[str, Any]) -> dict[str, Any]:
    if previous is None:
        return {}
    before = {name: getattr(previous, name) for name in board}
    return asdict(movement(previous.pk, before, board))


def _ranked(
    entries: Sequence[BoardEntry],
    constants: tuple[Decimal | None, Decimal | None],
    rules: Rules,
) -> tuple[ranking.Reference | None, list[ranking.Row]]:
    """Rank, or list without scores while a board has no scale for its delays yet."""
    plain = [_plain(number, entry) for number, entry in enumerate(entries)]
    l_min, l_base = constants
    try:
        reference = ranking.reference_of(plain, l_min=l_min, l_base=l_base)
        # It is refused too while the baseline is itself the fastest.
        return reference, ranking.rank(
            plain,
            l_min=reference.l_min,
            l_base=reference.l_base,
            mode=rules.mode,
            weights=rules.weights,
            rank_baseline=rules.rank_baseline,
        )
    except RankingError:
        rows = [ranking.Row(e.team, e.kind, e.interruption, e.rejection, e.delay) for e in plain]
        return None, rows


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


def _known(entry: BoardEntry, row: ranking.Row, mode: str) -> Known:
    return Known(
        row.rank,
        None if row.total_raw is None else float(row.total_raw),
        signature=entry.signature,
        components=_components(entry, mode),
    )


def _components(entry: BoardEntry, mode: str) -> Components | None:
    """What intervals are drawn from; a delay that was measured elsewhere has no items behind it."""
    if entry.run is None or entry.latency_source == ORGANISER:
        return None
    return components.of_run(entry.run, mode)


def _rows(
    ordered: Sequence[tuple[BoardEntry, ranking.Row]],
    found: Sequence[Spread],
    kept: Mapping[int, int],
    rules: Rules,
) -> Iterable[BoardRow]:
    firm = _stability([row for _, row in ordered], rules)
    usual = _usual_signature([entry for entry, _ in ordered])
    for number, ((entry, row), spread) in enumerate(zip(ordered, found, strict=True)):
        odd = bool(entry.signature) and uncorrected(entry.signature) != usual
        made = _row(entry, row, spread, firm.get(row.team), odd=odd)
        yield replace(made, draws=kept.get(number))


def _stability(rows: Sequence[ranking.Row], rules: Rules) -> dict[str, Stability]:
    """Of the ranked rows, by their number."""
    parts = {
        row.team: (row.interruption, row.rejection, row.delay_score_raw)
        for row in rows
        if row.rank is not None
    }
    complete = [tuple(part for part in known if part is not None) for known in parts.values()]
    found = stability([(a, b, c) for a, b, c in complete], rules.weights, mode=rules.mode)
    return dict(zip(parts, found, strict=True))


def _usual_signature(entries: Sequence[BoardEntry]) -> str:
    """What most rows were made with; corrections by people are told in a note of their own."""
    counts = Counter(uncorrected(entry.signature) for entry in entries if entry.signature)
    return counts.most_common(1)[0][0] if counts else ""


def _row(
    entry: BoardEntry, row: ranking.Row, spread: Spread, firm: Stability | None, *, odd: bool
) -> BoardRow:
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
        interruption_raw=_text(entry.interruption, 6),
        rejection_raw=_text(entry.rejection, 6),
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
        notes=[*_notes(row), *([OTHER_SIGNATURE] if odd else []), *entry.notes],
        system_slug=entry.system_slug,
        weights=entry.weights,
        received=entry.received,
        coverage=_coverage(entry.coverage),
        run=entry.run.pk if entry.run else None,
        latency_source=entry.latency_source,
        measured_how=entry.measured_how,
        source=entry.source,
        source_url=entry.source_url,
        published_on=entry.published_on,
        invited=entry.invited,
        **asdict(spread),
        stability={} if firm is None else _firmness(firm),
    )


def _coverage(found: Coverage | None) -> list[int]:
    if found is None:
        return []
    kinds = (found.test, *([found.clean] if found.clean else []))
    return [number for one in kinds for number in (one.expected, one.received)]


def _firmness(firm: Stability) -> dict[str, Any]:
    return {**firm._asdict(), "kept": round(firm.kept, 3)}


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
    """Freeze a new board; receiver of ``submissions.signals.board_changed``.

    Its scenario pages are made after commit; where no worker is told, the first reader makes them.
    """
    snapshot = freeze(split, cause)
    transaction.on_commit(partial(tasks.prepare_scenarios.delay, snapshot.pk), robust=True)
