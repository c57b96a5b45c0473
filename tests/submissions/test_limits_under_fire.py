"""Forty submissions at one moment, from real processes with real connections."""

import subprocess
import sys
import time
from collections import Counter

import pytest

from tests.served import ROOT, SEED, Served, environment, run_python
from tests.submissions.test_kill import database

pytestmark = pytest.mark.slow

PROCESSES, THREADS = 2, 20
# Seconds from the word to all to the attempts: both processes must have heard it.
MOMENT = 0.5


def fire(env, kind):
    """Count what forty attempts were told."""
    command = [sys.executable, "-m", "tests.submissions.hammer", str(THREADS), kind]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(command, env=env, cwd=ROOT, **pipes) for _ in range(PROCESSES)]
    for one in running:
        assert one.stdout.readline() == "ready\n"
    start = str(time.time() + MOMENT)
    told = [line for one in running for line in one.communicate(start, timeout=240)[0].split()]
    assert [one.returncode for one in running] == [0] * PROCESSES
    return Counter(told)


def limit(env, **fields):
    code = f"from submissions.models import Split; Split.objects.update(**{fields})"
    run_python("manage.py", "shell", "-v0", "-c", code, env=env)


def test_forty_at_once_leave_exactly_the_quota_on_sqlite(tmp_path):
    env = Served(tmp_path).env
    limit(env, limit_total=3)
    assert fire(env, "real") == {"taken": 3, "quota-total-used": 37}


def test_forty_at_once_leave_one_where_one_at_a_time_is_the_rule(tmp_path):
    env = Served(tmp_path).env
    limit(env, one_at_a_time=True)
    assert fire(env, "real") == {"taken": 1, "one-at-a-time": 39}


def test_forty_trials_at_once_leave_those_of_a_day(tmp_path):
    env = Served(tmp_path).env | {"TRIALS_PER_DAY": "5"}
    assert fire(env, "trial") == {"taken": 5, "trials-of-the-day-used": 35}


@pytest.mark.services
@pytest.mark.usefixtures("_unblocked")
def test_forty_at_once_leave_exactly_the_quota_on_postgres(tmp_path, postgres_url):
    with database(postgres_url) as url:
        env = environment(tmp_path) | {"DATABASE_URL": url}
        run_python("manage.py", "migrate", "-v0", env=env)
        run_python("manage.py", "shell", "-v0", "-c", SEED, env=env)
        limit(env, limit_per_day=3)
        assert fire(env, "real") == {"taken": 3, "quota-day-used": 37}


@pytest.fixture
def _unblocked(django_db_blocker):
    """The database here is not the one of the tests."""
    with django_db_blocker.unblock():
        yield
