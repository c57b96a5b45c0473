"""What a scenario page says of its figures: titles, sentences made from the numbers, and tables."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import words
from leaderboard.charts import Cell, Chart, Head, Table
from leaderboard.entry.results import LABELS
from leaderboard.scenarios.numbers import Latency, Rate, Scenario, System
from leaderboard.scenarios.words import LATENCIES, LATENCY_MEANINGS, OUTCOMES
from leaderboard.show.numbers import DASH, seconds, span
from leaderboard.show.numbers import rate as percent
from scoring.humdial import SCRIPTS
from scoring.manifest import LANGUAGES

HALF = 50
MOST_LEADERS = 3


def described(numbers: Scenario) -> list[Chart]:
    """All figures that there are numbers for, in the order of the page, not drawn yet."""
    if not numbers.systems:
        return []
    found = [rates(numbers), *(shares(numbers, script) for script in numbers.scripts)]
    found += [latency(numbers, name) for name in measured(numbers)]
    return [*found, behaviour(numbers)]


def measured(numbers: Scenario) -> list[str]:
    """Latencies that some system has."""
    sides = [side for one in numbers.systems for side in one.sides.values()]
    return [name for name in LATENCIES if any(name in side.latencies for side in sides)]


def rates(numbers: Scenario) -> Chart:
    """Rates of all systems with their intervals."""
    table = _rates_table(numbers)
    return Chart("rates", _("Success by system"), rates_sentence(numbers), table, export="rates")


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
        "names": _(" and ").join(leaders[:MOST_LEADERS])
        + ("…" if len(leaders) > MOST_LEADERS else ""),
        "rate": percent(best),
    }
    weak = sum(one.rate is not None and one.rate < HALF for one in known)
    rest = ngettext(
        "%(weak)d of %(all)d systems succeeds in fewer than half of the items.",
        "%(weak)d of %(all)d systems succeed in fewer than half of the items.",
        weak,
    ) % {"weak": weak, "all": len(known)}
    return words.told(lead, rest)


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
        Cell(percent(one.rate), reason="" if one.rate is not None else _("a part is missing")),
        seconds_cell(one.delay),
    )


def system_cell(one: System) -> Cell:
    """A system's name, with its team where that is another, as the head of a row."""
    return Cell(one.name, "" if one.team == one.name else one.team, link=one.key)


def _rate_cell(rate: Rate | None) -> Cell:
    if rate is None:
        return Cell(DASH, reason=_("no item could be counted"))
    return Cell(percent(rate.value), interval(rate))


def interval(rate: Rate) -> str:
    """Both ends and the counts, as far as they are known."""
    counts = "" if rate.counted is None else f"{rate.successes}/{rate.counted}"
    if rate.low is None or rate.high is None:
        return counts or _("no interval")
    ends = span(percent(rate.low), percent(rate.high))
    return f"{ends} · {counts}" if counts else ends


def shares(numbers: Scenario, script: str) -> Chart:
    """What became of the items, as shares of 100 %, both languages together."""
    found = [(one, outcomes(one, script)) for one in numbers.systems]
    kinds = kinds_of(numbers, script)
    several = len(numbers.scripts) > 1
    return Chart(
        shares_slug(numbers, script),
        _("How items end: %s") % words.SCENARIOS[script] if several else _("How items end"),
        _shares_sentence(found, kinds, success_of(script)),
        _shares_table(found, kinds),
        export="outcomes",
    )


def shares_slug(numbers: Scenario, script: str) -> str:
    """Slug of one script's shares; the only one of a page needs no name."""
    return f"outcomes-{script}" if len(numbers.scripts) > 1 else "outcomes"


def kinds_of(numbers: Scenario, script: str) -> list[str]:
    """Outcomes that some item of the script has; the one that counts comes first, if any does."""
    found = [outcomes(one, script) for one in numbers.systems]
    kinds = dict.fromkeys(kind for counts in found for kind in counts)
    return [kind for kind in kinds if any(counts.get(kind) for counts in found)]


def success_of(script: str) -> str:
    """The outcome of a script that counts."""
    measure = SCRIPTS[script].measure
    return measure.value if measure.is_judged else "rejected"


def outcomes(one: System, script: str) -> dict[str, int]:
    """Outcomes of one system, languages together."""
    total: dict[str, int] = {}
    for side in one.sides.values():
        for kind, count in side.outcomes.get(script, {}).items():
            total[kind] = total.get(kind, 0) + count
    return total


def outcome_word(kind: str) -> str:
    """A label as the judge says it, or an outcome in words."""
    return str(OUTCOMES.get(kind) or LABELS.get(kind, kind))


def share(counts: Mapping[str, int], kind: str) -> float:
    """Percent of one outcome, of the expected items."""
    total = sum(counts.values())
    return 100 * counts.get(kind, 0) / total if total else 0.0


