"""A frozen board as one view of its page shows it: cells, notes and bars, every sum done here.

Conventions: numbers are texts, as the snapshot stores them. What is missing is a dash with its
reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leaderboard import sentences, words
from leaderboard.board import choosing
from leaderboard.board.cells import BEYOND, Cell, Note, Notes, cell
from leaderboard.board.columns import Group, Head, groups
from leaderboard.board.paired import Gaps
from leaderboard.board.rules import PROTOCOL, Rules
from leaderboard.board.viewstate import DEFAULT, ViewState
from leaderboard.show.numbers import DASH, span
from scoring.ranking import FULL_SCORE, WEIGHTS, Weights
from scoring.rounding import half_up
from submissions.queries import ORGANISER

IMPORTED = "imported"
# A board's bar is 100 units wide: one unit is one point of the total.
TOTAL = Head("total", "", "total")
NO_GAPS: Gaps = {}
PARTS = ("interruption", "rejection", "delay_score")
KIND_ICONS = {
    "participant": "disc",
    "late": "half",
    "baseline": "diamond",
    "open": "ring",
    "closed": "square",
}
UNRANKED = {
    "late": gettext_lazy("late"),
    "open": gettext_lazy("reference"),
    "closed": gettext_lazy("reference"),
}


@dataclass(frozen=True, slots=True)
class BarPart:
    """One piece of the total's bar, in points."""

    name: str
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a board."""

    key: str
    rank: str
    rank_reason: str
    rank_interval: str
    tie: str
    tie_words: str
    name: str
    system: str
    team: str
    kind: str
    kind_icon: str
    kind_word: str
    origin_word: str
    submission: str
    cells: tuple[Cell, ...]
    total: Cell
    bar: tuple[BarPart, ...]
    bar_text: str
    notes: tuple[Note, ...]
    unofficial: str
    is_pinned: bool
    pin_query: str


@dataclass(frozen=True, slots=True)
class Board:
    """One view of a board, ready for its template."""

    heads: tuple[Head, ...]
    groups: tuple[Group, ...]
    pinned: tuple[Row, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...]
    takeaway: str
    unofficial: str
    found: int
    total: int
    pages: int
    page: int
    has_intervals: bool
    compared_to: str
    has_gaps: bool

    @property
    def width(self) -> int:
        """Columns of the table."""
        return 3 + len(self.heads)


@dataclass(frozen=True, slots=True)
class _View:
    """What all rows of one table share."""

    heads: tuple[Head, ...]
    state: ViewState
    notes: Notes
    ties: Mapping[int, int]
    against: Mapping[str, Any] | None
    gaps: Gaps
    pins: tuple[str, ...]
    is_mixed: bool
    rules: Rules
    is_measured: bool


def board(
    rows: Sequence[Mapping[str, Any]],
    state: ViewState = DEFAULT,
    gaps: Gaps = NO_GAPS,
    rules: Rules = PROTOCOL,
) -> Board:
    """Make the table of a snapshot's rows in one view; ``gaps`` are those of ``paired.gaps``."""
    chosen = choosing.choose(rows, state)
    keyed = list(zip(choosing.keys(rows), rows, strict=True))
    names = {id(row): key for key, row in keyed}
    against = chosen.pinned[0] if state.diff and chosen.pinned else None
    shown = groups(state)
    heads = tuple(head for group in shown for head in group.heads)
    pins = tuple(names[id(row)] for row in chosen.pinned)
    # What is true of every row is said once, above the table.
    is_mixed = len({tuple(row["unofficial"]) for row in rows}) > 1
    is_measured = any(row.get("latency_source") == ORGANISER for row in rows)
    view = _View(
        heads, state, Notes(), _tie_sizes(rows), against, gaps, pins, is_mixed, rules, is_measured
    )
    # On top the compared row keeps its own numbers, so that differences have something to be to.
    plain = replace(view, against=None)
    top = [_row(row, names[id(row)], plain if row is against else view) for row in chosen.pinned]
    made = [_row(row, names[id(row)], view) for row in chosen.rows]
    ties = _joined([row.get("tie_group") for row in chosen.rows], view.ties)
    return Board(
        heads,
        shown,
        pinned=tuple(top),
        rows=tuple(replace(row, tie=tie) for row, tie in zip(made, ties, strict=True)),
        notes=view.notes.all(),
        takeaway=takeaway(rows),
        unofficial=engine_words(sorted({name for row in rows for name in row["unofficial"]})),
        found=chosen.found,
        total=len(rows),
        pages=chosen.pages,
        page=chosen.page,
        has_intervals=any(row.get("intervals") for row in rows),
        compared_to=against["system"] if against else "",
        has_gaps=bool(gaps),
    )


