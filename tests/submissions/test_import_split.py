import json
import shutil

import pytest
from django.core.management import CommandError, call_command

from scoring.errors import AnnotationError, AudioError, ManifestError, ScoringError
from scoring.manifest import Manifest
from submissions.models import Item, Split
from submissions.services.import_split import import_split

pytestmark = pytest.mark.django_db


@pytest.fixture
def read(source, planned_tools, media):
    def run():
        manifest = Manifest.from_csv((source / "manifest.csv").read_text(encoding="utf-8"))
        return import_split("small", source, manifest, tools=planned_tools)

    return run


def test_reference_work_is_done_once_per_split(read):
    split = read()
    item = split.items.get(scenario="follow_up")
    assert (item.name, item.slug, item.duration) == ("0011_1054", "0011_1054", 13.87)
    assert item.speech[0][0] == pytest.approx(0.258, abs=0.1)
    assert item.noisy_words["text"].startswith("How can I grow tomatoes")
    assert item.clean_words["text"].endswith("balcony")
    assert item.recording.size > 44
    assert split.items.get(scenario="pause_handling").clean_words is None
    assert split.manifest.items[0].test_id == "4147"


def test_the_release_names_are_told_by_their_keys(read, source):
    folder = source / "en" / "Follow-up_Questions"
    (folder / "0011_1054.json").rename(folder / "0011_1054_timestamp.json")
    (folder / "0011_1054_sentence.json").rename(folder / "0011_1054.json")
    item = read().items.get(scenario="follow_up")
    assert len(item.annotation["speech_segments"]) == 2
    assert item.noisy_words["text"].startswith("How can I grow tomatoes")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("0011_1054.wav", ManifestError),
        ("clean_0011_1054.wav", AudioError),
        ("0011_1054_sentence.json", AnnotationError),
    ],
)
def test_a_missing_file_is_named_and_nothing_is_created(read, source, name, error):
    (source / "en" / "Follow-up_Questions" / name).unlink()
    if name == "0011_1054.wav":
        shutil.rmtree(source / "en" / "Follow-up_Questions")
    with pytest.raises(error) as raised:
        read()
    assert "0011_1054" in str(raised.value)
    assert raised.value.cure
    assert not Split.objects.exists()


def test_too_few_segments_are_refused_with_the_file(read, source):
    path = source / "en" / "Follow-up_Questions" / "0011_1054_sentence.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["speech_segments"] = data["speech_segments"][:1]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(AnnotationError, match=r"0011_1054_sentence\.json.*Segment 1"):
        read()


def test_an_annotation_past_the_end_of_the_file_is_fine(read, source):
    path = source / "en" / "Follow-up_Questions" / "0011_1054_sentence.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["speech_segments"][1]["xmax"] = 13.9
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read().items.count() == 2


def test_the_items_of_a_split_never_change(read):
    read()
    with pytest.raises(ManifestError, match="has items already"):
        read()
    assert Item.objects.count() == 2


def test_the_same_dialogue_id_in_two_scenarios_is_two_items(mini, planned_tools, media, tmp_path):
    root = tmp_path / "twins"
    text = "item,language,scenario,part,folder,test_id,clean_id\n"
    for folder, scenario in (("Pause_Handling", "pause_handling"),):
        for language in ("cn", "en"):
            place = root / language / folder
            place.mkdir(parents=True)
            old = next((mini / "reference" / language / folder).glob("*_sentence.json"))
            stem = old.name.removesuffix("_sentence.json")
            shutil.copy(old, place / "0001_0001_sentence.json")
            shutil.copy(old.with_name(f"{stem}.wav"), place / "0001_0001.wav")
            text += f"0001_0001,{language},{scenario},,{folder},,\n"
    split = import_split("twins", root, Manifest.from_csv(text), tools=planned_tools)
    assert sorted(split.items.values_list("slug", flat=True)) == [
        "cn-pause_handling-0001_0001",
        "en-pause_handling-0001_0001",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("item,language\n1,en\n", "scenario"),
        ("item,language,scenario\n", "no item"),
        ("item,language,scenario\n1,fr,follow_up\n", "'fr'"),
        ("item,language,scenario\n1,en,follow_up\n1,en,follow_up\n", "more than one row"),
    ],
)
def test_a_broken_manifest_says_what_is_wrong(text, words):
    with pytest.raises(ScoringError, match=words):
        Manifest.from_csv(text)


def test_the_command_says_errors_in_one_line(source, planned_tools, media):
    (source / "en" / "Follow-up_Questions" / "0011_1054_sentence.json").unlink()
    with pytest.raises(CommandError, match="0011_1054"):
        call_command("import_split", "small", source, source / "manifest.csv")


def test_missing_weights_are_told_with_the_place_to_put_them(settings, tmp_path, source, media):
    from submissions.services import engines

    for path in source.rglob("*.json"):
        if "chunks" in path.read_text(encoding="utf-8"):
            path.unlink()
    settings.ENGINES = {**settings.ENGINES, "asr_en": "parakeet", "models": str(tmp_path)}
    engines.tools.cache_clear()
    with pytest.raises(CommandError, match="parakeet") as raised:
        call_command("import_split", "small", source, source / "manifest.csv")
    engines.tools.cache_clear()
    assert str(tmp_path) in str(raised.value)
    assert "whisper-tiny-en" in str(raised.value)
