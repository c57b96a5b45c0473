"""The items and answers that an address names, for a reader who may see them.

Whoever may not see one of them is told that it does not exist: page, sound, waveform and list all
ask here, so that they cannot differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from leaderboard.entry.shown_run import shown_runs
from submissions.models import Item, ItemResult, Run, Split, Submission
from submissions.permissions import can_see_all_items, fetch_rights, is_organiser
from submissions.queries import on_board

# More lanes than this nobody can follow.
MOST_SYSTEMS = 4
# A longer list is no choice; whoever knows a system's page finds the item from there.
MOST_OFFERED = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """One system's answer to an item; ``run`` and ``row`` are ``None`` before it is scored."""

    mark: str
    submission: Submission
    run: Run | None
    row: ItemResult | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """An item and the answers to it; ``is_public`` says that everybody may see them."""

    item: Item
    answers: tuple[Answer, ...]
    is_public: bool

    @property
    def runs(self) -> list[Run]:
        """Runs of all systems, or none when one of them has not been scored."""
        return scored_runs(self.answers)


def find_item(request: HttpRequest, slug: str, name: str) -> Found:
    """Find an item and every answer that the address names.

    Raises:
        Http404: there is no such thing, or not for this reader.
    """
    item = get_object_or_404(Item.objects.select_related("split"), split__slug=slug, slug=name)
    answers, is_public = find_answers(request, item.split)
    rows = {row.run_id: row for row in _rows(item, answers)}
    answers = tuple(replace(one, row=rows.get(one.run.pk) if one.run else None) for one in answers)
    if any(one.submission.is_trial and one.row is None for one in answers):
        # A trial opens its own few items to its team, and no other item of the split.
        raise Http404
    return Found(item, answers, is_public)


def find_answers(request: HttpRequest, split: Split) -> tuple[tuple[Answer, ...], bool]:
    """Find the systems that the address names, and whether everybody may see their items.

    Raises:
        Http404: as above.
    """
    fetch_rights(request.user)
    submissions = _submissions(_keys(request), split)
    if not can_see_all_items(request.user, split, submissions):
        raise Http404
    runs = _runs(request.user, split, submissions)
    marks = ascii_uppercase if len(submissions) > 1 else [""] * len(submissions)
    answers = tuple(
        Answer(mark, submission, runs.get(submission.pk))
        for mark, submission in zip(marks, submissions, strict=False)
    )
    if any(one.submission.is_trial and one.run is None for one in answers):
        raise Http404
    return answers, can_see_all_items(AnonymousUser(), split, submissions)


def others(user: Any, found: Found) -> list[Submission]:
    """Systems whose answer to the same item the reader may lay beside these."""
    if len(found.answers) >= MOST_SYSTEMS:
        return []
    split = found.item.split
    known = on_board(split).select_related("system", "team")
    known = known.exclude(pk__in=[answer.submission.pk for answer in found.answers])
    if split.items_public or is_organiser(user, split):
        return list(known[:MOST_OFFERED])
    if not user.is_authenticated:
        return []
    return list(known.filter(team__members=user)[:MOST_OFFERED])


def scored_runs(answers: Sequence[Answer]) -> list[Run]:
    """Runs of all systems, or none when one of them has not been scored."""
    runs = [answer.run for answer in answers if answer.run]
    return runs if len(runs) == len(answers) else []


def _keys(request: HttpRequest) -> list[UUID]:
    """``?sys=a,b`` and ``?sys=a&sys=b`` mean the same; one system named twice is named once."""
    texts = ",".join(request.GET.getlist("sys")).split(",")
    try:
        keys = list(dict.fromkeys(UUID(text.strip()) for text in texts if text.strip()))
    except ValueError as cause:
        raise Http404 from cause
    if len(keys) > MOST_SYSTEMS:
        raise Http404(f"At most {MOST_SYSTEMS} systems can be shown together.")
    return keys


def _submissions(keys: Sequence[UUID], split: Split) -> list[Submission]:
    if not keys:
        return []
    found = Submission.objects.select_related("team", "system", "split")
    by_key = {one.pk: one for one in found.filter(pk__in=keys, split=split)}
    if len(by_key) < len(keys):
        raise Http404
    return [by_key[key] for key in keys]


def _runs(user: Any, split: Split, submissions: Sequence[Submission]) -> dict[UUID, Run]:
    """The run of each that the reader may know of."""
    if not submissions:
        return {}
    found = shown_runs(user, split, submissions)
    for submission in submissions:
        if submission.pk in found:
            found[submission.pk].submission = submission
    return found


def _rows(item: Item, answers: Sequence[Answer]) -> list[ItemResult]:
    runs = [answer.run for answer in answers if answer.run]
    if not runs:
        return []
    return list(ItemResult.objects.select_related("item").filter(item=item, run__in=runs))
