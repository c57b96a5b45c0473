"""Kill the worker in the middle of scoring, for real; the table must not notice."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import dj_database_url
import psutil
import pytest
from django.db.utils import ConnectionHandler

from scoring.evidence import MODES
from scoring.home import Engines, score_submission
from scoring.report import score_report
from tests.at_home import scored_at_home
from tests.planned import manifest_of, planned

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_database")]

PATIENCE = 240
SYSTEM = "jumpy"


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
            "JUDGE_CHUNK": "4",
        }
        self.env |= {"DATABASE_URL": database_url or f"sqlite:///{folder / 'site.sqlite3'}"}
        self.env |= {"BROKER_URL": broker_url or "filesystem://"}
        config = dj_database_url.parse(self.env["DATABASE_URL"])
        self.connections = ConnectionHandler({"default": config})

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, env=self.env, check=True, capture_output=True)

    def worker(self, program, processes):
        options = ["--beat", "--concurrency", str(processes), "--loglevel", "warning"]
        command = [sys.executable, "-m", *program, *options]
        return subprocess.Popen(command, env=self.env, start_new_session=True)

    def query(self, sql):
        with self.connections["default"].cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    def wait_for(self, sql, number):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.query(sql)[0][0] >= number:
                return
            time.sleep(0.02)
        raise AssertionError(f"waited {PATIENCE} s for {sql}: {self.query(sql)}")

    def stored(self):
        """The results of both modes, the items behind them, and the rows of every board."""
        ((results,),) = self.query("SELECT results FROM submissions_run")
        items = self.query(
            "SELECT r.official, r.strict FROM submissions_itemresult r "
            "JOIN submissions_item i ON i.id = r.item_id ORDER BY i.position"
        )
        boards = self.query(
            "SELECT rows FROM leaderboard_snapshot s JOIN submissions_split p ON p.id = s.split_id "
            "WHERE p.slug = 'demo'"
        )
        return plain(results), plain(items), plain(boards)


def plain(value):
    """What a column of JSON says: SQLite gives it as text."""
    if isinstance(value, str):
        return json.loads(value)
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


HEARD = "SELECT count(*) FROM submissions_itemresult WHERE heard IS NOT NULL"
JUDGED = "SELECT count(*) FROM submissions_itemresult WHERE judged IS NOT NULL"
FINISHED = "SELECT count(*) FROM submissions_run WHERE finished IS NOT NULL"


HEARING = ("celery", "--app", "leaderboard", "worker")
# With planned words, where the queue is the thing: what a kill interrupts is as real.
PLANNED = ("tests.planned_worker",)


@contextmanager
def running(site, program, processes=2):
    worker = site.worker(program, processes)
    try:
        yield worker
    finally:
        kill(worker)


def kill(worker):
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def load(site):
    site.manage("migrate", "-v0")
    site.manage("load_demo", "--systems", SYSTEM)


def kill_again_and_again(site, *moments):
    """Let a worker begin, kill it at each of the moments, and let the last one finish."""
    for sql, number in moments:
        with running(site, PLANNED):
            site.wait_for(sql, number)
    with running(site, PLANNED):
        site.wait_for(FINISHED, 1)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """The folder of a site whose only entry waits for its check."""
    folder = tmp_path_factory.mktemp("loaded")
    load(Site(folder))
    return folder


@pytest.fixture
def site(loaded, tmp_path):
    return Site(shutil.copytree(loaded, tmp_path / "site"))


@pytest.fixture(scope="module")
def heard(mini, tmp_path_factory):
    """The entry as the command line hears and scores it."""
    return reports(scored_at_home(tmp_path_factory, mini, SYSTEM).values())


@pytest.fixture(scope="module")
def planned_words(mini):
    """The entry as the command line scores it with the planned words."""
    words = dict.fromkeys(("cn", "en"), planned(mini))
    tools = replace(Engines().tools(imported=False), transcribers=words)
    archive, manifest = mini / "submissions" / SYSTEM / "HD-Track2.zip", manifest_of(mini)
    score = partial(score_submission, mini, manifest, archive, tools=tools)
    return reports(score(mode=mode) for mode in MODES)


def reports(scored):
    return json.loads(json.dumps([score_report(one, "", ()) for one in scored]))


def assert_stored(site, reports):
    """The site stores what the command line reports, and shows it on one board."""
    results, items, boards = site.stored()
    assert len(items) == 20
    for number, report in enumerate(reports):
        mode = report["mode"]
        assert [row[number] for row in items] == report["items"], mode
        assert results[mode]["scenarios"] == report["scenarios"], mode
        assert results[mode]["totals"] == report["totals"], mode
    (((row,),),) = boards
    assert (row["system"], row["rank"]) == (SYSTEM, 1)
    numbers = ("interruption", "rejection", "delay")
    assert [row[name] for name in numbers] == [reports[0]["totals"][name] for name in numbers]


def test_a_killed_worker_changes_nothing(site, planned_words):
    kill_again_and_again(site, (HEARD, 4), (HEARD, 12), (JUDGED, 8))
    assert_stored(site, planned_words)


@pytest.mark.models
def test_four_workers_with_one_killed_give_the_numbers_of_the_command_line(site, heard):
    with running(site, HEARING, processes=4) as worker:
        site.wait_for(HEARD, 4)
        os.kill(a_busy_child(site, worker), signal.SIGKILL)
        site.wait_for(FINISHED, 1)
    assert_stored(site, heard)


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
def test_a_killed_worker_changes_nothing_on_postgres_and_redis(
    tmp_path, planned_words, postgres_url, redis_url
):
    with database(postgres_url) as url:
        site = Site(tmp_path, url, urlsplit(redis_url)._replace(path="/5").geturl())
        load(site)
        kill_again_and_again(site, (HEARD, 4), (JUDGED, 8))
        assert_stored(site, planned_words)


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
