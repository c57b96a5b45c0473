"""Filters that put stored names and moments into words."""

from datetime import datetime
from typing import Any

from django import template

from leaderboard import words

register = template.Library()

register.filter("known", words.known)
register.filter("utc", words.utc)
register.filter("aoe", words.anywhere)


@register.filter
def scenario(slug: str) -> Any:
    return words.SCENARIOS.get(slug, slug)


@register.filter
def language(code: str) -> Any:
    return words.LANGUAGES.get(code, code)


@register.filter
def mode(slug: str) -> Any:
    return words.MODES.get(slug, slug)


@register.filter
def iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
