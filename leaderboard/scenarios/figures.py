"""The figures of a scenario page, each with its sentence and its table, from its numbers."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import charts, words
from leaderboard.board.cells import DASH
from leaderboard.charts import Box, Cell, Chart, Dot, Head, Ink, Point, Table
from leaderboard.entry.results import LABELS
from leaderboard.scenarios.numbers import Latency, Rate, Scenario, System
from leaderboard.scenarios.words import LATENCIES, LATENCY_MEANINGS, OUTCOMES
from scoring.manifest import LANGUAGES
from scoring.rounding import half_up

SHAPES = {"cn": "circle", "en": "diamond-open"}
HALF = 50
INKS = {
    "C_RESPOND": Ink("var(--interruption)"),
    "C_RESUME": Ink("var(--rejection)", hatch="/"),
    "rejected": Ink("var(--rejection)", hatch="/"),
    "C_UNCERTAIN_HANDLING": Ink("var(--text-soft)", hatch="x"),
    "early": Ink("var(--text-soft)", hatch="x"),
    "C_UNKNOWN": Ink("var(--line-strong)", hatch="."),
    "silent": Ink("var(--line-strong)", hatch="."),
    "missing": Ink("var(--surface-sunken)"),
}
OTHER_INK = Ink("var(--line)", hatch="-")


def figures(numbers: Scenario) -> list[Chart]:
    """All figures that there are numbers for, in the order of the page."""
    if not numbers.systems:
        return []
    found = [rates(numbers), *(shares(numbers, script) for script in numbers.scripts)]
    found += [latency(numbers, name) for name in LATENCIES if _is_measured(numbers, name)]
    return [*found, behaviour(numbers)]


def _is_measured(numbers: Scenario, name: str) -> bool:
    return any(name in side.latencies for one in numbers.systems for side in one.sides.values())


def rates(numbers: Scenario) -> Chart:
    """Rates of all systems with their intervals."""
    shown = numbers.systems[: charts.MOST_ROWS]
    hue = f"var(--{numbers.group})"
    series = [
        (str(words.LANGUAGES[code]), Ink(hue, SHAPES[code]), list(_dots(shown, code)))
        for code in LANGUAGES
    ]
    names = [one.name for one in shown]
    return Chart(
        "rates",
        _("Success by system"),
        rates_sentence(numbers),
        _rates_table(numbers),
        charts.dots(names, series, _("success, %")),
        _cut(numbers),
        "rates",
    )


def _dots(systems: Sequence[System], code: str) -> Iterable[Dot]:
    for row, one in enumerate(systems):
        rate = one.sides[code].rate if code in one.sides else None
        if rate is not None:
            hover = f"{charts.plain(one.name)}: {_percent(rate.value)} % ({_interval(rate)})"
            yield Dot(row, rate.value, rate.low, rate.high, hover)


def rates_sentence(numbers: Scenario) -> str:
    """Say who leads and how many succeed in fewer than half of the items."""
    known = [one for one in numbers.systems if one.rate is not None]
    if not known:
        return _("No system has a rate in both languages.")
    best = known[0].rate
    leaders = [one.name for one in known if one.rate == best]
    lead = ngettext(
        "%(names)s leads with %(rate)s %%.", "%(names)s lead with %(rate)s %%.", len(leaders)
    ) % {
        "names": _(" and ").join(leaders[:3]) + ("…" if len(leaders) > 3 else ""),
        "rate": _percent(best),
    }
    weak = sum(one.rate is not None and one.rate < HALF for one in known)
    return f"{lead} " + ngettext(
        "%(weak)d of %(all)d systems succeeds in fewer than half of the items.",
        "%(weak)d of %(all)d systems succeed in fewer than half of the items.",
        weak,
    ) % {"weak": weak, "all": len(known)}


def _rates_table(numbers: Scenario) -> Table:
    languages = [words.LANGUAGES[code] for code in LANGUAGES]
    heads = (
        Head(_("System")),
        *(Head(text, "%", "↑") for text in (*languages, _("Mean"))),
        Head(LATENCIES[numbers.delay], "s", "↓"),
    )
    return Table(heads, tuple(_rates_row(one, numbers) for one in numbers.systems))


def _rates_row(one: System, numbers: Scenario) -> tuple[Cell, ...]:
    sides = [one.sides.get(code) for code in LANGUAGES]
    return (
        system_cell(one),
        *(_rate_cell(side.rate if side else None) for side in sides),
        Cell(_percent(one.rate), reason="" if one.rate is not None else _("a part is missing")),
        seconds_cell(one.delay),
    )


def system_cell(one: System) -> Cell:
    """A system's name, with its team where that is another, as the head of a row."""
    return Cell(one.name, "" if one.team == one.name else one.team, link=one.key)


