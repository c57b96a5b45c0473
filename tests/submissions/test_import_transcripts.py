"""Transcripts made elsewhere: found by the hash of the recording, and named wherever they count."""

import hashlib
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from scoring.asr import Heard
from scoring.dialogue import Transcript
from scoring.errors import ScoringError
from scoring.signature import Signature
from submissions.models import Remembered, Submission
from submissions.services.import_transcripts import import_transcripts
from submissions.services.submit import submit

pytestmark = pytest.mark.django_db(transaction=True)

ORIGIN = "paraformer-zh@gpu-cluster"
WORDS = {"text": "well yes", "chunks": [{"text": "well", "timestamp": [1.0, 1.2]}]}


class Deaf:
    """A transcriber that must not be asked."""

    name = engine = "deaf-1"
    languages = ("cn", "en")
    unofficial = False

    def transcribe(self, recordings, speech):
        assert not recordings, "these words were imported"
        return []


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "words"
    made.mkdir()
    return made


def name_of(content):
    return hashlib.sha256(content).hexdigest()


def write(path, data=WORDS):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def pairs(mini, folder, system="prompt"):
    """Lay out a system's recordings with the planned transcripts beside them."""
    source = mini / "submissions" / system
    with zipfile.ZipFile(source / "HD-Track2.zip") as archive:
        for name in archive.namelist():
            stem = name.rsplit("/", 1)[-1].removesuffix(".wav")
            (folder / f"{stem}.wav").write_bytes(archive.read(name))
            text = (source / "transcripts" / f"{stem}.json").read_text(encoding="utf-8")
            write(folder / f"{stem}.json", text)


def codes(report):
    return {problem.path: problem.code for problem in report.problems}


@pytest.fixture
def deaf(planned_tools, monkeypatch):
    monkeypatch.setitem(planned_tools.transcribers, "cn", Deaf())
    monkeypatch.setitem(planned_tools.transcribers, "en", Deaf())
    return planned_tools


@pytest.fixture
def send(split, team, alice, mini, eager):
    def submit_system(system):
        data = (mini / "submissions" / system / "HD-Track2.zip").read_bytes()
        upload = SimpleUploadedFile("HD-Track2.zip", data)
        made = submit(split=split, team=team, system_name=system, user=alice, upload=upload)
        return Submission.objects.get(pk=made.pk)

    return submit_system


def test_words_are_kept_by_the_hash_of_the_recording_under_the_engine_of_its_language(
    folder, planned_tools
):
    write(folder / "en" / f"{name_of(b'one')}.json")
    (folder / "cn").mkdir()
    (folder / "cn" / "x_output.wav").write_bytes(b"two")
    write(folder / "cn" / "x_output.json")
    report = import_transcripts(folder, ORIGIN, tools=planned_tools)
    assert (report.kept, report.known, report.problems) == (2, 0, ())
    rows = Remembered.objects.order_by("pk")
    assert {row.key for row in rows} == {name_of(b"one"), name_of(b"two")}
    for row in rows:
        assert row.engine == "planned-1"
        assert row.value["origin"] == ORIGIN
        assert row.value["transcript"]["chunks"] == WORDS["chunks"]


def test_an_entry_with_imported_words_is_scored_without_a_transcriber(
    send, split, deaf, folder, mini
):
    pairs(mini, folder)
    report = import_transcripts(folder, ORIGIN, tools=deaf, split=split)
    # Of 36 recordings, three answer with and without the event in the very same bytes.
    assert (report.kept, report.problems) == (33, ())
    submission = send("prompt")
    assert submission.state == Submission.State.SCORED
    totals = submission.current_run.results["official"]["totals"]
    assert (totals["interruption"], totals["rejection"]) == ("100.0", "100.0")


def test_a_run_with_imported_words_names_their_origin_in_signature_list_and_items(
    send, split, deaf, folder, mini
):
    pairs(mini, folder)
    import_transcripts(folder, ORIGIN, tools=deaf, split=split)
    run = send("prompt").current_run
    assert f"imported:{ORIGIN}" in run.unofficial
    signature = Signature.parse(run.signature)
    assert signature.asr_cn == signature.asr_en == f"deaf-1+imported:{ORIGIN}"
    for row in run.items.all():
        assert {"key": "words-imported", "values": {"name": ORIGIN}} in row.evidence["notes"]


def test_a_run_without_imported_words_names_no_origin(send, planned_tools):
    run = send("prompt").current_run
    assert run.unofficial == ["offline", "planned"]
    assert Signature.parse(run.signature).asr_en == "planned-1"


def test_only_the_language_with_imported_words_is_marked(send, split, planned_tools, folder, mini):
    pairs(mini, folder)
    for path in folder.iterdir():
        if path.stem != "test-0320_output":  # of a Chinese item
            path.unlink()
    import_transcripts(folder, ORIGIN, tools=planned_tools, split=split)
    signature = Signature.parse(send("prompt").current_run.signature)
    assert signature.asr_cn == f"planned-1+imported:{ORIGIN}"
    assert signature.asr_en == "planned-1"


