"""A worker of a site with the demonstration that knows the planned words: no model hears.

    python -m tests.planned_worker OPTIONS

The options are those of a worker of Celery.
"""

import os
import sys
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.conf import settings  # noqa: E402 (needs the set-up above)

from leaderboard.celery import app  # noqa: E402 (likewise)
from scoring import asr  # noqa: E402 (likewise)
from tests.planned import planned  # noqa: E402 (likewise)


def main(options: list[str]) -> None:
    mini = settings.DATA_DIR / "humdial-mini"
    with patch.object(asr, "load", lambda name, **options: planned(mini)):
        app.worker_main(["worker", *options])


if __name__ == "__main__":
    main(sys.argv[1:])
