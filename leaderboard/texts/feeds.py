"""Feeds: new boards with their causes, for those who do not come by every day."""

from datetime import datetime

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from leaderboard import sentences, words
from leaderboard.board import provenance
from leaderboard.models import Snapshot
from submissions.models import Split

ENTRIES = 50


class Boards(Feed):
    """Every frozen board, newest first; the published causes only, so nothing hidden shows."""

    feed_type = Atom1Feed

    def title(self) -> str:
        return _("%(site)s: boards") % {"site": settings.SITE_NAME}

    def link(self) -> str:
        return reverse("home")

    def subtitle(self) -> str:
        return _("Every frozen board with its cause.")

    def items(self) -> QuerySet[Snapshot]:
        public = Snapshot.objects.filter(split__in=Split.objects.public())
        return public.select_related("split").defer("rows")[:ENTRIES]

    def item_title(self, item: Snapshot) -> str:
        values = {"split": sentences.known(item.split.name), "number": item.pk}
        return _("%(split)s, board %(number)d") % values

    def item_description(self, item: Snapshot) -> str:
        # The rows are left alone: a feed of fifty boards has no numbers of theirs.
        return words.told(sentences.known(item.cause), *provenance.warnings(item.split))

    def item_link(self, item: Snapshot) -> str:
        return reverse("board", args=[item.pk])

    def item_pubdate(self, item: Snapshot) -> datetime:
        return item.created