def test_speech_directed_at_others_is_cut_from_the_imported_words(
    send, split, planned_tools, folder, mini, monkeypatch
):
    """The cut audio would give other words; it is not asked for them."""
    pairs(mini, folder)
    import_transcripts(folder, ORIGIN, tools=planned_tools, split=split)

    def other(recordings, speech):
        return [Heard(Transcript("wrong"))] * len(recordings)

    monkeypatch.setattr(type(planned_tools.transcribers["en"]), "transcribe", staticmethod(other))
    run = send("prompt").current_run
    for row in run.items.filter(item__scenario="directed_at_others"):
        question = row.item.reference.annotation
        whole, cut = row.evidence["transcript"]["chunks"], row.evidence["noisy"]["chunks"]
        later = [word for word in whole if sum(word["timestamp"]) / 2 >= question.end_of(1)]
        assert [word["text"] for word in cut] == [word["text"] for word in later]
        assert cut[0]["timestamp"][0] == pytest.approx(
            later[0]["timestamp"][0] - question.start_of(1)
        )


BAD = {
    "not JSON": ("{", "transcript-not-json"),
    "no chunks": ({"text": "yes"}, "transcript-unusable"),
    "an annotation": ({"speech_segments": []}, "transcript-unusable"),
    "a list": ([], "transcript-unusable"),
    "chunks that are no list": ({"text": "", "chunks": 3}, "transcript-unusable"),
    "a word without an end": (
        {"text": "a", "chunks": [{"text": "a", "timestamp": [1.0, None]}]},
        "transcript-without-times",
    ),
    "text without words": ({"text": "a b", "chunks": []}, "transcript-without-times"),
}


@pytest.mark.parametrize(("data", "code"), BAD.values(), ids=BAD)
def test_a_bad_transcript_is_named_and_nothing_is_imported(folder, planned_tools, data, code):
    write(folder / "en" / f"{name_of(b'good')}.json")
    bad = f"en/{name_of(b'bad')}.json"
    write(folder / bad, data)
    report = import_transcripts(folder, ORIGIN, tools=planned_tools)
    assert codes(report) == {bad: code}
    assert report.kept == 0
    assert not Remembered.objects.exists()


def test_silence_is_a_transcript(folder, planned_tools):
    write(folder / "en" / f"{name_of(b'x')}.json", {"text": "", "chunks": []})
    assert import_transcripts(folder, ORIGIN, tools=planned_tools).kept == 1


def test_files_that_belong_to_no_recording_or_language_are_named(folder, planned_tools):
    write(folder / "en" / "lonely_output.json")
    write(folder / f"{name_of(b'x')}.json")
    (folder / "en" / "mute_output.wav").write_bytes(b"mute")
    report = import_transcripts(folder, ORIGIN, tools=planned_tools)
    assert codes(report) == {
        f"{name_of(b'x')}.json": "transcript-language-unknown",
        "en/lonely_output.json": "transcript-no-match",
        "en/mute_output.wav": "transcript-missing",
    }


def test_a_name_that_the_split_does_not_expect_is_no_match(folder, split, planned_tools):
    (folder / "test-9999_output.wav").write_bytes(b"x")
    write(folder / "test-9999_output.json")
    report = import_transcripts(folder, ORIGIN, tools=planned_tools, split=split, language="en")
    assert codes(report) == {"test-9999_output.json": "transcript-no-match"}


def test_two_transcripts_of_one_recording_must_agree(folder, planned_tools):
    write(folder / "en" / f"{name_of(b'x')}.json")
    write(folder / "en" / "more" / f"{name_of(b'x')}.json")
    write(folder / "en" / "other" / f"{name_of(b'x')}.json", {"text": "", "chunks": []})
    report = import_transcripts(folder, ORIGIN, tools=planned_tools)
    assert list(codes(report).values()) == ["transcript-contradicts"]


def test_known_words_stay_unless_they_are_to_be_replaced(folder, planned_tools):
    write(folder / "en" / f"{name_of(b'x')}.json")
    assert import_transcripts(folder, "first", tools=planned_tools).kept == 1
    again = import_transcripts(folder, "second", tools=planned_tools)
    assert (again.kept, again.known) == (0, 1)
    assert Remembered.objects.get().value["origin"] == "first"
    assert import_transcripts(folder, "second", tools=planned_tools, replace=True).kept == 1
    assert Remembered.objects.get().value["origin"] == "second"


@pytest.mark.parametrize("origin", ["", "two words", "a|b", "a:b", "x" * 61])
def test_an_origin_fits_into_a_signature(folder, planned_tools, origin):
    with pytest.raises(ScoringError) as raised:
        import_transcripts(folder, origin, tools=planned_tools)
    assert raised.value.code == "origin-unusable"


def test_the_command_counts_and_says_one_line_per_file(folder, planned_tools, capsys):
    write(folder / f"{name_of(b'x')}.json")
    write(folder / f"{name_of(b'y')}.json", "{")
    options = ["--origin", ORIGIN, "--language", "en"]
    with pytest.raises(CommandError, match=r"1 file\(s\) cannot be used, so nothing was imported"):
        call_command("import_transcripts", str(folder), *options)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"{name_of(b'y')}.json: The file is not JSON")
    call_command("import_transcripts", str(folder), *options, "--partial")
    assert capsys.readouterr().out == "1 transcript(s) imported, 1 cannot be used.\n"


def test_the_command_knows_folders_and_splits(folder, planned_tools):
    with pytest.raises(CommandError, match="is no folder"):
        call_command("import_transcripts", str(folder / "no"), "--origin", "x")
    with pytest.raises(CommandError, match="There is no split 'no'"):
        call_command("import_transcripts", str(folder), "--origin", "x", "--split", "no")
