"""Pages with few numbers of their own: methodology, the organisers' door, the theme."""

from importlib.metadata import version

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from leaderboard.context import THEMES
from scoring import __version__, ranking, segments
from scoring.humdial import BENCHMARK, SCRIPTS
from scoring.humdial.totals import MIN_COVERAGE

YEAR = 31_536_000


def methodology(request: HttpRequest) -> HttpResponse:
    """How the numbers come about, from the constants that make them."""
    context = {
        "weights": ranking.WEIGHTS,
        "factor": ranking.DELAY_FACTOR,
        "baseline_score": ranking.FULL_SCORE - ranking.DELAY_FACTOR,
        "reference": ranking.HUMDIAL_2025_12,
        "user_gap": segments.USER_GAP,
        "model_gap": segments.MODEL_GAP,
        "vad": f"silero-vad {version('silero-vad')}",
        "protocol": f"{BENCHMARK.slug}-{BENCHMARK.version}",
        "scorer": __version__,
        "min_coverage": f"{100 * MIN_COVERAGE:.0f} %",
        "scripts": SCRIPTS.values(),
    }
    return render(request, "pages/methodology.html", context)


def organise(request: HttpRequest) -> HttpResponse:
    """Lead organisers to the administration."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not request.user.is_staff:
        raise PermissionDenied
    return redirect("admin:index")


def short_prefix(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Lead from ``/zh-hans/…`` to ``/zh/…``."""
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"/zh/{iri_to_uri(rest)}" + (f"?{query}" if query else ""))


def theme(request: HttpRequest, theme: str) -> HttpResponse:
    """Remember light, dark or automatic, and go back to where the reader was."""
    if theme not in THEMES:
        raise Http404
    back = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(back if safe else "/")
    response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax", secure=request.is_secure())
    return response
