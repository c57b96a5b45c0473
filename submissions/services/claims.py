"""Who works on which items: claims in the database, given back when their worker is gone."""

import socket
from collections.abc import Iterable, Sequence
from datetime import timedelta

import psutil
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.models import ItemResult, Run


def worker_name() -> str:
    """Name this process so that its death can be noticed on the same machine."""
    process = psutil.Process()
    return f"{socket.gethostname()}:{process.pid}:{int(process.create_time())}"


@transaction.atomic
def claim(run: Run, todo: Q, limit: int) -> list[ItemResult]:
    """Take up to ``limit`` items of a run that still lack something and that nobody works on."""
    stale = timezone.now() - timedelta(seconds=settings.CLAIM_LEASE)
    free = Q(claimed=None) | Q(claimed__lt=stale)
    rows = list(
        ItemResult.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(todo, free, run=run)
        .select_related("item")
        .order_by("item__position")[:limit]
    )
    ItemResult.objects.filter(pk__in=[row.pk for row in rows]).update(
        claimed=timezone.now(), claimed_by=worker_name()
    )
    return rows


def claim_end(run: Run) -> list[ItemResult]:
    """Take the item that stands for the end of a run; while it is held nobody else ends the run."""
    first = run.items.order_by("item__position").values_list("pk", flat=True).first()
    return claim(run, Q(pk=first), 1)


def release(rows: Sequence[ItemResult]) -> None:
    """Give items back."""
    ItemResult.objects.filter(pk__in=[row.pk for row in rows]).update(claimed=None, claimed_by="")


def release_dead() -> list[int]:
    """Give back what workers of this machine held that no longer live; return the runs' ids."""
    held = ItemResult.objects.filter(claimed__isnull=False)
    lost = held.filter(claimed_by__in=dead(held.values_list("claimed_by", flat=True)))
    runs = sorted(set(lost.values_list("run", flat=True)))
    lost.update(claimed=None, claimed_by="")
    return runs


def dead(names: Iterable[str]) -> list[str]:
    """Return those of these workers that ran on this machine and no longer live."""
    here = {name for name in names if name.startswith(f"{socket.gethostname()}:")}
    return [name for name in here if not _lives(*map(int, name.rsplit(":", 2)[1:]))]


def held(run: Run) -> "QuerySet[ItemResult]":
    """Items of a run that somebody works on."""
    stale = timezone.now() - timedelta(seconds=settings.CLAIM_LEASE)
    return run.items.filter(claimed__gte=stale)


def _lives(pid: int, started: int) -> bool:
    """Whether it is the same process still; a killed one that nobody has reaped is dead too."""
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and int(process.create_time()) == started
    except psutil.NoSuchProcess:
        return False
