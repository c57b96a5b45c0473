"""The numbers of one scenario: rates, labels, latencies and items of all systems.

Conventions: pure, from stored results and components, and without words, so that one result serves
readers of every language. Rates are percent, latencies seconds. Absent is ``None``, never 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from leaderboard.show.numbers import across, percent_of
from scoring import uncertainty
from scoring.components import Array, Components
from scoring.humdial import SCENARIOS, SCRIPTS
from scoring.humdial import statistic as parts
from scoring.humdial.scenarios import Script
from scoring.manifest import LANGUAGES

MEASURED = {
    "stop": (parts.STOP, parts.STOP_N),
    "response": (parts.RESPONSE, parts.RESPONSE_N),
    "first_response": (parts.FIRST, parts.FIRST_N),
}
# Pages: the nine scenarios, and the two parts of one of them.
PAGES = (*SCENARIOS, *(slug for slug in SCRIPTS if slug not in SCENARIOS))
WHISKER = 1.5


@dataclass(frozen=True, slots=True)
class Entry:
    """One scored system as it is stored.

    Attributes:
        scenarios: of its results in the ranking mode.
        components: of its items, ``None`` where they are not known.
        blocks: the same by stratum.
    """

    key: str
    name: str
    team: str
    kind: str
    scenarios: Sequence[Mapping[str, Any]]
    components: Components | None
    blocks: Mapping[str, Array]


class Place(NamedTuple):
    """An item of the split, in the order of the components' rows."""

    slug: str
    name: str
    language: str
    script: str


class Rate(NamedTuple):
    """Percent with its interval; counts are ``None`` for a mean of two parts."""

    value: float
    low: float | None
    high: float | None
    successes: int | None
    counted: int | None


class Latency(NamedTuple):
    """One latency of a system in one language.

    Attributes:
        mean: as scored.
        fences: lower whisker, quartiles and upper whisker of the items' means.
        measured, expected: items.
        missing: items that were not handed in.
        silent: items whose answer has no words, where words are timed; else 0.
    """

    mean: float | None
    fences: tuple[float, float, float, float, float] | None
    measured: int
    expected: int
    missing: int
    silent: int

    @property
    def median(self) -> float | None:
        """The middle item's latency."""
        return self.fences[2] if self.fences else None

    @property
    def other(self) -> int:
        """Items that gave no measurement although the answer is there and has words."""
        return max(self.expected - self.measured - self.missing - self.silent, 0)


@dataclass(frozen=True, slots=True)
class Side:
    """One system in one language; ``outcomes`` per script, label or outcome to items."""

    expected: int
    rate: Rate | None
    outcomes: Mapping[str, Mapping[str, int]]
    latencies: Mapping[str, Latency]


@dataclass(frozen=True, slots=True)
class System:
    """One system; ``rate`` and ``delay`` are means of the languages, both or none."""

    key: str
    name: str
    team: str
    kind: str
    sides: Mapping[str, Side]
    rate: float | None
    delay: float | None


class Hard(NamedTuple):
    """An item and who failed it, of those for whom it counts."""

    item: Place
    failing: tuple[str, ...]
    counted: int

    @property
    def share(self) -> float:
        """Share of systems that fail, 0-1."""
        return len(self.failing) / self.counted


@dataclass(frozen=True, slots=True)
class Scenario:
    """Everything that its page shows, best systems first."""

    slug: str
    group: str
    scripts: tuple[str, ...]
    delay: str
    systems: tuple[System, ...]
    front: tuple[str, ...]
    items: Mapping[str, int]
    hard: tuple[Hard, ...]


def scripts_of(slug: str) -> list[Script]:
    """The official scripts behind a page."""
    return [one for one in SCRIPTS.values() if slug in (one.slug, one.scenario)]


