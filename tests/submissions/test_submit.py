"""The submit page: its form, its lists, trials and descriptions."""

import csv
import io
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pypdf import PdfWriter

from scoring.check.file_list import files_from_csv
from scoring.humdial.names import expected_files
from submissions.models import Approval, Split, Submission, System, Team, Upload
from submissions.services.publish import PublishRefused, publish, publish_when_due
from submissions.services.slots import slots, slots_of
from submissions.services.submit import SubmissionRefused, submit, system_of
from submissions.services.sweep import sweep
from submissions.services.upload import path_of
from submissions.states import State
from tests.submissions.sending import Sender
from tests.submissions.split_of import small_split

PAGE = "/en/submit/"


@pytest.fixture
def dev(db, media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return small_split()


def zipped(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in names:
            file.writestr(name, b"")
    return SimpleUploadedFile("HD-Track2.zip", out.getvalue())


def pdf(pages):
    writer, out = PdfWriter(), io.BytesIO()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    writer.write(out)
    return out.getvalue()


def fields(**changes):
    wish = {"split": "dev", "team": "wonderland", "system_name": "Parrot", "archive": zipped("a")}
    return wish | changes


def document(data):
    return SimpleUploadedFile("paper.pdf", data, "application/pdf")


# ---- the form -----------------------------------------------------------------------------------


def test_the_plain_form_makes_a_submission_and_a_receipt(client, dev, team, alice):
    client.force_login(alice)
    answer = client.post(PAGE, fields())
    submission = Submission.objects.get()
    assert answer["Location"] == f"/en/submission/{submission.pk}/"
    assert not submission.is_trial
    page = client.get(answer["Location"]).content.decode()
    assert submission.sha256 in page
    assert f"{submission.size}" in page
    assert f"{submission.created:%Y-%m-%d %H:%M} UTC" in page


def test_a_receipt_is_for_the_team(client, dev, team, alice, charlie):
    client.force_login(alice)
    client.post(PAGE, fields())
    submission = Submission.objects.get()
    address = f"/en/submission/{submission.pk}/"
    client.force_login(charlie)
    assert client.get(address).status_code == 404
    Submission.objects.update(state=State.SCORED, published=timezone.now())
    assert submission.sha256 not in client.get(address).content.decode()


def test_a_hash_that_is_not_known_yet_is_being_measured(client, dev, team, alice):
    client.force_login(alice)
    address = Sender(client, dev, team).send(b"bytes")["Submission-Location"]
    assert "being measured" in client.get(address).content.decode()


def test_the_page_says_limits_and_deadline_in_utc_and_aoe(client, dev, team, alice):
    dev.closes = datetime(2030, 1, 1, 11, 59, tzinfo=UTC)
    dev.limit_total, dev.one_at_a_time = 7, True
    dev.save()
    client.force_login(alice)
    page = client.get(PAGE).content.decode()
    assert "closes at 2029-12-31 23:59 AoE (2030-01-01 11:59 UTC)." in page
    assert 'datetime="2030-01-01T11:59:00+00:00"' in page
    for words in (
        "A team has 7 submissions in all.", "A team has 3 submissions in any 24 hours.",
        "A team submits one at a time", "10 trials left today",
    ):  # fmt: skip
        assert words in page


def test_the_page_says_when_the_next_slot_opens(client, dev, team, alice):
    Split.objects.update(limit_per_day=1)
    client.force_login(alice)
    client.post(PAGE, fields())
    slot = Submission.objects.get().created + timedelta(hours=24)
    page = client.get(PAGE).content.decode()
    assert "has used its submissions of the last 24 hours" in page
    assert f"{slot:%Y-%m-%d %H:%M} UTC" in page


def test_one_system_has_one_name_however_it_is_capitalised(team):
    first = system_of(team, "Parrot")
    assert system_of(team, "PARROT") == first
    assert System.objects.count() == 1


# ---- descriptions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "document-missing"),
        (pdf(1), "document-too-short"),
        (b"", "not-a-pdf"),
        (b"%PDF-1.7 and then nothing", "not-a-pdf"),
        (b"PK\x03\x04", "not-a-pdf"),
        (pdf(3)[:200], "not-a-pdf"),
        (b"%PDF-" + b"x" * (20 * 2**20), "document-too-large"),
        (pdf(2), None),
    ],
)
def test_a_description_is_checked_where_the_split_asks_for_it(dev, team, alice, data, code):
    dev.min_document_pages = 2
    sent = None if data is None else document(data)
    wish = {"split": dev, "team": team, "system_name": "Parrot", "user": alice}
    if code is None:
        submission = submit(**wish, upload=zipped("a"), document=sent)
        assert submission.document.open().read() == data
        return
    with pytest.raises(SubmissionRefused) as raised:
        submit(**wish, upload=zipped("a"), document=sent)
    assert raised.value.code == code
    assert Submission.objects.count() == 0


