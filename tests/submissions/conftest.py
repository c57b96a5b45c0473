"""Splits of the demonstration, tools that know its words, and tasks that run at once."""

import shutil

import pytest

from scoring import asr
from scoring.manifest import Manifest
from submissions.services import engines
from submissions.services.import_split import import_split
from tests.planned import manifest_of, planned


@pytest.fixture
def planned_tools(monkeypatch, mini):
    """Real voice activity and judge; the words are the planned ones."""
    monkeypatch.setattr(asr, "load", lambda name, **options: planned(mini))
    engines.tools.cache_clear()
    yield engines.tools()
    engines.tools.cache_clear()


@pytest.fixture
def eager(settings):
    """Run tasks in this process, as soon as they are sent."""
    from leaderboard.celery import app

    app.loader.import_default_modules()
    app.conf.task_always_eager = True
    app.conf.task_eager_propagates = True
    yield app
    app.conf.task_always_eager = False


@pytest.fixture
def split(db, media, mini, planned_tools):
    fields = {"name": "Demo", "items_public": True}
    return import_split("demo", mini, manifest_of(mini), tools=planned_tools, fields=fields)


@pytest.fixture
def source(mini, tmp_path):
    """A small split of two English items, free to break."""
    root = tmp_path / "source"
    rows = [
        item
        for item in manifest_of(mini).items
        if item.language == "en" and item.scenario in ("follow_up", "pause_handling")
    ]
    for item in rows:
        folder = f"{item.language}/{item.folder}"
        shutil.copytree(mini / "reference" / folder, root / folder)
    (root / "manifest.csv").write_text(Manifest(tuple(rows)).to_csv(), encoding="utf-8")
    return root
