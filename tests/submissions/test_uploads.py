"""Resumable uploads, by hand; the real clients are in test_upload_clients."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from submissions.models import Split, Submission, Upload
from submissions.services.check import measure
from submissions.services.sweep import sweep
from submissions.services.upload import discard_expired, path_of
from tests.submissions.sending import HEADERS, Sender, digest_header
from tests.submissions.split_of import small_split

DATA = bytes(range(256)) * 40


@pytest.fixture
def split(db):
    return small_split(limit_per_day=None)


@pytest.fixture(autouse=True)
def folder(settings, media, tmp_path):
    settings.PARTIAL_DIR = tmp_path / "partial"
    return settings.PARTIAL_DIR


@pytest.fixture
def sender(client, split, team, alice):
    client.force_login(alice)
    return Sender(client, split, team)


def the_upload():
    return Upload.objects.get()


# ---- the protocol -------------------------------------------------------------------------------


def test_the_server_says_what_it_can_do(client, db, settings):
    answer = client.options("/uploads/")
    assert answer.status_code == 204
    assert answer["Tus-Version"] == "1.0.0"
    extensions = "creation,creation-with-upload,termination,checksum,expiration"
    assert answer["Tus-Extension"] == extensions
    assert answer["Tus-Checksum-Algorithm"] == "sha1,sha256,md5"
    assert answer["Tus-Max-Size"] == str(settings.MAX_ARCHIVE_BYTES)


def test_pieces_become_a_submission(sender, split, team, alice):
    url = sender.open(len(DATA))
    first = sender.patch(url, 0, DATA[:4000])
    assert (first.status_code, first["Upload-Offset"]) == (204, "4000")
    head = sender.head(url)
    assert (head["Upload-Offset"], head["Upload-Length"]) == ("4000", str(len(DATA)))
    assert head["Cache-Control"] == "no-store"
    last = sender.patch(url, 4000, DATA[4000:])
    submission = Submission.objects.get()
    assert last["Submission-Location"] == f"/en/submission/{submission.pk}/"
    assert (submission.split, submission.team, submission.submitted_by) == (split, team, alice)
    assert (submission.system.name, submission.archive_name) == ("Parrot", "HD-Track2.zip")
    assert (submission.state, submission.size) == ("received", len(DATA))
    assert submission.archive.open().read() == DATA
    assert not path_of(the_upload()).exists()
    assert sender.head(url)["Submission-Location"] == last["Submission-Location"]


def test_the_hash_is_measured_by_the_check_and_not_before(sender):
    sender.send(DATA)
    submission = Submission.objects.get()
    assert submission.sha256 == ""
    measure(submission)
    assert Submission.objects.get().sha256 == hashlib.sha256(DATA).hexdigest()


def test_bytes_may_come_with_the_creation(sender):
    answer = sender.begin(len(DATA), data=DATA[:100])
    assert (answer.status_code, answer["Upload-Offset"]) == (201, "100")
    whole = sender.begin(len(DATA), data=DATA)
    assert whole.status_code == 201
    assert "/submission/" in whole["Submission-Location"]


def test_a_piece_at_the_wrong_place_is_refused_and_nothing_is_overwritten(sender):
    url = sender.open(len(DATA))
    sender.patch(url, 0, DATA[:4000])
    for offset in (0, 3999, 4001):
        answer = sender.patch(url, offset, b"x" * 10)
        assert (answer.status_code, answer.json()["code"]) == (409, "offset-differs")
    assert path_of(the_upload()).read_bytes() == DATA[:4000]


def test_more_than_announced_is_refused(sender):
    url = sender.open(100)
    assert sender.patch(url, 0, b"x" * 101).status_code == 413
    assert Submission.objects.count() == 0


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "md5"])
def test_a_piece_with_its_checksum_is_kept(sender, algorithm):
    url = sender.open(len(DATA))
    answer = sender.patch(url, 0, DATA[:500], **digest_header(DATA[:500], algorithm))
    assert (answer.status_code, answer["Upload-Offset"]) == (204, "500")


def test_a_piece_that_is_not_what_its_checksum_says_is_thrown_away(sender):
    url = sender.open(len(DATA))
    answer = sender.patch(url, 0, DATA[:500], **digest_header(DATA[:501]))
    assert (answer.status_code, answer.json()["code"]) == (460, "checksum-differs")
    assert answer.reason_phrase == "Checksum Mismatch"
    assert sender.head(url)["Upload-Offset"] == "0"


@pytest.mark.parametrize("value", ["crc32 AAAA", "sha1 not-base64!", "sha1"])
def test_a_checksum_that_says_nothing_is_refused(sender, value):
    url = sender.open(len(DATA))
    answer = sender.patch(url, 0, DATA[:500], **{"Upload-Checksum": value})
    assert answer.status_code in (400, 460)
    assert sender.head(url)["Upload-Offset"] == "0"


@pytest.mark.parametrize("length", ["", "-1", "1e3", "many", "9" * 30])
def test_a_length_that_is_none_is_refused(sender, length):
    assert sender.begin(length).status_code == 400


def test_another_version_is_refused_and_ours_is_named(sender):
    sender.headers = {"Tus-Resumable": "0.2.2"}
    answer = sender.begin(10)
    assert (answer.status_code, answer["Tus-Version"]) == (412, "1.0.0")


def test_a_piece_of_another_content_type_is_refused(sender):
    url = sender.open(len(DATA))
    headers = HEADERS | {"Upload-Offset": "0"}
    answer = sender.client.patch(url, data=DATA, content_type="text/plain", headers=headers)
    assert answer.status_code == 415


def test_the_method_may_be_named_in_a_header(sender):
    url = sender.open(len(DATA))
    headers = HEADERS | {"Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}
    answer = sender.client.post(
        url, data=DATA[:50], content_type="application/offset+octet-stream", headers=headers
    )
    assert (answer.status_code, answer["Upload-Offset"]) == (204, "50")


def test_a_get_cannot_be_made_a_delete(sender):
    url = sender.open(len(DATA))
    answer = sender.client.get(url, headers=HEADERS | {"X-HTTP-Method-Override": "DELETE"})
    assert answer.status_code == 405
    assert Upload.objects.count() == 1


def test_an_upload_can_be_ended(sender):
    url = sender.open(len(DATA))
    path = path_of(the_upload())
    assert path.exists()
    assert sender.delete(url).status_code == 204
    assert not path.exists()
    assert sender.head(url).status_code == 404


def test_what_a_killed_server_had_written_counts(sender):
    url = sender.open(len(DATA))
    # The server wrote 1,000 bytes and died before it could note anything.
    path_of(the_upload()).write_bytes(DATA[:1000])
    assert sender.head(url)["Upload-Offset"] == "1000"
    assert sender.patch(url, 1000, DATA[1000:])["Submission-Location"]


def test_a_server_killed_after_the_last_byte_finishes_at_the_next_question(sender):
    url = sender.open(len(DATA))
    path_of(the_upload()).write_bytes(DATA)
    assert "/submission/" in sender.head(url)["Submission-Location"]
    assert Submission.objects.get().archive.open().read() == DATA


def test_a_server_killed_while_moving_the_file_moves_it_again(sender):
    url = sender.open(len(DATA))
    path_of(the_upload()).write_bytes(DATA)
    half = Path(default_storage.path(f"archives/{the_upload().pk}.zip"))
    half.parent.mkdir(parents=True)
    half.write_bytes(DATA[:10])
    sender.head(url)
    assert Submission.objects.get().archive.open().read() == DATA


def test_a_client_that_missed_the_last_answer_may_ask_with_an_empty_piece(sender):
    url = sender.open(len(DATA))
    first = sender.patch(url, 0, DATA)
    again = sender.patch(url, len(DATA), b"")
    assert (again.status_code, again["Upload-Offset"]) == (204, str(len(DATA)))
    assert again["Submission-Location"] == first["Submission-Location"]
    assert Submission.objects.count() == 1


def test_lost_bytes_are_said_to_be_gone(sender):
    url = sender.open(len(DATA))
    path_of(the_upload()).unlink()
    assert sender.head(url).status_code == 410
    assert sender.patch(url, 0, DATA).status_code == 410


# ---- who may ------------------------------------------------------------------------------------


def test_an_upload_belongs_to_its_user(sender, bob, charlie, olga):
    url = sender.open(len(DATA))
    for other in (bob, charlie, olga):
        sender.client.force_login(other)
        assert sender.head(url).status_code == 404
        assert sender.patch(url, 0, DATA).status_code == 404
        assert sender.delete(url).status_code == 404
        assert sender.client.post(f"{url}submit/").status_code == 404
        assert sender.client.post(f"{url}description/").status_code == 404
    assert path_of(the_upload()).read_bytes() == b""


def test_nobody_is_asked_to_log_in(client, split, team):
    answer = Sender(client, split, team).begin(10)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-logged-in")


def test_a_session_needs_the_token_of_its_page(split, team, alice):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    sender = Sender(strict, split, team)
    answer = sender.begin(10)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    strict.get("/en/submit/")
    sender.headers |= {"X-CSRFToken": strict.cookies["csrftoken"].value}
    assert sender.begin(10).status_code == 201


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"split": "nowhere"}, "split-unknown"),
        ({"team": "rabbits"}, "not-a-member"),
        ({"system": ""}, "system-unnamed"),
        ({"system": "x" * 81}, "system-unnamed"),
    ],
)
def test_a_wish_that_names_nothing_we_know_is_refused(sender, said, code):
    answer = sender.begin(10, **said)
    assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert Upload.objects.count() == 0


def test_a_stranger_cannot_upload_for_a_team(sender, charlie):
    sender.client.force_login(charlie)
    assert sender.begin(10).json()["code"] == "not-a-member"


# ---- sizes, room, windows -----------------------------------------------------------------------


def test_too_large_and_empty_archives_are_refused_before_a_byte_is_sent(sender, settings):
    settings.MAX_ARCHIVE_BYTES = 1000
    answer = sender.begin(1001)
    assert (answer.status_code, answer.json()["code"]) == (413, "archive-too-large")
    assert sender.begin(0).json()["code"] == "archive-empty"
    assert sender.begin(1000).status_code == 201


def test_one_person_cannot_fill_the_disk_with_beginnings(sender, settings):
    settings.UPLOADS_AT_ONCE = 2
    url = sender.open(10)
    sender.open(10)
    assert sender.begin(10).json()["code"] == "too-many-uploads"
    sender.delete(url)
    assert sender.begin(10).status_code == 201


def test_a_closed_window_refuses_at_once(sender, split):
    split.closes = timezone.now() - timedelta(seconds=1)
    split.save()
    assert sender.begin(10).json()["code"] == "window-closed"


def close(split):
    Split.objects.filter(pk=split.pk).update(closes=timezone.now() - timedelta(seconds=1))


def test_a_window_that_closes_meanwhile_refuses_at_the_end_and_keeps_the_bytes(sender, split):
    url = sender.open(len(DATA))
    sender.patch(url, 0, DATA[:10])
    close(split)
    answer = sender.patch(url, 10, DATA[10:])
    assert (answer.status_code, answer.json()["code"]) == (403, "window-closed")
    assert answer["Submission-Refused"] == "window-closed"
    assert Submission.objects.count() == 0
    # Asking again changes nothing, and gives nobody a submission behind their back.
    Split.objects.update(closes=None)
    head = sender.head(url)
    assert head["Upload-Offset"] == str(len(DATA))
    assert "Submission-Location" not in head
    assert Submission.objects.count() == 0


def test_a_refused_upload_can_be_submitted_when_the_window_is_extended(sender, split):
    url = sender.open(len(DATA))
    close(split)
    sender.patch(url, 0, DATA)
    assert sender.client.post(f"{url}submit/").json()["code"] == "window-closed"
    Split.objects.update(closes=None)
    answer = sender.client.post(f"{url}submit/")
    submission = Submission.objects.get()
    assert (answer.status_code, answer.json()["submission"]) == (201, str(submission.pk))
    assert submission.archive.open().read() == DATA
    # A second try gives the same one.
    assert sender.client.post(f"{url}submit/").json()["submission"] == str(submission.pk)
    assert Submission.objects.count() == 1


def test_a_quota_that_goes_meanwhile_refuses_at_the_end(sender):
    Split.objects.update(limit_total=1)
    slow, fast = sender.open(len(DATA)), sender.open(len(DATA))
    assert sender.patch(fast, 0, DATA).status_code == 204
    assert sender.patch(slow, 0, DATA).json()["code"] == "quota-total-used"
    assert Submission.objects.count() == 1


def test_an_incomplete_upload_cannot_be_submitted(sender):
    url = sender.open(len(DATA))
    answer = sender.client.post(f"{url}submit/")
    assert (answer.status_code, answer.json()["code"]) == (400, "upload-incomplete")


# ---- expiry -------------------------------------------------------------------------------------


def test_bytes_prolong_an_upload(sender):
    url = sender.open(len(DATA))
    Upload.objects.update(expires=timezone.now() + timedelta(minutes=1))
    sender.patch(url, 0, DATA[:10])
    assert the_upload().expires > timezone.now() + timedelta(days=6)


def test_an_expired_upload_is_gone_and_swept(sender):
    url = sender.open(len(DATA))
    path = path_of(the_upload())
    Upload.objects.update(expires=timezone.now())
    assert sender.head(url).status_code == 404
    sweep()
    assert not path.exists()
    assert Upload.objects.count() == 0


def test_the_sweep_takes_the_bytes_of_a_refused_upload_too(sender, split):
    url = sender.open(len(DATA))
    close(split)
    sender.patch(url, 0, DATA)
    name = f"archives/{the_upload().pk}.zip"
    assert default_storage.exists(name)
    assert discard_expired(timezone.now() + timedelta(days=8)) == 1
    assert not default_storage.exists(name)


def test_the_sweep_never_takes_the_archive_of_a_submission(sender):
    sender.send(DATA)
    assert discard_expired(timezone.now() + timedelta(days=8)) == 1
    assert Submission.objects.get().archive.open().read() == DATA