def scenario(slug: str, entries: Sequence[Entry], items: Sequence[Place]) -> Scenario:
    """Put together what is stored about one scenario."""
    rules = scripts_of(slug)
    names = tuple(one.slug for one in rules)
    delay = "response" if rules[0].group == "interruption" else "first_response"
    drawn = _drawn(names, entries) if len(rules) > 1 else {}
    systems = [_system(one, slug, names, delay, drawn.get(one.key, {})) for one in entries]
    systems.sort(key=lambda one: (one.rate is None, -(one.rate or 0)))
    points = [(one.key, one.delay, one.rate) for one in systems]
    return Scenario(
        slug,
        rules[0].group,
        names,
        delay,
        tuple(systems),
        tuple(front([(key, x, y) for key, x, y in points if x is not None and y is not None])),
        {code: _count(items, code, names) for code in LANGUAGES},
        tuple(hard(names, entries, items)),
    )


def _count(items: Sequence[Place], code: str, names: Sequence[str]) -> int:
    return sum(one.language == code and one.script in names for one in items)


def front(points: Sequence[tuple[str, float, float]]) -> list[str]:
    """Keys of points that no other beats in both: none is faster and at least as good, or so."""
    return [
        key
        for key, x, y in points
        if not any(a <= x and b >= y and (a, b) != (x, y) for _, a, b in points)
    ]


def hard(names: Sequence[str], entries: Sequence[Entry], items: Sequence[Place]) -> list[Hard]:
    """The scenario's items that count for some system, with the systems that failed them."""
    known = [
        (one.key, one.components.values)
        for one in entries
        if one.components is not None and len(one.components.values) == len(items)
    ]
    rows = [row for row, item in enumerate(items) if item.script in names]
    if not known or not rows:
        return []
    keys = np.array([key for key, _values in known])
    values = np.stack([values[rows] for _key, values in known])
    counted = values[..., parts.COUNTED] > 0
    failed = counted & (values[..., parts.HITS] == 0)
    return [
        Hard(items[row], tuple(keys[failed[:, place]].tolist()), int(counted[:, place].sum()))
        for place, row in enumerate(rows)
        if counted[:, place].any()
    ]


def hardest(found: Sequence[Hard], most: int) -> list[Hard]:
    """Items that most systems fail, hardest first; those that nobody fails are none."""
    failed = [one for one in found if one.failing]
    return sorted(failed, key=lambda one: (-one.share, -one.counted))[:most]


def divisive(found: Sequence[Hard], most: int) -> list[Hard]:
    """Items on which systems differ most: nearest to half of them failing."""
    split = [one for one in found if 0 < len(one.failing) < one.counted]
    return sorted(split, key=lambda one: (abs(one.share - 0.5), -one.counted))[:most]


def _system(
    entry: Entry, slug: str, names: Sequence[str], delay: str, drawn: Mapping[str, Any]
) -> System:
    sides = {}
    for row in entry.scenarios:
        mine = [part for part in row["parts"] if part["script"] in names]
        if mine:
            code = row["language"]
            sides[code] = _side(entry, row, mine, code, drawn.get(code))
    rates = [side.rate.value if side.rate else None for side in sides.values()]
    delays = [side.latencies[delay].mean for side in sides.values()]
    return System(entry.key, entry.name, entry.team, entry.kind, sides, _mean(rates), _mean(delays))


def _mean(values: Sequence[float | None]) -> float | None:
    found = across(values)
    return None if found is None else float(found)


def _side(
    entry: Entry,
    row: Mapping[str, Any],
    mine: Sequence[Mapping[str, Any]],
    code: str,
    drawn: uncertainty.Interval | None,
) -> Side:
    expected = sum(part["expected"] for part in mine)
    return Side(
        expected,
        _rate(mine[0]) if len(mine) == 1 else _rate_of_parts(row, drawn),
        {part["script"]: outcomes(part) for part in mine},
        {
            name: _latency(entry, row, mine, code, name)
            for name in MEASURED
            if mine[0].get(name) is not None
        },
    )


def _rate(part: Mapping[str, Any]) -> Rate | None:
    if part["rate"] is None:
        return None
    found = uncertainty.wilson(part["successes"], part["counted"])
    low, high = (100 * found.low, 100 * found.high) if found else (None, None)
    value = float(percent_of(part["rate"]))
    return Rate(value, low, high, part["successes"], part["counted"])


