"""A split made from a folder at the organisers' desk, clicked as Olga clicks it."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leaderboard.models import Snapshot
from submissions.models import Split, SplitImport
from submissions.services import import_turns
from tests.leaderboard.reader import text_of

pytestmark = pytest.mark.django_db(transaction=True)

ADD = "admin:submissions_split_add"
LIST = "admin:submissions_splitimport_changelist"
PAGE = "admin:submissions_splitimport_change"
State = SplitImport.State


@pytest.fixture
def desk(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
def form(source, planned_tools, media):
    return {
        "name": "Small", "slug": "small", "folder": str(source), "position": 3, "l_min": "1.250",
        "ranking_mode": "official", "publication": "reveal", "reference_name": "",
        "reveal_0": "2027-03-01", "reveal_1": "12:30:00", "items_public": "on",
        "benchmark": "humdial-fdbench", "refused_per_day": 20, "trial_items": 2,
        "min_coverage": "100", "latency": "recordings", "counting": "every",
        "weight_interruption": "0.4", "weight_rejection": "0.4", "weight_delay": "0.2",
    }  # fmt: skip


def add(desk, form, **changes):
    return desk.post(reverse(ADD), {**form, **changes}, follow=True)


def act(desk, action, job):
    data = {"action": action, "_selected_action": [str(job.pk)]}
    return desk.post(reverse(LIST), data, follow=True)


def errors_of(page, field):
    return page.context["adminform"].form.errors.get(field)


def page_of(desk, job):
    return text_of(desk.get(reverse(PAGE, args=[job.pk])))


def test_the_desk_answers_before_an_item_is_read_and_nobody_meets_the_split(desk, form, sent):
    page = add(desk, form)
    job = SplitImport.objects.get()
    assert page.redirect_chain == [(reverse(PAGE, args=[job.pk]), 302)]
    text = text_of(page)
    assert "The items of “small” are being read now: 2 in all." in text
    assert "refresh this page to see how far it is" in text
    assert "0 / 2" in text
    assert sent == [("import_items", str(job.pk))]
    assert not Split.objects.exists()
    for address in ("/en/split/small/", "/en/submit/files/small.csv", "/api/v1/splits/small"):
        assert desk.get(address).status_code == 404


def test_the_page_tells_how_far_it_is_and_that_it_is_done(desk, form, sent, monkeypatch):
    monkeypatch.setattr(import_turns, "CHUNK", 1)
    monkeypatch.setattr(import_turns, "TURN", 0)
    add(desk, form)
    job = SplitImport.objects.get()
    assert import_turns.work(str(job.pk))
    assert "1 / 2" in page_of(desk, job)
    assert "being read" in page_of(desk, job)
    assert "1 / 2" in text_of(desk.get(reverse(LIST)))
    while import_turns.work(str(job.pk)):
        pass
    assert "2 / 2" in page_of(desk, job)
    assert "complete" in page_of(desk, job)


def test_the_split_has_the_settings_of_the_form(desk, form, eager):
    add(desk, form)
    split = Split.objects.get()
    assert split.items.count() == 2
    assert (split.name, split.position, split.publication) == ("Small", 3, "reveal")
    assert split.reveal == datetime(2027, 3, 1, 12, 30, tzinfo=UTC)
    assert (split.l_min, split.l_base, split.limit_per_day) == (Decimal("1.25"), None, None)
    # What is not ticked is not ticked, whatever the model's default says.
    assert (split.items_public, split.accepts_uploads, split.trial_items) == (True, False, 2)
    assert not Snapshot.objects.exists()


def test_a_bad_file_is_told_with_its_cure_and_trying_again_goes_on(desk, form, source, eager):
    path = next(source.rglob("0011_1054.wav"))
    whole = path.read_bytes()
    path.write_bytes(b"no sound")
    add(desk, form)
    job = SplitImport.objects.get()
    assert job.state == State.FAILED
    assert "0011_1054.wav" in page_of(desk, job)
    assert "Mend them and try again" in page_of(desk, job)
    assert "1 file cannot be used" in text_of(desk.get(reverse(LIST)))
    path.write_bytes(whole)
    assert "Done: 1." in text_of(act(desk, "try_again_chosen", job))
    job.refresh_from_db()
    assert (job.state, job.split.items.count()) == (State.DONE, 2)


def test_trying_again_tells_what_is_still_missing(desk, form, source, eager):
    path = next(source.rglob("0011_1054.wav"))
    path.write_bytes(b"no sound")
    add(desk, form)
    path.unlink()
    text = text_of(act(desk, "try_again_chosen", SplitImport.objects.get()))
    assert "Small: 1 file that manifest.csv asks for is missing" in text
    assert "Done: 0." in text


def test_an_import_is_discarded_with_a_line_in_the_log(desk, form, sent):
    add(desk, form)
    assert "Done: 1." in text_of(act(desk, "discard_chosen", SplitImport.objects.get()))
    assert not SplitImport.objects.exists()


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("{source}/nowhere", "There is no manifest.csv"),
        ("some/where", "Write the whole path"),
        ("{source}", "0011_1054.wav. Add them"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_beside_its_field(
    desk, form, source, sent, folder, words
):
    (source / "en" / "Follow-up_Questions" / "0011_1054.wav").unlink()
    page = add(desk, form, folder=folder.format(source=source))
    assert words in errors_of(page, "folder")[0]
    assert not Split.objects.exists()
    assert not SplitImport.objects.exists()


def test_a_slug_that_is_being_imported_is_taken(desk, form, sent):
    add(desk, form)
    for folder in (form["folder"], ""):
        page = add(desk, form, folder=folder)
        assert errors_of(page, "slug") == ["A split of this slug is being imported."]
    assert SplitImport.objects.count() == 1
    assert not Split.objects.exists()


def test_whoever_comes_second_in_a_race_is_told(desk, form, sent, monkeypatch):
    add(desk, form)
    monkeypatch.setattr("submissions.admin.splits.under_way", lambda slug: False)
    page = add(desk, form)
    assert "A split of this slug is being imported. Wait until that has ended" in text_of(page)
    assert SplitImport.objects.count() == 1


def test_a_split_without_items_gets_them_later(desk, form, eager):
    add(desk, form, folder="")
    split = Split.objects.get()
    assert split.items.count() == 0
    address = reverse("admin:submissions_split_change", args=[split.pk])
    page = desk.post(address, {**form, "name": "Renamed"}, follow=True)
    assert page.redirect_chain[0][0] == reverse(PAGE, args=[SplitImport.objects.get().pk])
    split.refresh_from_db()
    assert (split.name, split.items.count()) == ("Renamed", 2)
    page = desk.post(address, form)
    assert "has items already" in errors_of(page, "folder")[0]
    assert desk.post(address, {**form, "folder": ""}).status_code == 302


def test_imports_are_for_those_staff_members_who_may_see_them(client, form, sent, desk, alice, bob):
    add(desk, form)
    job = SplitImport.objects.get()
    bob.is_staff = True
    bob.save()
    for person in (None, alice, bob):
        client.logout()
        if person:
            client.force_login(person)
        for address in (reverse(LIST), reverse(PAGE, args=[job.pk])):
            assert client.get(address).status_code == (403 if person == bob else 302)
        act(client, "discard_chosen", job)
    bob.user_permissions.add(Permission.objects.get(codename="view_splitimport"))
    assert client.get(reverse(PAGE, args=[job.pk])).status_code == 200
    SplitImport.objects.update(state=State.FAILED)
    act(client, "discard_chosen", job)
    act(client, "try_again_chosen", job)
    assert SplitImport.objects.get().state == State.FAILED


def test_nothing_of_an_import_is_written_by_hand(desk, form, sent):
    add(desk, form)
    address = reverse(PAGE, args=[SplitImport.objects.get().pk])
    assert desk.post(address, {"slug": "other"}).status_code == 403
    assert desk.get(reverse("admin:submissions_splitimport_add")).status_code == 403


def test_a_long_list_asks_the_database_as_often_as_a_short_one(desk, form, sent, olga):
    add(desk, form)
    job = SplitImport.objects.get()
    with CaptureQueriesContext(connection) as few:
        desk.get(reverse(LIST))
    for number in range(30):
        job.pk, job.slug = None, f"small-{number}"
        job.id = import_turns.SplitImport._meta.pk.get_default()
        job.save(force_insert=True)
    with CaptureQueriesContext(connection) as many:
        desk.get(reverse(LIST))
    assert len(many) == len(few) <= 15
