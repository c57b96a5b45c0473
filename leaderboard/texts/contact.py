"""All contacts in one line for the text pages: the site's, and those of its splits by name."""

import re
from collections.abc import Iterable

from django.conf import settings
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from submissions.contact import href
from submissions.models import Split


def in_markdown() -> str:
    """All contacts in one line of Markdown, splits by their names; empty where there are none."""
    return ", ".join(_named(_plain(name), _link(one)) for name, one in _all())


def in_html() -> SafeString:
    """The same for a template."""
    return format_html_join(", ", "{}", ((_html(name, one),) for name, one in _all()))


def _all() -> Iterable[tuple[str, str]]:
    """Whose contact it is (empty for the site), and the contact."""
    if settings.CONTACT:
        yield "", settings.CONTACT
    yield from (Split.objects.public().exclude(contact="").values_list("name", "contact"))


def _named(name: str, contact: str) -> str:
    return f"{name} ({contact})" if name else contact


def _link(contact: str) -> str:
    leads = href(contact)
    return f"[{_plain(contact)}]({leads})" if leads else _plain(contact)


def _html(name: str, contact: str) -> SafeString:
    leads = href(contact)
    link = format_html('<a href="{}">{}</a>', leads, contact) if leads else escape(contact)
    return format_html("{} ({})", name, link) if name else link


def _plain(text: str) -> str:
    """Keep what Markdown would take for a mark as it was typed."""
    return re.sub(r"([\\`*_{}\[\]()#+!|<>])", r"\\\1", " ".join(text.split()))
