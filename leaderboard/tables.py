"""A frozen board as the page shows it: cells, notes and bars, with every sum done here.

Numbers are texts, as the snapshot stores them. What is missing is a dash with its reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from string import ascii_lowercase
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leaderboard import sentences, words
from scoring.ranking import FULL_SCORE, WEIGHTS
from scoring.rounding import half_up

DASH = "—"
BEYOND = "Faster than the reference: shown unclamped, 100 is used in the total."
# A board's bar is 100 units wide: one unit is one point of the total.
PARTS = ("interruption", "rejection", "delay_score")
KIND_ICONS = {
    "participant": "disc",
    "late": "half",
    "baseline": "diamond",
    "open": "ring",
    "closed": "square",
}
KIND_WORDS = {
    "participant": gettext_lazy("team"),
    "late": gettext_lazy("team, late"),
    "baseline": gettext_lazy("baseline"),
    "open": gettext_lazy("reference, open model"),
    "closed": gettext_lazy("reference, closed model"),
}
UNRANKED = {
    "late": gettext_lazy("late"),
    "open": gettext_lazy("reference"),
    "closed": gettext_lazy("reference"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One footnote with its letter."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One number, or a dash with the reason why there is none.

    Attributes:
        text: the number as shown.
        reason: why it is missing; empty when it is not.
        aside: small words below the number.
        notes: marks of footnotes.
        starts_group: whether a thin rule stands before it.
    """

    text: str
    reason: str = ""
    aside: str = ""
    notes: tuple[Note, ...] = ()
    starts_group: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class BarPart:
    """One piece of the total's bar, in points."""

    name: str
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a board."""

    rank: str
    rank_reason: str
    name: str
    team: str
    kind: str
    kind_icon: str
    kind_word: str
    submission: str
    cells: tuple[Cell, ...]
    total: Cell
    bar: tuple[BarPart, ...]
    bar_text: str
    notes: tuple[Note, ...]
    unofficial: str


@dataclass(frozen=True, slots=True)
class Head:
    """One heading of the second level; unit and arrow only where its group has none."""

    text: str
    group: str
    unit: str = ""
    arrow: str = ""
    higher_is_better: bool = True
    starts_group: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A board ready for its template."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...]
    takeaway: str
    unofficial: str


class Notes:
    """Collects footnotes in the order in which the reader meets them."""

    def __init__(self) -> None:
        self._found: dict[str, Note] = {}

    def mark(self, text: str) -> Note:
        """Return the note of a text, a new one if it was not there yet."""
        number = len(self._found)
        letter = ascii_lowercase[number % 26] * (1 + number // 26)
        return self._found.setdefault(text, Note(letter, text))

    def all(self) -> tuple[Note, ...]:
        return tuple(self._found.values())


def heads() -> tuple[Head, ...]:
    """Headings of the numbers, in order; the total has its own column with a bar."""
    parts = [
        Head(text, group, starts_group=first)
        for group in (_("Interruption"), _("Rejection"))
        for text, first in ((_("CN"), True), (_("EN"), False), (_("All"), False))
    ]
    delay = Head(_("Total delay"), _("Delay"), "s", "↓", higher_is_better=False, starts_group=True)
    return (*parts, delay, Head(_("Delay score"), _("Delay"), arrow="↑"))


def board(rows: Sequence[Mapping[str, Any]]) -> Board:
    """Make the table of a snapshot's rows."""
    notes = Notes()
    made = tuple(_row(row, notes) for row in rows)
    engines = sorted({name for row in rows for name in row["unofficial"]})
    return Board(heads(), made, notes.all(), takeaway(rows), engine_words(engines))


def engine_words(names: Iterable[str]) -> str:
    """Say in words which engines are not the official ones."""
    return ", ".join(str(words.UNOFFICIAL.get(name, name)) for name in names)


def takeaway(rows: Sequence[Mapping[str, Any]]) -> str:
    """One sentence that says what the table shows."""
    ranked = [row for row in rows if row["rank"] is not None]
    if not ranked:
        return ""
    first = [row for row in ranked if row["rank"] == 1]
    leader = _("%(names)s leads with %(total)s of 100 points.") % {
        "names": _(" and ").join(row["system"] for row in first),
        "total": first[0]["total"],
    }
    weak = [row for row in rows if row["rejection"] and Decimal(row["rejection"]) < 50]
    known = [row for row in rows if row["rejection"]]
    if not weak:
        return leader
    return f"{leader} " + ngettext(
        "%(weak)d of %(all)d systems stays below 50 %% on speech that is not meant for it.",
        "%(weak)d of %(all)d systems stay below 50 %% on speech that is not meant for them.",
        len(weak),
    ) % {"weak": len(weak), "all": len(known)}


def _row(row: Mapping[str, Any], notes: Notes) -> Row:
    own = [notes.mark(sentences.known(text)) for text in row["notes"] if text not in ("", BEYOND)]
    cells = tuple(_cells(row, notes))
    gap = _split_missing(row)
    own += [notes.mark(gap)] if gap else []
    rank = row["rank"]
    return Row(
        rank=DASH if rank is None else str(rank),
        rank_reason=_rank_reason(row),
        name=row["system"],
        team="" if row["system"] == row["team"] else row["team"],
        kind=row["kind"],
        kind_icon=KIND_ICONS.get(row["kind"], "disc"),
        kind_word=str(KIND_WORDS.get(row["kind"], row["kind"])),
        submission=row["link"] if row["origin"] == "scored" else "",
        cells=cells,
        total=_compared(row, "total", notes, strong=True),
        bar=tuple(bar(row)),
        bar_text=_bar_text(row),
        notes=tuple(own),
        unofficial=engine_words(row["unofficial"]),
    )


