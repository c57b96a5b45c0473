from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions.models import Run, Split


class Snapshot(models.Model):
    """A frozen board with its cause. Pages, exports and the API read snapshots only.

    ``rows`` are dicts in order of place, see ``leaderboard.snapshots.BoardRow``. Delay score and
    total belong to the snapshot, since they depend on the fastest system and on the baseline; so do
    intervals and tie groups. ``draws`` is 0 where a board has none. ``moved`` is what changed since
    the board before, see ``leaderboard.board.movement.Movement``. ``rules`` is what it was made by,
    see ``leaderboard.board.rules``.
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
    rules = models.JSONField(_("rules"), default=dict, blank=True)
    moved = models.JSONField(_("what moved"), default=dict, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("board"), _("boards")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.split} #{self.pk}"


class Draws(models.Model):
    """The numbers of one run in every draw of a board's bootstrap, for paired differences.

    Rows of frozen boards name it; ``content`` is what ``leaderboard.board.paired`` packs. It goes
    with its run: then the board's differences to that row have no interval any more.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="draws")
    digest = models.CharField(max_length=64)
    columns = models.JSONField()
    smallest = models.PositiveIntegerField(_("items of the smallest stratum"))
    content = models.BinaryField()

    class Meta:
        verbose_name, verbose_name_plural = _("draws"), _("draws")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "digest"], name="draws_once_per_content"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.digest[:8]}"


class ScenarioPage(models.Model):
    """What one scenario page shows of the newest board of a split, worked out after its freeze.

    ``language`` is empty for the numbers, which serve all languages and exports. ``made_by`` names
    the code, templates and words that made it: what others made is made anew.
    """

    snapshot = models.ForeignKey(Snapshot, models.CASCADE, related_name="scenario_pages")
    slug = models.CharField(max_length=40)
    language = models.CharField(max_length=10, blank=True)
    made_by = models.CharField(max_length=64)
    content = models.BinaryField()

    class Meta:
        verbose_name, verbose_name_plural = _("scenario page"), _("scenario pages")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["snapshot", "slug", "language"], name="one_scenario_page_per_language"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.snapshot_id} {self.slug} {self.language}"
