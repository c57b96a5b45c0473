"""Invitations: by mail to one address, by link to whoever has it; used, expired, foreign."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from submissions.models import Invitation
from submissions.services import invite, teams
from submissions.services.invite import PER_DAY
from submissions.services.teams import TeamRefused
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.letters import link_in

PASSWORD = "through-the-glass-9"


@pytest.fixture(autouse=True)
def own_counters(settings, request):
    """Rate limits of one test do not reach another."""
    cache = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {"default": {**cache, "LOCATION": request.node.nodeid}}


@pytest.fixture
def team(alice):
    """Alice owns the team."""
    return teams.create("Wonderland", alice)


def send_invitation(client, team, owner, email):
    login(client, owner).post(url("team-invite", team.slug), {"email": email})
    return link_in(mail.outbox[-1].body, "/invitation/")


def make_link(client, team, owner):
    page = login(client, owner).post(url("team-link", team.slug))
    client.logout()
    return link_in(page.context["new_link"])


def is_in(team, user):
    return team.members.filter(pk=user.pk).exists()


def test_an_invited_person_joins_with_the_address_of_the_mail(client, team, alice, charlie):
    address = send_invitation(client, team, alice, "Charlie@Example.org")
    [letter] = mail.outbox
    assert letter.to == ["Charlie@Example.org"]
    assert letter.subject == "alice invites you to the team Wonderland"
    login(client, charlie)
    assert "Join the team Wonderland" in text_of(client.get(address))
    assert not is_in(team, charlie)
    assert client.post(address).url == url("team", team.slug)
    assert is_in(team, charlie)


def test_a_used_invitation_by_mail_opens_nothing(client, team, alice, bob, charlie):
    address = send_invitation(client, team, alice, charlie.email)
    login(client, charlie).post(address)
    for user in (bob, charlie):
        response = login(client, user).get(address)
        assert response.status_code == 410
        assert "one by mail works once" in text_of(response)
    assert not is_in(team, bob)


def test_an_invitation_for_somebody_else_says_whose_account_is_needed(client, team, alice, bob):
    address = send_invitation(client, team, alice, "charlie@example.org")
    login(client, bob)
    text = text_of(client.get(address))
    assert "This invitation is for charlie@example.org , and you are logged in as bob" in text
    response = client.post(address)
    assert response.status_code == 403
    assert "Log in with the account that has this address" in text_of(response)
    assert not is_in(team, bob)
    EmailAddress.objects.create(user=bob, email="charlie@example.org", verified=False)
    assert client.post(address).status_code == 403
    EmailAddress.objects.filter(user=bob).update(verified=True)
    assert client.post(address).status_code == 302


def test_a_link_is_for_several_until_it_is_taken_back(client, team, alice, bob, charlie):
    address = make_link(client, team, alice)
    login(client, bob).post(address)
    assert is_in(team, bob)
    pk = Invitation.objects.get().pk
    login(client, alice).post(url("team-revoke", team.slug, pk))
    response = login(client, charlie).post(address)
    assert response.status_code == 404
    assert "does not exist, or it was taken back" in text_of(response)
    assert not is_in(team, charlie)


def test_an_expired_invitation_opens_nothing(client, team, alice, charlie):
    address = make_link(client, team, alice)
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    response = login(client, charlie).post(address)
    assert response.status_code == 410
    assert "This invitation has expired; it was good for 14 days." in text_of(response)
    assert not is_in(team, charlie)


def test_an_invitation_taken_back_while_the_page_is_open_lets_nobody_in(team, alice, charlie):
    now = timezone.now()
    invitation, _secret = invite.invite(team, alice, now)
    Invitation.objects.all().delete()
    with pytest.raises(TeamRefused) as caught:
        invite.accept(invitation, charlie, now)
    assert caught.value.code == "invitation-unknown"
    assert not is_in(team, charlie)


def test_only_a_digest_of_the_secret_is_kept_and_it_is_shown_once(client, team, alice):
    page = login(client, alice).post(url("team-link", team.slug))
    secret = page.context["new_link"].rstrip("/").rsplit("/", 1)[1]
    assert secret in page.content.decode()
    assert secret not in client.get(url("team", team.slug)).content.decode()
    assert secret not in str(list(Invitation.objects.values()))
    assert Invitation.objects.get().digest == invite.digest(secret)


def test_a_second_invitation_takes_the_place_of_the_first(client, team, alice, charlie):
    first = send_invitation(client, team, alice, charlie.email)
    second = send_invitation(client, team, alice, charlie.email)
    login(client, charlie)
    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 200


def test_a_member_is_not_invited_again(client, team, alice):
    response = login(client, alice).post(url("team-invite", team.slug), {"email": alice.email})
    assert response.status_code == 422
    assert "The person with this address is in the team." in text_of(response)
    assert mail.outbox == []


def test_a_bad_address_is_not_written_to(client, team, alice):
    response = login(client, alice).post(url("team-invite", team.slug), {"email": "charlie"})
    assert response.status_code == 422
    assert mail.outbox == []


def test_a_team_sends_so_many_invitations_a_day_even_if_it_takes_them_back(team, alice):
    now = timezone.now()
    for _number in range(PER_DAY):
        invite.revoke(team, invite.invite(team, alice, now).invitation.pk, now)
    with pytest.raises(TeamRefused) as caught:
        invite.invite(team, alice, now)
    assert caught.value.code == "too-many-invitations"
    assert invite.invite(team, alice, now + timedelta(hours=25)).secret


def test_without_a_mail_server_the_link_is_shown_instead(client, team, alice, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 1
    page = login(client, alice).post(url("team-invite", team.slug), {"email": "c@example.org"})
    assert "The mail could not be sent." in text_of(page)
    assert "/invitation/" in page.context["new_link"]


def test_a_newcomer_signs_up_from_the_invitation_and_comes_back_to_it(client, team, alice):
    address = send_invitation(client, team, alice, "dora@example.org")
    client.logout()
    page = client.get(address)
    assert "use an account with this address" in text_of(page)
    assert client.post(address).status_code == 200
    sign_up = client.get(f"{url('account_signup')}?next={address}&email=dora@example.org")
    assert 'value="dora@example.org"' in sign_up.content.decode()
    form = {"username": "dora", "email": "dora@example.org", "next": address}
    client.post(url("account_signup"), {**form, "password1": PASSWORD, "password2": PASSWORD})
    confirmation = link_in(mail.outbox[-1].body, "/confirm-email/")
    assert client.post(confirmation).url == address
    assert client.post(address).url == url("team", team.slug)
    assert team.members.filter(username="dora").exists()


def test_an_invitation_waits_on_the_page_of_teams(client, team, alice, bob, charlie):
    send_invitation(client, team, alice, charlie.email)
    pk = Invitation.objects.get().pk
    assert "Wonderland" not in text_of(login(client, bob).get(url("teams")))
    client.post(url("team-join", pk))
    assert not is_in(team, bob)
    assert "Wonderland from alice" in text_of(login(client, charlie).get(url("teams")))
    assert client.post(url("team-join", pk)).url == url("team", team.slug)
    assert is_in(team, charlie)
    assert Invitation.objects.get().used is not None


def test_an_owner_takes_back_invitations_of_the_own_team_only(client, team, alice, charlie):
    teams.create("Hatters", charlie)
    invite.invite(team, alice, timezone.now())
    pk = Invitation.objects.get().pk
    login(client, charlie).post(url("team-revoke", "hatters", pk))
    assert Invitation.objects.filter(pk=pk).exists()
