"""The figures of a scenario page, drawn from its numbers: all systems, or those a reader chose.

Conventions: rows stand in the order of the figure's own number, best first. Where there are more
than a drawing can hold, a page of them is drawn, and always the baseline and what is pinned.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboard import charts, scatters, words
from leaderboard.charts import Box, Chart, Dot, Figure, Ink, Point
from leaderboard.scenarios import figure_tables as tables
from leaderboard.scenarios.figure_tables import interval
from leaderboard.scenarios.numbers import Latency, Scenario, System
from leaderboard.scenarios.words import LATENCIES
from leaderboard.show.numbers import rate as percent
from leaderboard.show.numbers import seconds
from scoring.manifest import LANGUAGES
from scoring.uncertainty import MIN_ITEMS

SHAPES = {"cn": "circle", "en": "diamond-open"}
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


class Shown(NamedTuple):
    """What a reader chose to see drawn: a page of the systems, from 1, and keys of others."""

    page: int = 1
    pins: tuple[str, ...] = ()


class Drawing(NamedTuple):
    """A figure, and what it leaves out or how it is meant."""

    figure: Figure
    note: str = ""
    note_narrow: str = ""


DEFAULT = Shown()


def figures(numbers: Scenario, shown: Shown = DEFAULT) -> list[Chart]:
    """All figures that there are numbers for, with their sentences and tables."""
    drawn = drawings(numbers, shown)
    return [replace(one, **drawn[one.slug]._asdict()) for one in tables.described(numbers)]


def drawings(numbers: Scenario, shown: Shown = DEFAULT) -> dict[str, Drawing]:
    """The drawings alone, by the slugs of their figures."""
    if not numbers.systems:
        return {}
    return {**in_rows(numbers, shown), "behaviour": behaviour(numbers)}


def in_rows(numbers: Scenario, shown: Shown) -> dict[str, Drawing]:
    """The drawings with a row per system, which hold a page of them."""
    return {
        "rates": rates(numbers, shown),
        **{
            tables.shares_slug(numbers, script): shares(numbers, script, shown)
            for script in numbers.scripts
        },
        **{f"latency-{name}": latency(numbers, name, shown) for name in tables.measured(numbers)},
    }


def pages(numbers: Scenario) -> int:
    """How many pages the drawings of all systems take."""
    return max(1, -(-len(numbers.systems) // charts.MOST_ROWS))


def chosen(
    numbers: Scenario, shown: Shown, value: Callable[[System], float | None], *, falling: bool
) -> list[System]:
    """The systems of a drawing: a page in the order of its number, then baseline and pins."""
    sign = -1 if falling else 1
    known = [(one, found) for one in numbers.systems if (found := value(one)) is not None]
    ordered = [one for one, _found in sorted(known, key=lambda pair: sign * pair[1])]
    ordered += [one for one in numbers.systems if value(one) is None]
    start = charts.MOST_ROWS * (min(shown.page, pages(numbers)) - 1)
    page = ordered[start : start + charts.MOST_ROWS]
    there = {one.key for one in page}
    kept = [one for one in ordered if one.kind == "baseline" or one.key in shown.pins]
    return [*page, *(one for one in kept if one.key not in there)]


def _left_out(numbers: Scenario, shown: Shown) -> str:
    """Which systems are drawn where not all are."""
    total = len(numbers.systems)
    if total <= charts.MOST_ROWS:
        return ""
    start = charts.MOST_ROWS * (min(shown.page, pages(numbers)) - 1)
    return _(
        "Drawn are places %(first)d to %(last)d of %(all)d by this figure's number, then the "
        "baseline and pinned systems; the table has all."
    ) % {"first": start + 1, "last": min(start + charts.MOST_ROWS, total), "all": total}


def rates(numbers: Scenario, shown: Shown) -> Drawing:
    """Rates with their intervals."""
    drawn = chosen(numbers, shown, lambda one: one.rate, falling=True)
    hue = f"var(--{numbers.group})"
    series = [
        (str(words.LANGUAGES[code]), Ink(hue, SHAPES[code]), list(_dots(drawn, code)))
        for code in LANGUAGES
    ]
    figure = charts.dots([one.name for one in drawn], series, _("success, %"))
    return Drawing(figure, words.told(_left_out(numbers, shown), _meant(numbers)))


def _meant(numbers: Scenario) -> str:
    """Why a mean of two parts may have no interval."""
    if len(numbers.scripts) == 1:
        return ""
    return _(
        "Lines: 95 %% intervals of the mean of two parts, from drawing the items again, and from "
        "their number where every draw comes out alike. There is none below %(count)d items each."
    ) % {"count": MIN_ITEMS}


def _dots(systems: Sequence[System], code: str) -> Iterable[Dot]:
    for row, one in enumerate(systems):
        rate = one.sides[code].rate if code in one.sides else None
        if rate is not None:
            hover = f"{charts.plain(one.name)}: {percent(rate.value)} % ({interval(rate)})"
            yield Dot(row, rate.value, rate.low, rate.high, hover)


def shares(numbers: Scenario, script: str, shown: Shown) -> Drawing:
    """What became of the items, as shares of 100 %; in the order of the outcome that counts."""
    kinds = tables.kinds_of(numbers, script)

    def success(one: System) -> float | None:
        counts = tables.outcomes(one, script)
        return tables.share(counts, tables.success_of(script)) if any(counts.values()) else None

    drawn = chosen(numbers, shown, success, falling=True)
    found = [(one.name, tables.outcomes(one, script)) for one in drawn]
    series = [
        (
            tables.outcome_word(kind),
            INKS.get(kind, OTHER_INK),
            [tables.share(counts, kind) for _name, counts in found],
            [_share_hover(name, kind, counts) for name, counts in found],
        )
        for kind in kinds
    ]
    figure = charts.shares([name for name, _counts in found], series, _("share of items, %"))
    return Drawing(figure, _left_out(numbers, shown))


def _share_hover(name: str, kind: str, counts: Mapping[str, int]) -> str:
    part, count = percent(tables.share(counts, kind)), counts.get(kind, 0)
    return f"{charts.plain(name)}: {tables.outcome_word(kind)} {part} % ({count})"


def latency(numbers: Scenario, name: str, shown: Shown) -> Drawing:
    """The distribution of one latency by system and language, in the order of the medians."""
    drawn = chosen(numbers, shown, lambda one: _median(one, name), falling=False)
    series = [
        (str(words.LANGUAGES[code]), Ink("var(--delay)", SHAPES[code], hatch), boxes)
        for code, hatch in zip(LANGUAGES, ("/", ""), strict=True)
        if (boxes := list(_boxes(drawn, code, name)))
    ]
    meant = _("Boxes: quartiles, whiskers up to 1.5 times the box; marks: means as scored.")
    figure = charts.boxes([one.name for one in drawn], series, _("seconds")) if series else {}
    return Drawing(figure, words.told(_left_out(numbers, shown), meant))


def _median(one: System, name: str) -> float | None:
    """Mean of the languages' medians, of those that have one."""
    sides = [side.latencies[name] for side in one.sides.values() if name in side.latencies]
    known = [found.median for found in sides if found.median is not None]
    return sum(known) / len(known) if known else None


