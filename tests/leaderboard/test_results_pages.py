"""The numbers of a submission's page: down to the items, as files, and which run is shown."""

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import comparison, pipeline, report
from scoring.evidence import evidence_from_json
from scoring.humdial import BENCHMARK
from scoring.signature import Signature
from submissions.models import Run, Split, Submission
from submissions.services.choose import choose
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db

MISSING = ["en-follow_up-0009_0001", "cn-pause_handling-0014_0001"]
MOST_QUERIES = 15


def page_of(submission):
    return url("submission", submission.pk)


def links(response):
    """Linked counts: number and address."""
    html = response.content.decode()
    found = re.findall(r'<a href="([^"]*/items/demo/[^"]*)">(\d+)[ /][^<]*</a>', html)
    return {(unescape(address), int(number)) for address, number in found}


def body(response):
    return b"".join(response.streaming_content).decode()


def test_every_count_is_as_long_as_its_list(client, submission):
    stage.score(submission, missing=MISSING, starts=())
    found = links(client.get(page_of(submission)))
    asked = {re.sub(r".*(outcome|label)=", "", address) for address, _ in found if "&" in address}
    assert asked >= {"missing", "silent", "success", "RESPOND"}
    wrong = {
        address: number
        for address, number in found
        if client.get(address).context["page"].paginator.count != number
    }
    assert wrong == {}


def test_the_page_asks_the_database_few_questions(client, split, submission, team, alice, olga):
    other = stage.make_team("Base")
    stage.score(stage.make_submission(split, other, "Base", kind="baseline"))
    stage.score(stage.make_submission(split, team, "Gull"), publish=False)
    stage.score(submission, missing=MISSING)
    stage.published_board(split)
    client.get(page_of(submission))
    counts = {"anonymous": _queries(client, submission)}
    for user in (alice, olga):
        counts[user.username] = _queries(login(client, user), submission)
    assert {name: number for name, number in counts.items() if number > MOST_QUERIES} == {}


def _queries(client, submission):
    with CaptureQueriesContext(connection) as found:
        assert client.get(page_of(submission)).status_code == 200
    return len(found)


def test_the_report_is_the_one_that_is_made_at_home(client, split, submission):
    run = stage.score(submission, missing=MISSING)
    evidence = [evidence_from_json(row.evidence) for row in run.items.order_by("item__position")]
    references = [item.reference for item in split.items.all()]
    scored = pipeline.score(BENCHMARK, references, evidence, mode="strict")
    home = report.score_report(
        scored, replace(Signature.parse(run.signature), mode="strict"), run.unofficial
    )
    text = body(client.get(url("submission-report", submission.pk, mode="strict")))
    other = comparison.read_report(text, path="report.json")
    assert comparison.compare(home, other).is_equal
    assert other["items"] == home["items"]
    assert list(other)[:5] == list(home)[:5]


def test_files_have_every_item_with_its_signature_and_no_costs(client, submission):
    run = stage.score(submission, missing=MISSING)
    run.results["usage"] = {"calls": 7, "estimate": {"calls": 9}}
    run.save()
    rows = list(csv.DictReader(io.StringIO(body(client.get(_items(submission, "csv"))))))
    data = json.loads(body(client.get(_items(submission, "json"))))
    assert len(rows) == len(data["items"]) == 20
    assert {row["signature"] for row in rows} == {data["signature"]}
    assert "|mode:official|" in data["signature"]
    gone = [row for row in rows if row["received"] == "false"]
    assert [(row["success"], row["stop"]) for row in gone] == [("", "")] * 2
    text = body(client.get(url("submission-report", submission.pk)))
    assert "usage" not in text
    assert "usage" not in data


@pytest.mark.parametrize("address", ["items.xml", "items.csv?mode=lenient", "report.json?mode="])
def test_an_unknown_form_or_mode_is_not_found(client, submission, address):
    stage.score(submission)
    assert client.get(f"{page_of(submission)}{address}").status_code == 404


