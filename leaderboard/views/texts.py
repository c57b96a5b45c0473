"""Text pages: methodology, rules, questions, how to submit, data, changes."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import get_language

from leaderboard.api import ANONYMOUS_RATE, KNOWN_RATE
from leaderboard.models import Snapshot
from leaderboard.texts import contact
from leaderboard.texts import methodology as facts
from leaderboard.texts.decisions import decisions
from leaderboard.texts.prose import CONTENT, markdown, prose
from scoring.audio import RATES
from scoring.humdial.names import ROOT
from submissions.models import Split

EXAMPLE = CONTENT / "upload_and_wait.py"
# Changes are told in both languages, each in a file of its own.
CHANGES = {"en": settings.BASE_DIR / "CHANGELOG.md", "zh": CONTENT / "CHANGELOG.zh.md"}


def methodology(request: HttpRequest) -> HttpResponse:
    """How the numbers come about, from the constants that make them."""
    context = facts.constants() | {
        "example": _first_of(facts.example),
        "stages": _first_of(facts.staged),
        "prompts": facts.prompts(),
        "decisions": decisions(_language()),
        "contacts": contact.in_html(),
        "metrics": prose("metrics", _language(), facts.constants()),
    }
    return render(request, "texts/methodology.html", context)


def text(request: HttpRequest, name: str) -> HttpResponse:
    """A page of prose, with its numbers from the code."""
    page = prose(name, _language(), values(contacts=contact.in_markdown()))
    return render(request, "texts/prose.html", {"page": page, "name": name})


def changes(request: HttpRequest) -> HttpResponse:
    """What changed, and by how many points."""
    page = markdown(CHANGES[_language()].read_text(encoding="utf-8"))
    return render(request, "texts/prose.html", {"page": page, "name": "changelog"})


def _language() -> str:
    return "zh" if (get_language() or "").startswith("zh") else "en"


def values(contacts: str = "") -> dict[str, Any]:
    """Every value that a text may name; ``contacts`` in Markdown."""
    constants = facts.constants()
    reference = constants["reference"]
    return constants | {
        "l_min": reference.l_min,
        "l_base": reference.l_base,
        "l_min_holder": "HelloWorld",
        "root": ROOT,
        "limit": filesizeformat(settings.MAX_ARCHIVE_BYTES),
        "lowest_rate": RATES.start,
        "site_url": settings.SITE_URL,
        "anonymous_rate": ANONYMOUS_RATE.partition("/")[0],
        "known_rate": KNOWN_RATE.partition("/")[0],
        "example": EXAMPLE.read_text(encoding="utf-8"),
        "contacts": contacts,
    }


def _first_of(make: Callable[[Snapshot | None], Any]) -> Any:
    """What a function makes of the newest board of the first split that gives it something."""
    for split in Split.objects.public():
        found = make(split.snapshots.order_by("-id").first())
        if found:
            return found
    return None
