"""What a page says of itself to those who share its address."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag
def titled(content: SafeString) -> SafeString:
    """The title of a page, for the tab of the browser and for a card elsewhere."""
    text = " ".join(content.split())
    # The text was escaped where it was rendered; only an attribute minds a quotation mark.
    return format_html(
        '<title>{}</title>\n  <meta property="og:title" content="{}">',
        SafeString(text),
        SafeString(text.replace('"', "&quot;")),
    )
