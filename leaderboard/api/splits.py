"""Splits: their rules, and for senders the files they expect."""

from decimal import Decimal
from typing import Any

from django.db.models import Count, QuerySet
from ninja import Router
from ninja.pagination import paginate

from leaderboard.api.access import EVERYBODY, READER
from leaderboard.api.errors import Problem, missing
from leaderboard.api.schemas import FileOut, SplitOut
from scoring.humdial.names import expected_files
from scoring.manifest import Manifest
from submissions import rules
from submissions.models import Split

router = Router(auth=EVERYBODY, tags=["splits"])
DECIMALS = ("min_coverage", "l_min", "l_base")


@router.get("/", response=list[SplitOut])
@paginate
def splits(request: Any) -> list[dict[str, Any]]:
    """All splits in the order of the site."""
    return [_split(one) for one in _counted(request.auth)]


@router.get("/{slug}", response={200: SplitOut, 404: Problem})
def split(request: Any, slug: str) -> dict[str, Any]:
    """One split with its window, limits and rules."""
    return _split(_found(request.auth, slug))


@router.get("/{slug}/files", response={200: list[FileOut]}, auth=READER)
@paginate
def files(request: Any, slug: str, trial: bool = False) -> list[dict[str, str]]:
    """The files that an archive for this split has to hold; for people with an account."""
    found = _found(request.auth, slug)
    items = found.trial if trial else found.items.all()
    manifest = Manifest(tuple(item.spec for item in items))
    # By name, so that the order says nothing of what belongs together.
    return [{"path": path} for path in sorted(one.path for one in expected_files(manifest))]


def _counted(user: Any) -> QuerySet[Split]:
    return Split.objects.visible_to(user).annotate(count=Count("items"))


def _found(user: Any, slug: str) -> Any:
    found = _counted(user).filter(slug=slug).first()
    if found is None:
        raise missing()
    return found


def _split(split: Any) -> dict[str, Any]:
    names = SplitOut.model_fields.keys() - {"items", "weights", "rules", *DECIMALS}
    return {
        **{name: getattr(split, name) for name in names},
        **{name: _text(getattr(split, name)) for name in DECIMALS},
        "weights": {name: _text(getattr(split, f"weight_{name}")) for name in rules.WEIGHTS},
        "items": split.count,
        "rules": rules.in_words(split),
    }


def _text(value: Decimal | None) -> str | None:
    return None if value is None else str(value)
