"""The numbers of a submission's page: what came out, beside the baseline, down to the items.

The database side of ``key_numbers``, ``result_lines``, ``counting``; asks each thing once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse

from leaderboard.board import tables
from leaderboard.boards import baseline_of, latest, mode_of, row_of
from leaderboard.entry import profile, read_otherwise, result_lines, results
from leaderboard.entry.counting import standing
from leaderboard.entry.key_numbers import key_numbers
from leaderboard.entry.result_lines import Links
from leaderboard.entry.shown_run import shown_run
from leaderboard.models import Snapshot
from scoring.coverage import NEEDED
from scoring.coverage import standing as standing_of
from submissions import components, rules
from submissions.models import Run, Submission
from submissions.permissions import can_choose, can_correct, can_see_items, can_see_results
from submissions.queries import counting_submissions
from submissions.services.choose import can_be_chosen
from submissions.services.correct import waiting
from submissions.states import LEFT, can_move

# A longer list is one click away.
ITEMS_SHOWN = 20
OTHER = {"official": "strict", "strict": "official"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A run that the reader may see, with what stands beside it."""

    run: Run
    mode: str
    board: Snapshot | None
    row: Mapping[str, Any] | None
    counting: Sequence[Submission]
    baseline: Run | None
    links: Links


def results_of(user: Any, submission: Submission, known: Run | None) -> dict[str, Any]:
    """Everything about a finished run, for those who may see its numbers.

    ``known`` is a run that was loaded already; where it is the one to show, it is not asked for
    again.
    """
    board = latest(submission.split)
    shown = shown_run(user, submission)
    run = known if known == shown.run else shown.run
    if run is None or run.results is None:
        return {"run": None}
    if not can_see_results(user, submission):
        return {"run": None, **_hidden(submission)}
    found = _found(user, submission, run, board)
    context = {
        "run": run,
        "mode": found.mode,
        "other_mode": OTHER[found.mode],
        "unofficial": tables.engine_words(run.unofficial),
        "signature": results.signature(run.full_signature),
        **_totals(found, shown.on_board),
        **_scenarios(found),
        **_items(found),
        **_waiting(user, submission, run),
    }
    return context | ({} if submission.is_trial else _beside(user, submission, found))


def _hidden(submission: Submission) -> dict[str, Any]:
    """Why numbers that exist are not shown: it has left the board, or the split is blind."""
    if submission.state in LEFT:
        return {"left": submission.events.filter(to_state=submission.state).last()}
    return {"is_blind": True, "why_blind": rules.sentence(submission.split, "publication")}


def _found(user: Any, submission: Submission, run: Run, board: Snapshot | None) -> _Found:
    run.submission = submission
    sees_items = can_see_items(user, submission.split, submission)
    return _Found(
        run,
        mode_of(submission.split, board),
        board,
        row_of(submission, board),
        counting_submissions(submission.split),
        # A trial answers a few items only; the baseline's numbers are of all.
        None if submission.is_trial else baseline_of(board),
        Links(reverse("items", args=[submission.split.slug]), str(submission.pk))
        if sees_items
        else Links(),
    )


def _totals(found: _Found, on_board: Run | None) -> dict[str, Any]:
    """Key numbers and totals; a run that no board has yet stands apart from the board's place."""
    stored = _stored(found.run)
    own, row = stored[found.mode]["totals"], None if on_board else found.row
    other = stored[OTHER[found.mode]]["totals"]
    # The split's share is for the mode that ranks on it; the other one has its own.
    place = standing_of(own, found.run.submission.split.min_coverage)
    return {
        "key_numbers": key_numbers(own, _baseline(found, "totals"), row),
        "place": {"board": found.board, "rank": row["rank"], "total": row["total"]} if row else {},
        "on_board": on_board,
        "board": found.board,
        "board_row": found.row,
        "totals": results.totals(stored),
        "rankable": place.rankable,
        "reasons": [*place.reasons, *stored[found.mode].get("warnings", [])],
        "other_reasons": standing_of(other, NEEDED[OTHER[found.mode]]).reasons,
        "absences": results.absences(stored),
    }


def _scenarios(found: _Found) -> dict[str, Any]:
    own, other = _stored(found.run)[found.mode], _stored(found.run)[OTHER[found.mode]]
    base = _baseline(found, "scenarios") or []
    known = components.of_run(found.run, found.mode)
    failed = result_lines.failures(known)
    # The lists of items know the ranking mode only, so the other one leads to none.
    rest = components.of_run(found.run, OTHER[found.mode])
    return {
        "has_baseline": bool(base),
        "strengths": profile.strengths(own["scenarios"], base),
        "weaknesses": profile.weaknesses(own["scenarios"], base),
        "blocks": result_lines.blocks(own["scenarios"], base, known, found.links),
        "other_blocks": result_lines.blocks(other["scenarios"], [], rest, Links()),
        "has_corrections": bool(own["totals"].get("corrected")),
        "coverage": result_lines.coverage(own["totals"], failed, found.links),
        "diagnostics": result_lines.diagnostics(own.get("diagnostics", {}), found.links),
        "beside": result_lines.beside(own["scenarios"], found.links),
        "remarks": result_lines.remarks(own["scenarios"]),
        "readings": read_otherwise.readings(own["scenarios"]),
        "ten_folders": read_otherwise.ten_folders(own["totals"]),
        "about_readings": read_otherwise.about(),
    }


def _items(found: _Found) -> dict[str, Any]:
    """The first items without success; all of them are a click away."""
    if not found.links.items:
        return {"items": None}
    lacking = Q(**{f"{found.mode}__success": False}) | Q(**{f"{found.mode}__success": None})
    rows = found.run.items.filter(lacking).select_related("item").defer("evidence")
    lines = results.items(rows.order_by("item__position")[:ITEMS_SHOWN], found.mode)
    return {
        "items": lines,
        "all_items": found.links.to(),
        "failed_items": found.links.to(outcome="failed"),
    }


def _waiting(user: Any, submission: Submission, run: Run) -> dict[str, Any]:
    """Corrections that the next scoring will count, for those who can start it."""
    may_start = can_correct(user, submission) and can_move(submission, Submission.State.QUEUED)
    return {"waiting": waiting(run)} if may_start else {}


def _beside(user: Any, submission: Submission, found: _Found) -> dict[str, Any]:
    """What it can be compared with, and whether it counts; nothing of this is for trials."""
    base = found.baseline
    return {
        "baseline": base.submission if base and base.submission.pk != submission.pk else None,
        "others": _others(user, submission),
        "standing": standing(submission, found.counting),
        "may_choose": can_be_chosen(submission) and can_choose(user, submission),
    }


def _others(user: Any, submission: Submission) -> list[Submission]:
    """Other scored submissions of the team to the split whose numbers the reader may see."""
    scored = Submission.objects.filter(
        split=submission.split_id,
        team=submission.team_id,
        board_run__isnull=False,
        is_trial=False,
    ).exclude(pk=submission.pk)
    found = scored.select_related("system").order_by("-created")
    for one in found:
        one.split, one.team = submission.split, submission.team
    return [one for one in found if can_see_results(user, one)]


def _stored(run: Run) -> Mapping[str, Any]:
    return run.results or {}


def _baseline(found: _Found, name: str) -> Any:
    """The baseline's numbers; none for the baseline itself."""
    base = found.baseline
    if base is None or base.results is None or base.submission.pk == found.run.submission_id:
        return None
    return base.results[found.mode][name]
