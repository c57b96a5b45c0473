"""Frozen boards: the list, and any one by its number."""

from typing import Any

from django.db.models import QuerySet
from ninja import Router
from ninja.pagination import paginate

from leaderboard.api.access import EVERYBODY
from leaderboard.api.errors import Problem, missing
from leaderboard.api.schemas import BoardOut
from leaderboard.board import exports
from leaderboard.models import Snapshot
from submissions.models import Split

router = Router(auth=EVERYBODY, tags=["boards"])
# PostgreSQL and SQLite have no larger number for a board.
LARGEST = 2**63 - 1


@router.get("/", response=list[BoardOut])
@paginate
def boards(request: Any, split: str = "") -> QuerySet[Snapshot]:
    """All frozen boards, newest first."""
    found = _visible(request.auth).order_by("-id")
    if split:
        found = found.filter(split__slug=split)
    return found.defer("moved", "signatures")


@router.get("/{int:number}", response={200: dict[str, Any], 404: Problem})
def board(request: Any, number: int) -> dict[str, Any]:
    """One board with its rows, constants and signatures; it never changes."""
    if number > LARGEST:
        raise missing()
    found = _visible(request.auth).filter(pk=number).first()
    if found is None:
        raise missing()
    return exports.as_json(found)


def _visible(user: Any) -> QuerySet[Snapshot]:
    splits = Split.objects.visible_to(user)
    return Snapshot.objects.select_related("split").filter(split__in=splits)
