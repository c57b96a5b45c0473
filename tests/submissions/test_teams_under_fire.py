"""Two people change a team at one moment, with real connections: what may come of it, and no more.

Each scene is played many times; its lines say what the first was told, what the second was told,
and what is left (``team_hammer``). Either of the two may be first.
"""

import pytest

from tests.served import Served, environment, run_python
from tests.submissions.test_kill import database

pytestmark = pytest.mark.slow

ROUNDS = 20
# scene: every line that may come of it
SCENES = {
    "two_owners_leave": {"done last-owner 1", "last-owner done 1"},
    "one_owner_leaves_in_two_tabs": {"done not-a-member 1", "not-a-member done 1"},
    "two_owners_take_each_other_out": {"done last-owner 1", "last-owner done 1"},
    "two_owners_become_members": {"done last-owner 1", "last-owner done 1"},
    "an_owner_hands_over_to_somebody_who_leaves": {"done last-owner 1", "not-a-member done 1"},
    "an_invitation_is_accepted_twice": {"done done 1"},
    "an_invitation_is_accepted_and_taken_back": {
        "done done 1-used",
        "invitation-unknown done 0-closed",
    },
    "one_address_is_invited_twice": {"done done 1"},
    "a_team_asks_for_approval_twice": {"done approval-asked 1", "approval-asked done 1"},
    "two_organisers_answer": {
        "done done granted-by-one-granted",
        "done done refused-by-other-refused",
    },
    "two_people_make_a_team_of_one_name": {"done name-taken 1", "name-taken done 1"},
    "two_people_make_teams_whose_addresses_would_be_the_same": {"done done 2"},
    "one_person_makes_a_team_in_two_tabs": {"done name-taken 1", "name-taken done 1"},
}


def played(env):
    """All scenes in one process; the lines of each."""
    command = ["-m", "tests.submissions.team_hammer", str(ROUNDS), *SCENES]
    lines = [line.partition(": ") for line in run_python(*command, env=env).splitlines()]
    return {name: [told for scene, _, told in lines if scene == name] for name in SCENES}


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory):
    return played(Served(tmp_path_factory.mktemp("sqlite")).env)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory, postgres_url, django_db_blocker):
    # The database here is not the one of the tests.
    with django_db_blocker.unblock(), database(postgres_url) as url:
        env = environment(tmp_path_factory.mktemp("postgres")) | {"DATABASE_URL": url}
        run_python("manage.py", "migrate", "-v0", env=env)
        return played(env)


@pytest.mark.parametrize("scene", SCENES)
def test_two_at_once_on_sqlite(sqlite, scene):
    assert len(sqlite[scene]) == ROUNDS
    assert set(sqlite[scene]) <= SCENES[scene]


@pytest.mark.services
@pytest.mark.parametrize("scene", SCENES)
def test_two_at_once_on_postgres(postgres, scene):
    assert len(postgres[scene]) == ROUNDS
    assert set(postgres[scene]) <= SCENES[scene]
