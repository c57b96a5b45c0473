from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SubmissionsConfig(AppConfig):
    name = "submissions"
    verbose_name = _("Splits and submissions")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write to people who sign up in the language that they sign up in."""
        from allauth.account.signals import user_signed_up

        from submissions.emails import remember_language

        user_signed_up.connect(remember_language)
