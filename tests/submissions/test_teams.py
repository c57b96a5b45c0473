"""Teams: who may do what, and the owner that a team always keeps."""

import pytest
from django.test import Client

from submissions.models import Membership, Team
from submissions.services import teams
from submissions.services.teams import OWNED_AT_MOST, Role, TeamRefused
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url


@pytest.fixture
def team(alice, bob):
    """Alice owns the team, Bob is a member."""
    made = teams.create("Wonderland", alice)
    teams.join(made, bob)
    return made


def role_of(team, user):
    found = team.memberships.filter(user=user).first()
    return found and found.role


def refusal(verb, *args):
    with pytest.raises(TeamRefused) as caught:
        verb(*args)
    return caught.value.code


def test_who_makes_a_team_owns_it(client, alice):
    response = login(client, alice).post(url("teams"), {"name": "  The   Hatters "})
    team = Team.objects.get(slug="the-hatters")
    assert (response.status_code, response.url) == (302, url("team", "the-hatters"))
    assert (team.name, role_of(team, alice)) == ("The Hatters", Role.OWNER)


def test_a_chinese_name_gets_an_address(alice):
    first, second = teams.create("声学所", alice), teams.create("语音组", alice)
    assert (first.slug, second.slug[:5]) == ("team", "team-")


def test_two_teams_do_not_share_a_name_whatever_its_case(client, team, charlie):
    response = login(client, charlie).post(url("teams"), {"name": "WONDERLAND"})
    assert response.status_code == 422
    assert "Another team has this name." in text_of(response)
    assert Team.objects.count() == 1


def test_one_person_owns_a_handful_of_teams_at_most(alice):
    for number in range(OWNED_AT_MOST):
        teams.create(f"Team {number}", alice)
    assert refusal(teams.create, "One more", alice) == "too-many-teams"


def test_for_outsiders_a_team_does_not_exist(client, team, charlie):
    login(client, charlie)
    assert client.get(url("team", team.slug)).status_code == 404
    for name in ("team-member", "team-leave", "team-invite", "team-link"):
        assert client.post(url(name, team.slug)).status_code == 404
    assert client.post(url("team-revoke", team.slug, 1)).status_code == 404
    assert client.get(url("system-new", team.slug)).status_code == 404
    assert "Wonderland" not in text_of(client.get(url("teams")))


def test_readers_without_an_account_are_sent_to_the_log_in(client, team):
    for address in (url("teams"), url("team", team.slug), url("system-new", team.slug)):
        assert client.get(address).url == f"{url('login')}?next={address}"


def test_members_see_the_team_and_change_nothing(client, team, alice, bob):
    login(client, bob)
    text = text_of(client.get(url("team", team.slug)))
    assert "alice owner" in text
    assert "Send an invitation" not in text
    change = {"user": alice.pk, "change": "remove"}
    assert client.post(url("team-member", team.slug), change).status_code == 403
    assert client.post(url("team-link", team.slug)).status_code == 403
    assert client.post(url("team-invite", team.slug), {"email": "x@y.zz"}).status_code == 403
    assert role_of(team, alice) == Role.OWNER


def test_organisers_look_at_a_team_without_a_say_in_it(client, team, olga):
    login(client, olga)
    assert client.get(url("team", team.slug)).status_code == 200
    assert client.post(url("team-link", team.slug)).status_code == 403


def test_changes_need_the_token_of_the_form(team, alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    for address in (url("teams"), url("team-leave", team.slug), url("team-link", team.slug)):
        assert client.post(address, {"name": "X"}).status_code == 403


def test_the_last_owner_stays(client, team, alice, bob):
    response = login(client, alice).post(url("team-leave", team.slug), follow=True)
    assert "A team needs an owner, and there is no other. Make somebody else an owner first." in (
        text_of(response)
    )
    assert refusal(teams.remove, team, alice.pk) == "last-owner"
    assert refusal(teams.change_role, team, alice.pk, Role.MEMBER) == "last-owner"
    assert role_of(team, alice) == Role.OWNER


def test_an_owner_leaves_when_there_is_another(client, team, alice, bob):
    login(client, alice)
    client.post(url("team-member", team.slug), {"user": bob.pk, "change": "owner"})
    response = client.post(url("team-leave", team.slug))
    assert response.url == url("teams")
    assert (role_of(team, alice), role_of(team, bob)) == (None, Role.OWNER)


def test_a_team_is_handed_over(client, team, alice, bob):
    login(client, alice)
    change = {"user": bob.pk, "change": "hand-over"}
    response = client.post(url("team-member", team.slug), change, follow=True)
    assert "bob owns the team now, and you are a member." in text_of(response)
    assert (role_of(team, alice), role_of(team, bob)) == (Role.MEMBER, Role.OWNER)


def test_a_removed_member_is_out_and_the_submissions_stay(client, team, alice, bob, media):
    split = stage.make_split()
    submission = stage.make_submission(split, team, submitted_by=bob)
    login(client, alice)
    client.post(url("team-member", team.slug), {"user": bob.pk, "change": "remove"})
    assert role_of(team, bob) is None
    submission.refresh_from_db()
    assert (submission.team, submission.submitted_by) == (team, bob)
    assert login(client, bob).get(url("submission", submission.pk)).status_code == 404


def test_who_is_not_in_the_team_cannot_be_changed(client, team, alice, charlie):
    assert refusal(teams.change_role, team, charlie.pk, Role.OWNER) == "not-a-member"
    login(client, alice)
    for change in ({"user": "x", "change": "owner"}, {"user": alice.pk, "change": "king"}):
        assert client.post(url("team-member", team.slug), change).status_code == 404


def test_joining_twice_makes_one_membership(team, charlie):
    assert [teams.join(team, charlie), teams.join(team, charlie)] == [True, False]
    assert Membership.objects.filter(team=team, user=charlie).count() == 1
