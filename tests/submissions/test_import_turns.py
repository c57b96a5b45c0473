"""A split that an organiser asks for: read by workers bit by bit, there whole or not at all."""

import shutil
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.forms.models import model_to_dict

from scoring.errors import EngineError, ManifestError
from submissions import tasks
from submissions.models import ImportedItem, Item, Remembered, Split, SplitImport
from submissions.services import import_turns
from submissions.services.import_folder import FolderRefused, manifest_in
from submissions.services.import_split import import_split
from submissions.services.import_turns import ImportRefused, begin, discard, take_up, try_again

pytestmark = pytest.mark.django_db(transaction=True)

NO_PATIENCE = timedelta(0)
State = SplitImport.State


@pytest.fixture
def job(source, planned_tools, media, sent, olga, monkeypatch):
    """The import of a split of two items, one item a turn."""
    monkeypatch.setattr(import_turns, "CHUNK", 1)
    monkeypatch.setattr(import_turns, "TURN", 0)
    return begin("small", source, manifest_in(source), who=olga, fields={"name": "Small"})


def turn(job):
    """Do a turn as a worker does; return whether another is wanted."""
    again = import_turns.work(str(job.pk))
    job.refresh_from_db()
    return again


def finish(job):
    for _ in range(10):
        if not turn(job):
            return job.state
    raise AssertionError("it does not come to an end")


def stored(media):
    return sorted(path.name for path in (media / "items").rglob("*") if path.is_file())


def spoil(source, name="0011_1054.wav"):
    path = next(source.rglob(name))
    whole = path.read_bytes()
    path.write_bytes(b"RIFF and then nothing of the sort")
    return path, whole


def dead_worker():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return f"{socket.gethostname()}:{process.pid}:1700000000"


def test_the_split_comes_with_its_last_item(job, media, source, planned_tools):
    assert turn(job)
    assert (job.done, job.total, job.state) == (1, 2, State.GOING)
    assert not Split.objects.exists()
    assert not Item.objects.exists()
    assert turn(job)
    assert not turn(job)
    assert (job.state, job.done, job.split.name) == (State.DONE, 2, "Small")
    assert not ImportedItem.objects.exists()
    at_once = import_split("at-once", source, manifest_in(source), tools=planned_tools)
    for one, other in zip(job.split.items.all(), at_once.items.all(), strict=True):
        skip = ["id", "split", "recording"]
        assert model_to_dict(one, exclude=skip) == model_to_dict(other, exclude=skip)
        with one.recording.open() as mine, other.recording.open() as theirs:
            assert mine.read() == theirs.read()
    assert len(stored(media)) == 4


def test_its_settings_are_those_that_were_written(source, planned_tools, media, sent, olga):
    reveal = datetime(2027, 3, 1, 12, 30, tzinfo=UTC)
    fields = {
        "name": "Small", "reveal": reveal, "publication": "reveal", "l_min": Decimal("1.25"),
        "l_base": None, "limit_total": 4, "items_public": True,
    }  # fmt: skip
    job = begin("small", source, manifest_in(source), who=olga, fields=fields)
    assert finish(job) == State.DONE
    split = Split.objects.get()
    assert {name: getattr(split, name) for name in fields} == fields


def test_a_task_asks_for_the_next_turn(job, eager):
    tasks.import_items.delay(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.split.items.count()) == (State.DONE, 2)


def test_a_killed_worker_is_noticed_and_its_import_goes_on(job, sent, media):
    assert turn(job)
    sent.clear()
    SplitImport.objects.update(claimed_by=dead_worker())
    assert not turn(job)
    assert take_up(patience=timedelta(hours=1)) == 1
    assert sent == [("import_items", str(job.pk))]
    assert finish(job) == State.DONE
    assert job.split.items.count() == len(stored(media)) == 2


def test_a_lost_message_is_sent_again(job, sent):
    sent.clear()
    assert take_up(patience=timedelta(hours=1)) == 0
    tasks.sweep(0.0)
    assert sent == [("import_items", str(job.pk))]


def test_what_is_complete_or_stopped_is_not_taken_up(job, sent):
    assert finish(job) == State.DONE
    assert take_up(patience=NO_PATIENCE) == 0
    SplitImport.objects.update(state=State.FAILED)
    assert take_up(patience=NO_PATIENCE) == 0


def test_one_worker_at_a_time_reads_an_import(job, sent):
    SplitImport.objects.update(claimed_by="another-machine:1:1")
    assert not turn(job)
    assert take_up(patience=NO_PATIENCE) == 0
    assert job.done == 0


def test_a_worker_that_is_silent_for_long_is_overtaken(job, sent, settings):
    old = job.sign_of_life - timedelta(seconds=settings.CLAIM_LEASE + 1)
    SplitImport.objects.update(claimed_by="another-machine:1:1", sign_of_life=old)
    assert take_up(patience=NO_PATIENCE) == 1
    assert finish(job) == State.DONE