def _rate_cell(rate: Rate | None) -> Cell:
    if rate is None:
        return Cell(DASH, reason=_("no item could be counted"))
    return Cell(_percent(rate.value), _interval(rate))


def _interval(rate: Rate) -> str:
    counts = "" if rate.counted is None else f"{rate.successes}/{rate.counted}"
    if rate.low is None or rate.high is None:
        return counts
    ends = f"{_percent(rate.low)}–{_percent(rate.high)}"
    return f"{ends} · {counts}" if counts else ends


def shares(numbers: Scenario, script: str) -> Chart:
    """What became of the items, as shares of 100 %, both languages together."""
    found = [(one, _outcomes(one, script)) for one in numbers.systems]
    kinds = list(dict.fromkeys(kind for _one, counts in found for kind in counts))
    kinds = [kind for kind in kinds if any(counts.get(kind) for _one, counts in found)]
    shown = found[: charts.MOST_ROWS]
    series = [
        (
            outcome_word(kind),
            INKS.get(kind, OTHER_INK),
            [_share(counts, kind) for _one, counts in shown],
            [_share_hover(one.name, kind, counts) for one, counts in shown],
        )
        for kind in kinds
    ]
    several = len(numbers.scripts) > 1
    title = _("How items end")
    return Chart(
        f"outcomes-{script}" if several else "outcomes",
        f"{title}: {words.SCENARIOS[script]}" if several else title,
        _shares_sentence(found, kinds),
        _shares_table(found, kinds),
        charts.shares([one.name for one, _counts in shown], series, _("share of items, %")),
        _cut(numbers),
        "outcomes",
    )


def _outcomes(one: System, script: str) -> dict[str, int]:
    total: dict[str, int] = {}
    for side in one.sides.values():
        for kind, count in side.outcomes.get(script, {}).items():
            total[kind] = total.get(kind, 0) + count
    return total


def outcome_word(kind: str) -> str:
    """A label as the judge says it, or an outcome in words."""
    return str(OUTCOMES.get(kind) or LABELS.get(kind, kind))


def _share(counts: dict[str, int], kind: str) -> float:
    total = sum(counts.values())
    return 100 * counts.get(kind, 0) / total if total else 0.0


def _share_hover(name: str, kind: str, counts: dict[str, int]) -> str:
    share, count = _percent(_share(counts, kind)), counts.get(kind, 0)
    return f"{charts.plain(name)}: {outcome_word(kind)} {share} % ({count})"


def _shares_sentence(found: Sequence[tuple[System, dict[str, int]]], kinds: Sequence[str]) -> str:
    """Say how most failures look."""
    totals = {kind: sum(counts.get(kind, 0) for _one, counts in found) for kind in kinds[1:]}
    items = sum(sum(counts.values()) for _one, counts in found)
    failures = {kind: count for kind, count in totals.items() if count}
    if not failures or not items:
        return _("No answer of any system failed.")
    worst = max(failures, key=lambda kind: failures[kind])
    return _("The most frequent failure is “%(kind)s”: %(share)s %% of all answers.") % {
        "kind": outcome_word(worst),
        "share": _percent(100 * failures[worst] / items),
    }


def _shares_table(found: Sequence[tuple[System, dict[str, int]]], kinds: Sequence[str]) -> Table:
    heads = (Head(_("System")), *(Head(outcome_word(kind), "%") for kind in kinds))
    return Table(
        heads,
        tuple(
            (
                system_cell(one),
                *(Cell(_percent(_share(counts, kind)), str(counts.get(kind, 0))) for kind in kinds),
            )
            for one, counts in found
        ),
    )


def latency(numbers: Scenario, name: str) -> Chart:
    """The distribution of one latency by system and language."""
    shown = numbers.systems[: charts.MOST_ROWS]
    series = [
        (str(words.LANGUAGES[code]), Ink("var(--delay)", SHAPES[code], hatch), boxes)
        for code, hatch in zip(LANGUAGES, ("/", ""), strict=True)
        if (boxes := list(_boxes(shown, code, name)))
    ]
    names = [one.name for one in shown]
    return Chart(
        f"latency-{name}",
        str(LATENCIES[name]),
        f"{LATENCY_MEANINGS[name]} {_latency_sentence(numbers, name)}",
        _latency_table(numbers, name),
        charts.boxes(names, series, _("seconds")) if series else {},
        _("Boxes: quartiles, whiskers up to 1.5 times the box; marks: means as scored."),
        "latencies",
    )


def _boxes(systems: Sequence[System], code: str, name: str) -> Iterable[Box]:
    for row, one in enumerate(systems):
        found = one.sides[code].latencies.get(name) if code in one.sides else None
        if found is not None and found.fences is not None:
            yield Box(row, found.fences, found.mean, _latency_hover(one.name, found))


