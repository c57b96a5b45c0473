"""The description of a submission: who may read it, and how it is sent."""

import pytest
from django.core.files.base import ContentFile
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from submissions.models import Split, Submission, Upload
from submissions.services.upload import path_of
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.sending import Sender
from tests.submissions.test_submit import PAGE, document, fields, pdf

TICK = "Everybody may read the description once the entry is published"


@pytest.fixture
def split(db, media, settings):
    settings.PARTIAL_DIR = media / "partial"
    return stage.make_split("dev")


@pytest.fixture
def described(split, team):
    paper = ContentFile(pdf(2), name="paper.pdf")
    return stage.make_submission(split, team, document=paper, document_public=True)


def opened(client, submission):
    return client.get(url("description", submission.pk))


# ---- how it is sent -----------------------------------------------------------------------------


def test_the_pdf_opens_in_the_browser_and_may_do_nothing_there(client, described, alice):
    answer = opened(login(client, alice), described)
    assert b"".join(answer.streaming_content) == pdf(2)
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="wonderland-parrot-description.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert answer["Cache-Control"] == "private, no-cache"
    assert int(answer["Content-Length"]) == len(pdf(2))


def test_the_name_of_the_file_is_ours_whatever_the_system_is_called(client, described, alice):
    described.system.name = 'Evil"; filename="a.html\r\nSet-Cookie: x'
    described.system.save()
    answer = opened(login(client, alice), described)
    assert answer["Content-Disposition"] == 'inline; filename="wonderland-parrot-description.pdf"'


def test_where_none_came_there_is_no_address(client, split, team, alice):
    submission = stage.make_submission(split, team)
    login(client, alice)
    assert opened(client, submission).status_code == 404
    assert client.post(url("description-show", submission.pk)).status_code == 404
    assert "description.pdf" not in client.get(url("submission", submission.pk)).content.decode()


def test_a_lost_file_is_said_and_breaks_no_page(client, described, alice):
    described.document.storage.delete(described.document.name)
    login(client, alice)
    assert opened(client, described).status_code == 404
    assert "The file is not to be found." in text_of(client.get(url("submission", described.pk)))


# ---- who reads it -------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["withdrawn", "disqualified"])
def test_what_left_the_board_takes_its_description_along(client, described, alice, state):
    stage.score(described)
    assert opened(client, described).status_code == 200
    Submission.objects.update(state=state)
    assert opened(client, described).status_code == 404
    assert opened(login(client, alice), described).status_code == 200


def test_pages_lead_to_it_with_its_size_for_those_who_may_read_it(client, split, described):
    stage.score(described)
    stage.published_board(split)
    size = filesizeformat(len(pdf(2))).replace("\xa0", " ")
    pages = [url("submission", described.pk), url("system", described.system.slug)]
    for page in pages:
        answer = client.get(page)
        assert url("description", described.pk) in answer.content.decode()
        assert f"PDF ({size})" in text_of(answer).replace("PDF  (", "PDF (")
    Submission.objects.update(document_public=False)
    for page in pages:
        assert "description.pdf" not in client.get(page).content.decode()


def test_a_member_changes_who_may_read_it(client, described, alice):
    stage.score(described)
    door = url("description-show", described.pk)
    login(client, alice)
    page = text_of(client.get(url("submission", described.pk)))
    assert "Keep it to the team and the organisers" in page
    answer = client.post(door, {"public": "0"}, follow=True)
    assert "Only your team and the organisers may read the description now." in text_of(answer)
    assert not Submission.objects.get().document_public
    assert "Let everybody read it once the entry is published" in text_of(answer)
    client.post(door, {"public": "1"})
    assert Submission.objects.get().document_public


def test_only_members_change_who_may_read_it(client, described, charlie, olga):
    stage.score(described)
    door = url("description-show", described.pk)
    assert client.post(door, {"public": "0"}).status_code == 302
    for person in (charlie, olga):
        assert login(client, person).post(door, {"public": "0"}).status_code == 404
        page = client.get(url("submission", described.pk)).content.decode()
        assert door not in page
    assert login(client, charlie).get(door).status_code == 405
    assert Submission.objects.get().document_public


# ---- where the team says it ---------------------------------------------------------------------


@pytest.mark.parametrize("ticked", [True, False])
def test_the_form_has_a_tick_that_is_off(client, split, team, alice, ticked):
    login(client, alice)
    page = client.get(PAGE)
    assert TICK in text_of(page)
    assert not page.context["form"]["description_public"].initial
    tick = {"description_public": "on"} if ticked else {}
    client.post(PAGE, fields(document=document(pdf(1)), **tick))
    assert Submission.objects.get().document_public is ticked


@pytest.mark.parametrize(("said", "public"), [({}, False), ({"description_public": "1"}, True)])
def test_a_resumable_upload_says_it_in_its_metadata(client, split, team, alice, said, public):
    sender = Sender(login(client, alice), split, team)
    sender.send(b"bytes", **said)
    assert Submission.objects.get().document_public is public


@pytest.mark.parametrize("said", ["0", "1"])
def test_a_resumable_upload_may_say_it_again_before_its_end(client, split, team, alice, said):
    sender = Sender(login(client, alice), split, team)
    address = sender.open(5, description_public="1" if said == "0" else "")
    answer = client.put(f"{address}description/?public={said}")
    assert answer.status_code == 204
    sender.patch(address, 0, b"bytes")
    assert Submission.objects.get().document_public is (said == "1")


def test_saying_it_keeps_a_description_that_is_there(client, split, team, alice):
    sender = Sender(login(client, alice), split, team)
    address = sender.open(5)
    client.post(f"{address}description/", data=pdf(1), content_type="application/pdf")
    client.put(f"{address}description/?public=1")
    assert path_of(Upload.objects.get()).with_suffix(".pdf").read_bytes() == pdf(1)
    empty = client.post(f"{address}description/", data=b"", content_type="application/pdf")
    assert (empty.status_code, empty.json()["code"]) == (422, "not-a-pdf")


def test_one_request_says_it_in_its_address(client, split, team, alice):
    wish = f"split={split.slug}&team={team.slug}&system=Parrot&name=a.zip&description_public=yes"
    login(client, alice)
    client.post(f"/uploads/plain?{wish}", data=b"bytes", content_type="application/zip")
    assert Submission.objects.get().document_public


def test_a_description_that_comes_late_says_it_in_its_form(client, split, team, alice):
    Split.objects.update(min_document_pages=1)
    sender = Sender(login(client, alice), split, team)
    sender.send(b"bytes")
    assert TICK in text_of(client.get(PAGE))
    door = url("unfinished-submit", Upload.objects.get().pk)
    client.post(door, {"document": document(pdf(1)), "description_public": "on"})
    assert Submission.objects.get().document_public


def test_the_api_takes_it_as_a_field(client, split, team, alice):
    form = {
        "split": split.slug,
        "team": team.slug,
        "system": "Parrot",
        "archive": fields()["archive"],
    }
    login(client, alice)
    for number, said in enumerate(({}, {"description_public": "true"})):
        answer = client.post("/api/v1/submissions/", form | said)
        assert answer.status_code == 201, answer.content
        form["archive"] = fields()["archive"]
        assert Submission.objects.filter(document_public=True).count() == number


def test_before_it_is_published_the_public_reads_nothing(client, described):
    assert described.published is None
    assert opened(client, described).status_code == 404
    Submission.objects.update(published=timezone.now(), state="scored")
    assert opened(client, described).status_code == 200
