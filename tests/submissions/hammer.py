"""Submit from several threads of this process at one moment; print what each was told.

python -m tests.submissions.hammer THREADS START TRIAL
"""

import os
import sys
import threading
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402 (needs the set-up above)
from django.db import connection  # noqa: E402 (likewise)

from submissions.models import Split, Team  # noqa: E402 (likewise)
from submissions.services.submit import Files, SubmissionRefused, record  # noqa: E402 (likewise)


def attempt(start: float, *, is_trial: bool) -> str:
    split, team, user = Split.objects.get(), Team.objects.get(), User.objects.get()
    files = Files("archives/none.zip", "HD-Track2.zip", 1)
    time.sleep(max(0.0, start - time.time()))
    try:
        record(files, split, team, "Parrot", user, is_trial=is_trial)
    except SubmissionRefused as error:
        return error.code
    finally:
        connection.close()
    return "taken"


def main(threads: int, start: float, is_trial: bool) -> None:
    told: list[str] = []
    workers = [
        threading.Thread(target=lambda: told.append(attempt(start, is_trial=is_trial)))
        for _ in range(threads)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "trial")
