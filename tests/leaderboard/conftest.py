"""A small stage for the pages: a split, a submission, the published table."""

import pytest
from django.core.management import call_command

from tests.leaderboard import stage


@pytest.fixture
def split(db, media):
    return stage.make_split(position=1, items_public=True)


@pytest.fixture
def submission(split, team):
    return stage.make_submission(split, team)


@pytest.fixture
def orla(split, django_user_model):
    """An organiser of the split, and of nothing else."""
    made = django_user_model.objects.create_user("orla")
    split.organisers.add(made)
    return made


@pytest.fixture
def humdial(db):
    """The published table."""
    call_command("load_published", verbosity=0)
