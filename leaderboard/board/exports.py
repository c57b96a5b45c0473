"""A view of a board as CSV, JSON, LaTeX and BibTeX: the snapshot's own numbers with their marks.

Conventions: rows and columns are those of the page, in its order; a view of differences has them
beside the numbers. Keys and headings are stable and
English whatever the page's language; what is missing is empty in CSV, ``null`` in JSON and a dash
in LaTeX. Every export says board, mode and signatures.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import override

from leaderboard.board import choosing, paired, provenance
from leaderboard.board.cells import interval_of, kept, stored
from leaderboard.board.columns import Head, groups
from leaderboard.board.rules import made_by
from leaderboard.board.spread import PLACES
from leaderboard.board.viewstate import DEFAULT, ViewState
from leaderboard.models import Snapshot
from scoring.reasons import in_words
from scoring.rounding import half_up
from scoring.uncertainty import Difference

SCHEMA = "board/2"
DIFFERENCE = ("difference", "difference_low", "difference_high", "separable")
BEFORE = ("rank", "rank_low", "rank_high", "tie_group", "team", "system", "kind", "origin")
AFTER = (
    "published_delay_score", "published_total", "published_rank",
    "best", "beyond_reference", "unofficial", "notes", "signature", "board", "split", "mode",
    "latency_source", "measured_how", "source", "source_url", "published_on", "invited",
    "demonstration",
)  # fmt: skip
# A spreadsheet would run a cell that begins like this as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
TOTAL = Head("total", "Total", "total")

Row = Mapping[str, Any]


def rows_of(snapshot: Snapshot, state: ViewState) -> list[Row]:
    """The rows of a view, all pages of it; pinned rows stay where they are."""
    found = [row for row in snapshot.rows if choosing.shows(row, state)]
    return choosing.in_order(found, state.sort)


@dataclass(frozen=True, slots=True)
class Against:
    """The row that a view of differences compares with; ``row`` is ``None`` in other views."""

    row: Row | None
    gaps: paired.Gaps

    def gap(self, row: Row, name: str) -> Difference | None:
        """Paired difference of a row, where it is known."""
        return self.gaps.get(row.get("draws"), {}).get(name)

    def plain(self, row: Row, head: Head) -> str:
        """Difference of two shown numbers; empty where one is missing, or for the row itself."""
        if self.row is None or self.row is row or head.is_text:
            return ""
        one, other = value(self.row, head), value(row, head)
        return str(Decimal(other) - Decimal(one)) if one and other else ""


def against(snapshot: Snapshot, state: ViewState) -> Against:
    """Return what all pages of a view compare with."""
    pins = choosing.pinned(snapshot.rows, state.pin) if state.diff else []
    return Against(pins[0] if pins else None, paired.gaps_of_all(snapshot.rows, state))


def as_json(snapshot: Snapshot, state: ViewState = DEFAULT) -> dict[str, Any]:
    """Return a board with its constants and signatures; whole rows, chosen and ordered."""
    base = against(snapshot, state)
    return {
        "schema": SCHEMA,
        "board": snapshot.pk,
        "split": snapshot.split.slug,
        "created": snapshot.created.isoformat(timespec="seconds"),
        "cause": snapshot.cause,
        "mode": snapshot.mode,
        "l_min": snapshot.l_min or None,
        "l_min_holder": snapshot.l_min_holder or None,
        "l_base": snapshot.l_base or None,
        "reference": snapshot.reference_name or None,
        "draws": snapshot.draws or None,
        "seed": snapshot.seed if snapshot.draws else None,
        "rules": made_by(snapshot),
        "signatures": snapshot.signatures,
        "unofficial": provenance.engines(snapshot.rows),
        "demonstration": snapshot.split.is_demo,
        "warnings": _warnings(snapshot),
        "publications": [asdict(one) for one in provenance.publications(snapshot)],
        "view": state.query().removeprefix("?"),
        "columns": [head.name for head in columns(state)],
        "compared_to": base.row["link"] if base.row else None,
        "moved": snapshot.moved or None,
        "rows": [
            _absent(row) | _json_differences(row, state, base) for row in rows_of(snapshot, state)
        ],
    }


def as_csv(snapshot: Snapshot, state: ViewState = DEFAULT) -> str:
    """Return a view as a table, one line per entry."""
    base = against(snapshot, state)
    names = [*BEFORE, *_csv_numbers(state, base), *AFTER, *(["compared_to"] if base.row else [])]
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\r\n")
    writer.writeheader()
    for row in rows_of(snapshot, state):
        values = _line(snapshot, row, state, base)
        writer.writerow({name: _harmless(name, values.get(name, "")) for name in names})
    return out.getvalue()


def _warnings(snapshot: Snapshot) -> list[str]:
    with override("en"):
        return provenance.warnings(snapshot.split, provenance.engines(snapshot.rows))


def columns(state: ViewState) -> list[Head]:
    """Total and the columns behind it, as on the page; headings in English."""
    with override("en"):
        return [TOTAL, *(head for group in groups(state) for head in group.heads)]


def _csv_numbers(state: ViewState, base: Against) -> Iterable[str]:
    for head in columns(state):
        yield head.name
        if not head.is_text:
            yield from (f"{head.name}_low", f"{head.name}_high")
            yield from (f"{head.name}_{one}" for one in (DIFFERENCE if base.row else ()))


def value(row: Row, head: Head) -> str:
    """Return the stored text of one cell; empty where there is none."""
    if head.name == "stability":
        share = kept(row)
        return "" if share is None else str(half_up(share, 3))
    return stored(row, head.name)


def _line(snapshot: Snapshot, row: Row, state: ViewState, base: Against) -> dict[str, Any]:
    known = {name: row.get(name) for name in (*BEFORE, *AFTER) if row.get(name) is not None}
    return {
        **known,
        **dict(_numbers(row, state)),
        **dict(_differences(row, state, base)),
        **{f"published_{key}": text for key, text in (row["published"] or {}).items()},
        "best": " ".join(row.get("best", ())),
        "beyond_reference": "yes" if row["beyond_reference"] else "",
        "unofficial": " ".join(row["unofficial"]),
        "notes": " ".join(map(in_words, row["notes"])),
        "board": snapshot.pk,
        "split": snapshot.split.slug,
        "mode": snapshot.mode,
        "invited": "yes" if row.get("invited") else "",
        "demonstration": "yes" if snapshot.split.is_demo else "",
        "compared_to": base.row["link"] if base.row else "",
    }


def _differences(row: Row, state: ViewState, base: Against) -> Iterable[tuple[str, str]]:
    """What a view of differences says of one row: value, both ends, and whether 0 is left out."""
    for head in columns(state):
        gap = base.gap(row, head.name)
        ends = (half_up(end, head.places) for end in gap.interval) if gap else ()
        word = "" if gap is None else "yes" if gap.is_separable else "no"
        names = (f"{head.name}_{one}" for one in DIFFERENCE)
        values = (base.plain(row, head), *(map(str, ends) if gap else ("", "")), word)
        yield from zip(names, values, strict=True)


def _json_differences(row: Row, state: ViewState, base: Against) -> dict[str, Any]:
    """The same by number; nothing in other views, and for the row that is compared with."""
    if base.row is None or base.row is row:
        return {}
    known = {head: text for head in columns(state) if (text := base.plain(row, head))}
    return {
        "differences": {
            head.name: {"value": text, **_ends(base.gap(row, head.name))}
            for head, text in known.items()
        }
    }


def _ends(gap: Difference | None) -> dict[str, Any]:
    if gap is None:
        return {"low": None, "high": None, "separable": None}
    low, high = (round(end, PLACES) for end in gap.interval)
    return {"low": low, "high": high, "separable": gap.is_separable}


def _numbers(row: Row, state: ViewState) -> Iterable[tuple[str, str]]:
    for head in columns(state):
        yield head.name, value(row, head)
        ends = row.get("intervals", {}).get(head.name)
        if ends:
            low, high = (str(half_up(end, head.places)) for end in ends)
            yield from ((f"{head.name}_low", low), (f"{head.name}_high", high))


def _harmless(name: str, content: Any) -> str:
    text = str(content)
    is_word = name in ("team", "system", "notes", "measured_how", "source")
    return f"'{text}" if is_word and text.startswith(FORMULA) else text


def _absent(row: Row) -> dict[str, Any]:
    """Empty texts stand for what is missing; JSON has a word for that."""
    kept_as_text = {"system", "note", "link", "architecture", "signature"}
    made = {
        key: None if content == "" and key not in kept_as_text else content
        for key, content in row.items()
        if key != "draws"  # where they are kept is nobody's business
    }
    return made | {"notes": [*map(in_words, row["notes"])]}


def cells(row: Row, state: ViewState) -> Sequence[tuple[str, str]]:
    """Value and interval of every column, for tables in print."""
    return [(value(row, head), interval_of(row, head.name, head.places)) for head in columns(state)]
