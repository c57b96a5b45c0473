"""Splits: their rules, and for senders the files they expect."""

from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from ninja import Router
from ninja.pagination import paginate

from leaderboard.api.access import EVERYBODY, READER
from leaderboard.api.errors import Problem, missing
from leaderboard.api.schemas import FileOut, SplitOut
from scoring.humdial.names import expected_files
from scoring.manifest import Manifest
from submissions.models import Split

router = Router(auth=EVERYBODY, tags=["splits"])


@router.get("/", response=list[SplitOut])
@paginate
def splits(request: HttpRequest) -> list[dict[str, Any]]:
    """All splits in the order of the site."""
    return [_split(one) for one in _counted()]


@router.get("/{slug}", response={200: SplitOut, 404: Problem})
def split(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One split with its window, limits and rules."""
    return _split(_found(slug))


@router.get("/{slug}/files", response={200: list[FileOut]}, auth=READER)
@paginate
def files(request: HttpRequest, slug: str, trial: bool = False) -> list[dict[str, str]]:
    """The files that an archive for this split has to hold; for people with an account."""
    found = _found(slug)
    items = found.trial if trial else found.items.all()
    manifest = Manifest(tuple(item.spec for item in items))
    # By name, so that the order says nothing of what belongs together.
    return [{"path": path} for path in sorted(one.path for one in expected_files(manifest))]


def _counted() -> QuerySet[Split]:
    return Split.objects.annotate(count=Count("items"))


def _found(slug: str) -> Any:
    found = _counted().filter(slug=slug).first()
    if found is None:
        raise missing()
    return found


def _split(split: Any) -> dict[str, Any]:
    names = SplitOut.model_fields.keys() - {"items"}
    return {name: getattr(split, name) for name in names} | {"items": split.count}
