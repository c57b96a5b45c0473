"""The site's addresses, and one that answers with nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from leaderboard.urls import urlpatterns as site


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"")


urlpatterns = [path("empty/", empty), *site]
