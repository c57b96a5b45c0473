"""What the upload page needs to check an archive in the browser: rules and expected files."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language, gettext, pgettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.check.preflight import expected_to_json, names_to_json, rules_to_json
from submissions.models import Split
from submissions.permissions import can_see_items


@login_required
@require_safe
@gzip_page
def preflight(request: HttpRequest, slug: str) -> JsonResponse:
    """Rules in the page's language, and the files that the split expects.

    Where items are not public, anonymous files stand for themselves: nobody learns from this
    which of them belong together, or to which scenario.
    """
    split = get_object_or_404(Split.objects.taking_uploads(), slug=slug)
    expected = expected_to_json(
        split.manifest.items,
        tried={item.spec.key for item in split.trial},
        hides_pairs=not can_see_items(request.user, split),
    )
    answer = {**rules_to_json(gettext), **names_to_json(), **expected, **_page(slug)}
    response = JsonResponse(answer, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = "private, no-cache"
    return response


def _page(slug: str) -> dict[str, Any]:
    return {
        "list": reverse("expected-files", args=[slug]),
        "archiveLimit": settings.MAX_ARCHIVE_BYTES,
        "locale": "zh-CN" if (get_language() or "").startswith("zh") else "en",
        "words": {
            "title": gettext("Before the upload:"),
            "fine": gettext("As far as its directory tells, this archive will be accepted."),
            "refused": gettext("This archive would be refused. Mend it before you upload it."),
            "unread": gettext("This file cannot be read here; it is checked after the upload."),
            "found": gettext("%(received)s of %(expected)s expected files are there."),
            "size": gettext("The file has %(size)s."),
            "sizes": gettext("The zip has %(size)s, unpacked %(unpacked)s."),
            "time": gettext(
                "The upload takes about %(slow)s at 10 Mbit/s, %(fast)s at 100 Mbit/s."
            ),
            "quick": gettext("The upload takes a minute or less at 10 Mbit/s."),
            "sound": gettext("The recordings themselves are checked after the upload."),
            "list": gettext("List of the expected files"),
            "more": gettext("%(count)s more files"),
            "minute": gettext("a minute"),
            "minutes": gettext("%(minutes)s min"),
            "hours": gettext("%(hours)s h %(minutes)s min"),
            "error": pgettext("severity", "error"),
            "warning": pgettext("severity", "warning"),
            "note": pgettext("severity", "note"),
        },
    }
