from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class MailSettings(models.Model):
    """Which mails a person wants, and in which language; without a row, all of them."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mail_settings"
    )
    finished = models.BooleanField(_("when a submission is scored"), default=True)
    failed = models.BooleanField(_("when something fails or is refused"), default=True)
    deadline = models.BooleanField(_("before a deadline"), default=True)
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default="en"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("mail settings"), _("mail settings")

    def __str__(self) -> str:
        return f"{self.user}"


class SentMail(models.Model):
    """A mail that went out, so that no task that runs twice sends it twice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    about = models.CharField(max_length=120)
    sent = models.DateTimeField(_("sent"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("sent mail"), _("sent mails")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "about"], name="one_mail_per_occasion")
        ]

    def __str__(self) -> str:
        return f"{self.about} → {self.user}"
