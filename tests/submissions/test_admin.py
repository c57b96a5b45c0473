"""The organisers' desk, clicked as Olga clicks it."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from leaderboard.boards import latest
from submissions.admin.submissions import SubmissionAdmin
from submissions.models import Submission
from submissions.states import State
from tests.submissions.test_scoring_a_submission import zip_of

pytestmark = pytest.mark.django_db(transaction=True)

CHANGELIST = "admin:submissions_submission_changelist"


@pytest.fixture
def desk(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
def scored(split, team, alice, mini, eager):
    from submissions.services.submit import submit

    made = submit(
        split=split, team=team, system_name="prompt", user=alice, upload=zip_of(mini, "prompt")
    )
    return Submission.objects.get(pk=made.pk)


def act(desk, action, submission, **fields):
    data = {"action": action, "_selected_action": [str(submission.pk)], **fields}
    page = desk.post(reverse(CHANGELIST), data, follow=True)
    assert page.status_code == 200
    submission.refresh_from_db()
    return page.content.decode()


def test_every_list_opens(desk, scored):
    models = ["split", "splitimport", "submission", "run", "item", "team", "system"]
    lists = {one: desk.get(reverse(f"admin:submissions_{one}_changelist")) for one in models}
    assert {one: page.status_code for one, page in lists.items()} == dict.fromkeys(models, 200)


def test_a_submission_opens_with_its_log(desk, scored):
    url = reverse("admin:submissions_submission_change", args=[scored.pk])
    assert "being scored" in desk.get(url).content.decode()


def test_entries_are_marked(desk, scored, split):
    for kind in ("late", "baseline", "open", "closed", "participant"):
        act(desk, f"mark_{kind}", scored)
        assert scored.kind == kind
        assert latest(split).rows[0]["kind"] == kind


def test_a_disqualification_needs_a_reason(desk, scored):
    assert "Public reason" in act(desk, "disqualify_with_reason", scored)
    assert "This field is required" in act(desk, "disqualify_with_reason", scored, reason=" ")
    assert scored.state == State.SCORED
    act(desk, "disqualify_with_reason", scored, reason="Made by hand.")
    assert (scored.state, scored.reason) == (State.DISQUALIFIED, "Made by hand.")


def test_scoring_again_is_one_click(desk, scored):
    act(desk, "score_again", scored)
    assert scored.state == State.SCORED
    assert scored.events.filter(why="Scored again.", who__username="olga").exists()


def test_a_board_is_frozen_by_hand(desk, scored, split):
    before = split.snapshots.count()
    data = {"action": "freeze_board", "_selected_action": [str(split.pk)]}
    desk.post(reverse("admin:submissions_split_changelist"), data)
    assert split.snapshots.count() == before + 1
    assert latest(split).cause == "frozen by an organiser"


def test_participants_have_no_desk(client, alice, scored):
    client.force_login(alice)
    assert client.get(reverse(CHANGELIST)).status_code == 302


def test_reinstating_is_one_click(desk, scored, split):
    act(desk, "disqualify_with_reason", scored, reason="Made by hand.")
    act(desk, "reinstate_chosen", scored)
    assert scored.state == State.SCORED
    assert latest(split).cause == "prompt reinstated"


def test_a_new_scoring_is_put_on_the_board_by_an_act(desk, scored, split):
    act(desk, "score_again", scored)
    first = scored.board_run
    act(desk, "put_newest_on_board", scored)
    assert scored.board_run != first
    assert latest(split).cause == "scored again: prompt"
    data = {"action": "put_runs_on_board", "_selected_action": [str(first.pk)]}
    desk.post(reverse("admin:submissions_run_changelist"), data)
    scored.refresh_from_db()
    assert scored.board_run == first


def test_a_refusal_is_told_in_words(desk, scored):
    assert "is published already" in act(desk, "put_on_board", scored)
    assert "stands already" in act(desk, "put_newest_on_board", scored)


def test_nothing_of_an_entry_is_edited_or_deleted(desk, scored, split):
    url = reverse("admin:submissions_submission_change", args=[scored.pk])
    inline = {"events-TOTAL_FORMS": 0, "events-INITIAL_FORMS": 0}
    desk.post(url, {"is_trial": "on", "is_chosen": "on", "reason": "Draft.", **inline})
    scored.refresh_from_db()
    assert (scored.is_trial, scored.is_chosen, scored.reason) == (False, False, "")
    item = split.items.first()
    item.results.all().delete()
    for model, key in (("run", scored.board_run_id), ("item", item.pk)):
        address = reverse(f"admin:submissions_{model}_delete", args=[key])
        assert desk.post(address, {"post": "yes"}).status_code == 403


def test_whoever_may_only_look_is_offered_no_act(client, django_user_model, scored, split):
    viewer = django_user_model.objects.create_user("vera", is_staff=True)
    for model in ("submission", "run", "split", "approval"):
        viewer.user_permissions.add(Permission.objects.get(codename=f"view_{model}"))
    client.force_login(viewer)
    boards = split.snapshots.count()
    for action in SubmissionAdmin.actions:
        act(client, action, scored, reason="Made by hand.")
    for model, action, key in (
        ("run", "put_runs_on_board", scored.board_run_id),
        ("split", "freeze_board", split.pk),
    ):
        client.post(
            reverse(f"admin:submissions_{model}_changelist"),
            {"action": action, "_selected_action": [str(key)]},
        )
    assert (scored.state, scored.kind) == (State.SCORED, "participant")
    assert split.snapshots.count() == boards
