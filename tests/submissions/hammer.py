"""Submit from several threads of this process at one moment; print what each was told.

python -m tests.submissions.hammer THREADS KIND

It prints ``ready`` when all threads wait, and reads the moment from its standard input.
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
from django.utils import timezone  # noqa: E402 (likewise)

from submissions.models import Split, Team  # noqa: E402 (likewise)
from submissions.services.submit import Files, SubmissionRefused, record  # noqa: E402 (likewise)


class Gate:
    """Lets all threads go on at the moment that the standard input names."""

    def __init__(self, threads: int) -> None:
        self._all_here = threading.Barrier(threads + 1)
        self._start = ""

    def wait(self) -> None:
        self._all_here.wait()
        self._all_here.wait()
        time.sleep(max(0.0, float(self._start) - time.time()))

    def open(self) -> None:
        self._all_here.wait()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        self._start = sys.stdin.readline()
        self._all_here.wait()


def attempt(gate: Gate, *, is_trial: bool) -> str:
    split, team, user = Split.objects.get(), Team.objects.get(), User.objects.get()
    files = Files("archives/none.zip", "HD-Track2.zip", 1)
    gate.wait()
    try:
        record(files, split, team, "Parrot", user, is_trial=is_trial, received=timezone.now())
    except SubmissionRefused as error:
        return error.code
    finally:
        connection.close()
    return "taken"


def main(threads: int, is_trial: bool) -> None:
    told: list[str] = []
    gate = Gate(threads)
    workers = [
        threading.Thread(target=lambda: told.append(attempt(gate, is_trial=is_trial)))
        for _ in range(threads)
    ]
    for worker in workers:
        worker.start()
    gate.open()
    for worker in workers:
        worker.join()
    sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "trial")
