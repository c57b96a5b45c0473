"""Labels that people corrected, where they are counted: lists, files, API, board, scoring again."""

import csv
import io
import json

import pytest

from leaderboard.snapshots import OTHER_SIGNATURE
from submissions import queue
from submissions.models import Correction
from submissions.services.correct import waiting
from tests.leaderboard import stage
from tests.leaderboard.corrected import WHY, say
from tests.leaderboard.reader import login, text_of, url
from tests.leaderboard.sounded import ITEM

pytestmark = pytest.mark.django_db


@pytest.fixture
def parrot(split, submission):
    """It succeeds everywhere, and stands on a board."""
    stage.score(submission)
    stage.published_board(split)
    return submission


def body(response):
    return b"".join(response.streaming_content).decode()


@pytest.fixture
def corrected(split, parrot, orla):
    """One correction is in the newest run and on its board."""
    say(parrot, orla)
    stage.put_on_board(stage.score(parrot))
    return parrot


def test_the_list_can_be_narrowed_to_what_people_corrected(client, corrected):
    text = text_of(client.get(url("items", "demo", sys=corrected.pk, outcome="corrected")))
    assert "1 item: corrected by a person" in text
    assert "RESUME corrected; the judge: RESPOND" in text
    assert "2 items" in text_of(
        client.get(url("items", "demo", sys=corrected.pk, scenario="follow_up"))
    )


def test_the_submission_counts_them_and_leads_there(client, corrected):
    html = client.get(url("submission", corrected.pk)).content.decode()
    listed = f"/en/items/demo/?sys={corrected.pk}"
    assert f'<dt>corrected by a person</dt><dd><a href="{listed}&amp;outcome=corrected">' in html
    place = f"{listed}&amp;scenario=follow_up&amp;lang=en&amp;outcome=corrected"
    assert f'<a href="{place}">1 corrected</a>' in html
    assert "1 item(s) have a label that a person corrected." in html
    assert "corrections by people" in html  # in the signature


def test_a_submission_without_corrections_does_not_mention_them(client, parrot):
    assert "orrect" not in text_of(client.get(url("submission", parrot.pk))).replace(
        "Correctness", ""
    )


def test_files_carry_both_labels(client, corrected):
    made = client.get(url("submission-items", corrected.pk, "csv"))
    rows = {row["item"] + row["language"]: row for row in csv.DictReader(io.StringIO(body(made)))}
    (one,) = [row for row in rows.values() if row["correction_reason"]]
    assert (one["label"], one["judge_label"]) == ("C_RESUME", "C_RESPOND")
    assert one["correction_reason"] == WHY
    report = json.loads(body(client.get(url("submission-report", corrected.pk))))
    found = [row["correction"] for row in report["items"] if "correction" in row]
    assert found == [{"label": "C_RESUME", "reason": WHY, "judge_label": "C_RESPOND"}]
    assert report["totals"]["corrected"] == 1
    listed = client.get(url("corrections", corrected.pk))
    assert listed["Content-Disposition"] == f'attachment; filename="corrections-{corrected.pk}.csv"'
    (line,) = csv.DictReader(io.StringIO(listed.content.decode()))
    assert (line["scenario"], line["label"], line["reason"]) == ("follow_up", "C_RESUME", WHY)


def test_the_list_for_home_has_what_is_in_the_numbers_and_nothing_that_waits(
    client, split, parrot, orla
):
    address = url("corrections", parrot.pk)
    say(parrot, orla)
    head = "item,language,scenario,part,label,reason\r\n"
    assert client.get(address).content.decode() == head
    stage.score(parrot)
    # Before it is put on the board, the public has the numbers of the run before.
    assert client.get(address).content.decode() == head
    assert WHY in login(client, orla).get(address).content.decode()


def test_the_api_tells_run_and_item(client, corrected):
    base = f"/api/v1/submissions/{corrected.pk}"
    one = client.get(base).json()
    assert one["results"]["official"]["totals"]["corrected"] == 1
    assert "|corrections:1:" in one["signature"]
    items = client.get(f"{base}/items?limit=100").json()["items"]
    (found,) = [row for row in items if "correction" in row["official"]]
    assert found["item"] == ITEM
    assert found["official"]["correction"]["reason"] == WHY


def test_the_board_notes_corrections_and_does_not_take_them_for_other_engines(
    split, team, corrected
):
    stage.score(stage.make_submission(split, team, "Magpie"))
    stage.score(stage.make_submission(split, team, "Robin"))
    board = stage.published_board(split, "two more")
    notes = {row["system"]: row["notes"] for row in board.rows}
    assert "1 item(s) have a label that a person corrected." in notes["Parrot"]
    assert all(OTHER_SIGNATURE not in row for row in notes.values())
    assert len(board.signatures) == 2


# Score again


def test_an_organiser_sees_what_waits_and_can_score_again(client, parrot, orla, monkeypatch):
    sent = []
    monkeypatch.setattr(queue, "send", lambda task, key: sent.append(task))
    say(parrot, orla)
    assert "waits for the next scoring" not in text_of(client.get(url("submission", parrot.pk)))
    login(client, orla)
    assert "1 correction waits for the next scoring:" in text_of(
        client.get(url("submission", parrot.pk))
    )
    answer = client.post(url("score-again", parrot.pk), follow=True)
    assert "Queued: it is scored again, with all corrections." in text_of(answer)
    assert sent == ["start"]
    parrot.refresh_from_db()
    assert parrot.state == "queued"
    answer = client.post(url("score-again", parrot.pk), follow=True)
    assert "It cannot be scored again now: its state is “waiting in the queue”." in text_of(answer)


def test_nothing_waits_once_it_is_counted(client, corrected, orla):
    assert waiting(corrected.current_run) == []
    text = text_of(login(client, orla).get(url("submission", corrected.pk)))
    assert "waits for the next scoring" not in text


def test_the_page_of_the_submission_takes_few_queries(
    client, corrected, orla, django_assert_max_num_queries
):
    say(corrected, orla, slug="en-negation-0008_0001")
    login(client, orla)
    with django_assert_max_num_queries(15):
        assert client.get(url("submission", corrected.pk)).status_code == 200


def test_the_desk_lists_corrections_and_changes_none(client, corrected, olga):
    login(client, olga)
    page = client.get("/admin/submissions/correction/")
    assert WHY in page.content.decode()
    made = Correction.objects.get()
    assert client.get("/admin/submissions/correction/add/").status_code == 403
    changed = client.post(f"/admin/submissions/correction/{made.pk}/change/", {"reason": "x"})
    assert changed.status_code == 403
    assert client.post(f"/admin/submissions/correction/{made.pk}/delete/").status_code == 403
