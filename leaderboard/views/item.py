"""The page of one item: all lanes on one time axis, with every number where it was measured."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from leaderboard import words
from leaderboard.boards import newest_mode
from leaderboard.items import corrections, viewer
from leaderboard.items.answers import Answer, Found, find_item, others
from leaderboard.items.filters import ItemFilter
from leaderboard.items.scene import (
    DEFINITIONS,
    TITLES,
    Pair,
    Scene,
    moment_link,
    moments,
    parse_moment,
)
from leaderboard.items.timeline import timeline
from leaderboard.items.transcripts import Said, said, said_by_annotation, user_shift
from leaderboard.items.walk import Neighbours, neighbours
from scoring.dialogue import Annotation
from scoring.humdial import is_judged
from scoring.segments import USER_GAP
from submissions.models import Item
from submissions.services.stored import member_of


def page(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show an item, with the answers of the systems that ``sys`` names."""
    found = find_item(request, slug, name)
    item = found.item
    chosen = ItemFilter.read(request.GET.dict(), len(found.answers))
    query = {**_systems(found), **chosen.query}
    moment = parse_moment(request.GET.get("t", ""))
    mode = newest_mode(item.split)
    scene = viewer.scene(item, found.answers, mode=mode, waves=_waves(found), moment=moment)
    people = corrections.heard(request.user, found)
    context = {
        "item": item,
        "split": item.split,
        "script": item.spec.script,
        "spoken": words.SPOKEN.get(item.language, ""),
        "is_judged": is_judged(item.spec),
        "answers": [
            viewer.shown(answer, item, moment, mode=mode, people=corrections.of(people, answer))
            for answer in found.answers
        ],
        "user_said": _user_said(item, moment),
        "sounds": _sounds(found),
        "is_public": found.is_public,
        "others": others(request.user, found),
        "kept": chosen.query,
        **_drawn(scene),
        **_places(item, query, neighbours(item, found.runs, chosen, mode)),
    }
    return render(request, "item/page.html", context)


def _drawn(scene: Scene) -> dict[str, Any]:
    kinds = {one.kind for lane in scene.lanes for one in lane.measured}
    return {
        "timeline": timeline(scene),
        "moments": moments(scene),
        "moment": moment_link(*scene.moment) if scene.moment else "",
        "definitions": [
            (kind, TITLES[kind], text) for kind, text in DEFINITIONS.items() if kind in kinds
        ],
    }


def _places(item: Item, query: dict[str, str], around: Neighbours) -> dict[str, Any]:
    """Addresses around the item; all keep the systems and the filter."""
    kept = urlencode(query, safe=",")

    def at(slug: str) -> str:
        address = reverse("item", args=[item.split.slug, slug]) if slug else ""
        return f"{address}?{kept}" if address and kept else address

    listing = reverse("items", args=[item.split.slug])
    return {
        "around": around,
        "previous": at(around.previous),
        "following": at(around.following),
        "next_failure": at(around.next_failure),
        "listing": f"{listing}?{kept}" if kept else listing,
        "at_moment": f"?{kept}&t=" if kept else "?t=",
    }


def _systems(found: Found) -> dict[str, str]:
    keys = ",".join(str(answer.submission.pk) for answer in found.answers)
    return {"sys": keys} if keys else {}


def _user_said(item: Item, moment: Pair | None) -> Said | None:
    annotation = Annotation.from_json(item.annotation)
    if item.noisy_words is None:
        return said_by_annotation(annotation, item.language, moment)
    shift = user_shift(item.spec.script, annotation)
    return said(item.noisy_words, item.language, moment, shift=shift, pause=USER_GAP)


def _sounds(found: Found) -> list[dict[str, str]]:
    """What can be heard: each answer together with the user, or the user alone."""
    heard = [
        {
            "mark": answer.mark,
            "name": answer.submission.system.name,
            "address": _address("item-sound", found, answer),
        }
        for answer in found.answers
        if _has_sound(found, answer)
    ]
    if heard or not found.item.recording:
        return heard
    first = found.answers[0] if found.answers else None
    return [{"mark": "", "name": "", "address": _address("item-user-audio", found, first)}]


def _has_sound(found: Found, answer: Answer) -> bool:
    return member_of(answer.submission, found.item, "test") is not None


def _waves(found: Found) -> dict[str, str]:
    """Addresses of the waveforms; the user's is asked for in the name of the first system."""
    waves = {
        answer.mark or "model": _address("item-model-wave", found, answer)
        for answer in found.answers
        if _has_sound(found, answer)
    }
    if found.item.recording:
        first = found.answers[0] if found.answers else None
        waves["user"] = _address("item-user-wave", found, first)
    return waves


def _address(name: str, found: Found, answer: Answer | None) -> str:
    address = reverse(name, args=[found.item.split.slug, found.item.slug])
    return f"{address}?sys={answer.submission.pk}" if answer else address
