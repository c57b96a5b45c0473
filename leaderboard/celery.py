"""The queue: Celery with the settings of the site."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

# The folder as a queue, mended: see leaderboard/broker.py.
TRANSPORT_ALIASES["filesystem"] = "leaderboard.broker:Transport"

app = Celery("leaderboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