def engine_words(names: Iterable[str]) -> str:
    """Say in words which engines are not the official ones."""
    return words.listed(_engine(name) for name in names)


def _engine(name: str) -> str:
    """One engine in words; of transcripts made elsewhere, who made them."""
    kind, _sign, source = name.partition(":")
    if kind == IMPORTED:
        return _("transcripts made elsewhere (%s)") % source
    return str(words.UNOFFICIAL.get(name, name))


def takeaway(rows: Sequence[Mapping[str, Any]]) -> str:
    """One or two sentences that say what the table shows."""
    ranked = [row for row in rows if row["rank"] is not None]
    if not ranked:
        return ""
    weak = [row for row in rows if row["rejection"] and Decimal(row["rejection"]) < 50]
    known = [row for row in rows if row["rejection"]]
    if not weak:
        return _leader(ranked)
    share = ngettext(
        "%(weak)d of %(all)d systems stays below 50 %% on speech that is not meant for it.",
        "%(weak)d of %(all)d systems stay below 50 %% on speech that is not meant for them.",
        len(weak),
    ) % {"weak": len(weak), "all": len(known)}
    return words.told(_leader(ranked), share)


def _leader(ranked: Sequence[Mapping[str, Any]]) -> str:
    """Who leads; a tie group leads together, because its order may be chance."""
    tied = [row for row in ranked if row.get("tie_group") == 1]
    first = [row for row in ranked if row["rank"] == 1]
    if len(tied) > len(first) and first[0] in tied:
        values = {"name": first[0]["system"], "total": first[0]["total"], "others": len(tied) - 1}
        return (
            ngettext(
                "%(name)s comes first with %(total)s of 100 points, but %(others)d other system "
                "cannot be told from it.",
                "%(name)s comes first with %(total)s of 100 points, but %(others)d other systems "
                "cannot be told from it.",
                len(tied) - 1,
            )
            % values
        )
    return ngettext(
        "%(names)s leads with %(total)s of 100 points.",
        "%(names)s lead with %(total)s of 100 points.",
        len(first),
    ) % {"names": _(" and ").join(row["system"] for row in first), "total": first[0]["total"]}


