from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions import validation
from submissions.models.split import Split
from submissions.models.submission import Kind


def _score(label: Any) -> models.DecimalField:
    return models.DecimalField(label, max_digits=5, decimal_places=1, null=True, blank=True)


class ReportedResult(models.Model):
    """A row that somebody else published: parts as printed, and what they printed beside them.

    Scores and ranks are computed by us from the parts; the published figures stand beside them
    for comparison and are never "fixed".
    """

    split = models.ForeignKey(Split, models.CASCADE, related_name="reported")
    team = models.CharField(_("team"), max_length=80)
    slug = models.SlugField()
    aliases = models.JSONField(_("other names"), default=list, blank=True)
    kind = models.CharField(_("kind of entry"), max_length=12, choices=Kind.choices)
    invited = models.BooleanField(_("invited to submit a paper"), default=False)
    architecture = models.CharField(_("architecture"), max_length=20, blank=True)
    interruption_cn = _score(_("interruption, Chinese"))
    interruption_en = _score(_("interruption, English"))
    interruption = _score(_("interruption"))
    rejection_cn = _score(_("rejection, Chinese"))
    rejection_en = _score(_("rejection, English"))
    rejection = _score(_("rejection"))
    delay = models.DecimalField(
        _("total delay (s)"), max_digits=6, decimal_places=3, null=True, blank=True
    )
    published_delay_score = _score(_("delay score as published"))
    published_total = _score(_("total as published"))
    published_rank = models.PositiveSmallIntegerField(_("rank as published"), null=True, blank=True)
    source = models.CharField(_("source"), max_length=200)
    source_url = models.URLField(_("address of the source"), blank=True)
    published_on = models.DateField(_("published on"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("reported result"), _("reported results")
        ordering: ClassVar = ["-published_total"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["split", "slug"], name="one_reported_result_per_slug")
        ]

    def __str__(self) -> str:
        return self.team

    def clean(self) -> None:
        """Refuse numbers that cannot be, each at its field."""
        validation.demand(validation.of_reported(self))
