from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Team(models.Model):
    """People who submit together; limits count per team."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    slug = models.SlugField(unique=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        through="Membership",
        related_name="teams",
        blank=True,
        verbose_name=_("members"),
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("team"), _("teams")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("name"), name="one_team_per_name_in_any_case")
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person in one team; a team has at least one owner."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        MEMBER = "member", _("member")

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined = models.DateTimeField(_("joined"), default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("membership"), _("memberships")
        ordering: ClassVar = ["joined", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class Invitation(models.Model):
    """An open door into a team: by e-mail to one person, or a link for whoever holds it.

    Only the digest of the link's secret is kept, so a copy of the database opens no team.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail"), blank=True, help_text=_("Empty: a link for several."))
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("invited by")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    expires = models.DateTimeField(_("expires"))
    used = models.DateTimeField(_("used"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("invitation"), _("invitations")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.email or 'link'} → {self.team}"


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
    parts = models.TextField(
        _("parts"),
        blank=True,
        help_text=_("Recogniser, language model, synthesiser, turn detector: one a line."),
    )
    weights = models.CharField(_("weights"), max_length=20, choices=Weights.choices, blank=True)
    licence = models.CharField(_("licence"), max_length=80, blank=True)
    paper = models.URLField(_("paper"), blank=True)
    code = models.URLField(_("code"), blank=True)
    hardware = models.CharField(
        _("hardware"), max_length=200, blank=True, help_text=_("What the latencies were made on.")
    )
    external_resources = models.TextField(
        _("external resources"),
        blank=True,
        help_text=_("Services, data or models that are not the team's own."),
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("system"), _("systems")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "name"], name="one_system_per_name_and_team")
        ]

    def __str__(self) -> str:
        return self.name
