"""Links from boards to the pages of their scenarios."""

from typing import Any

from django import template

from leaderboard import words
from scoring.humdial.scenarios import INTERRUPTION, REJECTION

register = template.Library()


@register.inclusion_tag("scenario/_links.html")
def scenario_links(split: Any) -> dict[str, Any]:
    """Links to every scenario of a split, group by group, and to the comparison."""
    groups = (("interruption", INTERRUPTION), ("rejection", REJECTION))
    return {"split": split, "groups": [(words.GROUPS[name], slugs) for name, slugs in groups]}
