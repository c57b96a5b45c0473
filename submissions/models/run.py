from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.errors import Phrase
from scoring.evidence import MODES
from scoring.signature import Signature, both
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
        _("judges"),
        default=dict,
        help_text=_("Per mode, what came back of the judge where it differs from what was asked."),
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
    waiting = models.JSONField(
        _("waiting for the judge"),
        null=True,
        blank=True,
        help_text=_("What keeps the judge, since when, and when it is asked again."),
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
        """The signature of both modes, with what came back of the judges (decision 27)."""
        return str(both(*map(self._signature_of, MODES)))

    def signature_of(self, mode: str) -> str:
        """The signature of the numbers of one mode, as a report made at home has it."""
        return str(self._signature_of(mode))

    def asks(self, mode: str) -> bool:
        """Whether a judge is asked in a mode."""
        return Signature.parse(self.signature).asks(mode)

    @property
    def asked(self) -> tuple[str, ...]:
        """The modes in which a judge is asked, the one that ranks first."""
        ranks = self.submission.split.ranking_mode
        return tuple(sorted(filter(self.asks, MODES), key=lambda mode: mode != ranks))

    def absence(self, mode: str) -> Phrase:
        """What it means when a mode has no verdict of a judged item."""
        return Signature.parse(self.signature).absence(mode)

    def _signature_of(self, mode: str) -> Signature:
        # Older releases kept the names that came back for both modes together.
        known = self.judges if isinstance(self.judges, dict) else {}
        said = known.get(mode, "") if known else ",".join(self.judges)
        return Signature.parse(self.signature).of(mode).answered(said)


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
