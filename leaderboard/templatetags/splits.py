"""What stands on several pages about a split."""

from typing import Any, NamedTuple

from django import template

from scoring.humdial.void import EXCLUDED_ON, SOURCE
from submissions.contact import contact_of, href

register = template.Library()


class Contact(NamedTuple):
    """Whom to write to, and where that leads; empty where nobody said, or it leads nowhere."""

    text: str
    href: str


@register.simple_tag
def contact(split: Any) -> Contact:
    """The contact for questions about a split."""
    known = contact_of(split)
    return Contact(known, href(known))


@register.inclusion_tag("parts/void.html")
def void(split: Any) -> dict[str, Any]:
    """The recordings that its organisers took out, with when and where they said so."""
    return {"names": split.void, "day": EXCLUDED_ON, "source": SOURCE}
