"""Kill the worker in the middle of an import, for real; the split must not notice."""

import os
import shutil
import signal
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from leaderboard.demo import at_size
from leaderboard.demo.mini import Mini
from tests.submissions.test_kill import (  # noqa: F401 (the fixture comes by its name)
    HEARING,
    Site,
    database,
    own_database,
    running,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_database")]

# Dialogues of each script and language; enough that workers are killed long before the end.
EACH = 2
BEGIN = """
from pathlib import Path
from submissions.services.import_folder import manifest_in
from submissions.services.import_turns import begin
folder = Path({folder!r})
begin("big", folder, manifest_in(folder), who=None, fields={{"name": "Big"}})
"""
DONE = "SELECT done FROM submissions_splitimport"
COMPLETE = "SELECT count(*) FROM submissions_splitimport WHERE state = 'done'"
SPLITS = "SELECT count(*) FROM submissions_split"
HOLDERS = "SELECT claimed_by FROM submissions_splitimport WHERE claimed_by <> ''"
ITEMS = (
    "SELECT position, slug, language, scenario, duration, speech, noisy_words, clean_words, "
    "annotation FROM submissions_item ORDER BY position"
)


@pytest.fixture(scope="session")
def big(tmp_path_factory, mini):
    """A folder of some size, as an organiser lays it out."""
    folder = tmp_path_factory.mktemp("big")
    mini_split = Mini.read(mini)
    those = at_size.dialogues(mini_split.manifest, EACH)
    at_size.write_split(folder, mini_split, those)
    (folder / "manifest.csv").write_text(at_size.manifest_of(those).to_csv(), encoding="utf-8")
    return folder


def begun(folder, source, **options):
    folder.mkdir(exist_ok=True)
    site = Site(folder, **options)
    site.manage("migrate", "-v0")
    site.manage("shell", "-v0", "-c", BEGIN.format(folder=str(source)))
    return site


@pytest.fixture(scope="module")
def waiting(tmp_path_factory, big):
    """The folder of a site whose import waits for its first worker."""
    folder = tmp_path_factory.mktemp("waiting")
    begun(folder, big)
    return folder


def imported(site):
    """Let a worker end it; return the items of the split, each with one recording on the disk."""
    with running(site, HEARING):
        site.wait_for(COMPLETE, 1)
    media = Path(site.env["DATA_DIR"]) / "media"
    stored = [path for path in media.rglob("*") if path.is_file()]
    items = site.query(ITEMS)
    assert len(stored) == len(items) == 20 * EACH
    return items


def test_a_killed_worker_changes_no_split(tmp_path, waiting):
    calm, killed = (Site(shutil.copytree(waiting, tmp_path / name)) for name in ("calm", "killed"))
    for done in (8, 24):
        with running(killed, HEARING):
            killed.wait_for(DONE, done)
        assert killed.query(DONE)[0][0] < 20 * EACH
        assert killed.query(SPLITS) == [(0,)]
    assert imported(killed) == imported(calm)


def test_the_worker_goes_on_when_its_process_is_killed(tmp_path, waiting):
    site = Site(shutil.copytree(waiting, tmp_path / "child"))
    with running(site, HEARING):
        site.wait_for(DONE, 8)
        os.kill(holder_of(site), signal.SIGKILL)
        site.wait_for(COMPLETE, 1)
    assert len(site.query(ITEMS)) == 20 * EACH


def holder_of(site):
    """Wait for a process that reads the import, and name it."""
    while not (names := site.query(HOLDERS)):
        time.sleep(0.05)
    return int(names[0][0].split(":")[1])


@pytest.mark.services
def test_a_killed_worker_changes_no_split_on_postgres_and_redis(
    tmp_path, big, postgres_url, redis_url
):
    found = []
    for number, name in enumerate(("calm", "killed")):
        with database(postgres_url) as url:
            broker = urlsplit(redis_url)._replace(path=f"/{number + 7}").geturl()
            site = begun(tmp_path / name, big, database_url=url, broker_url=broker)
            if number:
                with running(site, HEARING):
                    site.wait_for(DONE, 8)
                assert site.query(SPLITS) == [(0,)]
            found.append(imported(site))
    assert found[0] == found[1]