def test_items_that_another_worker_kept_are_not_kept_twice(job, media, monkeypatch):
    hear = import_turns.hear

    def hear_slowly(*arguments):
        monkeypatch.setattr(import_turns, "hear", hear)
        SplitImport.objects.update(claimed_by="")
        assert turn(job)
        return hear(*arguments)

    monkeypatch.setattr(import_turns, "hear", hear_slowly)
    assert not import_turns.work(str(job.pk))
    assert ImportedItem.objects.count() == 1
    assert finish(job) == State.DONE
    assert job.split.items.count() == len(stored(media)) == 2


def test_a_worker_that_dies_before_an_item_is_kept_leaves_no_second_recording(
    job, media, monkeypatch
):
    store = import_turns.store_recording

    def store_and_die(*arguments):
        store(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(import_turns, "store_recording", store_and_die)
        with pytest.raises(KeyboardInterrupt):
            turn(job)
    assert (len(stored(media)), ImportedItem.objects.count()) == (1, 0)
    assert finish(job) == State.DONE
    assert job.split.items.count() == len(stored(media)) == 2


def test_a_worker_that_dies_again_and_again_ends_the_import_with_a_reason(job, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(import_turns, "hear", die)
        for _ in range(import_turns.MAX_ATTEMPTS):
            with pytest.raises(KeyboardInterrupt):
                turn(job)
    assert not turn(job)
    assert (job.state, job.reason) == (State.FAILED, import_turns.LOST)
    try_again(job)
    assert finish(job) == State.DONE


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (KeyError("xmin"), import_turns.BROKEN),
    ],
)
def test_what_stopped_it_is_told_when_the_attempts_are_used_up(
    job, eager, monkeypatch, error, reason
):
    def fail(*_):
        raise error

    monkeypatch.setattr(import_turns, "hear", fail)
    eager.conf.task_eager_propagates = False
    for _ in range(import_turns.MAX_ATTEMPTS + 1):
        tasks.import_items.delay(str(job.pk))
    eager.conf.task_eager_propagates = True
    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, reason)


def test_attempts_count_anew_after_an_item(job, monkeypatch):
    SplitImport.objects.update(attempts=import_turns.MAX_ATTEMPTS - 1, reason=import_turns.BROKEN)
    assert turn(job)
    assert (job.attempts, job.reason) == (0, "")


def test_what_only_an_organiser_can_mend_ends_it_at_once(job, monkeypatch):
    def refuse(*_):
        raise EngineError("The weights are missing.", cure="Put them there.")

    monkeypatch.setattr(import_turns, "hear", refuse)
    assert not turn(job)
    assert (job.state, job.reason) == (State.FAILED, "The weights are missing. Put them there.")


def test_a_folder_that_the_worker_does_not_see_is_no_broken_folder(job, source):
    shutil.move(source, source.with_name("elsewhere"))
    assert not turn(job)
    assert (job.state, job.reason, job.problems) == (State.FAILED, import_turns.UNSEEN, [])


def test_bad_files_are_all_named_nothing_is_made_and_mending_one_is_enough(
    job, source, media, monkeypatch
):
    path, whole = spoil(source)
    assert finish(job) == State.FAILED
    assert job.reason == import_turns.UNUSABLE
    [problem] = job.problems
    assert problem.startswith("en/Follow-up_Questions/0011_1054.wav: ")
    assert job.done == 2
    assert not Split.objects.exists()
    assert not ImportedItem.objects.exists()
    assert stored(media) == []
    path.write_bytes(whole)
    heard = set(Remembered.objects.values_list("pk", flat=True))
    assert heard
    try_again(job)
    job.refresh_from_db()
    assert (job.state, job.done, job.problems, job.reason) == (State.GOING, 0, [], "")
    assert finish(job) == State.DONE
    assert heard < set(Remembered.objects.values_list("pk", flat=True))


def test_what_was_heard_is_not_heard_again(job, source, planned_tools, monkeypatch):
    def hear_again(*_):
        raise AssertionError("heard twice")

    path, whole = spoil(source, "clean_0011_1054.wav")
    assert finish(job) == State.FAILED
    monkeypatch.setattr(type(planned_tools), "detect", hear_again)
    try_again(job)
    assert finish(job) == State.FAILED
    path.write_bytes(whole)
    try_again(job)
    with pytest.raises(AssertionError, match="heard twice"):
        finish(job)


def test_many_bad_files_end_it_before_the_rest_is_heard(job, source, monkeypatch):
    monkeypatch.setattr(import_turns, "MAX_PROBLEMS", 1)
    spoil(source)
    assert job.manifest.splitlines()[1].startswith("0011_1054")
    assert not turn(job)
    assert (job.state, job.done) == (State.FAILED, 1)


