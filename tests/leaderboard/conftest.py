"""The cast of the pages: Alice is in the team, Charlie is an outsider, Olga organises."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from tests.leaderboard import stage


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", password="wonderland-7")


@pytest.fixture
def charlie(db):
    return User.objects.create_user("charlie", password="wonderland-7")


@pytest.fixture
def olga(db):
    return User.objects.create_superuser("olga", password="wonderland-7")


@pytest.fixture
def team(alice):
    return stage.make_team("Wonderland", alice)


@pytest.fixture
def split(db, media):
    return stage.make_split(position=1, items_public=True)


@pytest.fixture
def submission(split, team):
    return stage.make_submission(split, team)


@pytest.fixture
def humdial(db):
    """The published table."""
    call_command("load_published", verbosity=0)
