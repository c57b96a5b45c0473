"""The scorer at home and the site: same recordings and words, same numbers, digit for digit."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring import asr
from scoring.__main__ import main
from scoring.home import score_submission
from scoring.humdial import BENCHMARK
from scoring.manifest import Item
from scoring.report import score_report
from scoring.signature import Signature, differences
from submissions.models import Submission
from submissions.services.submit import submit
from submissions.states import State
from tests.planned import SYSTEMS, manifest_of

pytestmark = pytest.mark.django_db(transaction=True)

MODES = ("official", "strict")
LOAD = asr.load


@pytest.fixture
def run_of(split, team, alice, mini, eager):
    """Score a system's archive on the site."""

    def score(system):
        data = (mini / "submissions" / system / "HD-Track2.zip").read_bytes()
        upload = SimpleUploadedFile("HD-Track2.zip", data)
        made = submit(split=split, team=team, system_name=system, user=alice, upload=upload)
        submission = Submission.objects.get(pk=made.pk)
        assert submission.state == State.SCORED
        return submission.current_run

    return score


@pytest.fixture
def at_home(mini, tmp_path, monkeypatch):
    """Score it with the command, by the transcripts beside the archive."""

    def score(system, mode):
        # The command has none of the site's planned words.
        monkeypatch.setattr(asr, "load", LOAD)
        folder, out = mini / "submissions" / system, tmp_path / f"{mode}.json"
        command = [
            "score", "--quiet", "--no-cache", "--mode", mode, "--reference", mini,
            "--manifest", mini / "manifest.csv", "--submission", folder / "HD-Track2.zip",
            "--transcripts", folder / "transcripts", "--judge", "offline", "--json", out,
        ]  # fmt: skip
        assert main(list(map(str, command))) == 0
        return json.loads(out.read_text(encoding="utf-8"))

    return score


def stored_items(run, mode):
    rows = run.items.select_related("item")
    return {row.item.spec.key: getattr(row, mode) for row in rows}


def items_of(report):
    return {
        Item(row["item"], row["language"], row["scenario"], row["part"]).key: row
        for row in report["items"]
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_items_scenarios_and_totals_are_equal_in_both_modes(run_of, at_home, system):
    run = run_of(system)
    for mode in MODES:
        report = at_home(system, mode)
        stored = stored_items(run, mode)
        assert len(stored) == 20
        assert items_of(report) == stored
        assert report["scenarios"] == run.results[mode]["scenarios"]
        assert report["totals"] == run.results[mode]["totals"]


def test_with_the_same_tools_only_the_mode_differs_in_the_signatures(run_of, mini, planned_tools):
    run = run_of("jumpy")
    manifest = manifest_of(mini)
    archive = mini / "submissions" / "jumpy" / "HD-Track2.zip"
    scored = score_submission(mini, manifest, archive, tools=planned_tools, mode="strict")
    signature = planned_tools.signature(BENCHMARK, manifest, "strict")
    report = json.loads(json.dumps(score_report(scored, signature, planned_tools.unofficial)))
    assert items_of(report) == stored_items(run, "strict")
    assert report["totals"] == run.results["strict"]["totals"]
    assert report["unofficial"] == run.unofficial
    found = differences(signature, Signature.parse(run.signature))
    assert found == ["The mode differs: strict against both."]


def test_another_recording_gives_other_numbers(run_of, at_home):
    """What the equality above is worth: it does tell two systems apart."""
    report = at_home("prompt", "official")
    run = run_of("jumpy")
    assert items_of(report) != stored_items(run, "official")
    assert report["totals"] != run.results["official"]["totals"]
