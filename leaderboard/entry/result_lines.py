"""Scenario × language of one run for its page: rates with intervals, counts that lead to items.

All input is stored: the JSON of a score report and the components of the run's items. Rates and
intervals are percent, differences are points. A count without a link is one whose items the reader
may not see, or no list can show.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext as _

from leaderboard import sentences, words
from leaderboard.entry import profile
from leaderboard.entry.results import Measured, mean
from leaderboard.items.filters import LABELS
from leaderboard.show.numbers import percent_of, rate, seconds, span
from scoring import uncertainty
from scoring.components import Components
from scoring.coverage import Coverage
from scoring.humdial import statistic

Rows = Sequence[Mapping[str, Any]]
SHORT = {slug: name for name, slug in LABELS.items()}


class Count(NamedTuple):
    """How many items, what of them, and where they are listed; ``of`` how many, if told."""

    number: int
    word: Any
    link: str = ""
    of: int | None = None


class Links(NamedTuple):
    """Addresses of a run's items; without a list there are none."""

    items: str = ""
    system: str = ""

    def to(self, **asked: str) -> str:
        """Where the items are listed that match."""
        if not self.items:
            return ""
        query = {"sys": self.system} | {name: value for name, value in asked.items() if value}
        return f"{self.items}?{urlencode(query)}"


@dataclass(frozen=True, slots=True)
class Line:
    """One language of a block; ``square`` has the rate and its difference to the baseline.

    Attributes:
        interval: both ends as shown; empty where there is none.
        success: successes of what is counted, as shown; empty for a mean of parts.
        success_link: where the successes are listed.
        is_short: whether fewer items count than are expected, or no plain share is told.
        counts: what did not succeed, by kind; kinds that did not occur are left out.
        labels: how often each label came.
    """

    language: Any
    square: profile.Square
    reason: str
    interval: str
    success: str
    success_link: str
    expected: Count
    is_short: bool
    counts: tuple[Count, ...]
    labels: tuple[Count, ...]
    first_response: Measured
    stop: Measured
    response: Measured


@dataclass(frozen=True, slots=True)
class Block:
    """One scenario, or one part of it, with its languages."""

    slug: str
    name: Any
    measure: Any
    is_part: bool
    lines: tuple[Line, ...]


class Beside(NamedTuple):
    """What happened beside the score in one script and language."""

    name: Any
    language: Any
    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """What all blocks of a run are made from."""

    links: Links
    known: Components | None
    failed: Mapping[str, int]


def blocks(own: Rows, baseline: Rows, known: Components | None, links: Links) -> list[Block]:
    """Return scenarios in the order of the report, each followed by its parts.

    Args:
        own: scenarios of a score report.
        baseline: those of the baseline; empty where there is none.
        known: components of the run's items in the same mode.
        links: to the lists of its items; without, nothing is linked.
    """
    run = _Run(links, known, failures(known))
    base = _flat(baseline)
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in _flat(own):
        found.setdefault(row["scenario"], []).append(row)
    return [_block(slug, rows, base, run) for slug, rows in found.items()]


def failures(known: Components | None) -> dict[str, int]:
    """Count failed items by stratum; an item counts as long as it has a label or a timing."""
    if known is None:
        return {}
    values = known.values
    failed = (values[:, statistic.COUNTED] > 0) & (values[:, statistic.HITS] == 0)
    return {name: int(failed[rows].sum()) for name, rows in known.strata.items()}


def coverage(totals: Mapping[str, Any], failed: Mapping[str, int], links: Links) -> list[Count]:
    """How many items are expected, and what became of them."""
    expected, received = totals["expected"], totals["received"]
    kinds = [
        Count(expected, _("expected"), links.to()),
        Count(received, _("received")),
        Count(expected - received, _("missing"), links.to(outcome="missing")),
        Count(totals["silent"], _("silent"), links.to(outcome="silent")),
        Count(totals["unjudged"], _("unjudged"), links.to(outcome="unjudged")),
    ]
    clean = Coverage.of(totals).clean
    if clean and clean.received < clean.expected:
        kinds.append(Count(clean.expected - clean.received, _("clean recording missing")))
    if number := totals.get("corrected", 0):
        kinds.append(Count(number, _("corrected by a person"), links.to(outcome="corrected")))
    if failed:
        number = sum(failed.values())
        kinds.append(Count(number, _("failed"), links.to(outcome="failed")))
    return [one if one.number else one._replace(link="") for one in kinds]


def diagnostics(found: Mapping[str, Mapping[str, int]], links: Links) -> list[Count]:
    """What happened beside the score in the whole run; only what happened at all."""
    return [
        Count(share["count"], words.DIAGNOSTICS.get(name, name), links.to(diagnostic=name),
              share["of"])
        for name, share in found.items()
        if share["count"]
    ]  # fmt: skip


def beside(own: Rows, links: Links) -> list[Beside]:
    """What happened beside the score, script by script; those where nothing did are left out."""
    return [
        Beside(
            words.SCENARIOS.get(part["script"], part["script"]),
            words.LANGUAGES.get(row["language"], row["language"]),
            tuple(_happened(row, part, links)),
        )
        for row in own
        for part in row["parts"]
        if any(part["diagnostics"].values())
    ]


