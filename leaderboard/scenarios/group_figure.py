"""One group of scenarios against the total delay, from a board's rows: reported ones included."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from leaderboard import charts, scatters, words
from leaderboard.charts import Cell, Chart, Head, Ink, Point, Table
from leaderboard.scenarios.figure_tables import front_sentence
from leaderboard.scenarios.figures import unnamed, unnamed_on_a_phone
from leaderboard.scenarios.numbers import front
from leaderboard.show.numbers import DASH

Rows = Sequence[Mapping[str, Any]]


def chart(rows: Rows, group: str) -> Chart:
    """All rows of a board with both numbers; the table has every row with what is known of it."""
    known = [(str(number), row) for number, row in enumerate(rows) if row[group] and row["delay"]]
    points = {key: _point(row, group) for key, row in known if Decimal(row["delay"]) > 0}
    best = [points[key] for key in front([(key, one.x, one.y) for key, one in points.items()])]
    titles = (_("total delay, s"), f"{words.GROUP_MEANS[group]}, %")
    shown = list(points.values())
    ink, front_name = Ink(f"var(--{group})"), _("unbeaten in both")
    figure = scatters.scatter(shown, best, ink, titles, front_name) if shown else {}
    return Chart(
        "group",
        _("%(group)s against total delay") % {"group": words.GROUP_MEANS[group]},
        front_sentence([one.label for one in best]),
        _table(rows, group),
        figure,
        unnamed(figure) if figure else "",
        unnamed_on_a_phone(figure) if figure else "",
    )


def _point(row: Mapping[str, Any], group: str) -> Point:
    hover = f"{charts.plain(row['system'])}: {row[group]} %, {row['delay']} s"
    return Point(float(row["delay"]), float(row[group]), row["system"], hover)


def _table(rows: Rows, group: str) -> Table:
    heads = (
        Head(_("System")),
        Head(_("Source"), is_text=True),
        *(Head(f"{words.LANGUAGES[code]}", "%", "↑") for code in words.LANGUAGES),
        Head(words.GROUP_MEANS[group], "%", "↑"),
        Head(_("Total delay"), "s", "↓"),
    )
    return Table(heads, tuple(_row(row, group) for row in rows))


def _row(row: Mapping[str, Any], group: str) -> tuple[Cell, ...]:
    is_ours = row["origin"] == "scored"
    sides = (row["languages"].get(code, {}).get(group, "") for code in words.LANGUAGES)
    absent = _("not scored in this language") if is_ours else _("not published by language")
    return (
        Cell(row["system"], "" if row["team"] == row["system"] else row["team"],
             link=row["link"] if is_ours else ""),
        Cell(_("scored here") if is_ours else _("as published"), is_text=True),
        *(_cell(text, absent) for text in sides),
        _cell(row[group], _("no scenario group was complete")),
        _cell(row["delay"], _("no delay was measured")),
    )  # fmt: skip


def _cell(text: str, reason: str) -> Cell:
    return Cell(text) if text else Cell(DASH, reason=reason)
