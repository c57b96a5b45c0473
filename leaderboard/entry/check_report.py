"""The report on an archive for its readers: findings in their language, a table of counts, a CSV.

Conventions: the stored report names the rule of each finding and the values in its places, so the
sentences are made anew in the reader's language; older reports show the words that they hold.
Headings, codes and severities of the CSV stay English.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from leaderboard import sentences, words
from leaderboard.show.numbers import DASH
from scoring import rules

COLUMNS = ("severity", "code", "file", "rule", "cure")
NUMBERS = ("expected", "received", "missing", "unreadable", "silent")
# A spreadsheet would run a cell that begins like this as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PATHS_SHOWN, MOST_PATHS = 20, 500


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file of a group; with its own sentence where that differs from the group's."""

    path: str
    rule: str


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings of one rule.

    Attributes:
        paths: the first files, shown at once.
        more: further files, to be opened.
        hidden: number of files that only the CSV names.
    """

    code: str
    severity: str
    severity_word: Any
    count: int
    rule: str
    cure: str
    paths: tuple[FileLine, ...]
    more: tuple[FileLine, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class CountLine:
    """Files of one scenario in one language; a dash for what an old report does not tell."""

    scenario: Any
    language: Any
    numbers: tuple[str, ...]
    is_total: bool = False


def worded(stored: Mapping[str, Any]) -> tuple[str, str]:
    """Rule and cure of a stored finding in the reader's language."""
    said = rules.said_from_json(stored) if stored.get("key") else None
    if said is not None:
        try:
            return rules.sentences(said, gettext)
        except KeyError:
            # The rule has got another place since; the report still has its own words.
            pass
    return sentences.known(stored["rule"]), sentences.known(stored["cure"])


def findings(report: Mapping[str, Any]) -> list[FindingGroup]:
    """Findings grouped by their rule, errors first."""
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for one in report.get("findings", []):
        key = (one.get("severity", "error"), one["code"], one.get("key") or "")
        groups.setdefault(key, []).append(one)
    order = list(words.SEVERITIES)
    ranked = sorted(groups.items(), key=lambda group: order.index(group[0][0]))
    return [_group(severity, code, found) for (severity, code, _), found in ranked]


def _group(severity: str, code: str, found: Sequence[Mapping[str, Any]]) -> FindingGroup:
    rule, cure = worded(found[0])
    lines = tuple(_line(one, rule) for one in found[:MOST_PATHS] if one["path"])
    return FindingGroup(
        code,
        severity,
        words.SEVERITIES[severity],
        len(found),
        rule,
        cure,
        lines[:PATHS_SHOWN],
        lines[PATHS_SHOWN:],
        max(0, len(found) - MOST_PATHS),
    )


def _line(one: Mapping[str, Any], shown: str) -> FileLine:
    own = worded(one)[0]
    return FileLine(one["path"], "" if own == shown else own)


def counts(report: Mapping[str, Any]) -> list[CountLine]:
    """Files by scenario and language, and all of them at the end."""
    rows = sorted(report.get("counts", []), key=lambda row: _place(row["scenario"]))
    if not rows:
        return []
    lines = [
        CountLine(
            words.SCENARIOS.get(row["scenario"], row["scenario"]),
            words.LANGUAGES.get(row["language"], row["language"]),
            _numbers([row]),
        )
        for row in rows
    ]
    return [*lines, CountLine(gettext("all"), "", _numbers(rows), is_total=True)]


def _place(scenario: str) -> int:
    order = list(words.SCENARIOS)
    return order.index(scenario) if scenario in order else len(order)


def _numbers(rows: Iterable[Mapping[str, int]]) -> tuple[str, ...]:
    known = [{**row, "missing": row["expected"] - row["received"]} for row in rows]
    return tuple(
        f"{sum(row[name] for row in known):,}" if all(name in row for row in known) else DASH
        for name in NUMBERS
    )


def as_csv(report: Mapping[str, Any]) -> str:
    """Every finding as a line of a table, in the order of the report."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in report.get("findings", []):
        line = (one.get("severity", "error"), one["code"], one["path"], *worded(one))
        writer.writerow(map(_harmless, line))
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
