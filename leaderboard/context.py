"""What every page knows: the site's name, its languages, and the reader's theme."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.translation import gettext_lazy as _

THEMES = {"auto": _("Auto"), "light": _("Light"), "dark": _("Dark")}
SHEETS = [
    f"css/{name}.css"
    for name in ("tokens", "base", "layout", "table", "forms", "timeline", "print")
]
HTML_CODES = {"zh-hans": "zh-Hans"}


class Alternate(NamedTuple):
    """The same page in another language."""

    code: str
    name: str
    url: str
    absolute: str


def site(request: HttpRequest) -> dict[str, Any]:
    """Values of the base template."""
    theme = request.COOKIES.get("theme", "auto")
    return {
        "SITE_NAME": settings.SITE_NAME,
        "theme": theme if theme in THEMES else "auto",
        "themes": THEMES.items(),
        "alternates": [_alternate(request, code) for code, _name in settings.LANGUAGES],
        "html_language": HTML_CODES.get(request.LANGUAGE_CODE, request.LANGUAGE_CODE),
        "sheets": SHEETS,
    }


def _alternate(request: HttpRequest, code: str) -> Alternate:
    path = translate_url(request.get_full_path(), code)
    name = "中文" if code.startswith("zh") else "English"
    html = HTML_CODES.get(code, code)
    return Alternate(html, name, path, request.build_absolute_uri(path))
