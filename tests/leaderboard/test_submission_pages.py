"""Submissions and items: for whoever may see them, and for the outsider who may not."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from submissions.models import Split, Submission
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db


# Submissions


def test_an_unpublished_submission_does_not_exist_for_the_outsider(client, submission, charlie):
    stage.score(submission, publish=False)
    for address in (url("submission", submission.pk), url("submission-live", submission.pk)):
        assert client.get(address).status_code == 404
        assert login(client, charlie).get(address).status_code == 404


def test_the_team_and_the_organiser_see_it_before_it_is_published(client, submission, alice, olga):
    stage.score(submission, publish=False)
    for user in (alice, olga):
        text = text_of(login(client, user).get(url("submission", submission.pk)))
        assert "These numbers are not published" in text


def test_a_published_submission_is_for_everybody_without_the_upload_itself(client, submission):
    stage.score(submission)
    text = text_of(client.get(url("submission", submission.pk)))
    assert "unofficial engines: offline rule judge" in text
    assert "Interruption % 100.0 100.0" in text
    assert "SHA-256" not in text


def test_a_submission_says_where_the_newest_board_has_it(client, split, submission):
    stage.score(submission)
    board = stage.published_board(split)
    text = text_of(client.get(url("submission", submission.pk)))
    total = board.rows[0]["total"]
    assert f"Rank 1 on board {board.pk} with {total} of 100 points." in text


def test_missing_items_are_counted_and_told_apart(client, split, submission):
    stage.score(submission, missing=["en-follow_up-0009_0001"])
    text = text_of(client.get(url("submission", submission.pk)))
    assert "missing 1 item " in text
    assert "19 items" in text
    assert "No recording was handed in for this item." in text


def test_before_the_reveal_not_even_the_team_sees_scores(client, split, submission, alice, olga):
    split.publication = Split.Publication.REVEAL
    split.reveal = timezone.now() + timedelta(days=1)
    split.save()
    stage.score(submission, publish=False)
    address = url("submission", submission.pk)
    text = text_of(login(client, alice).get(address))
    assert "This split is blind" in text
    assert "Interruption % 100.0" not in text
    item = url("item", "demo", "en-follow_up-0009_0001", sys=submission.pk)
    assert client.get(item).status_code == 404
    assert "Interruption % 100.0" in text_of(login(client, olga).get(address))


def test_a_withdrawn_submission_is_gone_for_the_public_and_kept_for_the_team(
    client, submission, alice
):
    stage.score(submission)
    submission.state = Submission.State.WITHDRAWN
    submission.save()
    address = url("submission", submission.pk)
    assert client.get(address).status_code == 404
    assert login(client, alice).get(address).status_code == 200


def test_a_disqualified_submission_shows_its_reason_and_no_number(client, submission):
    stage.score(submission)
    submission.state, submission.reason = Submission.State.DISQUALIFIED, "Two teams, one model."
    submission.save()
    text = text_of(client.get(url("submission", submission.pk)))
    assert "Two teams, one model." in text
    assert "Interruption % 100.0" not in text


def test_a_refused_archive_shows_its_findings_grouped_with_the_cure(client, submission, alice):
    finding = {"code": "file-unknown", "rule": "No such id.", "cure": "Check the name."}
    submission.state = Submission.State.REJECTED
    submission.check_report = {
        "acceptable": False,
        "findings": [{**finding, "path": f"test/{n}.wav", "severity": "error"} for n in range(25)],
    }
    submission.save()
    response = login(client, alice).get(url("submission", submission.pk))
    text = text_of(response)
    again = f"?split={submission.split.slug}&amp;team={submission.team.slug}"
    assert f'{again}">Submit the mended archive</a>' in response.content.decode()
    assert "file-unknown × 25" in text
    assert "Check the name." in text
    assert "5 more files" in text
    assert "costs no slot" in text


def test_the_ladder_asks_for_the_page_anew_when_the_state_has_changed(client, submission, alice):
    login(client, alice)
    same = client.get(url("submission-live", submission.pk, state="received"))
    assert "HX-Refresh" not in same
    other = client.get(url("submission-live", submission.pk, state="checking"))
    assert other["HX-Refresh"] == "true"


# Items


def test_an_item_shows_lanes_brackets_and_verdict(client, submission):
    stage.score(submission)
    text = text_of(client.get(url("item", "demo", "en-follow_up-0009_0001", sys=submission.pk)))
    assert "stop 0.800 s" in text
    assert "Judge: RESPOND" in text
    assert "unofficial" in text
    assert "1 stop and 2 response intervals enter the means" in text


def test_items_of_a_closed_split_are_for_the_team_and_the_organiser_only(
    client, split, submission, alice, charlie, olga
):
    split.items_public = False
    split.save()
    stage.score(submission)
    name = "en-follow_up-0009_0001"
    addresses = [
        url("item", "demo", name, sys=submission.pk),
        url("item-user-audio", "demo", name, sys=submission.pk),
        url("item-model-audio", "demo", name, sys=submission.pk),
    ]
    for address in (*addresses, url("item", "demo", name)):
        assert client.get(address).status_code == 404
        assert login(client, charlie).get(address).status_code == 404
        client.logout()
    for user in (alice, olga):
        assert login(client, user).get(addresses[0]).status_code == 200
        assert client.get(addresses[2]).status_code == 200


def test_the_answer_is_played_from_the_archive(client, submission):
    stage.score(submission)
    address = url("item-model-audio", "demo", "en-follow_up-0009_0001", sys=submission.pk)
    response = client.get(address)
    assert response["Content-Type"] == "audio/wav"
    assert response.content[:4] == b"RIFF"


@pytest.mark.parametrize("key", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_system_is_not_found(client, split, key):
    assert client.get(url("item", "demo", "en-follow_up-0009_0001", sys=key)).status_code == 404


def test_a_submission_to_another_split_gives_no_access(client, split, submission, alice):
    stage.score(submission)
    stage.make_split("closed", items_public=False)
    address = url("item", "closed", "en-follow_up-0009_0001", sys=submission.pk)
    assert login(client, alice).get(address).status_code == 404


# Submitting


@pytest.fixture
def quiet(monkeypatch):
    """No worker listens; keep the tasks that were sent."""
    sent = []
    monkeypatch.setattr("submissions.queue.send", lambda task, key: sent.append((task, key)))
    return sent


def upload(split, **changes):
    file = SimpleUploadedFile("HD-Track2.zip", stage.archive(split))
    fields = {"split": split.slug, "team": "wonderland", "system_name": "Parrot", "archive": file}
    return {**fields, **changes}


def test_submitting_needs_a_login(client, split):
    response = client.get(url("submit"))
    assert (response.status_code, response.url) == (302, "/en/account/login/?next=/en/submit/")
    assert "you need an account and a team. How to submit" in text_of(client.get(response.url))
    assert "you need an account" not in text_of(client.get(url("login")))


def test_a_complete_form_becomes_a_submission_and_leads_to_it(client, split, team, alice, quiet):
    response = login(client, alice).post(url("submit"), upload(split))
    submission = Submission.objects.get()
    assert response.url == url("submission", submission.pk)
    assert (submission.system.name, submission.team) == ("Parrot", team)
    assert quiet == [("check", str(submission.pk))]


def test_an_empty_form_names_each_field_that_lacks_something(client, split, team, alice):
    response = login(client, alice).post(url("submit"), {"split": "demo", "team": "wonderland"})
    assert response.status_code == 422
    html = response.content.decode()
    assert 'href="#id_archive"' in html
    assert 'href="#id_system_name"' in html
    assert not Submission.objects.exists()


def test_an_outsider_cannot_submit_for_a_team(client, split, team, charlie):
    stage.make_team("Elsewhere", charlie)
    response = login(client, charlie).post(url("submit"), upload(split))
    assert response.status_code == 422
    assert not Submission.objects.exists()


def test_a_used_up_quota_is_told_in_words_with_the_next_slot(client, split, team, alice):
    split.limit_per_day = 1
    split.save()
    stage.make_submission(split, team)
    response = login(client, alice).post(url("submit"), upload(split))
    assert response.status_code == 422
    text = text_of(response)
    assert "has used its submissions of the last 24 hours" in text
    assert "AoE" in text
    assert Submission.objects.count() == 1


def test_a_closed_split_is_not_offered(client, split, team, alice):
    split.accepts_uploads = False
    split.save()
    assert "No split takes uploads" in text_of(login(client, alice).get(url("submit")))


def test_a_user_without_team_is_told_what_to_do(client, split, charlie):
    assert "You belong to no team yet" in text_of(login(client, charlie).get(url("submit")))


def test_my_submissions_are_those_of_my_teams(client, submission, alice, charlie):
    assert "Parrot" in text_of(login(client, alice).get(url("my")))
    assert "Parrot" not in text_of(login(client, charlie).get(url("my")))