def _tie_sizes(rows: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for row in rows:
        if (group := row.get("tie_group")) is not None:
            sizes[group] = sizes.get(group, 0) + 1
    return sizes


def _joined(shown: Sequence[int | None], sizes: Mapping[int, int]) -> Iterator[str]:
    """For each row: whether its group's bar begins, goes on, ends, or stands alone here."""
    for number, group in enumerate(shown):
        if group is None or sizes[group] < 2:
            yield ""
            continue
        before = number > 0 and shown[number - 1] == group
        after = number + 1 < len(shown) and shown[number + 1] == group
        yield {(False, False): "alone", (False, True): "first", (True, False): "last"}.get(
            (before, after), "middle"
        )


def _row(row: Mapping[str, Any], key: str, view: _View) -> Row:
    own = [
        view.notes.mark(sentences.known(text)) for text in row["notes"] if text not in ("", BEYOND)
    ]
    cells = tuple(_cell(row, head, view) for head in view.heads)
    own += [view.notes.mark(text) for text in _latency(row, view.is_measured)]
    gap = _split_missing(row) if view.state.languages else ""
    own += [view.notes.mark(gap)] if gap else []
    group = row.get("tie_group")
    others = view.ties.get(group, 1) - 1 if group is not None else 0
    return Row(
        key=key,
        rank=DASH if row["rank"] is None else str(row["rank"]),
        rank_reason=_rank_reason(row, view.rules),
        rank_interval=_rank_interval(row),
        tie="",
        tie_words=_tie_words(others),
        name=row["system"],
        system=row.get("system_slug", ""),
        team="" if row["system"] == row["team"] else row["team"],
        kind=row["kind"],
        kind_icon=KIND_ICONS.get(row["kind"], "disc"),
        kind_word=str(words.KINDS.get(row["kind"], row["kind"])),
        origin_word=str(words.ORIGINS.get(row["origin"], "")),
        submission=row["link"] if row["origin"] == "scored" else "",
        cells=cells,
        total=_cell(row, TOTAL, view),
        bar=(parts := tuple(bar(row, view.rules.weights))),
        bar_text=_bar_text(parts),
        notes=tuple(own),
        unofficial=engine_words(row["unofficial"]) if view.is_mixed else "",
        is_pinned=key in view.pins,
        pin_query=_pin_query(key, view),
    )


def _latency(row: Mapping[str, Any], is_measured: bool) -> Iterable[str]:
    """Whose delay it is, on a board where that is not the same for all."""
    source = row.get("latency_source", "")
    if source == ORGANISER:
        how = {"how": row["measured_how"]}
        yield _("Delay measured by the organisers: %(how)s. No interval can be drawn of it.") % how
    elif source and is_measured:
        yield _("Delay from the recordings that the team handed in.")


def _cell(row: Mapping[str, Any], head: Head, view: _View) -> Cell:
    gap = view.gaps.get(row.get("draws"), {}).get(head.name)
    return cell(row, head, view.notes, against=view.against, gap=gap)


def _pin_query(key: str, view: _View) -> str:
    others = tuple(one for one in view.pins if one != key)
    return view.state.query(pin=others if key in view.pins else (*view.pins, key))


def _rank_reason(row: Mapping[str, Any], rules: Rules) -> str:
    if row["rank"] is not None:
        return ""
    if row["kind"] in UNRANKED:
        return str(UNRANKED[row["kind"]])
    if not row["total"]:
        return _("incomplete")
    is_set_apart = row["kind"] == "baseline" and not rules.rank_baseline
    return _("no rank") if is_set_apart else _("not rankable")


def _rank_interval(row: Mapping[str, Any]) -> str:
    low, high = row.get("rank_low"), row.get("rank_high")
    if low is None or high is None:
        return ""
    return span(low, high)


def _tie_words(others: int) -> str:
    if others < 1:
        return ""
    return ngettext(
        "cannot be told from %(others)d other system",
        "cannot be told from %(others)d other systems",
        others,
    ) % {"others": others}


def _split_missing(row: Mapping[str, Any]) -> str:
    """A footnote for rows whose language columns are empty."""
    known = [value for values in row["languages"].values() for value in values.values() if value]
    if known or row["origin"] != "reported":
        return ""
    return _("The source gives no figures by language for this system.")


def bar(row: Mapping[str, Any], weights: Weights = WEIGHTS) -> Iterable[BarPart]:
    """The total as three pieces, each as wide as the points it brings under a board's weights."""
    if not row["total"]:
        return
    x = Decimal(0)
    for name, weight in zip(PARTS, weights, strict=True):
        points = weight * min(max(Decimal(row[name]), Decimal(0)), FULL_SCORE)
        yield BarPart(name.removesuffix("_score"), _short(x), _short(points))
        x += points


def _bar_text(parts: Sequence[BarPart]) -> str:
    points = {part.name: part.width for part in parts}
    if not points:
        return ""
    return (
        _("interruption %(interruption)s + rejection %(rejection)s + delay %(delay)s points")
        % points
    )


def _short(value: Decimal) -> str:
    return str(half_up(value, 2))
