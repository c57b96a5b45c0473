"""Celery doors of the public site: take an id, call what does the work."""

from celery import shared_task

from leaderboard.models import Snapshot
from leaderboard.scenarios import kept


@shared_task
def prepare_scenarios(number: int) -> None:
    """Work out the scenario pages of a new board before its first reader comes."""
    snapshot = Snapshot.objects.select_related("split").filter(pk=number).first()
    if snapshot is not None:
        kept.prepare(snapshot)
