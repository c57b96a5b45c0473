from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    verbose_name = _("Boards")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Freeze a new board whenever the entries of one have changed."""
        from leaderboard.snapshots import on_board_changed
        from submissions.signals import board_changed

        board_changed.connect(on_board_changed)
