"""What a reader asked to see of a board: the query of its address, read and written.

Conventions: pure. Unknown keys and values are left out, never an error. A link names what differs
from the default, keys in order, lists with commas; so one view has one address. Page, exports and
caches read the same state.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Protocol
from urllib.parse import urlencode

COLUMNS = (
    "interruption",
    "rejection",
    "delay",
    "delay_score",
    "architecture",
    "weights",
    "received",
    "stability",
)
DEFAULT_COLUMNS = COLUMNS[:4]
SPOKEN = ("cn", "en")
# What can be sorted by, and which direction a first click takes: the better end first.
SORTED_DOWN = {"rank": False, "name": False, "total": True, "interruption": True, "rejection": True}
SORTED_DOWN |= {"delay": False, "delay_score": True, "received": True, "stability": True}
SORTED_DOWN |= {f"{name}_{code}": SORTED_DOWN[name] for name in COLUMNS[:3] for code in SPOKEN}
KINDS = ("participant", "baseline", "late", "open", "closed")
KIND_ALIASES = {"team": ("participant",), "ref": ("open", "closed")}
WEIGHTS = ("open", "closed")
ARCHITECTURES = ("cascade", "semi-cascade", "end-to-end")
LANGUAGES = ("cn", "en", "both")
BASELINE = "baseline"
NOTHING = "none"
LONGEST = 80
MOST_PINS = 6
WEIGHT = re.compile(r"\d+(\.\d)?", re.ASCII)  # a percent


class Query(Protocol):
    """The part of Django's ``QueryDict`` that is needed."""

    def getlist(self, key: str) -> Sequence[Any]:
        """All values of a key."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """One view of a board.

    Attributes:
        arch: architectures to show; all where empty. Likewise ``kind`` and ``weights``.
        cols: columns between team and total's parts, in the order of the page.
        diff: show every number as the difference to the first pinned row.
        lang: ``cn``, ``en`` or ``both`` for the numbers by language; else the totals alone.
        page: of a long board, from 1; 0 shows all rows.
        pin: rows kept on top; ``baseline`` stands for all baseline rows.
        q: text to look for in names.
        sort: a column, with ``-`` for falling values; empty for the order of the board.
        w: other weights to try, in percent.
    """

    arch: tuple[str, ...] = ()
    cols: tuple[str, ...] = DEFAULT_COLUMNS
    diff: bool = False
    kind: tuple[str, ...] = ()
    lang: str = ""
    page: int = 1
    pin: tuple[str, ...] = (BASELINE,)
    q: str = ""
    sort: str = ""
    w: tuple[Decimal, ...] = ()
    weights: tuple[str, ...] = ()

    def query(self, **changes: Any) -> str:
        """Return the query of this view with changes: only what is not the default, in order."""
        state = replace(self, **changes)
        pairs = [
            (field.name, _written(getattr(state, field.name)))
            for field in fields(state)
            if getattr(state, field.name) != getattr(DEFAULT, field.name)
        ]
        return f"?{urlencode(pairs, safe=',')}" if pairs else "?"

    def toggled(self, name: str, value: str) -> str:
        """Return the query with one value of a filter switched on or off, on the first page."""
        known: tuple[str, ...] = getattr(self, name)
        changed = tuple(one for one in known if one != value) if value in known else (*known, value)
        return self.query(**{name: tuple(sorted(changed)), "page": 1})

    def sorted_by(self, name: str) -> str:
        """Return the query of a click on a heading: better end first, then the other way round."""
        down = SORTED_DOWN[name]
        if self.sort.lstrip("-") == name:
            down = not self.sort.startswith("-")
        return self.query(sort=f"-{name}" if down else name, page=1)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages with columns of their own."""
        return {"": (), "both": SPOKEN}.get(self.lang, (self.lang,))


DEFAULT = ViewState()


def read(query: Query) -> ViewState:
    """Read the query of an address; whatever makes no sense is the default."""
    values = {field.name: _listed(query.getlist(field.name)) for field in fields(ViewState)}
    last = {name: found[-1] if found else "" for name, found in values.items()}
    return ViewState(
        arch=_some(values["arch"], ARCHITECTURES),
        cols=_columns(values["cols"]),
        diff=last["diff"] == "1",
        kind=_some(_without_aliases(values["kind"]), KINDS),
        lang={"zh": "cn"}.get(last["lang"], last["lang"] if last["lang"] in LANGUAGES else ""),
        page=_page(last["page"]),
        pin=_pins(values["pin"]),
        q=" ".join(str(one) for one in query.getlist("q")).strip()[:LONGEST],
        sort=last["sort"] if last["sort"].removeprefix("-") in SORTED_DOWN else "",
        w=_weighting(values["w"]),
        weights=_some(values["weights"], WEIGHTS),
    )


def _listed(values: Iterable[Any]) -> list[str]:
    """Forms repeat a key, links write commas."""
    return [part for value in values for part in str(value).split(",") if part]


def _some(values: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    found = {value for value in values if value in known}
    # All of them is the same view as none of them.
    return () if len(found) == len(known) else tuple(sorted(found))


def _without_aliases(values: Iterable[str]) -> list[str]:
    return [kind for value in values for kind in KIND_ALIASES.get(value, (value,))]


def _columns(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name in values) or DEFAULT_COLUMNS


def _page(text: str) -> int:
    if text == "all":
        return 0
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return max(1, int(text)) if is_number else 1


def _pins(values: Sequence[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(one[:LONGEST] for one in values))[:MOST_PINS]
    if NOTHING in found:
        return ()
    return found or (BASELINE,)


def _weighting(values: Sequence[str]) -> tuple[Decimal, ...]:
    """Three percents, as ``40-40-20`` or as the three fields of the form."""
    texts = [part for value in values for part in value.split("-")]
    if len(texts) != 3 or not all(WEIGHT.fullmatch(one) for one in texts):
        return ()
    # Written in one way only, since one view has one address.
    weights = tuple(min(Decimal(one), Decimal(100)).normalize() for one in texts)
    return tuple(Decimal(f"{one:f}") for one in weights) if sum(weights) else ()


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "1"
    if isinstance(value, int):
        return "all" if value == 0 else str(value)
    if isinstance(value, str):
        return value
    if value and isinstance(value[0], Decimal):
        return "-".join(map(str, value))
    return ",".join(value) or NOTHING
