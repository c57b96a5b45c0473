from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions.models import Split


class Snapshot(models.Model):
    """A frozen board with its cause. Pages, exports and the API read snapshots only.

    ``rows`` are dicts in order of place, see ``leaderboard.snapshots.BoardRow``. Delay score and
    total belong to the snapshot, since they depend on the fastest system and on the baseline; so do
    intervals and tie groups. ``draws`` is 0 where a board has none. ``moved`` is what changed since
    the board before, see ``leaderboard.board.movement.Movement``.
    """

    split = models.ForeignKey(Split, models.CASCADE, related_name="snapshots")
    created = models.DateTimeField(_("created"), auto_now_add=True)
    cause = models.TextField(_("cause"))
    mode = models.CharField(_("mode"), max_length=10)
    l_min = models.CharField(_("fastest total delay (s)"), max_length=40, blank=True)
    l_min_holder = models.TextField(blank=True)
    l_base = models.CharField(_("baseline's total delay (s)"), max_length=40, blank=True)
    reference_name = models.CharField(max_length=40, blank=True)
    signatures = models.JSONField(_("signatures"), default=list)
    rows = models.JSONField(_("rows"))
    draws = models.PositiveIntegerField(_("draws of the bootstrap"), default=0)
    seed = models.BigIntegerField(_("seed of the bootstrap"), default=0)
    moved = models.JSONField(_("what moved"), default=dict, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("board"), _("boards")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.split} #{self.pk}"
