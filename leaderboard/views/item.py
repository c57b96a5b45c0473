"""The page of one item: two lanes on one time axis, with every number where it was measured."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from leaderboard import results, tables, words
from leaderboard.timeline import Scene, timeline
from scoring.dialogue import Annotation
from scoring.errors import ArchiveError
from scoring.humdial import is_judged
from scoring.humdial.scenarios import script
from submissions.models import Item, ItemResult, Submission
from submissions.permissions import can_see_items
from submissions.queries import finished_run
from submissions.services.stored import archive_of, member_of


@dataclass(frozen=True, slots=True)
class Found:
    """An item that the reader may see, and one system's answer to it where one is named."""

    item: Item
    submission: Submission | None
    result: ItemResult | None


def page(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show an item, with one system's answer if ``sys`` names one."""
    found = _visible(request, slug, name)
    item, row = found.item, found.result
    context = {
        "item": item,
        "split": item.split,
        "submission": found.submission,
        "result": row,
        "script": item.spec.script,
        "timeline": timeline(_scene(item, row)),
        "said": [part["text"] for part in item.annotation["speech_segments"] if part.get("text")],
        "user_words": _words(item.noisy_words, item),
        "spoken": words.SPOKEN.get(item.language, ""),
        "has_model_audio": _member(found) is not None,
        "is_judged": is_judged(item.spec),
    }
    if found.submission is not None:
        context |= _judgement(row, item.split.ranking_mode)
    return render(request, "item/page.html", context)


def user_audio(request: HttpRequest, slug: str, name: str) -> FileResponse:
    """The user recording of an item."""
    item = _visible(request, slug, name).item
    if not item.recording:
        raise Http404
    return FileResponse(item.recording.open("rb"), content_type="audio/wav")


def model_audio(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One system's answer, read out of its archive."""
    found = _visible(request, slug, name)
    member = _member(found)
    if member is None or found.submission is None:
        raise Http404
    try:
        with archive_of(found.submission) as outputs:
            data = outputs.read(member)
    except (ArchiveError, KeyError, FileNotFoundError) as cause:
        raise Http404 from cause
    return HttpResponse(data, content_type="audio/wav")


def _visible(request: HttpRequest, slug: str, name: str) -> Found:
    """Find the item and the answer; whoever may not see them is told they do not exist."""
    item = get_object_or_404(Item.objects.select_related("split"), split__slug=slug, slug=name)
    submission = _submission(request, item)
    if not can_see_items(request.user, item.split, submission):
        raise Http404
    return Found(item, submission, _result(submission, item))


def _submission(request: HttpRequest, item: Item) -> Submission | None:
    key = request.GET.get("sys", "")
    if not key:
        return None
    try:
        pk = UUID(key)
    except ValueError as cause:
        raise Http404 from cause
    found = Submission.objects.select_related("team", "system", "split")
    return get_object_or_404(found, pk=pk, split=item.split)


def _result(submission: Submission | None, item: Item) -> ItemResult | None:
    run = finished_run(submission) if submission else None
    return run.items.select_related("run", "item").filter(item=item).first() if run else None


def _member(found: Found) -> str | None:
    return member_of(found.submission, found.item, "test") if found.submission else None


def _scene(item: Item, row: ItemResult | None) -> Scene:
    annotation = Annotation.from_json(item.annotation)
    evidence = (row.evidence if row else None) or {}
    result = (getattr(row, item.split.ranking_mode) if row else None) or {}
    return Scene(
        script=item.spec.script,
        said=annotation.segments,
        user=item.speech,
        duration=max(item.duration, evidence.get("duration") or 0.0),
        model=evidence.get("speech"),
        stop=result.get("stop") or (),
        response=result.get("response") or (),
        first=_first(item, annotation, result),
    )


def _first(
    item: Item, annotation: Annotation, result: dict[str, Any]
) -> tuple[float, float] | None:
    """From the end of the question to the first word, when the delay is kept."""
    delay = result.get("first_response_delay")
    if delay is None:
        return None
    start = annotation.end_of(script(item.spec.script).question)
    return start, start + delay


def _judgement(row: ItemResult | None, mode: str) -> dict[str, Any]:
    if row is None:
        return {"evidence": None}
    result = getattr(row, mode)
    other = row.strict if mode == "official" else row.official
    evidence = row.evidence or {}
    line = results.item_line(row, result)
    return {
        "evidence": evidence,
        "model_words": _words(evidence.get("transcript"), row.item),
        "clean_words": _words(evidence.get("clean"), row.item),
        "line": line,
        "mode": mode,
        "other_mode": "strict" if mode == "official" else "official",
        "other_line": results.item_line(row, other),
        "verdict": _verdict(evidence.get("verdict")),
        "unofficial": tables.engine_words(row.run.unofficial),
        "unofficial_judge": "offline" in row.run.unofficial,
        "entered": _entered(result or {}),
    }


def _words(transcript: dict[str, Any] | None, item: Item) -> str:
    """What was said as people write it: Chinese without blanks between the letters."""
    chunks = (transcript or {}).get("chunks") or []
    return ("" if item.language == "cn" else " ").join(chunk["text"] for chunk in chunks)


def _entered(result: dict[str, Any]) -> str:
    """Say which of the item's intervals enter the means, and which do not."""
    if result.get("stop") is None:
        intervals = _("Stop and response latency are not measured in this scenario.")
    else:
        intervals = _(
            "%(stop)d stop and %(response)d response intervals enter the means of the scenario."
        ) % {"stop": len(result["stop"]), "response": len(result["response"])}
    if result.get("first_response_delay") is not None:
        return f"{intervals} " + _("The first-response delay enters its mean.")
    if result.get("difference") is not None:
        return (
            f"{intervals} "
            + _(
                "The first-response delay is left out: the first word came %.3f s after the end of "
                "the question (below 0: before it), or the mode times successful items only."
            )
            % result["difference"]
        )
    return f"{intervals} " + _("There is no first word, so there is no first-response delay.")


def _verdict(verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    label = results.label(", ".join(verdict["labels"]))
    agreement = verdict.get("agreement")
    percent = None if agreement is None else f"{100 * agreement:.0f} %"
    return {**verdict, "label": label, "agreement": percent}
