"""Systems: what a team says about them, once, and who may say it."""

import pytest

from submissions.models import System
from submissions.services import teams
from tests.leaderboard.reader import login, text_of, url

DESCRIPTION = {
    "name": "Parrot",
    "architecture": "cascade",
    "description": "Repeats what it hears.",
    "parts": "recogniser\nsynthesiser",
    "weights": "open",
    "licence": "Apache-2.0",
    "paper": "example.org/paper",
    "code": "https://example.org/code",
    "hardware": "one small computer",
    "external_resources": "",
}


@pytest.fixture
def team(alice, bob):
    """Alice owns the team, Bob is a member."""
    made = teams.create("Wonderland", alice)
    teams.join(made, bob)
    return made


def describe(client, team, **changes):
    return client.post(url("system-new", team.slug), {**DESCRIPTION, **changes})


def test_a_member_describes_a_system(client, team, bob):
    response = describe(login(client, bob), team)
    assert response.url == url("team", team.slug)
    system = System.objects.get()
    assert (system.team, system.slug) == (team, "wonderland-parrot")
    assert (system.paper, system.weights) == ("https://example.org/paper", "open")
    assert "Parrot cascade open weights" in text_of(client.get(response.url))


def test_a_system_is_described_again_under_the_same_address(client, team, bob):
    describe(login(client, bob), team)
    address = url("system-edit", team.slug, "wonderland-parrot")
    assert "Repeats what it hears." in text_of(client.get(address))
    client.post(address, {**DESCRIPTION, "name": "Grey  parrot"})
    system = System.objects.get()
    assert (system.name, system.slug) == ("Grey parrot", "wonderland-parrot")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"paper": "javascript:alert(1)"},
        {"code": "ftp://example.org/code"},
        {"architecture": "tower"},
        {"weights": "maybe"},
        {"licence": "x" * 81},
    ],
    ids=str,
)
def test_what_cannot_be_is_not_stored(client, team, bob, wrong):
    response = describe(login(client, bob), team, **wrong)
    assert response.status_code == 422
    assert "Please mend this first:" in text_of(response)
    assert not System.objects.exists()


def test_a_team_has_one_system_of_a_name(client, team, bob):
    describe(login(client, bob), team)
    response = describe(client, team, name="PARROT")
    assert response.status_code == 422
    assert "Your team has a system of this name." in text_of(response)


def test_two_teams_may_use_one_name(client, team, bob, charlie):
    other = teams.create("Wonderland parrots", charlie)
    System.objects.create(team=other, name="x", slug="wonderland-parrot")
    describe(login(client, bob), team)
    assert System.objects.get(team=team).slug.startswith("wonderland-parrot-")


def test_for_outsiders_and_organisers_there_is_nothing_to_describe(
    client, team, bob, charlie, olga
):
    describe(login(client, bob), team)
    for user in (charlie, olga):
        login(client, user)
        for address in (
            url("system-new", team.slug),
            url("system-edit", team.slug, "wonderland-parrot"),
        ):
            assert client.get(address).status_code == 404
            assert client.post(address, DESCRIPTION).status_code == 404


def test_a_system_of_another_team_is_not_under_ours(client, team, bob, charlie):
    other = teams.create("Hatters", charlie)
    System.objects.create(team=other, name="Hat", slug="hatters-hat")
    login(client, bob)
    assert client.get(url("system-edit", team.slug, "hatters-hat")).status_code == 404
