"""What every page knows: the site's name, its languages, and the reader's theme."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.urls import translate_url
from django.utils.translation import gettext_lazy as _

THEMES = {"auto": _("Auto"), "light": _("Light"), "dark": _("Dark")}
SHEETS = [
    f"css/{name}.css"
    for name in (
        "tokens",
        "base",
        "layout",
        "prose",
        "table",
        "choices",
        "board",
        "forms",
        "timeline",
        "player",
        "system",
        "submission",
        "account",
        "upload",
        "preflight",
        "charts",
        "print",
    )
]
HTML_CODES = {"zh-hans": "zh-Hans"}
# Parts of a query that say what a page is about; the others say only how it is shown.
SUBJECT = ("split", "sys", "s", "a", "b", "page")


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
        "SITE_URL": settings.SITE_URL,
        "LOGIN_PROVIDERS": settings.SOCIALACCOUNT_PROVIDERS,
        "MAIL_FOLDER": "" if settings.EMAIL_HOST else settings.EMAIL_FILE_PATH,
        "theme": theme if theme in THEMES else "auto",
        "themes": THEMES.items(),
        "alternates": [_alternate(request, code) for code, _name in settings.LANGUAGES],
        "canonical": _canonical(request),
        "html_language": HTML_CODES.get(request.LANGUAGE_CODE, request.LANGUAGE_CODE),
        "sheets": SHEETS,
    }


def _canonical(request: HttpRequest) -> str:
    """The one address of what this page shows, whatever its order and its columns."""
    kept = QueryDict(mutable=True)
    for name in SUBJECT:
        kept.setlist(name, request.GET.getlist(name))
    query = kept.urlencode(safe=",")
    return request.build_absolute_uri(request.path + (f"?{query}" if query else ""))


def _alternate(request: HttpRequest, code: str) -> Alternate:
    path = translate_url(request.get_full_path(), code)
    name = "中文" if code.startswith("zh") else "English"
    html = HTML_CODES.get(code, code)
    return Alternate(html, name, path, request.build_absolute_uri(path))
