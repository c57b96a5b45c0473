"""From item to item inside a reader's filter: which match, and which come before and after."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from leaderboard.items.filters import ItemFilter
from submissions.models import Item, ItemResult, Run, Split


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Slugs of the items around one, empty at the ends; its number among ``total``."""

    previous: str
    following: str
    next_failure: str
    number: int
    total: int


def matching(split: Split, runs: Sequence[Run], chosen: ItemFilter, mode: str) -> QuerySet[Item]:
    """Items of a split in its order; ``runs`` belong to the systems that the filter is about."""
    items = split.items.filter(chosen.of_item()).order_by("position")
    conditions = chosen.of_results(mode, len(runs))
    for run, condition in zip(runs, conditions, strict=True):
        # A trial has results for its own few items only.
        if condition or run.submission.is_trial:
            answers = ItemResult.objects.filter(condition, run=run, item=OuterRef("pk"))
            items = items.filter(Exists(answers))
    return items


def neighbours(item: Item, runs: Sequence[Run], chosen: ItemFilter, mode: str) -> Neighbours:
    """Look around an item. Past the last failure the search goes on at the first."""
    items = matching(item.split, runs, chosen, mode)
    before, after = Q(position__lt=item.position), Q(position__gt=item.position)
    counts = items.aggregate(total=Count("pk"), number=Count("pk", filter=~after))
    return Neighbours(
        _slug(items.filter(before).reverse()),
        _slug(items.filter(after)),
        _next_failure(item, runs, chosen, mode),
        counts["number"],
        counts["total"],
    )


def _next_failure(item: Item, runs: Sequence[Run], chosen: ItemFilter, mode: str) -> str:
    if not runs:
        return ""
    # Its label and agreement would contradict the search, its place does not.
    place = replace(chosen, outcome="failed", label="", diagnostic="", agree="")
    failures = matching(item.split, runs, place, mode)
    following = _slug(failures.filter(position__gt=item.position))
    return following or _slug(failures.filter(position__lt=item.position))


def _slug(items: QuerySet[Item]) -> str:
    return items.values_list("slug", flat=True).first() or ""