def _latency_hover(name: str, found: Latency) -> str:
    values = {"name": charts.plain(name), "mean": _seconds(found.mean),
              "median": _seconds(found.median), "n": found.measured}  # fmt: skip
    return _("%(name)s: mean %(mean)s s, median %(median)s s, %(n)d items") % values


def _latency_sentence(numbers: Scenario, name: str) -> str:
    found = [
        (one.name, side.latencies[name])
        for one in numbers.systems
        for side in one.sides.values()
        if name in side.latencies
    ]
    medians = sorted((one.median, who) for who, one in found if one.median is not None)
    if not medians:
        return _("No item gave a measurement.")
    values = {
        "low": _seconds(medians[0][0]),
        "fastest": medians[0][1],
        "high": _seconds(medians[-1][0]),
        "slowest": medians[-1][1],
        "none": sum(one.expected - one.measured for _who, one in found),
        "all": sum(one.expected for _who, one in found),
    }
    return (
        _(
            "Medians reach from %(low)s s (%(fastest)s) to %(high)s s (%(slowest)s); "
            "%(none)d of %(all)d answers gave no measurement."
        )
        % values
    )


def _latency_table(numbers: Scenario, name: str) -> Table:
    no_interval = _("No interval") if name != "first_response" else _("Too early or not kept")
    heads = [
        Head(_("System")),
        Head(_("Language")),
        Head(_("Median"), "s", "↓"),
        Head(_("Mean"), "s", "↓"),
        Head(_("Measured")),
        Head(no_interval),
        *([Head(_("No words"))] if name == "first_response" else []),
        Head(_("Not handed in")),
    ]
    rows = [
        _latency_row(one, code, side.latencies[name], name)
        for one in numbers.systems
        for code, side in one.sides.items()
        if name in side.latencies
    ]
    return Table(tuple(heads), tuple(rows))


def _latency_row(one: System, code: str, found: Latency, name: str) -> tuple[Cell, ...]:
    return (
        system_cell(one),
        Cell(str(words.LANGUAGES[code])),
        seconds_cell(found.median),
        seconds_cell(found.mean),
        Cell(str(found.measured), _("of %(n)d") % {"n": found.expected}),
        Cell(str(found.other)),
        *([Cell(str(found.silent))] if name == "first_response" else []),
        Cell(str(found.missing)),
    )


def behaviour(numbers: Scenario) -> Chart:
    """Success against delay, with the systems that no other beats in both."""
    points = [
        (one, Point(one.delay, one.rate, one.name, _point_hover(one.name, one.delay, one.rate)))
        for one in numbers.systems
        if one.rate is not None and one.delay is not None and one.delay > 0
    ]
    best = [point for one, point in points if one.key in numbers.front]
    titles = (f"{LATENCIES[numbers.delay]}, s", _("success, %"))
    ink = Ink(f"var(--{numbers.group})")
    rows = [
        (system_cell(one), seconds_cell(one.delay), Cell(_percent(one.rate)),
         Cell(_("yes") if one.key in numbers.front else _("no")))
        for one, _point in points
    ]  # fmt: skip
    heads = (Head(_("System")), Head(LATENCIES[numbers.delay], "s", "↓"),
             Head(_("Mean"), "%", "↑"), Head(_("Unbeaten")))  # fmt: skip
    shown = [point for _one, point in points]
    return Chart(
        "behaviour",
        _("Behaviour against delay"),
        front_sentence([point.label for point in best]),
        Table(heads, tuple(rows)),
        charts.scatter(shown, best, ink, titles, _("unbeaten in both")) if shown else {},
        export="behaviour",
    )


def front_sentence(names: Sequence[str]) -> str:
    """Say whom no other system beats in both numbers."""
    if not names:
        return _("No system has both numbers.")
    return ngettext(
        "No other system is both better and faster than %(names)s.",
        "No other system is both better and faster than any of these: %(names)s.",
        len(names),
    ) % {"names": ", ".join(names)}


def _point_hover(name: str, delay: float, rate: float) -> str:
    return f"{charts.plain(name)}: {_percent(rate)} %, {_seconds(delay)} s"


def seconds_cell(value: float | None) -> Cell:
    """Seconds, or why there are none."""
    if value is None:
        return Cell(DASH, reason=_("nothing to measure in any item"))
    return Cell(_seconds(value))


def _cut(numbers: Scenario) -> str:
    if len(numbers.systems) <= charts.MOST_ROWS:
        return ""
    return _("Drawn are the first %(n)d systems; the table has all.") % {"n": charts.MOST_ROWS}


def _percent(value: Any) -> str:
    return DASH if value is None else str(half_up(value, 1))


def _seconds(value: Any) -> str:
    return DASH if value is None else str(half_up(value, 3))
