"""The list of a split's items, as one to four systems answered them, inside a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from leaderboard import words
from leaderboard.boards import newest_mode
from leaderboard.entry import results
from leaderboard.entry.results import ItemLine
from leaderboard.items.answers import Answer, find_answers, scored_runs
from leaderboard.items.filters import AGREEMENT, LABELS, OUTCOMES, ItemFilter
from leaderboard.items.walk import matching
from submissions.models import Item, ItemResult, Split

ITEMS_PER_PAGE = 100


class Option(NamedTuple):
    """One choice of a select element."""

    value: str
    word: Any
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A select element of the filter."""

    name: str
    label: Any
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One item; ``lines`` has ``None`` for a system without a result."""

    slug: str
    name: str
    language: Any
    scenario: Any
    lines: tuple[ItemLine | None, ...]


def page(request: HttpRequest, slug: str) -> HttpResponse:
    """List the items that match the address."""
    split = get_object_or_404(Split.objects.visible_to(request.user), slug=slug)
    answers, is_public = find_answers(request, split)
    chosen = ItemFilter.read(request.GET.dict(), len(answers))
    runs = scored_runs(answers)
    if not runs:
        chosen = ItemFilter(chosen.scenario, chosen.lang)
    mode = newest_mode(split)
    items = Paginator(matching(split, runs, chosen, mode), ITEMS_PER_PAGE)
    shown = items.get_page(request.GET.get("page"))
    systems = ",".join(str(answer.submission.pk) for answer in answers)
    query = {**({"sys": systems} if systems else {}), **chosen.query}
    context = {
        "split": split,
        "answers": answers,
        "systems": systems,
        "is_public": is_public,
        "chosen": chosen,
        "choices": _choices(chosen, len(runs)),
        "asked": _in_words(chosen, answers),
        "rows": _rows(answers, shown, mode),
        "page": shown,
        "query": urlencode(query, safe=","),
    }
    return render(request, "item/list.html", context)


def _rows(answers: Sequence[Answer], shown: Page[Item], mode: str) -> list[Row]:
    items = list(shown.object_list)
    runs = [answer.run for answer in answers if answer.run]
    found = ItemResult.objects.filter(run__in=runs, item__in=items).defer("evidence")
    by_key = {(row.run_id, row.item_id): row for row in found}
    return [_row(item, answers, by_key, mode) for item in items]


def _row(item: Item, answers: Sequence[Answer], by_key: Mapping[Any, ItemResult], mode: str) -> Row:
    lines = []
    for answer in answers:
        row = by_key.get((answer.run.pk, item.pk)) if answer.run else None
        if row is not None:
            row.item = item
        lines.append(results.item_line(row, getattr(row, mode)) if row else None)
    return Row(
        item.slug,
        item.name,
        words.LANGUAGES.get(item.language, item.language),
        words.SCENARIOS.get(item.spec.script, item.scenario),
        tuple(lines),
    )


def _choices(chosen: ItemFilter, systems: int) -> list[Choice]:
    """Only what can be asked: outcomes need a system, agreement needs two."""
    asked: list[tuple[str, Any, Mapping[str, Any]]] = [
        ("scenario", _("Scenario"), words.SCENARIOS),
        ("lang", _("Language"), words.LANGUAGES),
        ("outcome", _("Outcome"), OUTCOMES if systems else {}),
        ("label", _("Label"), {name: name for name in LABELS} if systems else {}),
        ("diagnostic", _("Beside the score"), words.DIAGNOSTICS if systems else {}),
        ("agree", _("A and B"), _agreement() if systems == len("AB") else {}),
    ]
    return [
        Choice(name, label, _options(values, getattr(chosen, name)))
        for name, label, values in asked
        if values
    ]


def _options(values: Mapping[str, Any], chosen: str) -> tuple[Option, ...]:
    known = (Option(value, word, value == chosen) for value, word in values.items())
    return (Option("", _("all"), chosen == ""), *known)


def _agreement() -> dict[str, Any]:
    said = {
        "both": _("both succeed"),
        "only-a": _("only A succeeds"),
        "only-b": _("only B succeeds"),
        "neither": _("neither succeeds"),
    }
    return {name: said[name] for name in AGREEMENT}


def _in_words(chosen: ItemFilter, answers: Sequence[Answer]) -> list[Any]:
    """The filter as short texts; where there are several systems, the first one is named."""
    outcome = OUTCOMES.get(chosen.outcome, "")
    if outcome and len(answers) > 1:
        outcome = f"A: {outcome}"
    found = [
        words.SCENARIOS.get(chosen.scenario, ""),
        words.LANGUAGES.get(chosen.lang, ""),
        outcome,
        chosen.label,
        words.DIAGNOSTICS.get(chosen.diagnostic, ""),
        _agreement().get(chosen.agree, ""),
    ]
    return [text for text in found if text]
