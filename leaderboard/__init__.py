"""The Django project and the public site."""

from leaderboard.celery import app as celery_app

__all__ = ["celery_app"]
