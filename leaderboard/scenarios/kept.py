"""What scenario pages need of a board, worked out once after its freeze and kept in the database.

Conventions: only the newest board of a split has scenario pages, so the others' are dropped.
Whatever is missing, or was made by other code, templates or translations, is made when a reader
asks for it. Items are kept too; the page decides who sees them.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.translation import get_language, override

from leaderboard import words
from leaderboard.board import provenance, tables
from leaderboard.charts import Chart
from leaderboard.models import ScenarioPage, Snapshot
from leaderboard.scenarios import figures, group_figure, stored
from leaderboard.scenarios.data import work_out
from leaderboard.scenarios.numbers import Hard, Scenario, divisive, hardest
from scoring import __version__
from scoring.signature import uncorrected

FAST = 1  # zlib level
# Items in a list; systems that the viewer shows together, and that a line names.
MOST_ITEMS, MOST_LANES, MOST_NAMES = 10, 4, 5
MAKERS = (
    "leaderboard/charts.py",
    "leaderboard/words.py",
    "leaderboard/scenarios/*.py",
    "leaderboard/show/*.py",
    "leaderboard/locale/*/LC_MESSAGES/django.mo",
    "templates/charts/*.html",
)

Page = dict[str, Any]


@cache
def made_by() -> str:
    """Name everything that pages are made by; found out once per process."""
    digest = hashlib.sha256(__version__.encode())
    for pattern in MAKERS:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def prepare(snapshot: Snapshot) -> None:
    """Keep the pages of a new board in all languages, unless a newer one came meanwhile."""
    if Snapshot.objects.filter(split=snapshot.split_id, pk__gt=snapshot.pk).exists():
        return
    ScenarioPage.objects.filter(snapshot__split=snapshot.split_id).exclude(
        snapshot=snapshot
    ).delete()
    made = _work_out(snapshot)
    for code, _name in settings.LANGUAGES:
        with override(code):
            pages = {slug: _page(snapshot, numbers) for slug, numbers in made.items()}
        _keep(snapshot, code, pages)


def numbers_of(snapshot: Snapshot, slug: str) -> Scenario:
    """The numbers of one scenario on a frozen board; all scenarios are worked out at once."""
    found = _kept(snapshot, slug, "")
    return stored.from_json(found) if found else _work_out(snapshot)[slug]


def page_of(snapshot: Snapshot, slug: str) -> Page:
    """What the page of one scenario shows, in the reader's language."""
    language = str(get_language())
    found = _kept(snapshot, slug, language)
    if found is None:
        found = _page(snapshot, numbers_of(snapshot, slug))
        _keep(snapshot, language, {slug: found})
    return found


def redrawn(snapshot: Snapshot, slug: str, page: Page, shown: figures.Shown) -> Page:
    """The same page with the rows of other systems drawn; tables and sentences stay."""
    drawn = figures.in_rows(numbers_of(snapshot, slug), shown)
    charts = [
        {**one, **_drawn(name, drawn[name])} if (name := one["slug"]) in drawn else one
        for one in page["charts"]
    ]
    return {**page, "charts": charts}


def _work_out(snapshot: Snapshot) -> dict[str, Scenario]:
    made = work_out(snapshot)
    _keep(snapshot, "", {slug: stored.to_json(numbers) for slug, numbers in made.items()})
    return made


def _kept(snapshot: Snapshot, slug: str, language: str) -> Any:
    found = ScenarioPage.objects.filter(
        snapshot=snapshot, slug=slug, language=language, made_by=made_by()
    ).first()
    return None if found is None else json.loads(zlib.decompress(found.content))


def _keep(snapshot: Snapshot, language: str, found: Mapping[str, Any]) -> None:
    ScenarioPage.objects.bulk_create(
        [
            ScenarioPage(
                snapshot=snapshot,
                slug=slug,
                language=language,
                made_by=made_by(),
                content=zlib.compress(json.dumps(one).encode(), FAST),
            )
            for slug, one in found.items()
        ],
        update_conflicts=True,
        update_fields=["made_by", "content"],
        unique_fields=["snapshot", "slug", "language"],
    )


def _page(snapshot: Snapshot, numbers: Scenario) -> Page:
    names = {one.key: one.name for one in numbers.systems}
    several = len(names) > 1
    reported = [row for row in snapshot.rows if row["origin"] == "reported"]
    return {
        "items": dict(numbers.items),
        "charts": [_chart(one) for one in figures.figures(numbers)],
        "systems": sorted(names.items(), key=lambda pair: pair[1].casefold()),
        "pages": figures.pages(numbers),
        "hardest": _lines(hardest(numbers.hard, MOST_ITEMS) if several else [], names),
        "divisive": _lines(divisive(numbers.hard, MOST_ITEMS) if several else [], names),
        "unofficial": tables.engine_words(provenance.engines(snapshot.rows)),
        "is_mixed": len({uncorrected(line) for line in snapshot.signatures}) > 1,
        # Published tables speak of the whole group only, since they print no scenario.
        "reported": len(reported),
        "group_chart": _chart(group_figure.chart(snapshot.rows, numbers.group))
        if reported
        else None,
    }


def _chart(one: Chart) -> dict[str, Any]:
    """One figure with its table and its data ready for the page."""
    context = {"table": one.table, "title": one.title}
    return {
        "slug": one.slug,
        "title": str(one.title),
        "sentence": one.sentence,
        "export": one.export,
        "grid": render_to_string("charts/_grid.html", context),
        **_drawn(one.slug, figures.Drawing(one.figure, one.note, one.note_narrow)),
    }


def _drawn(slug: str, drawing: figures.Drawing) -> dict[str, Any]:
    figure = drawing.figure
    return {
        "note": drawing.note,
        "note_narrow": drawing.note_narrow,
        "data": json_script(figure, f"{slug}-data") if figure else "",
        "height": int(figure["layout"]["height"]) if figure else 0,
    }


def _lines(found: Iterable[Hard], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Items of a list, with the systems that fail them."""
    return [
        {
            "slug": one.item.slug,
            "name": one.item.name,
            "language": str(words.LANGUAGES[one.item.language]),
            "failing": len(one.failing),
            "counted": one.counted,
            "systems": words.listed(names[key] for key in one.failing[:MOST_NAMES]),
            "others": max(len(one.failing) - MOST_NAMES, 0),
            "query": ",".join(one.failing[:MOST_LANES]),
        }
        for one in found
    ]
