"""What search engines are told to look at: the public pages, in both languages."""

from datetime import datetime
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import Max, QuerySet
from django.urls import reverse

from leaderboard.models import Snapshot
from scoring.humdial import SCENARIOS
from submissions.models import ReportedResult, Split, Submission
from submissions.states import LEFT

PLAIN = (
    "home",
    "boards",
    "compare",
    "methodology",
    "rules",
    "faq",
    "how-to-submit",
    "api-guide",
    "data",
    "changelog",
)


class _Pages(Sitemap):
    """Pages under a language prefix; each names its counterpart."""

    i18n = True
    alternates = True


class Texts(_Pages):
    """Pages that every site has."""

    def items(self) -> list[str]:
        return list(PLAIN)

    def location(self, item: str) -> str:
        return reverse(item)


class Scenarios(_Pages):
    """One page for each scenario of the benchmark."""

    def items(self) -> list[str]:
        return list(SCENARIOS)

    def location(self, item: str) -> str:
        return reverse("scenario", args=[item])


class Splits(_Pages):
    """The current board of each split."""

    def items(self) -> "QuerySet[Any]":
        return Split.objects.public().annotate(frozen=Max("snapshots__created"))

    def location(self, item: Split) -> str:
        return reverse("split", args=[item.slug])

    def lastmod(self, item: Any) -> datetime | None:
        return item.frozen


class Boards(_Pages):
    """Every frozen board."""

    def items(self) -> "QuerySet[Snapshot]":
        public = Snapshot.objects.filter(split__in=Split.objects.public())
        return public.only("pk", "created").order_by("-pk")

    def location(self, item: Snapshot) -> str:
        return reverse("board", args=[item.pk])

    def lastmod(self, item: Snapshot) -> datetime:
        return item.created


class Systems(_Pages):
    """Systems with numbers that everybody may see, and those that were reported elsewhere."""

    def items(self) -> list[str]:
        splits = Split.objects.public()
        public = Submission.objects.filter(
            published__isnull=False, is_trial=False, split__in=splits
        )
        scored = public.exclude(state__in=LEFT)
        rows = ReportedResult.objects.filter(split__in=splits)
        reported = rows.values_list("slug", flat=True)
        return sorted({*scored.values_list("system__slug", flat=True), *reported})

    def location(self, item: str) -> str:
        return reverse("system", args=[item])


SITEMAPS: dict[str, type[Sitemap]] = {
    "texts": Texts,
    "scenarios": Scenarios,
    "splits": Splits,
    "boards": Boards,
    "systems": Systems,
}