def remarks(own: Rows) -> list[str]:
    """Everything that the scorer remarked on single scenarios, in sentences."""
    return [
        sentences.known(line) for row in own for part in row["parts"] for line in part["warnings"]
    ]


def _happened(row: Mapping[str, Any], part: Mapping[str, Any], links: Links) -> Iterable[Count]:
    for name, number in part["diagnostics"].items():
        if number:
            asked = {"scenario": part["script"], "lang": row["language"], "diagnostic": name}
            yield Count(number, words.DIAGNOSTICS.get(name, name), links.to(**asked))


def _flat(rows: Rows) -> list[Mapping[str, Any]]:
    """Scenarios, each followed by its parts as rows of their own where it has several."""
    found: list[Mapping[str, Any]] = []
    for row in rows:
        found.append(row)
        if len(row["parts"]) > 1:
            found += [_as_row(row, part) for part in row["parts"]]
    return found


def _as_row(row: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    alone = {name: part[name] for name in ("measure", "rate", "stop", "response")}
    return {**row, **alone, "scenario": part["script"], "parts": [part], "is_part": True}


def _block(slug: str, rows: Rows, base: Rows, run: _Run) -> Block:
    squares = profile.strips(rows, base)[0].squares
    drawn = _drawn(slug, rows, run.known)
    return Block(
        slug,
        words.SCENARIOS.get(slug, slug),
        words.MEASURES.get(rows[0]["measure"], rows[0]["measure"]),
        rows[0].get("is_part", False),
        tuple(
            _line(row, square, drawn.get(row["language"]), run)
            for row, square in zip(rows, squares, strict=True)
        ),
    )


def _line(
    row: Mapping[str, Any], square: profile.Square, drawn: uncertainty.Interval | None, run: _Run
) -> Line:
    place = {"scenario": row["scenario"], "lang": row["language"]}
    single = len(row["parts"]) == 1
    first = row["parts"][0]
    interval = uncertainty.wilson(first["successes"], first["counted"]) if single else drawn
    expected = sum(part["expected"] for part in row["parts"])
    return Line(
        square.language,
        square,
        _no_rate(row),
        _ends(interval) if row["rate"] is not None else "",
        f"{first['successes']}/{first['counted']}" if single else "",
        run.links.to(**place, outcome="success") if first["successes"] else "",
        Count(expected, _("items"), run.links.to(**place)),
        not single or first["counted"] != expected,
        tuple(_counts(row, place, run)),
        tuple(_labels(row, place, run.links)),
        mean(first["first_response"]) if single else Measured(seconds(row["first_response"])),
        mean(row["stop"]),
        mean(row["response"]),
    )


def _no_rate(row: Mapping[str, Any]) -> str:
    """Why there is no rate; empty where there is one."""
    if row["rate"] is not None:
        return ""
    absent = row.get("absent")
    return sentences.known(absent) if absent else _("no item could be counted")


def _counts(row: Mapping[str, Any], place: Mapping[str, str], run: _Run) -> Iterable[Count]:
    parts = row["parts"]
    numbers = {
        "failed": (_("failed"), sum(_failed(row, part, run) for part in parts)),
        "missing": (_("missing"), sum(part["expected"] - part["received"] for part in parts)),
        "silent": (_("silent"), sum(part["silent"] for part in parts)),
        "unjudged": (_("unjudged"), sum(part["unjudged"] for part in parts)),
        "corrected": (_("corrected"), sum(part.get("corrected", 0) for part in parts)),
    }
    for outcome, (word, number) in numbers.items():
        if number:
            yield Count(number, word, run.links.to(**place, outcome=outcome))


def _failed(row: Mapping[str, Any], part: Mapping[str, Any], run: _Run) -> int:
    """Items, not labels: the official rate counts the labels of an item that has several."""
    stratum = f"{row['language']}/{part['script']}"
    return run.failed.get(stratum, part["counted"] - part["successes"])


def _labels(row: Mapping[str, Any], place: Mapping[str, str], links: Links) -> Iterable[Count]:
    counts: dict[str, int] = {}
    for part in row["parts"]:
        for name, number in part["labels"].items():
            counts[name] = counts.get(name, 0) + number
    for name, number in sorted(counts.items(), key=lambda pair: -pair[1]):
        short = SHORT.get(name, "")
        link = links.to(**place, label=short) if short else ""
        yield Count(number, short or name, link)


def _drawn(
    slug: str, rows: Rows, known: Components | None
) -> Mapping[str, uncertainty.Interval | None]:
    """Intervals of a mean of parts, by language: no plain rate, so drawn like those of a board."""
    scripts = [part["script"] for part in rows[0]["parts"]]
    if known is None or len(scripts) < 2:
        return {}
    strata = {
        name: places
        for name, places in known.strata.items()
        if name.partition("/")[2] in scripts
    }  # fmt: skip
    if not strata:
        return {}
    layout = tuple((name, len(places)) for name, places in strata.items())
    cut = Components(layout, known.values[np.concatenate(list(strata.values()))])
    made = uncertainty.resample([cut], statistic.rates, counts=statistic.counts_of_rates)
    return {
        row["language"]: made.interval(name, 0)
        for row in rows
        if (name := f"{row['language']}/{slug}") in made.points
    }


def _ends(interval: uncertainty.Interval | None) -> str:
    return "" if interval is None else span(*(rate(percent_of(end)) for end in interval))
