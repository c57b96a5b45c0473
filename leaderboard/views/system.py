"""The page of one system: what it is, where it stands, what it does well, and its history."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard.board import tables
from leaderboard.board.cells import Cell, interval_of
from leaderboard.boards import baseline_of, latest, mode_of
from leaderboard.entry import profile, results
from leaderboard.entry.shown_run import shown_run
from leaderboard.models import Snapshot
from leaderboard.show.numbers import DASH
from submissions.models import ReportedResult, Run, Split, Submission, System
from submissions.permissions import can_edit_system, can_see_document, can_see_results, is_public

# The numbers of a board's row, with their decimals.
NUMBERS = (("interruption", 1), ("rejection", 1), ("delay", 3), ("delay_score", 1), ("total", 1))


class Place(NamedTuple):
    """A board on which the system stands: its row, and the numbers with their intervals."""

    board: Snapshot
    row: Mapping[str, Any]
    cells: tuple[Cell, ...]


def page(request: HttpRequest, slug: str) -> HttpResponse:
    """A system that was scored here, or a row that was published elsewhere."""
    system = System.objects.select_related("team").filter(slug=slug).first()
    if system is None:
        return _reported(request, slug)
    shown = _shown(request.user, system)
    is_inside = can_edit_system(request.user, system.team)
    if not shown and not (is_inside or request.user.is_staff):
        raise Http404
    context = {
        "system": system,
        "shown": shown,
        "is_inside": is_inside,
        "places": _places(shown),
        "measured": [one for one in shown if one.measured_delay is not None],
        "described": _described(request.user, shown),
        **(_newest(request.user, shown[0]) if shown else {}),
    }
    return render(request, "system/page.html", context)


def _shown(user: Any, system: System) -> list[Submission]:
    """Its submissions that everybody may know of, newest first; never a trial."""
    found = system.submissions.filter(is_trial=False, published__isnull=False)
    rows = found.select_related("split", "team", "system").order_by("-created")
    return [one for one in rows if is_public(one) and can_see_results(user, one)]


def _described(user: Any, shown: Sequence[Submission]) -> Submission | None:
    """The newest of them whose description the reader may open."""
    return next((one for one in shown if one.document and can_see_document(user, one)), None)


def _places(shown: Sequence[Submission]) -> list[Place]:
    """The rows of the newest boards on which it stands."""
    keys = {str(one.pk) for one in shown}
    boards = [latest(split) for split in {one.split for one in shown}]
    return [
        Place(board, row, tuple(_cell(row, *number) for number in NUMBERS))
        for board in boards
        if board is not None
        for row in board.rows
        if row["link"] in keys
    ]


def _cell(row: Mapping[str, Any], name: str, places: int) -> Cell:
    return Cell(row[name] or DASH, beside=interval_of(row, name, places))


def _newest(user: Any, submission: Submission) -> dict[str, Any]:
    """Its newest published results, beside the baseline's where there is one."""
    board = latest(submission.split)
    run = shown_run(user, submission).run
    if run is None or run.results is None:
        return {}
    mode = mode_of(submission.split, board)
    own = run.results[mode]
    base = _baseline_rows(board, mode, run)
    return {
        "submission": submission,
        "run": run,
        "strips": profile.strips(own["scenarios"], base),
        "has_baseline": bool(base),
        "strengths": profile.strengths(own["scenarios"], base),
        "weaknesses": profile.weaknesses(own["scenarios"], base),
        "coverage": results.coverage(own["totals"]),
        "signature": results.signature(run.signature_of(mode)),
        "unofficial": tables.engine_words(run.unofficial),
    }


def _baseline_rows(board: Snapshot | None, mode: str, own: Run) -> list[dict[str, Any]]:
    base = baseline_of(board)
    if base is None or base.pk == own.pk or base.results is None:
        return []
    rows: list[dict[str, Any]] = base.results[mode]["scenarios"]
    return rows


def _reported(request: HttpRequest, slug: str) -> HttpResponse:
    splits = Split.objects.visible_to(request.user)
    rows = ReportedResult.objects.select_related("split").filter(slug=slug, split__in=splits)
    row = rows.order_by("split__position").first()
    if row is None:
        raise Http404
    board = latest(row.split)
    places = [one for one in board.rows if one["link"] == slug] if board else []
    context = {"row": row, "board": board, "place": places[0] if places else None}
    return render(request, "system/reported.html", context)
