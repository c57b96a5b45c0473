from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Token(models.Model):
    """A personal key for the API. Only its digest is kept; the key is shown once."""

    class Scope(models.TextChoices):
        READ = "read", _("read only")
        SUBMIT = "submit", _("read and submit")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=80)
    scope = models.CharField(_("scope"), max_length=10, choices=Scope.choices, default=Scope.READ)
    start = models.CharField(
        _("begins with"), max_length=12, help_text=_("Enough to recognise it, not to use it.")
    )
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    expires = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("token"), _("tokens")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"
