"""Splits of the demonstration, tools that know its words, and tasks that run at once."""

import shutil

import pytest

from scoring import asr
from scoring.judge import chat_settings
from scoring.manifest import Manifest
from submissions import queue
from submissions.models import Submission
from submissions.services import engines, score
from submissions.services.check import check
from submissions.services.import_split import import_split
from submissions.services.submit import submit
from tests.planned import manifest_of, planned
from tests.scoring.chat_endpoint import KEY, serving
from tests.submissions.judging import COUNTED
from tests.submissions.test_scoring_a_submission import zip_of


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


@pytest.fixture
def endpoint():
    with serving() as state:
        state.extra = COUNTED
        yield state


@pytest.fixture
def prices():
    return {}


@pytest.fixture
def modes():
    """The mode that ranks, and whether the other is asked too."""
    return "official", False


@pytest.fixture
def chat(endpoint, settings, split, prices, modes, monkeypatch):
    """Let the site ask the endpoint; returns a way to set more."""
    split.ranking_mode, split.both_modes = modes
    split.save()
    for mode in chat_settings.MODES:
        monkeypatch.setitem(chat_settings.MODES[mode], "pause", 0.001)
    settings.ENGINES = {**settings.ENGINES, "judge": "chat"}

    def choose(**changes):
        settings.JUDGE = {
            **settings.JUDGE, "base_url": endpoint.url, "api_key": KEY, "concurrency": 1, **changes
        }  # fmt: skip
        engines.tools.cache_clear()

    choose(**prices)
    return choose


@pytest.fixture
def run(chat, split, team, alice, mini, monkeypatch):
    """A run with everything heard, and the judge still to ask."""
    monkeypatch.setattr(queue, "send", lambda task, key: None)
    upload = zip_of(mini, "prompt")
    made = submit(split=split, team=team, system_name="prompt", user=alice, upload=upload)
    run = score.start(check(Submission.objects.get(pk=made.pk)))
    while run.items.filter(heard=None).exists():
        assert score.work(run)
    return run
