"""Moments in words, always with their zone."""

from datetime import datetime, timedelta, timezone

# "Anywhere on Earth": a deadline has passed when it has passed everywhere.
AOE = timezone(timedelta(hours=-12))


def utc(moment: datetime | None) -> str:
    """A moment in UTC, to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else ""


def anywhere(moment: datetime | None) -> str:
    """The same moment by the clock of the last place on Earth."""
    return f"{moment.astimezone(AOE):%Y-%m-%d %H:%M} AoE" if moment else ""


def both(moment: datetime) -> str:
    """A moment by both clocks."""
    return f"{anywhere(moment)} ({utc(moment)})"