def test_a_pdf_with_a_password_cannot_be_read(dev, team, alice):
    writer, out = PdfWriter(), io.BytesIO()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(out)
    with pytest.raises(SubmissionRefused, match="cannot be read as a PDF"):
        submit(split=dev, team=team, system_name="Parrot", user=alice, upload=zipped("a"),
               document=document(out.getvalue()))  # fmt: skip


def test_the_form_says_at_its_field_what_is_wrong_with_a_description(client, dev, team, alice):
    Split.objects.update(min_document_pages=2)
    client.force_login(alice)
    answer = client.post(PAGE, fields(document=document(pdf(1))))
    assert answer.status_code == 422
    assert "has 1 page(s)" in answer.context["form"].errors["document"][0]
    assert client.post(PAGE, fields(document=document(pdf(2)))).status_code == 302


def test_a_resumable_upload_takes_its_description_beside_it(client, dev, team, alice):
    Split.objects.update(min_document_pages=2)
    client.force_login(alice)
    sender = Sender(client, dev, team)
    url = sender.open(5)
    bad = client.post(f"{url}description/", data=b"text", content_type="application/pdf")
    assert (bad.status_code, bad.json()["code"]) == (422, "not-a-pdf")
    # Without one the archive is kept, and the page takes the description later.
    late = sender.patch(url, 0, b"bytes")
    assert (late.status_code, late.json()["code"]) == (403, "document-missing")
    upload = Upload.objects.get()
    page = client.get(PAGE).content.decode()
    assert "complete, but it could not be submitted then" in page
    door = f"/en/submit/unfinished/{upload.pk}/"
    assert client.post(door)["Location"] == PAGE
    answer = client.post(door, {"document": document(pdf(2))})
    submission = Submission.objects.get()
    assert answer["Location"] == f"/en/submission/{submission.pk}/"
    assert submission.document.open().read() == pdf(2)
    assert submission.archive.open().read() == b"bytes"


# ---- what was begun -----------------------------------------------------------------------------


def test_the_page_lists_what_was_begun_and_deletes_it(client, dev, team, alice, bob):
    client.force_login(alice)
    sender = Sender(client, dev, team)
    url = sender.open(1000)
    sender.patch(url, 0, b"x" * 430)
    upload = Upload.objects.get()
    page = client.get(PAGE).content.decode()
    assert "43 %" in page
    assert f"{upload.expires:%Y-%m-%d %H:%M} UTC" in page
    door = f"/en/submit/unfinished/{upload.pk}/"
    assert client.post(door)["Location"] == PAGE
    client.force_login(bob)
    assert "43 %" not in client.get(PAGE).content.decode()
    assert client.post(f"{door}delete/").status_code == 404
    client.force_login(alice)
    path = path_of(upload)
    assert client.post(f"{door}delete/").status_code == 302
    assert not path.exists()
    assert Upload.objects.count() == 0


# ---- lists of files -----------------------------------------------------------------------------


