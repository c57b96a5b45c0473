"""Filters that put stored names and moments into words."""

from collections.abc import Iterable
from typing import Any

from django import template

from leaderboard import sentences, words
from submissions import rules
from submissions.models import Split, Submission

register = template.Library()

register.filter("known", sentences.known)
register.filter("utc", words.utc)
register.filter("aoe", words.anywhere)
register.filter("listed", words.listed)


@register.simple_tag
def rules_of(split: Split) -> list[rules.Rule]:
    """Every rule of a split in words."""
    return rules.in_words(split)


@register.simple_tag
def first_rules_of(split: Split) -> list[rules.Rule]:
    """What a team has to know of them first."""
    return [one for one in rules.in_words(split) if one.comes_first]


@register.simple_tag
def further_rules_of(split: Split) -> list[rules.Rule]:
    """All the others."""
    return [one for one in rules.in_words(split) if not one.comes_first]


@register.filter
def told(found: Iterable[Any]) -> str:
    """Sentences one after the other."""
    return words.told(*found)


@register.filter
def grouped(number: int) -> str:
    """A long number with commas, as all pages write it."""
    return f"{number:,}"


@register.filter
def scenario(slug: str) -> Any:
    return words.SCENARIOS.get(slug, slug)


@register.filter
def kind(slug: str) -> Any:
    return words.KINDS.get(slug, slug)


@register.filter
def language(code: str) -> Any:
    return words.LANGUAGES.get(code, code)


@register.filter
def mode(slug: str) -> Any:
    return words.MODES.get(slug, slug)


@register.filter
def group(slug: str) -> Any:
    return words.GROUPS.get(slug, slug)


@register.filter
def part(slug: str) -> Any:
    return words.PARTS.get(slug, slug)


@register.filter
def measure(slug: str) -> Any:
    return words.MEASURES.get(slug, slug)


@register.filter
def state(slug: str) -> Any:
    return dict(Submission.State.choices).get(slug, slug)
