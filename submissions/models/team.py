from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Team(models.Model):
    """People who submit together; limits count per team."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    slug = models.SlugField(unique=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="teams", blank=True, verbose_name=_("members")
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("team"), _("teams")
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class System(models.Model):
    """A dialogue system that a team describes once and submits many times."""

    class Architecture(models.TextChoices):
        CASCADE = "cascade", _("cascade")
        SEMI_CASCADE = "semi-cascade", _("semi-cascade")
        END_TO_END = "end-to-end", _("end-to-end")

    class Weights(models.TextChoices):
        OPEN = "open", _("open weights")
        CLOSED = "closed", _("closed weights")

    team = models.ForeignKey(Team, models.PROTECT, related_name="systems", verbose_name=_("team"))
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True)
    description = models.TextField(_("description"), blank=True)
    architecture = models.CharField(
        _("architecture"), max_length=20, choices=Architecture.choices, blank=True
    )
    weights = models.CharField(_("weights"), max_length=20, choices=Weights.choices, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("system"), _("systems")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "name"], name="one_system_per_name_and_team")
        ]

    def __str__(self) -> str:
        return self.name