def test_the_list_of_files_names_all_and_says_nothing_else(client, split, team, alice):
    client.force_login(alice)
    answer = client.get(f"{PAGE}demo/files.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["file"]
    assert rows[1:] == sorted(rows[1:])
    assert ["HD-Track2/test/test-4147_output.wav"] in rows
    assert len(rows) == 1 + 36
    at_home = files_from_csv(answer.content.decode())
    assert {file.path for file in at_home} == {file.path for file in expected_files(split.manifest)}


def test_the_list_of_a_trial_is_shorter(client, split, team, alice):
    Split.objects.update(trial_items=1)
    split.items.filter(language="en").update(language="cn")
    client.force_login(alice)
    whole = client.get(f"{PAGE}demo/files.csv").content.splitlines()
    trial = client.get(f"{PAGE}demo/files.csv?trial=1").content.splitlines()
    assert (len(whole), len(trial)) == (37, 19)
    assert set(trial) < set(whole)


def test_a_list_of_files_is_for_people_with_an_account(client, split):
    assert client.get(f"{PAGE}demo/files.csv").status_code == 302


# ---- trials -------------------------------------------------------------------------------------


def test_a_trial_costs_no_slot_and_a_slot_no_trial(client, dev, team, alice, settings):
    settings.TRIALS_PER_DAY = 2
    Split.objects.update(limit_per_day=1)
    client.force_login(alice)
    client.post(PAGE, fields(trial="on"))
    assert Submission.objects.get().is_trial
    dev.refresh_from_db()
    now = timezone.now()
    assert slots(dev, team, now).left == 1
    assert slots(dev, team, now, is_trial=True).left == 1
    client.post(PAGE, fields())
    assert slots(dev, team, timezone.now(), is_trial=True).left == 1
    assert not slots(dev, team, timezone.now()).allowed


def test_a_trial_is_possible_before_the_window_and_not_after_it(dev, team):
    now = timezone.now()
    dev.opens = now + timedelta(days=1)
    assert slots(dev, team, now, is_trial=True).allowed
    assert not slots(dev, team, now).allowed
    dev.opens, dev.closes = None, now - timedelta(seconds=1)
    assert not slots(dev, team, now, is_trial=True).allowed


def test_many_slots_at_once_say_what_each_of_them_says(dev, team, alice, settings):
    settings.TRIALS_PER_DAY = 1
    other = Team.objects.create(name="Hatters", slug="hatters")
    closed = Split.objects.create(slug="closed", name="C", needs_approval=True, limit_total=1)
    asked = Approval.objects.create(split=closed, team=team, state=Approval.State.GRANTED)
    Approval.objects.create(split=closed, team=other)
    for split, is_trial in ((dev, False), (dev, True), (closed, False)):
        submit(split=split, team=team, system_name="P", user=alice, upload=zipped("a"),
               is_trial=is_trial)  # fmt: skip
    now = timezone.now()
    many = slots_of([dev, asked.split], [team, other], now)
    assert len(many) == 8
    for (split, whose, is_trial), found in many.items():
        assert found == slots(split, whose, now, is_trial=is_trial)
    assert {one.code for one in many.values()} == {
        "", "quota-total-used", "trials-of-the-day-used", "approval-needed",
    }  # fmt: skip


def test_a_split_without_trial_items_has_no_trials(dev, team):
    dev.trial_items = 0
    found = slots(dev, team, timezone.now(), is_trial=True)
    assert (found.allowed, found.reason) == (False, "This split has no trials.")
    assert found.cure == "Check the archive on your own machine instead."


def test_refused_and_failed_trials_are_free_and_withdrawn_ones_are_not(dev, team, alice, settings):
    settings.TRIALS_PER_DAY = 3
    for state in (State.REJECTED, State.FAILED, State.WITHDRAWN):
        one = submit(split=dev, team=team, system_name="P", user=alice, upload=zipped("a"),
                     is_trial=True)  # fmt: skip
        Submission.objects.filter(pk=one.pk).update(state=state)
    assert slots(dev, team, timezone.now(), is_trial=True).left == 2


def test_a_trial_needs_no_description(dev, team, alice):
    dev.min_document_pages = 2
    submit(split=dev, team=team, system_name="P", user=alice, upload=zipped("a"), is_trial=True)


def test_not_even_an_organiser_publishes_a_trial(dev, team, alice):
    trial = submit(split=dev, team=team, system_name="P", user=alice, upload=zipped("a"),
                   is_trial=True)  # fmt: skip
    with pytest.raises(PublishRefused, match="a trial is never published"):
        publish([trial], who=alice)
    publish_when_due(trial)
    assert Submission.objects.get().published is None


@pytest.mark.slow
@pytest.mark.parametrize("publication", ["automatic", "reveal"])
def test_a_trial_is_scored_on_its_items_and_never_published(
    split, team, alice, mini, eager, django_capture_on_commit_callbacks, publication
):
    split.items.filter(language="en").update(language="cn")
    Split.objects.update(
        trial_items=1, publication=publication, reveal=timezone.now() - timedelta(days=1)
    )
    split.refresh_from_db()
    archive = (mini / "submissions" / "prompt" / "HD-Track2.zip").read_bytes()
    with django_capture_on_commit_callbacks(execute=True):
        trial = submit(
            split=split, team=team, system_name="Parrot", user=alice, is_trial=True,
            upload=SimpleUploadedFile("HD-Track2.zip", archive),
        )  # fmt: skip
    trial.refresh_from_db()
    assert (trial.state, trial.published) == ("scored", None)
    assert trial.runs.get().items.count() == 10
    assert [item.pk for item in trial.items] == [
        row.item_id for row in trial.runs.get().items.order_by("item__position")
    ]
    codes = {finding["code"] for finding in trial.check_report["findings"]}
    assert "beyond-the-trial" in codes
    assert not codes & {"file-missing", "file-unknown"}
    publish_when_due(trial)
    sweep()
    trial.refresh_from_db()
    assert trial.published is None
