"""The cast: Alice and Bob are one team, Charlie is an outsider, Olga organises."""

import pytest
from django.contrib.auth.models import User

from scoring import asr
from submissions.models import Team
from submissions.services import engines
from submissions.services.import_split import import_split
from tests.planned import manifest_of, planned


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


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
def alice(db):
    return User.objects.create_user("alice", password="wonderland-7")


@pytest.fixture
def bob(db):
    return User.objects.create_user("bob", password="wonderland-7")


@pytest.fixture
def charlie(db):
    return User.objects.create_user("charlie", password="wonderland-7")


@pytest.fixture
def olga(db):
    return User.objects.create_superuser("olga", password="wonderland-7")


@pytest.fixture
def team(alice, bob):
    team = Team.objects.create(name="Wonderland", slug="wonderland")
    team.members.add(alice, bob)
    return team