def test_two_imports_of_one_slug_are_one_too_many(job, source, olga, planned_tools, sent):
    manifest = manifest_in(source)
    with pytest.raises(ImportRefused, match="is being imported"):
        begin("small", source, manifest, who=olga)
    with pytest.raises(ManifestError, match="is being imported"):
        import_split("small", source, manifest, tools=planned_tools)
    other = begin("other", source, manifest, who=olga)
    assert finish(other) == finish(job) == State.DONE
    with pytest.raises(ManifestError, match="has items already"):
        import_split("small", source, manifest, tools=planned_tools)


def test_a_stopped_import_waits_for_the_one_that_goes(job, source, olga):
    spoil(source)
    assert finish(job) == State.FAILED
    second = begin("small", source, manifest_in(source), who=olga)
    with pytest.raises(ImportRefused):
        try_again(job)
    discard(second)
    try_again(job)
    assert SplitImport.objects.get().state == State.GOING


def test_a_split_that_was_filled_meanwhile_keeps_its_items(job, source, planned_tools, media):
    assert turn(job)
    SplitImport.objects.update(slug="hidden")
    split = import_split("small", source, manifest_in(source), tools=planned_tools)
    SplitImport.objects.update(slug="small")
    ids = set(split.items.values_list("pk", flat=True))
    job.refresh_from_db()
    assert finish(job) == State.FAILED
    assert "has items already" in job.reason
    assert set(Item.objects.values_list("pk", flat=True)) == ids
    assert len(stored(media)) == 2


def test_an_existing_split_gets_its_items_and_keeps_its_settings(job, source, olga):
    discard(job)
    split = Split.objects.create(slug="small", name="Before", limit_total=7)
    job = begin("small", source, manifest_in(source), who=olga, split=split)
    assert turn(job)
    assert not split.items.exists()
    Split.objects.update(slug="renamed")
    assert finish(job) == State.DONE
    split.refresh_from_db()
    assert (split.name, split.limit_total, split.items.count()) == ("Before", 7, 2)
    assert Split.objects.count() == 1


def test_a_discarded_import_leaves_nothing_and_its_worker_stops(job, media, monkeypatch):
    assert turn(job)
    assert len(stored(media)) == 1
    hear = import_turns.hear

    def hear_while_it_is_discarded(*arguments):
        discard(job)
        return hear(*arguments)

    monkeypatch.setattr(import_turns, "hear", hear_while_it_is_discarded)
    assert not import_turns.work(str(job.pk))
    assert not SplitImport.objects.exists()
    assert not Split.objects.exists()
    assert stored(media) == []
    assert not import_turns.work(str(job.pk))


def test_a_discarded_import_that_was_complete_leaves_its_split(job, media):
    assert finish(job) == State.DONE
    discard(job)
    assert Split.objects.get().items.count() == len(stored(media)) == 2


# The folder


@pytest.mark.parametrize(
    "name", ["0011_1054.wav", "clean_0011_1054.wav", "0011_1054_sentence.json"]
)
@pytest.mark.parametrize("is_named", [True, False])
def test_a_missing_file_is_named_before_anything_is_read(source, name, is_named):
    if not is_named:
        path = source / "manifest.csv"
        path.write_text(path.read_text(encoding="utf-8").replace("Follow-up_Questions", ""))
        assert len(manifest_in(source).items) == 2
    (source / "en" / "Follow-up_Questions" / name).unlink()
    if name.endswith(".json"):
        (source / "en" / "Follow-up_Questions" / "0011_1054.json").unlink(missing_ok=True)
    with pytest.raises(FolderRefused) as raised:
        manifest_in(source)
    assert raised.value.code == "files-missing"
    assert name in raised.value.rule
    assert "1 file that manifest.csv asks for is missing" in raised.value.rule


def test_an_empty_folder_tells_how_much_is_missing(source):
    shutil.rmtree(source / "en")
    with pytest.raises(FolderRefused, match=r"5 files that manifest\.csv asks for are missing"):
        manifest_in(source)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "manifest-missing"),
        (b"\xff\xfe\x00item", "manifest-unreadable"),
        (b"item,language,scenario\n1,fr,follow_up\n", "manifest-unusable"),
        (b"item,language,scenario\n1,en,singing\n", "scenario-unknown"),
    ],
)
def test_a_manifest_that_is_no_manifest_is_refused(tmp_path, data, code):
    if data is not None:
        (tmp_path / "manifest.csv").write_bytes(data)
    with pytest.raises(FolderRefused) as raised:
        manifest_in(tmp_path)
    assert (raised.value.code, bool(raised.value.cure)) == (code, True)
