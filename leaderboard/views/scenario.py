"""The page of one scenario on one split's current board, and its exports."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language

from leaderboard import words
from leaderboard.board import exports, tables
from leaderboard.models import Snapshot
from leaderboard.scenarios import exports as scenario_exports
from leaderboard.scenarios import figures as scenario_figures
from leaderboard.scenarios import group_figure
from leaderboard.scenarios.data import items_of, numbers_of
from leaderboard.scenarios.numbers import (
    PAGES,
    Hard,
    Scenario,
    divisive,
    hardest,
    scenario,
    scripts_of,
)
from leaderboard.scenarios.words import COUNTS, DEFINITIONS
from leaderboard.snapshots import latest
from scoring.humdial import SCENARIOS
from submissions.models import Item, Split
from submissions.permissions import can_see_items

# Items in a list; systems that the viewer shows together.
MOST_ITEMS, MOST_LANES = 10, 4


class HardLine(NamedTuple):
    """One item of a list, with the systems that fail it."""

    slug: str
    name: str
    language: Any
    failing: int
    counted: int
    systems: str
    query: str


def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that the board's systems show in one scenario."""
    splits = list(Split.objects.all())
    split = _split(request, splits, slug)
    board = latest(split) if split else None
    numbers = _numbers(split, board, slug)
    rules = scripts_of(slug)
    context = {
        "slug": slug,
        "split": split,
        "splits": splits,
        "snapshot": board,
        "numbers": numbers,
        "group": rules[0].group,
        "definition": DEFINITIONS[slug],
        "counts": COUNTS["mixed" if len(rules) > 1 else rules[0].measure.value],
        "parts": [one.slug for one in rules] if len(rules) > 1 else [],
        "whole": rules[0].scenario if slug not in SCENARIOS else "",
        "scenarios": SCENARIOS,
        "items": [(words.LANGUAGES[code], count) for code, count in numbers.items.items()],
        "has_items": any(numbers.items.values()),
        "csv": _csv(slug, split),
        "charts": scenario_figures.figures(numbers),
        **_reported(board, rules[0].group),
        **(_items(request, split, numbers) if split else {}),
    }
    return render(request, "scenario/page.html", context)


def export(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """All tables of the page as JSON, or one of them (``?table=``) as CSV."""
    split = _split(request, list(Split.objects.all()), slug)
    board = latest(split) if split else None
    if split is None or board is None:
        raise Http404
    numbers = numbers_of(board, slug)
    sees_items = can_see_items(request.user, split)
    if form == "json":
        made = scenario_exports.as_json(numbers, _origin(board), with_items=sees_items)
        return JsonResponse(made, json_dumps_params={"ensure_ascii": False})
    known = scenario_exports.TABLES | (scenario_exports.ITEMS if sees_items else {})
    table = request.GET.get("table", "rates")
    if form != "csv" or table not in known:
        raise Http404
    text = scenario_exports.as_csv(list(known[table](numbers)))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    name = f"{split.slug}-board-{board.pk}-{slug}-{table}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _split(request: HttpRequest, splits: Sequence[Split], slug: str) -> Split | None:
    """The split that the address names; without one, the first."""
    if slug not in PAGES:
        raise Http404
    name = request.GET.get("split", "")
    if name:
        return get_object_or_404(Split, slug=name)
    return splits[0] if splits else None


def _csv(slug: str, split: Split | None) -> str:
    """Address of the tables, but for the name of one."""
    address = reverse("scenario-export", args=[slug, "csv"])
    return f"{address}?split={split.slug if split else ''}&table="


def _numbers(split: Split | None, board: Snapshot | None, slug: str) -> Scenario:
    if board is not None:
        return numbers_of(board, slug)
    return scenario(slug, [], items_of(split) if split else [])


def _origin(board: Snapshot) -> dict[str, Any]:
    return {
        "board": board.pk,
        "split": board.split.slug,
        "mode": board.mode,
        "signatures": board.signatures,
        "unofficial": exports.unofficial(board),
    }


def _reported(board: Snapshot | None, group: str) -> dict[str, Any]:
    """What published tables say: of the whole group only, since they print no scenario."""
    if board is None:
        return {}
    rows = [row for row in board.rows if row["origin"] == "reported"]
    return {
        "unofficial": tables.engine_words(exports.unofficial(board)),
        "is_mixed": len(board.signatures) > 1,
        "reported": len(rows),
        "group_chart": group_figure.chart(board.rows, group) if rows else None,
    }


def _items(request: HttpRequest, split: Split, numbers: Scenario) -> dict[str, Any]:
    """Single items, for those who may see them."""
    if not can_see_items(request.user, split):
        return {"sees_items": False}
    names = {one.key: one.name for one in numbers.systems}
    several = len(numbers.systems) > 1
    lists = (
        ("hardest", hardest(numbers.hard, MOST_ITEMS) if several else []),
        ("divisive", divisive(numbers.hard, MOST_ITEMS) if several else []),
    )
    return {
        "sees_items": True,
        "sample": _sample(split, numbers.scripts),
        **{name: [_line(one, names) for one in found] for name, found in lists},
    }


def _sample(split: Split, scripts: Sequence[str]) -> dict[str, Any] | None:
    """The first item of the scenario, in the reader's language where there is one."""
    rules = scripts_of(scripts[0])[0]
    found = split.items.filter(scenario=rules.scenario, part=rules.part).order_by("position")
    code = "cn" if (get_language() or "").startswith("zh") else "en"
    item = found.filter(language=code).first() or found.first()
    return None if item is None else {
        "item": item,
        "spoken": words.SPOKEN.get(item.language, ""),
        "said": _said(item),
    }  # fmt: skip


def _said(item: Item) -> list[str]:
    segments: Sequence[Mapping[str, Any]] = item.annotation["speech_segments"]
    return [part["text"] for part in segments if part.get("text")]


def _line(one: Hard, names: Mapping[str, str]) -> HardLine:
    return HardLine(
        one.item.slug,
        one.item.name,
        words.LANGUAGES[one.item.language],
        len(one.failing),
        one.counted,
        ", ".join(names[key] for key in one.failing),
        ",".join(one.failing[:MOST_LANES]),
    )
