"""The published table, for the decisions about boards."""

import pytest
from django.core.management import call_command


@pytest.fixture
def humdial(db):
    call_command("load_published", verbosity=0)