def _rate_of_parts(row: Mapping[str, Any], drawn: uncertainty.Interval | None) -> Rate | None:
    if row["rate"] is None:
        return None
    low, high = (100 * drawn.low, 100 * drawn.high) if drawn else (None, None)
    return Rate(float(percent_of(row["rate"])), low, high, None, None)


def outcomes(part: Mapping[str, Any]) -> dict[str, int]:
    """What became of the items of one script: labels where it is judged, else the timing."""
    missing = part["expected"] - part["received"]
    if part["measure"] != "timestamp":
        labels = {name: part["labels"].get(name, 0) for name in _labels(part)}
        unlabelled = max(part["received"] - sum(labels.values()), 0)
        return {**labels, "unlabelled": unlabelled, "missing": missing}
    early = max(part["received"] - part["silent"] - part["successes"], 0)
    return {
        "rejected": part["successes"],
        "early": early,
        "silent": part["silent"],
        "missing": missing,
    }


def _labels(part: Mapping[str, Any]) -> list[str]:
    """The label that counts comes first; then those of the protocol, then any other."""
    known = ("C_RESPOND", "C_RESUME", "C_UNCERTAIN_HANDLING", "C_UNKNOWN")
    return list(dict.fromkeys((part["measure"], *known, *part["labels"])))


def _latency(
    entry: Entry, row: Mapping[str, Any], mine: Sequence[Mapping[str, Any]], code: str, name: str
) -> Latency:
    expected = sum(part["expected"] for part in mine)
    values = _values(entry.blocks, [f"{code}/{part['script']}" for part in mine], name)
    stored = mine[0][name]["value"] if len(mine) == 1 else row[name]
    return Latency(
        None if stored is None else float(stored),
        _fences(values) if values is not None and len(values) else None,
        _measured(mine, name, expected) if values is None else len(values),
        expected,
        expected - sum(part["received"] for part in mine),
        sum(part["silent"] for part in mine) if name == "first_response" else 0,
    )


def _measured(mine: Sequence[Mapping[str, Any]], name: str, expected: int) -> int:
    """How many items were measured, as far as the stored counts of intervals tell."""
    return min(sum(part[name]["n"] for part in mine), expected)


def _values(blocks: Mapping[str, Array], strata: Sequence[str], name: str) -> Array | None:
    """The mean of every measured item; ``None`` where the items are not known."""
    total, count = MEASURED[name]
    rows = [blocks[key] for key in strata if key in blocks]
    if not rows:
        return None
    values = np.concatenate(rows)
    timed = values[values[:, count] > 0]
    return np.asarray(timed[:, total] / timed[:, count])


def _fences(values: Array) -> tuple[float, float, float, float, float]:
    first, median, third = (float(one) for one in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = WHISKER * (third - first)
    inside = values[(values >= first - reach) & (values <= third + reach)]
    return float(inside.min()), first, median, third, float(inside.max())


def _drawn(
    names: Sequence[str], entries: Sequence[Entry]
) -> dict[str, dict[str, uncertainty.Interval | None]]:
    """Bootstrap intervals of a mean of parts, by system and language."""
    known = [(one.key, cut) for one in entries if (cut := _cut(one.blocks, names))]
    found: dict[str, dict[str, uncertainty.Interval | None]] = {}
    for layout in {cut.layout for _, cut in known}:
        alike = [(key, cut) for key, cut in known if cut.layout == layout]
        made = uncertainty.resample(
            [cut for _, cut in alike], parts.rates, counts=parts.counts_of_rates
        )
        for place, (key, _) in enumerate(alike):
            found[key] = {
                name.partition("/")[0]: made.interval(name, place) for name in made.points
            }
    return found


def _cut(blocks: Mapping[str, Array], names: Sequence[str]) -> Components | None:
    """The rows of some scripts only."""
    known = {key: rows for key, rows in blocks.items() if key.partition("/")[2] in names}
    if not known:
        return None
    layout = tuple((key, len(rows)) for key, rows in known.items())
    return Components(layout, np.concatenate(list(known.values())))