def _shares_sentence(
    found: Sequence[tuple[System, dict[str, int]]], kinds: Sequence[str], good: str
) -> str:
    """Say how most failures look, of the expected items; what waits for a label is none."""
    totals = {kind: sum(counts.get(kind, 0) for _one, counts in found) for kind in kinds}
    failures = {
        kind: count for kind, count in totals.items() if count and kind not in (good, "unlabelled")
    }
    if not failures:
        return _("No system failed in any item.")
    worst = max(failures, key=lambda kind: failures[kind])
    return _("The most frequent failure is “%(kind)s”: %(share)s %% of all expected items.") % {
        "kind": outcome_word(worst),
        "share": percent(Decimal(100 * failures[worst]) / sum(totals.values())),
    }


def _shares_table(found: Sequence[tuple[System, dict[str, int]]], kinds: Sequence[str]) -> Table:
    heads = (Head(_("System")), *(Head(outcome_word(kind), "%") for kind in kinds))
    return Table(
        heads,
        tuple(
            (
                system_cell(one),
                *(Cell(percent(share(counts, kind)), str(counts.get(kind, 0))) for kind in kinds),
            )
            for one, counts in found
        ),
    )


def latency(numbers: Scenario, name: str) -> Chart:
    """The distribution of one latency by system and language."""
    return Chart(
        f"latency-{name}",
        str(LATENCIES[name]),
        words.told(LATENCY_MEANINGS[name], _latency_sentence(numbers, name)),
        _latency_table(numbers, name),
        export="latencies",
    )


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
        "low": seconds(medians[0][0]),
        "fastest": medians[0][1],
        "high": seconds(medians[-1][0]),
        "slowest": medians[-1][1],
    }
    reach = _("Medians reach from %(low)s s (%(fastest)s) to %(high)s s (%(slowest)s).") % values
    return words.told(reach, *_without([one for _who, one in found]))


def _without(found: Sequence[Latency]) -> Iterable[str]:
    """How many recordings gave no measurement, the silent ones among them; how many never came."""
    expected, missing = sum(one.expected for one in found), sum(one.missing for one in found)
    silent = sum(one.silent for one in found)
    none = silent + sum(one.other for one in found)
    if none:
        yield ngettext(
            "%(none)d of %(all)d recordings gave no measurement.",
            "%(none)d of %(all)d recordings gave no measurement.",
            none,
        ) % {"none": none, "all": expected - missing}
    if silent:
        yield ngettext(
            "%(number)d of them has no words.", "%(number)d of them have no words.", silent
        ) % {"number": silent}
    if missing:
        yield ngettext(
            "%(number)d of %(all)d expected recordings was not submitted.",
            "%(number)d of %(all)d expected recordings were not submitted.",
            missing,
        ) % {"number": missing, "all": expected}


def _latency_table(numbers: Scenario, name: str) -> Table:
    no_interval = _("No interval") if name != "first_response" else _("Too early or not kept")
    heads = [
        Head(_("System")),
        Head(_("Language"), is_text=True),
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
        Cell(str(words.LANGUAGES[code]), is_text=True),
        seconds_cell(found.median),
        seconds_cell(found.mean),
        Cell(str(found.measured), _("of %(n)d") % {"n": found.expected}),
        Cell(str(found.other)),
        *([Cell(str(found.silent))] if name == "first_response" else []),
        Cell(str(found.missing)),
    )


def behaviour(numbers: Scenario) -> Chart:
    """Success against delay, with the systems that no other beats in both."""
    rows = [
        (system_cell(one), seconds_cell(delay), Cell(percent(rate)),
         Cell(_("yes") if one.key in numbers.front else _("no"), is_text=True))
        for one, delay, rate in with_both(numbers)
    ]  # fmt: skip
    heads = (Head(_("System")), Head(LATENCIES[numbers.delay], "s", "↓"),
             Head(_("Mean"), "%", "↑"), Head(_("Unbeaten"), is_text=True))  # fmt: skip
    best = [one.name for one, _delay, _rate in with_both(numbers) if one.key in numbers.front]
    title, table = _("Behaviour against delay"), Table(heads, tuple(rows))
    return Chart("behaviour", title, front_sentence(best), table, export="behaviour")


def with_both(numbers: Scenario) -> list[tuple[System, float, float]]:
    """Systems with a delay that a logarithmic axis can show and a rate, and both of these."""
    return [
        (one, one.delay, one.rate)
        for one in numbers.systems
        if one.rate is not None and one.delay is not None and one.delay > 0
    ]


def front_sentence(names: Sequence[str]) -> str:
    """Say whom no other system beats in both numbers."""
    if not names:
        return _("No system has both numbers.")
    return ngettext(
        "No other system is both better and faster than %(names)s.",
        "No other system is both better and faster than any of these: %(names)s.",
        len(names),
    ) % {"names": words.listed(names)}


def seconds_cell(value: float | None) -> Cell:
    """Seconds, or why there are none."""
    if value is None:
        return Cell(DASH, reason=_("nothing to measure in any item"))
    return Cell(seconds(value))