def _items(submission, form):
    return url("submission-items", submission.pk, form)


def test_before_its_board_a_new_scoring_is_for_organisers_only(
    client, split, submission, alice, olga
):
    stage.score(submission)
    board = stage.published_board(split)
    again = stage.score(submission, missing=MISSING[:1])
    missing = url("items", "demo", sys=submission.pk, outcome="missing")
    api = f"/api/v1/submissions/{submission.pk}"
    for user in (None, alice):
        client.logout()
        response = login(client, user).get(page_of(submission)) if user else client.get(
            page_of(submission)
        )  # fmt: skip
        assert "missing 0 items" in text_of(response)
        assert "Scored again" not in text_of(response)
        assert '"received": false' not in body(client.get(_items(submission, "json")))
        assert client.get(missing).context["page"].paginator.count == 0
        assert client.get(api).json()["results"]["official"]["totals"]["received"] == 20
    text = text_of(login(client, olga).get(page_of(submission)))
    assert client.get(missing).context["page"].paginator.count == 1
    assert "missing 1 item " in text
    assert f"board {board.pk}, still has the run of" in text
    assert "There: interruption 100.0 %" in text
    stage.put_on_board(again)
    client.logout()
    assert "missing 1 item " in text_of(client.get(page_of(submission)))
    assert Run.objects.filter(submission=submission).first() == again


def test_a_team_chooses_which_of_its_submissions_counts(client, split, team, alice, charlie):
    split.counting = Split.Counting.CHOSEN
    split.save()
    first, second = (stage.make_submission(split, team, name) for name in ("Parrot", "Gull"))
    for one in (first, second):
        stage.score(one)
    text = text_of(login(client, alice).get(page_of(first)))
    assert "Now that is Gull, received" in text
    assert "Let this one count" in text
    assert "Let this one count" not in text_of(login(client, charlie).get(page_of(first)))
    choose(first, who=alice)
    text = text_of(login(client, alice).get(page_of(first)))
    assert "This one counts." in text
    assert "Let this one count" not in text


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("every", "has its own row on the board. This one counts."),
        ("newest", "The newest published submission of each team counts. This one counts."),
    ],
)
def test_the_rule_of_the_split_is_told_in_words(client, split, submission, rule, words):
    Split.objects.update(counting=rule)
    stage.score(submission)
    assert words in text_of(client.get(page_of(submission)))


def test_a_submission_is_compared_with_the_baseline_and_with_its_siblings(
    client, split, submission, team, alice
):
    base = stage.make_submission(split, stage.make_team("Base"), "Base", kind="baseline")
    hidden = stage.make_submission(split, team, "Secret")
    trial = stage.make_submission(split, team, "Trial", is_trial=True)
    for one, publish in ((base, True), (submission, True), (hidden, False), (trial, False)):
        stage.score(one, publish=publish)
    stage.published_board(split)
    public = client.get(page_of(submission)).content.decode()
    assert f"/compare/?s={base.pk}&amp;s={submission.pk}" in public
    assert str(hidden.pk) not in public
    own = login(client, alice).get(page_of(submission)).content.decode()
    assert f'<option value="{hidden.pk}">' in own
    assert str(trial.pk) not in own
    assert f"/compare/?s={base.pk}" not in client.get(page_of(base)).content.decode()


def test_a_trial_says_what_it_is_and_leads_to_the_full_archive(client, split, team, alice):
    trial = stage.make_submission(split, team, is_trial=True)
    stage.score(trial, publish=False)
    response = login(client, alice).get(page_of(trial))
    text = text_of(response)
    assert "This is a trial. It answers 20 items of the split, costs no slot" in text
    assert "/en/submit/?split=demo&amp;team=wonderland" in response.content.decode()
    assert "On the board" not in text
    assert "Which submission counts" not in text
    Submission.objects.filter(pk=trial.pk).update(state=Submission.State.QUEUED)
    assert "This is a trial." in text_of(client.get(page_of(trial)))
