"""The addresses of the site."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import LocalePrefixPattern
from django.views.generic import RedirectView

from leaderboard.views import board, health, item, pages, submission


class ShortPrefix(LocalePrefixPattern):
    """The language prefix of a page: ``/zh/`` for what Django calls zh-hans."""

    @property
    def language_prefix(self) -> str:
        return str(super().language_prefix).replace("zh-hans/", "zh/")


PAGES: list[URLPattern | URLResolver] = [
    path("", board.home, name="home"),
    path("split/<slug:slug>/", board.split_page, name="split"),
    path("split/<slug:slug>/live/", board.split_live, name="split-live"),
    path("split/<slug:slug>.<slug:form>", board.split_export, name="split-export"),
    path("board/<int:number>/", board.board_page, name="board"),
    path("board/<int:number>.<slug:form>", board.board_export, name="board-export"),
    path("submission/<uuid:pk>/", submission.page, name="submission"),
    path("submission/<uuid:pk>/live/", submission.live, name="submission-live"),
    path("item/<slug:slug>/<str:name>/user.wav", item.user_audio, name="item-user-audio"),
    path("item/<slug:slug>/<str:name>/model.wav", item.model_audio, name="item-model-audio"),
    path("item/<slug:slug>/<str:name>/", item.page, name="item"),
    path("methodology/", pages.methodology, name="methodology"),
    path("organise/", pages.organise, name="organise"),
    path("accounts/login/", auth.LoginView.as_view(), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("", include("submissions.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("favicon.ico", RedirectView.as_view(url=static("img/mark.svg"))),
    path("theme/<slug:theme>/", pages.theme, name="theme"),
    path("admin/", admin.site.urls),
    # Django sends readers of Chinese to its own name of the language; the address is shorter.
    path("zh-hans/", pages.short_prefix),
    path("zh-hans/<path:rest>", pages.short_prefix),
    URLResolver(ShortPrefix(prefix_default_language=True), PAGES),
]
