"""Kill the worker in the middle of scoring, for real; the table must not notice."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import dj_database_url
import psutil
import pytest
from django.db.utils import ConnectionHandler

from scoring.home import Engines, score_submission
from scoring.report import item_to_json
from tests.planned import manifest_of

pytestmark = [pytest.mark.models, pytest.mark.slow, pytest.mark.usefixtures("own_database")]

PATIENCE = 240


@pytest.fixture
def own_database(django_db_blocker):
    """Each site here has a database of its own, not the one of the tests."""
    with django_db_blocker.unblock():
        yield


class Site:
    """A site of its own: data folder, database, queue and worker."""

    def __init__(self, folder, database_url=None, broker_url=None):
        self.env = {
            **os.environ,
            "DATA_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
            "SCORING_CHUNK": "4",
        }
        self.env |= {"DATABASE_URL": database_url or f"sqlite:///{folder / 'site.sqlite3'}"}
        self.env |= {"BROKER_URL": broker_url or "filesystem://"}
        config = dj_database_url.parse(self.env["DATABASE_URL"])
        self.connections = ConnectionHandler({"default": config})

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, env=self.env, check=True, capture_output=True)

    def worker(self, processes=2):
        options = ["--app", "leaderboard", "worker", "--beat", "--concurrency", str(processes)]
        return subprocess.Popen(
            [sys.executable, "-m", "celery", *options, "--loglevel", "warning"],
            env=self.env,
            start_new_session=True,
        )

    def query(self, sql):
        with self.connections["default"].cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    def wait_for(self, sql, number):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.query(sql)[0][0] >= number:
                return
            time.sleep(0.1)
        raise AssertionError(f"waited {PATIENCE} s for {sql}: {self.query(sql)}")

    def table(self):
        """The board, and every item result behind it."""
        board = self.query(
            "SELECT rows FROM leaderboard_snapshot s JOIN submissions_split p ON p.id = s.split_id "
            "WHERE p.slug = 'demo' ORDER BY s.id DESC LIMIT 1"
        )[0][0]
        rows = json.loads(board) if isinstance(board, str) else board
        items = self.query(
            "SELECT i.slug, r.official, r.strict FROM submissions_itemresult r "
            "JOIN submissions_item i ON i.id = r.item_id ORDER BY i.position"
        )
        return [{**row, "link": "", "received": ""} for row in rows], items


HEARD = "SELECT count(*) FROM submissions_itemresult WHERE heard IS NOT NULL"
JUDGED = "SELECT count(*) FROM submissions_itemresult WHERE judged IS NOT NULL"
FINISHED = "SELECT count(*) FROM submissions_run WHERE finished IS NOT NULL"


@contextmanager
def running(site, processes=2):
    worker = site.worker(processes)
    try:
        yield worker
    finally:
        kill(worker)


def kill(worker):
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def scored(site, kill_when=()):
    site.manage("migrate", "-v0")
    site.manage("load_demo", "--systems", "prompt")
    for sql, number in kill_when:
        with running(site):
            site.wait_for(sql, number)
    with running(site):
        site.wait_for(FINISHED, 1)
    return site.table()


def test_a_killed_worker_changes_nothing(tmp_path):
    for name in ("calm", "killed"):
        (tmp_path / name).mkdir()
    calm = scored(Site(tmp_path / "calm"))
    killed = scored(Site(tmp_path / "killed"), [(HEARD, 4), (HEARD, 12), (JUDGED, 8)])
    assert calm[0][0]["system"] == "prompt"
    assert len(calm[1]) == 20
    assert killed[1] == calm[1]
    assert killed[0] == calm[0]


def test_four_workers_with_one_killed_give_the_numbers_of_the_command_line(tmp_path, mini):
    site = Site(tmp_path)
    site.manage("migrate", "-v0")
    site.manage("load_demo", "--systems", "jumpy")
    with running(site, processes=4) as worker:
        site.wait_for(HEARD, 4)
        os.kill(a_busy_child(site, worker), signal.SIGKILL)
        site.wait_for(FINISHED, 1)
    archive = mini / "submissions" / "jumpy" / "HD-Track2.zip"
    tools = Engines().tools(imported=False)
    scored = score_submission(mini, manifest_of(mini), archive, tools=tools, mode="official")
    expected = [item_to_json(result) for result in scored.items]
    found = [row[1] for row in site.table()[1]]
    assert [json.loads(one) if isinstance(one, str) else one for one in found] == expected


def a_busy_child(site, worker):
    """Wait for a process of the worker that holds items, and name it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        claims = "SELECT claimed_by FROM submissions_itemresult WHERE claimed IS NOT NULL"
        holders = {int(name.split(":")[1]) for (name,) in site.query(claims)}
        for child in psutil.Process(worker.pid).children():
            if child.pid in holders:
                return child.pid
    raise AssertionError("no process of the worker held any item")


@pytest.mark.services
def test_a_killed_worker_changes_nothing_on_postgres_and_redis(tmp_path, postgres_url, redis_url):
    folders = [tmp_path / name for name in ("calm", "killed")]
    tables = []
    for number, folder in enumerate(folders):
        folder.mkdir()
        with database(postgres_url) as url:
            broker = urlsplit(redis_url)._replace(path=f"/{number + 5}").geturl()
            tables.append(scored(Site(folder, url, broker), [(HEARD, 6), (JUDGED, 8)] * number))
    assert tables[0] == tables[1]


@contextmanager
def database(url):
    """Make a database of its own beside the given one."""
    config = dj_database_url.parse(url)
    name = f"kill_{secrets.token_hex(4)}"
    connection = ConnectionHandler({"default": config})["default"]
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    connection.close()
    yield urlsplit(url)._replace(path=f"/{name}").geturl()
