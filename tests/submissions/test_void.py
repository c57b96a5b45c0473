"""Recordings that a challenge took out again are not imported, but named with the reason."""

import shutil
from dataclasses import replace

import pytest

from scoring.manifest import Manifest
from submissions.models import Split, SplitImport
from submissions.services import import_turns
from submissions.services.import_folder import manifest_in
from submissions.services.import_split import import_split
from tests.leaderboard.reader import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def read(source, planned_tools, media):
    def run():
        manifest = Manifest.from_csv((source / "manifest.csv").read_text(encoding="utf-8"))
        return import_split("small", source, manifest, tools=planned_tools)

    return run


@pytest.fixture
def voided(source):
    """The same source, whose second item has the anonymous names that were taken out."""
    path = source / "manifest.csv"
    first, second = Manifest.from_csv(path.read_text(encoding="utf-8")).items
    gone = replace(second, test_id="003126")
    path.write_text(Manifest((first, gone)).to_csv(), encoding="utf-8")
    return first


def test_decision_41_an_import_leaves_void_items_out_and_the_split_names_them(
    voided, read, source, client
):
    shutil.rmtree(source / "en" / "Pause_Handling")  # its files need not even be there
    split = read()
    assert [item.spec for item in split.items.all()] == [voided]
    assert split.void == ["test-003126.wav"]
    page = text_of(client.get("/en/split/small/"))
    assert "Void, neither expected nor scored: test-003126.wav" in page
    assert "2025-11-17" in page
    assert client.get("/api/v1/splits/small").json()["void"] == ["test-003126.wav"]


def test_a_split_without_void_items_says_nothing_of_them(read, client):
    assert read().void == []
    assert "Void" not in text_of(client.get("/en/split/small/"))


def test_decision_41_void_items_are_not_read_in_turns_either(
    source, planned_tools, media, sent, olga
):
    path = source / "manifest.csv"
    first, second = Manifest.from_csv(path.read_text(encoding="utf-8")).items
    gone = Manifest((first, replace(second, test_id="003126")))
    path.write_text(gone.to_csv(), encoding="utf-8")
    shutil.rmtree(source / "en" / "Pause_Handling")
    job = import_turns.begin(
        "small", source, manifest_in(source), who=olga, fields={"name": "Small"}
    )
    assert job.total == 1
    while import_turns.work(str(job.pk)):
        pass
    job.refresh_from_db()
    assert job.state == SplitImport.State.DONE
    split = Split.objects.get(slug="small")
    assert (split.items.count(), split.void) == (1, ["test-003126.wav"])
