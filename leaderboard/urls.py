"""The addresses of the site."""

from allauth.account import views as account
from allauth.account.decorators import secure_admin_login
from allauth.urls import build_provider_urlpatterns
from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import LocalePrefixPattern
from django.views.generic import RedirectView

from leaderboard.api import api
from leaderboard.sitemaps import SITEMAPS
from leaderboard.texts.feeds import Boards
from leaderboard.views import (
    badge,
    board,
    card,
    check_report,
    compare,
    downloads,
    health,
    history,
    item,
    items,
    pages,
    scenario,
    sound,
    submission,
    system,
    texts,
)

# The second factor guards the admin too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth documents it


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
    path("board/<int:number>/", board.frozen, name="board"),
    path("board/<int:number>.<slug:form>", board.board_export, name="board-export"),
    path("card.png", card.board, name="card"),
    path("board/<int:number>/card.png", card.board, name="board-card"),
    path("system/<slug:slug>/card.png", card.system, name="system-card"),
    path("embed/board/", board.embedded, name="embed"),
    path("embed/board/<int:number>/", board.embedded, name="embed-board"),
    path("submission/<uuid:pk>/", submission.page, name="submission"),
    path("submission/<uuid:pk>/live/", submission.live, name="submission-live"),
    path("submission/<uuid:pk>/check.csv", check_report.as_csv, name="submission-check"),
    path("submission/<uuid:pk>/items.<slug:form>", downloads.items, name="submission-items"),
    path("submission/<uuid:pk>/report.json", downloads.report, name="submission-report"),
    path("submission/<uuid:pk>/corrections.csv", downloads.corrections, name="corrections"),
    path("items/<slug:slug>/", items.page, name="items"),
    path("item/<slug:slug>/<str:name>/user.wav", sound.user_audio, name="item-user-audio"),
    path("item/<slug:slug>/<str:name>/model.wav", sound.model_audio, name="item-model-audio"),
    path("item/<slug:slug>/<str:name>/sound.flac", sound.dialogue, name="item-sound"),
    path("item/<slug:slug>/<str:name>/user.svg", sound.user_wave, name="item-user-wave"),
    path("item/<slug:slug>/<str:name>/model.svg", sound.model_wave, name="item-model-wave"),
    path("item/<slug:slug>/<str:name>/", item.page, name="item"),
    path("system/<slug:slug>/", system.page, name="system"),
    path("boards/", history.boards, name="boards"),
    path("boards/difference/", history.difference, name="boards-difference"),
    path("scenario/<slug:slug>/", scenario.page, name="scenario"),
    path("scenario/<slug:slug>.<slug:form>", scenario.export, name="scenario-export"),
    path("compare/", compare.page, name="compare"),
    path("compare.<slug:form>", compare.export, name="compare-export"),
    path("methodology/", texts.methodology, name="methodology"),
    path("rules/", texts.text, {"name": "rules"}, name="rules"),
    path("faq/", texts.text, {"name": "faq"}, name="faq"),
    path("how-to-submit/", texts.text, {"name": "how-to-submit"}, name="how-to-submit"),
    path("api/", texts.text, {"name": "api"}, name="api-guide"),
    path("data/", texts.text, {"name": "data"}, name="data"),
    path("changelog/", texts.changes, name="changelog"),
    path("boards.atom", Boards(), name="boards-feed"),
    path("organise/", pages.organise, name="organise"),
    path("account/login/", account.login, name="login"),
    path("account/logout/", account.logout, name="logout"),
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("account/3rdparty/", include("allauth.socialaccount.urls")),
    path("", include("submissions.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("badge/<uuid:pk>.svg", badge.picture, name="badge"),
    path("favicon.ico", RedirectView.as_view(url=static("img/mark.svg"))),
    path("robots.txt", pages.robots, name="robots"),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("theme/<slug:theme>/", pages.theme, name="theme"),
    path("admin/", admin.site.urls),
    # For programs, whatever their language.
    path("api/v1/", api.urls),
    path("uploads/", include("submissions.uploads_urls")),
    # Where others send people back to; one address whatever the language.
    path("account/", include(build_provider_urlpatterns())),
    # Django sends readers of Chinese to its own name of the language; the address is shorter.
    path("zh-hans/", pages.short_prefix),
    path("zh-hans/<path:rest>", pages.short_prefix),
    URLResolver(ShortPrefix(prefix_default_language=True), PAGES),
]