def _rank_reason(row: Mapping[str, Any]) -> str:
    if row["rank"] is not None:
        return ""
    if row["kind"] in UNRANKED:
        return str(UNRANKED[row["kind"]])
    return _("incomplete") if not row["total"] else _("not rankable")


def _cells(row: Mapping[str, Any], notes: Notes) -> Iterable[Cell]:
    for group in ("interruption", "rejection"):
        for language in ("cn", "en"):
            text = row["languages"].get(language, {}).get(group, "")
            yield _cell(text, _no_language(row), starts_group=language == "cn")
        yield _cell(row[group], _("no scenario group was complete"), strong=True)
    yield _cell(row["delay"], _("no delay was measured"), starts_group=True)
    yield _compared(row, "delay_score", notes)


def _cell(text: str, reason: str, *, starts_group: bool = False, strong: bool = False) -> Cell:
    if text:
        return Cell(text, starts_group=starts_group, strong=strong)
    return Cell(DASH, reason, starts_group=starts_group)


def _compared(row: Mapping[str, Any], name: str, notes: Notes, *, strong: bool = False) -> Cell:
    """Our number; where the source printed another one, that too, with a note."""
    ours, printed = row[name], (row.get("published") or {}).get(name, "")
    if not ours:
        return Cell(DASH, _("a part of it is missing"))
    is_beyond = name == "delay_score" and row["beyond_reference"]
    marks = [notes.mark(sentences.known(BEYOND))] if is_beyond else []
    if not printed or Decimal(printed) == Decimal(ours):
        aside = _("beyond the reference") if marks else ""
        return Cell(ours, aside=aside, notes=tuple(marks), strong=strong)
    own = [text for text in row["notes"] if text not in ("", BEYOND) and name == "delay_score"]
    reasons = own or [_difference(row["team"], name, printed, ours)]
    marks += [notes.mark(sentences.known(reason)) for reason in reasons]
    return Cell(ours, aside=_("published %s") % printed, notes=tuple(marks), strong=strong)


def _difference(team: str, name: str, printed: str, ours: str) -> str:
    values = {"team": team, "printed": printed, "ours": ours}
    if name == "delay_score":
        return (
            _(
                "%(team)s: the delay score was published as %(printed)s; the published formula and "
                "delays give %(ours)s. Delays with more than three decimals, which were not "
                "printed, would explain the difference."
            )
            % values
        )
    return _("%(team)s: published as %(printed)s; our formula gives %(ours)s.") % values


def _no_language(row: Mapping[str, Any]) -> str:
    if row["origin"] == "reported":
        return _("not published by language")
    return _("not scored in this language")


def _split_missing(row: Mapping[str, Any]) -> str:
    """A footnote for rows whose language columns are empty."""
    known = [value for values in row["languages"].values() for value in values.values() if value]
    if known or row["origin"] != "reported":
        return ""
    return _("The source gives no figures by language for this system.")


def bar(row: Mapping[str, Any]) -> Iterable[BarPart]:
    """The total as three pieces, each as wide as the points it brings (0.4, 0.4, 0.2)."""
    if not row["total"]:
        return
    x = Decimal(0)
    for name, weight in zip(PARTS, WEIGHTS, strict=True):
        points = weight * min(max(Decimal(row[name]), Decimal(0)), FULL_SCORE)
        yield BarPart(name.removesuffix("_score"), _short(x), _short(points))
        x += points


def _bar_text(row: Mapping[str, Any]) -> str:
    if not row["total"]:
        return ""
    points = {part.name: part.width for part in bar(row)}
    return (
        _("interruption %(interruption)s + rejection %(rejection)s + delay %(delay)s points")
        % points
    )


def _short(value: Decimal) -> str:
    return str(half_up(value, 2))


@dataclass(frozen=True, slots=True)
class Line:
    """Where a board comes from: label and value, in order."""

    label: str
    value: str


def origin(snapshot: Any) -> list[Line]:
    """The facts of a board: number, date, cause, mode, constants, signatures."""
    named = f" ({snapshot.l_min_holder})" if snapshot.l_min_holder else ""
    lines = [
        Line(_("Board"), f"{snapshot.pk} · {words.utc(snapshot.created)}"),
        Line(_("Cause"), sentences.known(snapshot.cause)),
        Line(_("Mode"), str(words.MODES.get(snapshot.mode, snapshot.mode))),
        Line(_("Fastest delay"), f"L_min {snapshot.l_min} s{named}" if snapshot.l_min else DASH),
        Line(_("Baseline delay"), f"L_base {snapshot.l_base} s" if snapshot.l_base else DASH),
    ]
    if snapshot.reference_name:
        lines.append(Line(_("Constants"), _("frozen as %s") % snapshot.reference_name))
    else:
        lines.append(Line(_("Constants"), _("found anew on every board")))
    return lines
