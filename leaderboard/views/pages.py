"""Small doors: the organisers' desk, the short prefix of Chinese, the theme, robots."""

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
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from leaderboard.context import THEMES

YEAR = 31_536_000


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


def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines what is nobody's to list: accounts, uploads, sounds."""
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    return render(request, "robots.txt", {"sitemap": sitemap}, content_type="text/plain")
