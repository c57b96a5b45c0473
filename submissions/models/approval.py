from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions.models.split import Split
from submissions.models.team import Team


class Approval(models.Model):
    """A team's request to take part in a split that asks for the organiser's approval."""

    class State(models.TextChoices):
        REQUESTED = "requested", _("requested")
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")

    split = models.ForeignKey(Split, models.CASCADE, related_name="approvals")
    team = models.ForeignKey(Team, models.CASCADE, related_name="approvals")
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.REQUESTED
    )
    message = models.TextField(_("message"), blank=True)
    answer = models.TextField(_("answer"), blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("approval"), _("approvals")
        ordering: ClassVar = ["-created"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["split", "team"], name="one_approval_per_team")
        ]

    def __str__(self) -> str:
        return f"{self.team} → {self.split}: {self.state}"
