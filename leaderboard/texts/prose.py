"""Text pages: Markdown files per language, whose numbers come from the code that uses them.

Conventions: a page ``faq`` is ``content/pages/faq.en.md`` and ``faq.zh.md``. Each is a Django
template first, so that no number is written twice, and Markdown then; its first line is the title.
"""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from django.template import Context, Engine
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

CONTENT = Path(__file__).parent.parent / "content"
PAGES = CONTENT / "pages"
ENGINE = Engine(builtins=["django.templatetags.i18n"], autoescape=True)


class Heading(NamedTuple):
    """A heading with the anchor that leads to it."""

    anchor: str
    text: str


class Prose(NamedTuple):
    """A text page ready for its template."""

    title: str
    html: SafeString
    headings: tuple[Heading, ...]


def prose(name: str, language: str, values: Mapping[str, Any]) -> Prose:
    """Make a page of its file; ``language`` is ``en`` or ``zh``."""
    source = (PAGES / f"{name}.{language}.md").read_text(encoding="utf-8")
    return markdown(ENGINE.from_string(source).render(Context(dict(values))))


def markdown(text: str) -> Prose:
    """Make a page of Markdown whose first line is ``# Title``; raw HTML in it stays text."""
    first, _, rest = text.partition("\n")
    parser = _parser()
    tokens = parser.parse(rest)
    headings = tuple(_anchored(tokens))
    html = parser.renderer.render(tokens, parser.options, {})
    # Safe: the parser escapes HTML, and the text is ours.
    return Prose(first.removeprefix("# "), mark_safe(html), headings)  # noqa: S308 (see above)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _anchored(tokens: list[Token]) -> list[Heading]:
    """Give every heading of the second level a number to link to."""
    found: list[Heading] = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            anchor = f"s{len(found) + 1}"
            opening.attrSet("id", anchor)
            found.append(Heading(anchor, inline.content))
    return found
