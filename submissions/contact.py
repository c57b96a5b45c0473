"""Whom teams and readers can write to: the contact of a split, else that of the site.

Conventions: a contact is an e-mail address, the address of a page, or words. Where nobody gave one,
no sentence tells anybody to write.
"""

import re

from django.conf import settings
from django.utils.translation import gettext as _

from submissions.models import Split

_EMAIL = re.compile(r"[^\s@/<>()\[\]]+@[^\s@/<>()\[\]]+")
_PAGE = re.compile(r"https?://[^\s<>()\[\]]+")


def href(contact: str) -> str:
    """Where a contact leads; empty where it is words only."""
    if _EMAIL.fullmatch(contact):
        return f"mailto:{contact}"
    return contact if _PAGE.fullmatch(contact) else ""


def contact_of(split: Split | None = None) -> str:
    """The contact for questions about a split, or the site; empty where nobody gave one."""
    own = split.contact if split else ""
    return own or settings.CONTACT


def ask(split: Split | None = None) -> str:
    """The sentence that tells whom to write to; empty where there is nobody to name."""
    contact = contact_of(split)
    return _("The organisers: %(contact)s.") % {"contact": contact} if contact else ""


def and_ask(cure: str, split: Split | None = None) -> str:
    """A cure with that sentence behind it."""
    return " ".join(filter(None, (cure, ask(split))))
