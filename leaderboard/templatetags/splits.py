"""What stands on several pages about a split."""

from typing import Any

from django import template

from scoring.humdial.void import EXCLUDED_ON, SOURCE

register = template.Library()


@register.inclusion_tag("parts/void.html")
def void(split: Any) -> dict[str, Any]:
    """The recordings that its organisers took out, with when and where they said so."""
    return {"names": split.void, "day": EXCLUDED_ON, "source": SOURCE}
