"""The page of one scenario on one split's current board, and its exports."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language

from leaderboard import boards, words
from leaderboard.board import provenance
from leaderboard.boards import latest
from leaderboard.models import Snapshot
from leaderboard.scenarios import choosing, figures, kept
from leaderboard.scenarios import exports as scenario_exports
from leaderboard.scenarios.data import items_of
from leaderboard.scenarios.numbers import PAGES, scenario, scripts_of
from leaderboard.scenarios.words import COUNTS, DEFINITIONS
from scoring.humdial import SCENARIOS
from submissions.models import Item, Split
from submissions.permissions import can_see_items


def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that the board's systems show in one scenario."""
    split = _split(request, slug)
    board = _newest(split) if split else None
    made = _page(request, split, board, slug)
    rules = scripts_of(slug)
    context = {
        "slug": slug,
        "split": split,
        "splits": Split.objects.visible_to(request.user),
        "snapshot": board,
        "group": rules[0].group,
        "definition": DEFINITIONS[slug],
        "counts": COUNTS["mixed" if len(rules) > 1 else rules[0].measure.value],
        "parts": [one.slug for one in rules] if len(rules) > 1 else [],
        "whole": rules[0].scenario if slug not in SCENARIOS else "",
        "scenarios": SCENARIOS,
        "has_items": any(made["items"].values()),
        # Nothing of this scenario alone is known: the page is about its group, and says so.
        "only_group": _only_group(made, rules[0].group),
        "csv": _csv(slug, split),
        **made,
        "items": [(words.LANGUAGES[code], count) for code, count in made["items"].items()],
        **(_items(request, split, slug) if split else {}),
    }
    return render(request, "scenario/page.html", context)


def _only_group(made: Mapping[str, Any], group: str) -> Any:
    """What the numbers of a page are whose systems were published without single scenarios."""
    return "" if made["charts"] or not made.get("group_chart") else words.GROUP_MEANS[group]


def _newest(split: Split) -> Snapshot | None:
    """The newest board without its rows, which a kept page does not need."""
    return split.snapshots.defer("rows", "moved").order_by("-pk").first()


def _page(
    request: HttpRequest, split: Split | None, board: Snapshot | None, slug: str
) -> dict[str, Any]:
    """What was kept of a board, with the figures that the reader chose."""
    if split is None or board is None:
        empty = scenario(slug, [], items_of(split) if split else [])
        return {"items": dict(empty.items), "charts": []}
    made = kept.page_of(board, slug)
    shown = choosing.read(request.GET, made)
    if shown != figures.DEFAULT:
        made = kept.redrawn(board, slug, made, shown)
    return {**made, "drawn": choosing.drawn(split.slug, made, shown)}


def export(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """All tables of the page as JSON, or one of them (``?table=``) as CSV."""
    split = _split(request, slug)
    board = latest(split) if split else None
    if split is None or board is None:
        raise Http404
    numbers = kept.numbers_of(board, slug)
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


def _split(request: HttpRequest, slug: str) -> Split | None:
    """The split that the address names; without one, that of the front page."""
    if slug not in PAGES:
        raise Http404
    name = request.GET.get("split", "")
    if name:
        return get_object_or_404(Split.objects.visible_to(request.user), slug=name)
    return boards.home()


def _csv(slug: str, split: Split | None) -> str:
    """Address of the tables, but for the name of one."""
    address = reverse("scenario-export", args=[slug, "csv"])
    return f"{address}?split={split.slug if split else ''}&table="


def _origin(board: Snapshot) -> dict[str, Any]:
    return {
        "board": board.pk,
        "split": board.split.slug,
        "mode": board.mode,
        "signatures": board.signatures,
        "unofficial": provenance.engines(board.rows),
        "demonstration": board.split.is_demo,
    }


def _items(request: HttpRequest, split: Split, slug: str) -> dict[str, Any]:
    """A sample for those who may see single items; for others the lists of items go too."""
    if not can_see_items(request.user, split):
        return {"sees_items": False, "hardest": [], "divisive": []}
    return {"sees_items": True, "sample": _sample(split, slug)}


def _sample(split: Split, slug: str) -> dict[str, Any] | None:
    """The first item of the scenario, in the reader's language where there is one."""
    rules = scripts_of(slug)[0]
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