def _boxes(systems: Sequence[System], code: str, name: str) -> Iterable[Box]:
    for row, one in enumerate(systems):
        found = one.sides[code].latencies.get(name) if code in one.sides else None
        if found is not None and found.fences is not None:
            yield Box(row, found.fences, found.mean, _latency_hover(one.name, found))


def _latency_hover(name: str, found: Latency) -> str:
    values = {"name": charts.plain(name), "mean": seconds(found.mean),
              "median": seconds(found.median), "n": found.measured}  # fmt: skip
    return _("%(name)s: mean %(mean)s s, median %(median)s s, %(n)d items") % values


def behaviour(numbers: Scenario) -> Drawing:
    """Success against delay of all systems, with those that no other beats in both."""
    found = [(one, _point(one.name, delay, rate)) for one, delay, rate in tables.with_both(numbers)]
    points = [point for _one, point in found]
    if not points:
        return Drawing({})
    best = [point for one, point in found if one.key in numbers.front]
    titles = (f"{LATENCIES[numbers.delay]}, s", _("success, %"))
    ink = Ink(f"var(--{numbers.group})")
    figure = scatters.scatter(points, best, ink, titles, _("unbeaten in both"))
    return Drawing(figure, unnamed(figure), unnamed_on_a_phone(figure))


def _point(name: str, delay: float, rate: float) -> Point:
    hover = f"{charts.plain(name)}: {percent(rate)} %, {seconds(delay)} s"
    return Point(delay, rate, name, hover)


def unnamed(figure: Figure) -> str:
    """How many points of a scatter bear no name for want of room."""
    count = _nameless(figure["data"][1], figure["layout"])
    return ngettext(
        "%(number)d point has no room for its name; point at it, or look into the table.",
        "%(number)d points have no room for their names; point at them, or look into the table.",
        count,
    ) % {"number": count} if count else ""  # fmt: skip


def unnamed_on_a_phone(figure: Figure) -> str:
    """The same for the narrow drawing, at which nobody can point."""
    count = _nameless(figure["data"][1]["meta"]["narrow"], figure["layout"]["meta"]["narrow"])
    return ngettext(
        "%(number)d point has no room for its name; the table has it.",
        "%(number)d points have no room for their names; the table has them.",
        count,
    ) % {"number": count} if count else ""  # fmt: skip


def _nameless(marks: Mapping[str, list[str]], around: Mapping[str, list[object]]) -> int:
    return sum(not text for text in marks["text"]) - len(around["annotations"])
