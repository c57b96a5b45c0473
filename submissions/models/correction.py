from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.judge import labels
from submissions.models.run import Run
from submissions.models.split import Item
from submissions.models.submission import Submission


class Correction(models.Model):
    """What an organiser read in one item, against the judge's label. Only ever added to.

    The newest word about an item of a submission stands; without a label it takes the one before
    back, and the judge's label stands again. A run takes those that stand when it starts.

    Label, reason and date are for everybody who may see the item. The person's name is for the
    team and the organisers, as in the log: they may need to ask. The public learns that it was an
    organiser; a name would only invite pressure on one person, and it opens an account here.
    """

    class Label(models.TextChoices):
        RESPOND = labels.RESPOND, "RESPOND"
        RESUME = labels.RESUME, "RESUME"
        UNCERTAIN = labels.UNCERTAIN, "UNCERTAIN"
        UNKNOWN = labels.UNKNOWN, "UNKNOWN"

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="corrections")
    item = models.ForeignKey(Item, models.PROTECT, related_name="corrections")
    label = models.CharField(
        _("label"),
        max_length=24,
        blank=True,
        choices=Label.choices,
        help_text=_("Empty: the judge's label stands again."),
    )
    reason = models.TextField(_("reason"), max_length=500)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("when"), auto_now_add=True)
    runs = models.ManyToManyField(
        Run, blank=True, related_name="corrections", verbose_name=_("runs that took it")
    )

    class Meta:
        verbose_name, verbose_name_plural = _("correction"), _("corrections")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.item}: {self.label or '–'}"
