from dataclasses import replace
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.signature import Signature
from submissions.models.split import Item
from submissions.models.submission import Submission


class Run(models.Model):
    """One scoring of one submission with one signature; never overwritten by another.

    ``results`` holds, per mode, the scenarios and totals in the form of a score report.
    """

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="runs")
    signature = models.TextField(
        _("signature"), help_text=_("What the numbers are made with, as asked for.")
    )
    judges = models.JSONField(
        _("judges"), default=list, help_text=_("Names of the judges that came back.")
    )
    unofficial = models.JSONField(
        _("unofficial engines"),
        default=list,
        help_text=_("Engines that are not the official ones."),
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    finished = models.DateTimeField(_("finished"), null=True, blank=True)
    estimate = models.JSONField(
        null=True, blank=True, help_text=_("Calls, tokens and cost expected before judging.")
    )
    results = models.JSONField(null=True, blank=True)
    components = models.JSONField(
        null=True,
        blank=True,
        help_text=_("Per mode, the parts of every item that intervals are made from."),
    )

    class Meta:
        verbose_name, verbose_name_plural = _("run"), _("runs")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.submission} · {self.created:%Y-%m-%d %H:%M}"

    @property
    def full_signature(self) -> str:
        """The signature with the judge names that came back, if others (decision 27)."""
        signature = Signature.parse(self.signature)
        if not self.judges:
            return self.signature
        return str(replace(signature, judge=f"{signature.judge}=>{','.join(self.judges)}"))


class ItemResult(models.Model):
    """One item of one run. What is absent says what is still to be done.

    ``evidence`` absent: not heard yet. ``judged`` absent: no final word of the judge yet.
    ``official`` and ``strict`` hold the results per mode in the form of a score report.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="items")
    item = models.ForeignKey(Item, models.PROTECT, related_name="results")
    evidence = models.JSONField(null=True, blank=True)
    heard = models.DateTimeField(null=True, blank=True)
    judged = models.DateTimeField(null=True, blank=True)
    official = models.JSONField(null=True, blank=True)
    strict = models.JSONField(null=True, blank=True)
    claimed = models.DateTimeField(null=True, blank=True)
    claimed_by = models.CharField(max_length=120, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("item result"), _("item results")
        ordering: ClassVar = ["item__position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "item"], name="one_result_per_run_and_item")
        ]

    def __str__(self) -> str:
        return f"{self.item}"
