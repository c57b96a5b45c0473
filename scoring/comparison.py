"""What differs between two score reports: signatures, totals, items.

Conventions: reports are the plain JSON values of ``scoring.report``; a difference is *other minus
one*, exact decimals as texts. What is absent on either side has no difference: ``None``, never 0.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from scoring.errors import ScoringError
from scoring.report import SCHEMA as REPORT
from scoring.rounding import decimal
from scoring.signature import Signature, differences

SCHEMA = "comparison/1"

TOTALS = ("interruption", "rejection", "delay")
LANGUAGE_TOTALS = ("interruption", "rejection", "stop", "response", "first_response", "delay")
COUNTS = ("expected", "received", "silent", "unjudged")
# What may change in an item without its neighbours; reasons and diagnostics follow from these.
FIELDS = ("received", "label", "success", "silent", "first_response_delay", "stop", "response")
_NEEDED = {
    "items": (*FIELDS, "item", "language", "scenario", "part"),
    "totals": (*(f"{name}_raw" for name in TOTALS), *COUNTS, "languages"),
    "languages": ("language", *(f"{name}_raw" for name in LANGUAGE_TOTALS)),
}

Key = tuple[str, str, str, str]


class Pair(NamedTuple):
    """One number in two reports.

    Attributes:
        language: ``cn``, ``en`` or ``all``.
        name: of the total or count.
        one, other: exact decimals as texts; ``None`` is absent.
        difference: other minus one; ``None`` when either is absent.
    """

    language: str
    name: str
    one: str | None
    other: str | None
    difference: str | None

    @property
    def differs(self) -> bool:
        """Whether the numbers differ; 100 and 100.0 do not, a number and none do."""
        if self.difference is None:
            return self.one != self.other
        return Decimal(self.difference) != 0


@dataclass(frozen=True, slots=True)
class Change:
    """What changed in one item; ``changes`` has field → (one, other)."""

    language: str
    scenario: str
    part: str
    item: str
    changes: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class ScenarioChanges:
    """Items of one scenario in one language: how many, and how many changed in each field."""

    language: str
    scenario: str
    part: str
    items: int
    changed: int
    fields: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two score reports side by side.

    Attributes:
        signatures: of both.
        differences: what differs between the signatures, in sentences.
        totals: every total and count of both.
        scenarios: changed items by scenario, all scenarios of either report.
        changes: the changed items that both have, in the order of the first report.
        only_in_one, only_in_other: keys of items that the other report lacks.
    """

    signatures: tuple[str, str]
    differences: tuple[str, ...]
    totals: tuple[Pair, ...]
    scenarios: tuple[ScenarioChanges, ...]
    changes: tuple[Change, ...]
    only_in_one: tuple[str, ...]
    only_in_other: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs: no engine, no total, no item."""
        items = (*self.changes, *self.only_in_one, *self.only_in_other)
        return not (self.differences or items or any(pair.differs for pair in self.totals))

    def to_json(self) -> dict[str, Any]:
        """Return the comparison with stable keys (schema ``comparison/1``)."""
        return {
            "schema": SCHEMA,
            "equal": self.is_equal,
            **asdict(self),
            "totals": [one._asdict() for one in self.totals],
        }


def read_report(text: str, *, path: str) -> dict[str, Any]:
    """Read a score report.

    Args:
        text: content of the file.
        path: its name, for the error.

    Raises:
        ScoringError: it is no score report (code ``report-unreadable``, or
            ``signature-unreadable``); the error says why.
    """
    try:
        data = json.loads(text)
    except ValueError as cause:
        raise _no_report(f"it is not JSON ({cause})", path) from cause
    problem = _problem(data)
    if problem:
        raise _no_report(problem, path)
    try:
        Signature.parse(data["signature"])
    except ScoringError as cause:
        raise cause.at(path) from cause
    return dict(data)


def compare(one: Mapping[str, Any], other: Mapping[str, Any]) -> Comparison:
    """Compare two score reports as ``read_report`` returns them."""
    first, second = _items(one), _items(other)
    changes = tuple(
        change for key in first if key in second and (change := _change(key, first, second))
    )
    signatures = (one["signature"], other["signature"])
    return Comparison(
        signatures,
        tuple(differences(*map(Signature.parse, signatures))),
        tuple(_totals(one["totals"], other["totals"])),
        tuple(_scenarios({**first, **second}, changes)),
        changes,
        tuple(_name(key) for key in first if key not in second),
        tuple(_name(key) for key in second if key not in first),
    )


def _no_report(why: str, path: str) -> ScoringError:
    return ScoringError(
        f"This is no score report: {why}.",
        cure="Make one with 'python -m scoring score … --json FILE'.",
        path=path,
        code="report-unreadable",
    )


def _problem(data: object) -> str:
    """Say what a report lacks; empty when it has all that is compared."""
    if not isinstance(data, dict):
        return f"it holds {type(data).__name__} where an object should be"
    if data.get("schema") != REPORT:
        return f"its schema is {data.get('schema')!r}, not {REPORT!r}"
    if not isinstance(data.get("signature"), str):
        return "it has no signature"
    totals = data.get("totals")
    languages = totals.get("languages") if isinstance(totals, dict) else None
    rows = {"items": data.get("items"), "totals": [totals], "languages": languages}
    lacking = next(filter(None, (_lacking(name, found) for name, found in rows.items())), "")
    return lacking or _odd_number([totals, *(languages or [])]) or _odd_interval(data["items"])


def _lacking(name: str, rows: object) -> str:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return f"{name!r} is not what it should be"
    absent = [key for row in rows for key in _NEEDED[name] if key not in row]
    return f"{absent[0]!r} is missing in {name!r}" if absent else ""


def _odd_number(rows: Sequence[Any]) -> str:
    """Totals are exact decimals as texts, or null."""
    for row in rows:
        for name, value in row.items():
            if name.endswith("_raw") and not _is_decimal(value):
                return f"{name!r} is {value!r}, where a decimal as text or null should be"
    return ""


def _odd_interval(items: Sequence[Mapping[str, Any]]) -> str:
    """Stop and response are lists of [start, end], or null."""
    for row in items:
        for name in ("stop", "response"):
            value = row[name]
            if value is not None and not (isinstance(value, list) and all(map(_is_pair, value))):
                return f"{name!r} of item {row['item']} is no list of [start, end]"
    return ""


def _is_pair(value: object) -> bool:
    pair = value if isinstance(value, list) else []
    return len(pair) == 2 and all(isinstance(one, int | float) for one in pair)


def _is_decimal(value: object) -> bool:
    if value is None:
        return True
    try:
        return isinstance(value, str) and decimal(value).is_finite()
    except ValueError:
        return False


def _items(report: Mapping[str, Any]) -> dict[Key, Mapping[str, Any]]:
    return {
        (row["language"], row["scenario"], row["part"], row["item"]): row for row in report["items"]
    }


def _name(key: Key) -> str:
    """The item's key as in a manifest."""
    language, scenario, part, item = key
    return f"{language}/{scenario}{'_' + part if part else ''}/{item}"


