"""The API: what pages know, for programs, and nothing more."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from submissions.models import Split, Submission, Token
from submissions.services import tokens
from tests.leaderboard import stage
from tests.leaderboard.reader import login

pytestmark = pytest.mark.django_db
API = "/api/v1"


@pytest.fixture(autouse=True)
def nobody_was_throttled():
    cache.clear()


def key_of(user, scope=Token.Scope.READ, expires=None):
    return {"Authorization": f"Bearer {tokens.create(user, 'test', scope, expires=expires).key}"}


def get(client, path, **headers):
    return client.get(f"{API}{path}", headers=headers)


# What is public


def test_the_schema_names_every_door(client):
    schema = get(client, "/openapi.json").json()
    assert schema["openapi"].startswith("3.")
    assert {
        "/api/v1/boards/",
        "/api/v1/boards/{number}",
        "/api/v1/splits/{slug}/files",
        "/api/v1/submissions/{pk}/items",
        "/api/v1/me/slots",
    } <= schema["paths"].keys()


def test_boards_are_listed_without_rows_and_paged(client, split):
    for cause in ("first", "second", "third"):
        stage.published_board(split, cause)
    answer = get(client, "/boards/?limit=2&offset=1").json()
    assert answer["count"] == 3
    assert [one["cause"] for one in answer["items"]] == ["second", "first"]
    assert "rows" not in answer["items"][0]


def test_a_board_is_the_export_of_its_page(client, humdial):
    number = get(client, "/boards/").json()["items"][0]["number"]
    answer = get(client, f"/boards/{number}").json()
    exported = json.loads(client.get(f"/en/board/{number}.json").content)
    assert answer["rows"] == exported["rows"]


@pytest.mark.parametrize("number", ["0", "999", "9" * 40])
def test_a_board_that_never_was_is_not_found(client, split, number):
    response = get(client, f"/boards/{number}")
    assert (response.status_code, response.json()["code"]) == (404, "not-found")


def test_splits_state_their_rules(client, split):
    answer = get(client, "/splits/demo").json()
    assert (answer["items"], answer["limit_per_day"], answer["items_public"]) == (20, 3, True)


def test_what_is_wrong_in_a_request_is_named(client, split):
    response = get(client, "/boards/?limit=many")
    assert response.status_code == 422
    assert "limit" in response.json()["rule"]


# Tokens


def test_files_of_a_split_need_an_account(client, split, alice):
    assert get(client, "/splits/demo/files").status_code == 401
    answer = get(client, "/splits/demo/files?limit=1", **key_of(alice)).json()
    assert answer["count"] > 20
    assert answer["items"][0]["path"].endswith("_output.wav")


def test_a_token_that_has_expired_or_never_was_is_no_anonymous_reader(client, split, alice):
    late = key_of(alice, expires=timezone.now() - timedelta(seconds=1))
    for headers in (late, {"Authorization": "Bearer fdl_never"}, {"Authorization": "Basic eA=="}):
        response = get(client, "/boards/", **headers)
        assert (response.status_code, response.json()["code"]) == (401, "not-authenticated")


def test_a_reading_token_cannot_withdraw(client, submission, alice):
    path = f"{API}/submissions/{submission.pk}/withdraw"
    assert client.post(path, headers=key_of(alice)).status_code == 401
    assert Submission.objects.get().state == Submission.State.RECEIVED


def test_a_sending_token_withdraws_once(client, submission, alice):
    path, headers = f"{API}/submissions/{submission.pk}/withdraw", key_of(alice, "submit")
    assert client.post(path, headers=headers).json()["state"] == "withdrawn"
    again = client.post(path, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "cannot-withdraw")


def test_a_session_cannot_write_without_the_forms_token(submission, alice):
    from django.test import Client

    client = login(Client(enforce_csrf_checks=True), alice)
    assert client.post(f"{API}/submissions/{submission.pk}/withdraw").status_code == 403
    assert Submission.objects.get().state == Submission.State.RECEIVED


def test_me_tells_teams_and_slots(client, split, team, alice):
    answer = get(client, "/me/", **key_of(alice)).json()
    assert [one["slug"] for one in answer["teams"]] == ["wonderland"]
    slot = get(client, "/me/slots", **key_of(alice)).json()["items"][0]
    assert (slot["split"], slot["allowed"], slot["left"]) == ("demo", True, 3)


# Handing in


def handed_in(client, user, **changes):
    form = {"split": "demo", "team": "wonderland", "system": "Parrot"} | changes
    archive = SimpleUploadedFile("HD-Track2.zip", b"PK\5\6" + b"\0" * 18)
    return client.post(
        f"{API}/submissions/", form | {"archive": archive}, headers=key_of(user, "submit")
    )


def test_an_archive_handed_in_becomes_a_submission(client, split, team, alice, media):
    response = handed_in(client, alice)
    assert response.status_code == 201
    assert Submission.objects.get().submitted_by == alice
    assert response.json()["page"].endswith(f"/submission/{Submission.objects.get().pk}/")


def test_an_outsider_cannot_hand_in_for_a_team(client, split, team, charlie, media):
    assert handed_in(client, charlie).status_code == 404
    assert not Submission.objects.exists()


def test_after_the_window_the_refusal_has_its_code_and_cure(client, split, team, alice, media):
    Split.objects.update(closes=timezone.now() - timedelta(seconds=1))
    response = handed_in(client, alice)
    assert (response.status_code, response.json()["code"]) == (409, "window-closed")
    assert response.json()["cure"]


# What is hidden


def test_a_blind_split_hides_numbers_from_its_own_team_here_too(client, split, submission, alice):
    Split.objects.update(publication=Split.Publication.REVEAL)
    stage.score(submission, publish=False)
    answer = get(client, f"/submissions/{submission.pk}", **key_of(alice))
    assert answer.json()["results"] is None
    assert answer.json()["receipt"]["size"] > 0
    assert get(client, f"/submissions/{submission.pk}/items", **key_of(alice)).status_code == 404


def test_published_numbers_carry_their_signature(client, submission):
    stage.score(submission)
    answer = get(client, f"/submissions/{submission.pk}").json()
    assert (answer["signature"], answer["unofficial"]) == (stage.SIGNATURE, ["offline"])
    assert answer["results"]["official"]["totals"]["expected"] == 20
    assert answer["receipt"] is None


def test_items_are_read_page_by_page_in_few_queries(
    client, submission, django_assert_max_num_queries
):
    stage.score(submission)
    with django_assert_max_num_queries(10):
        answer = get(client, f"/submissions/{submission.pk}/items?limit=5").json()
    assert answer["count"] == 20
    assert len(answer["items"]) == 5
    assert answer["items"][0]["official"]["received"] is True


def test_submissions_of_others_are_listed_only_when_published(
    client, submission, charlie, alice, split
):
    assert get(client, "/submissions/", **key_of(charlie)).json()["count"] == 0
    assert get(client, "/submissions/", **key_of(alice)).json()["count"] == 1
    stage.score(submission)
    assert get(client, "/submissions/").json()["count"] == 1
    assert get(client, "/submissions/?mine=true").json()["count"] == 0


# Choosing


def test_a_team_chooses_the_submission_that_counts(client, split, submission, team, alice):
    Split.objects.update(counting=Split.Counting.CHOSEN)
    stage.score(submission)
    other = stage.make_submission(split, team, "Parrot two")
    stage.score(other)
    path = f"{API}/submissions/{submission.pk}/choose"
    assert client.post(path, headers=key_of(alice, "submit")).status_code == 200
    rows = split.snapshots.order_by("-id").first().rows
    assert [row["link"] for row in rows] == [str(submission.pk)]


def test_nobody_chooses_where_the_split_decides(client, submission, alice, charlie):
    stage.score(submission)
    path = f"{API}/submissions/{submission.pk}/choose"
    response = client.post(path, headers=key_of(alice, "submit"))
    assert (response.status_code, response.json()["code"]) == (409, "split-leaves-no-choice")
    assert client.post(path, headers=key_of(charlie, "submit")).status_code == 404
