"""Mails: to whom, when, in which language, once, and never with a number."""

import re
from contextlib import suppress
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.mail.backends import locmem
from django.db import transaction
from django.test import Client
from django.utils import timezone

from submissions import tasks
from submissions.emails import read_stop, stop_of
from submissions.models import Approval, MailSettings, SentMail, Split, Submission, Upload
from submissions.services import announce
from submissions.states import State, advance
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.letters import link_in

NOW = timezone.now()


@pytest.fixture
def split(db, media):
    return stage.make_split()


@pytest.fixture
def submission(split, team):
    return stage.make_submission(split, team, state=State.SCORING)


def event_of(submission, to, why=""):
    advance(submission, to, why=why)
    return submission.events.last()


def readers():
    return sorted(address for letter in mail.outbox for address in letter.to)


BOTH = ["alice@example.org", "bob@example.org"]


def test_a_scored_submission_is_told_to_the_whole_team_by_the_doorway(
    submission, eager, charlie, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        advance(submission, State.SCORED)
    assert readers() == BOTH
    assert mail.outbox[0].subject == "Parrot is scored"
    assert f"/en/submission/{submission.pk}/" in mail.outbox[0].body


def test_nothing_is_sent_when_the_move_is_taken_back(
    submission, eager, django_capture_on_commit_callbacks
):
    on_commit = django_capture_on_commit_callbacks(execute=True)
    with on_commit, suppress(RuntimeError), transaction.atomic():
        advance(submission, State.SCORED)
        raise RuntimeError("lost")
    assert mail.outbox == []


def test_a_task_that_runs_twice_sends_one_mail(submission):
    event = event_of(submission, State.SCORED)
    tasks.mail(event.pk)
    tasks.mail(event.pk)
    assert readers() == BOTH


def test_scoring_again_is_not_told_again(submission):
    tasks.mail(event_of(submission, State.SCORED).pk)
    advance(submission, State.QUEUED)
    advance(submission, State.SCORING)
    tasks.mail(event_of(submission, State.SCORED).pk)
    assert readers() == BOTH


def test_a_second_failure_is_told_again(submission):
    tasks.mail(event_of(submission, State.FAILED, "out of memory").pk)
    advance(submission, State.QUEUED)
    tasks.mail(event_of(submission, State.FAILED, "out of memory").pk)
    assert readers() == sorted(BOTH * 2)
    assert "failed on our side. It cost no slot" in mail.outbox[0].body


def test_a_refused_archive_is_told_with_its_name(submission):
    Submission.objects.update(state=State.CHECKING)
    tasks.mail(event_of(submission, State.REJECTED).pk)
    assert mail.outbox[0].subject == "The archive of Parrot was refused"
    assert "The check of HD-Track2.zip (Parrot, Demo) found something" in mail.outbox[0].body


def test_a_mail_has_no_number_of_the_score(submission):
    stage.score(submission, publish=False)
    event = submission.events.create(from_state=State.SCORING, to_state=State.SCORED)
    tasks.mail(event.pk)
    for letter in mail.outbox:
        text = re.sub(r"https?://\S+", "", letter.subject + letter.body)
        assert re.findall(r"\d", text) == []


def test_who_switched_a_kind_off_gets_none_of_it(submission, alice, bob):
    MailSettings.objects.create(user=alice, finished=False)
    MailSettings.objects.create(user=bob, failed=False)
    tasks.mail(event_of(submission, State.SCORED).pk)
    assert readers() == ["bob@example.org"]
    Submission.objects.update(state=State.SCORING)
    tasks.mail(event_of(submission, State.FAILED).pk)
    assert readers() == BOTH


def test_people_without_an_address_and_closed_accounts_get_none(submission, alice, bob):
    alice.email = ""
    alice.save()
    bob.is_active = False
    bob.save()
    tasks.mail(event_of(submission, State.SCORED).pk)
    assert mail.outbox == []
    assert not SentMail.objects.exists()


def test_each_reads_the_own_language(submission, bob):
    MailSettings.objects.create(user=bob, language="zh-hans")
    tasks.mail(event_of(submission, State.SCORED).pk)
    by_reader = {letter.to[0]: letter.body for letter in mail.outbox}
    assert "/en/submission/" in by_reader["alice@example.org"]
    assert "/zh/submission/" in by_reader["bob@example.org"]


class AwayOnce(locmem.EmailBackend):
    """A mail server that is not there the first time."""

    calls = 0

    def send_messages(self, messages):
        AwayOnce.calls += 1
        if AwayOnce.calls == 1:
            raise ConnectionRefusedError("nobody listens")
        return super().send_messages(messages)


def test_a_mail_that_could_not_go_out_goes_out_later_and_once(submission, settings):
    AwayOnce.calls = 0
    settings.EMAIL_BACKEND = f"{__name__}.AwayOnce"
    event = event_of(submission, State.SCORED)
    with pytest.raises(ConnectionRefusedError):
        announce.announce(event)
    assert not SentMail.objects.exists()
    assert announce.announce(event) == 2
    assert announce.announce(event) == 0
    assert readers() == BOTH


def closing(split, hours):
    split.closes = NOW + timedelta(hours=hours)
    split.save()


def take_part(split, team):
    """A trial: something was sent, and nothing stands."""
    return stage.make_submission(split, team, is_trial=True)


def test_a_deadline_is_told_twice_at_most(split, team):
    take_part(split, team)
    closing(split, 80)
    assert announce.remind(NOW) == 0
    assert announce.remind(NOW + timedelta(hours=9)) == 2
    assert announce.remind(NOW + timedelta(hours=20)) == 0
    assert announce.remind(NOW + timedelta(hours=57)) == 2
    assert announce.remind(NOW + timedelta(hours=79)) == 0
    assert announce.remind(NOW + timedelta(hours=81)) == 0
    assert "Nothing has been submitted yet, for:\n  Wonderland" in mail.outbox[0].body


def test_a_moved_deadline_is_told_anew(split, team):
    take_part(split, team)
    closing(split, 20)
    assert announce.remind(NOW) == 2
    closing(split, 23)
    assert announce.remind(NOW) == 2


def test_a_team_that_has_submitted_is_left_in_peace(split, team, submission):
    closing(split, 20)
    assert announce.remind(NOW) == 0
    Submission.objects.update(state=State.REJECTED)
    assert announce.remind(NOW) == 2


def test_a_trial_is_no_submission(split, team, submission):
    closing(split, 20)
    Submission.objects.update(is_trial=True)
    assert announce.remind(NOW) == 2


def test_an_unfinished_upload_is_named(split, team, alice, submission):
    closing(split, 20)
    Upload.objects.create(
        user=alice, split=split, team=team, system=submission.system, file_name="a.zip",
        length=10, expires=NOW + timedelta(hours=5),
    )  # fmt: skip
    assert announce.remind(NOW) == 2
    assert "An upload is not finished, for:\n  Wonderland" in mail.outbox[0].body
    assert "Nothing has been submitted" not in mail.outbox[0].body


def test_a_person_in_two_teams_gets_one_reminder(split, team, alice):
    take_part(split, team)
    take_part(split, stage.make_team("Hatters", alice))
    closing(split, 20)
    assert announce.remind(NOW) == 2
    [letter] = [one for one in mail.outbox if one.to == ["alice@example.org"]]
    assert "  Hatters\n  Wonderland" in letter.body


def test_teams_that_take_no_part_are_left_in_peace(split, team, alice, charlie):
    """A wrong window mailed every team of the site (fault A20)."""
    elsewhere = stage.make_split("elsewhere")
    take_part(elsewhere, stage.make_team("Hatters", charlie))
    closing(split, 20)
    assert announce.remind(NOW) == 0
    Approval.objects.create(split=elsewhere, team=team, state=Approval.State.GRANTED)
    assert announce.remind(NOW) == 0
    Approval.objects.create(split=split, team=team, state=Approval.State.GRANTED)
    assert announce.remind(NOW) == 2
    assert {one.to[0] for one in mail.outbox} == {"alice@example.org", "bob@example.org"}


def test_an_upload_that_was_begun_is_taking_part(split, team, alice, submission):
    Upload.objects.create(
        user=alice, split=split, team=team, system=submission.system, file_name="a.zip",
        length=10, expires=NOW - timedelta(hours=5),
    )  # fmt: skip
    Submission.objects.all().delete()
    closing(split, 20)
    assert announce.remind(NOW) == 2


@pytest.mark.parametrize("hidden", ["draft", "empty"])
def test_nobody_is_reminded_of_what_is_not_public(split, team, hidden):
    take_part(split, team)
    closing(split, 20)
    if hidden == "draft":
        Split.objects.update(is_draft=True)
    else:
        split.items.all().delete()
    assert announce.remind(NOW) == 0


def test_only_approved_teams_are_reminded_where_approval_is_asked_for(split, team):
    split.needs_approval = True
    closing(split, 20)
    approval = Approval.objects.create(split=split, team=team)
    assert announce.remind(NOW) == 0
    approval.state = Approval.State.GRANTED
    approval.save()
    assert announce.remind(NOW) == 2


@pytest.mark.parametrize("fields", [{"is_demo": True}, {"accepts_uploads": False}], ids=str)
def test_nobody_is_reminded_of_what_takes_no_entries(split, team, fields):
    for name, value in fields.items():
        setattr(split, name, value)
    closing(split, 20)
    assert announce.remind(NOW) == 0


def test_one_click_ends_one_kind_of_mail(submission, alice):
    tasks.mail(event_of(submission, State.SCORED).pk)
    letter = next(one for one in mail.outbox if one.to == [alice.email])
    address = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert address in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    reader = Client(enforce_csrf_checks=True)
    path = link_in(address)
    assert "Stop these mails" in text_of(reader.get(path))
    assert not MailSettings.objects.filter(user=alice).exists()
    assert "Done." in text_of(reader.post(path, {"List-Unsubscribe": "One-Click"}))
    wishes = MailSettings.objects.get(user=alice)
    assert (wishes.finished, wishes.failed, wishes.deadline) == (False, True, True)


@pytest.mark.parametrize("token", ["x", "WzEsImZpbmlzaGVkIl0:1:x"])
def test_a_forged_link_ends_nothing(client, alice, token):
    assert client.post(url("mail-stop", token)).status_code == 404
    assert not MailSettings.objects.exists()


def test_a_token_names_a_kind_that_exists():
    assert read_stop(stop_of(SimpleNamespace(pk=1), "finished")) == (1, "finished")
    assert read_stop(stop_of(SimpleNamespace(pk=1), "user_id")) is None


def test_the_settings_page_keeps_what_one_wants(client, alice):
    login(client, alice)
    assert text_of(client.get(url("mail-settings"))).count("When") >= 2
    client.post(url("mail-settings"), {"failed": "on", "language": "zh-hans"})
    wishes = MailSettings.objects.get(user=alice)
    assert (wishes.finished, wishes.failed, wishes.deadline) == (False, True, False)
    assert wishes.language == "zh-hans"
    assert client.post(url("mail-settings"), {"language": "la"}).status_code == 200
    wishes.refresh_from_db()
    assert wishes.language == "zh-hans"
