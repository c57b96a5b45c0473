from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write to people who sign up in the language that they sign up in."""
        from allauth.account.signals import user_signed_up

        from submissions.emails import remember_language

        user_signed_up.connect(remember_language)