def _change(
    key: Key, one: Mapping[Key, Mapping[str, Any]], other: Mapping[Key, Mapping[str, Any]]
) -> Change | None:
    pairs = {name: (one[key][name], other[key][name]) for name in FIELDS}
    changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return Change(*key, changed) if changed else None


def _totals(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Pair]:
    rows = [_pair("all", name, (one, other)) for name in TOTALS]
    languages = [{row["language"]: row for row in each["languages"]} for each in (one, other)]
    for language in sorted({*languages[0], *languages[1]}):
        both = [found.get(language, {}) for found in languages]
        rows += [_pair(language, name, both) for name in LANGUAGE_TOTALS]
    return [*rows, *(_counted(name, one[name], other[name]) for name in COUNTS)]


def _pair(language: str, name: str, reports: Sequence[Mapping[str, Any]]) -> Pair:
    one, other = (report.get(f"{name}_raw") for report in reports)
    if one is None or other is None:
        return Pair(language, name, one, other, None)
    return Pair(language, name, one, other, str(Decimal(other) - Decimal(one)))


def _counted(name: str, one: int, other: int) -> Pair:
    return Pair("all", name, str(one), str(other), str(other - one))


def _scenarios(keys: Mapping[Key, Any], changes: Sequence[Change]) -> list[ScenarioChanges]:
    groups = Counter((language, scenario, part) for language, scenario, part, _ in keys)
    found: dict[tuple[str, str, str], list[Change]] = {group: [] for group in groups}
    for change in changes:
        found[change.language, change.scenario, change.part].append(change)
    return [
        ScenarioChanges(*group, number, len(found[group]), _fields(found[group]))
        for group, number in groups.items()
    ]


def _fields(changes: Sequence[Change]) -> dict[str, int]:
    counts = Counter(name for change in changes for name in change.changes)
    return {name: counts[name] for name in FIELDS if name in counts}
