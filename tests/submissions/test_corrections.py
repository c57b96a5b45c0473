"""An organiser corrects a judge's label: history, next scoring, the same numbers at home."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring import asr
from scoring.__main__ import main
from scoring.judge import LABELS
from scoring.signature import Signature, differences, uncorrected
from submissions import queue
from submissions.models import Correction, Submission
from submissions.services import engines, score
from submissions.services.correct import CorrectionRefused, correct, given, of, standing, waiting
from submissions.services.rescore import rescore
from submissions.services.standing import withdraw
from submissions.services.submit import submit
from submissions.states import State

pytestmark = pytest.mark.django_db(transaction=True)

MODES = ("official", "strict")
LOAD = asr.load
WHY = "It says “let me finish” and goes on."


@pytest.fixture
def scored(split, team, alice, mini, eager):
    """A system that resumes where it should respond, scored on the site."""
    data = (mini / "submissions" / "steamroller" / "HD-Track2.zip").read_bytes()
    upload = SimpleUploadedFile("HD-Track2.zip", data)
    made = submit(split=split, team=team, system_name="steamroller", user=alice, upload=upload)
    return Submission.objects.get(pk=made.pk)


def failed_items(submission, number):
    """Items whose judged label was no success."""
    rows = submission.current_run.items.filter(strict__success=False, strict__label__isnull=False)
    found = [row.item for row in rows.select_related("item") if row.item.scenario == "follow_up"]
    assert len(found) >= number
    return found[:number]


def item_of(submission, **fields):
    return submission.split.items.filter(**fields).first()


def refusal(*arguments, **options):
    with pytest.raises(CorrectionRefused) as raised:
        correct(*arguments, **options)
    return raised.value.code


def labels_of(submission):
    return {one.item.name: one.label for one in standing(submission)}


def test_the_labels_are_those_of_the_scorer():
    assert tuple(Correction.Label.values) == LABELS


# What stands


def test_the_last_word_stands_and_every_word_is_kept(scored, olga):
    (item,) = failed_items(scored, 1)
    correct(scored, item, label="C_RESPOND", reason="first", by=olga)
    correct(scored, item, label="C_UNKNOWN", reason="second", by=olga)
    assert labels_of(scored) == {item.name: "C_UNKNOWN"}
    correct(scored, item, label="", reason="no", by=olga)
    assert labels_of(scored) == {}
    correct(scored, item, label="C_RESPOND", reason="yes", by=olga)
    assert labels_of(scored) == {item.name: "C_RESPOND"}
    words = [one.reason for one in scored.corrections.order_by("id")]
    assert words == ["first", "second", "no", "yes"]


def test_the_log_tells_who_and_that_but_not_what(scored, olga):
    (item,) = failed_items(scored, 1)
    correct(scored, item, label="C_RESPOND", reason=WHY, by=olga)
    correct(scored, item, label="", reason=WHY, by=olga)
    told = list(scored.events.values_list("who__username", "why", "from_state", "to_state"))[-2:]
    assert told == [
        ("olga", "A label was corrected.", "scored", "scored"),
        ("olga", "A correction was taken back.", "scored", "scored"),
    ]


def test_a_word_that_changes_nothing_is_refused(scored, olga):
    (item,) = failed_items(scored, 1)
    judged = scored.current_run.items.get(item=item).strict["label"]
    assert refusal(scored, item, label="", reason="x", by=olga) == "correction-stands"
    assert refusal(scored, item, label=judged, reason="x", by=olga) == "correction-agrees"
    correct(scored, item, label="C_RESPOND", reason="x", by=olga)
    assert refusal(scored, item, label="C_RESPOND", reason="y", by=olga) == "correction-stands"
    assert refusal(scored, item, label=judged, reason="y", by=olga) == "correction-agrees"
    assert scored.corrections.count() == 1


def test_what_has_no_judged_answer_cannot_be_corrected(scored, olga, split, team):
    timed = item_of(scored, scenario="pause_handling")
    assert refusal(scored, timed, label="C_RESUME", reason="x", by=olga) == "correction-not-judged"
    judged, other = failed_items(scored, 2)
    row = scored.current_run.items.get(item=judged)
    row.evidence["clean"] = None
    row.save()
    told = refusal(scored, judged, label="C_RESPOND", reason="x", by=olga)
    assert told == "correction-nothing-judged"
    withdraw(scored, who=olga)
    told = refusal(scored, other, label="C_RESPOND", reason="x", by=olga)
    assert told == "correction-without-numbers"


# The next scoring


def numbers(run):
    """Everything of a run but what it cost."""
    rows = {row.item.slug: (row.official, row.strict) for row in run.items.select_related("item")}
    return {mode: run.results[mode] for mode in MODES}, rows


def test_numbers_change_with_the_next_scoring_only_and_the_judge_is_not_asked_again(
    scored, olga, monkeypatch
):
    first, items = scored.current_run, failed_items(scored, 2)
    before = numbers(first)
    for item in items:
        correct(scored, item, label="C_RESPOND", reason=WHY, by=olga)
    first.refresh_from_db()
    assert numbers(first) == before
    assert [one.item for one in waiting(first)] == items
    judge = type(engines.tools().judges["official"])
    monkeypatch.setattr(judge, "arriving", None)
    rescore(scored, who=olga)
    run = Submission.objects.get(pk=scored.pk).current_run
    assert run.pk != first.pk
    assert waiting(run) == []
    for mode in MODES:
        old, new = (one.results[mode]["totals"] for one in (first, run))
        assert float(new["interruption_raw"]) > float(old["interruption_raw"])
        assert new["corrected"] == 2
    row, old_row = (one.items.get(item=items[0]) for one in (run, first))
    assert (row.strict["label"], row.strict["success"]) == ("C_RESPOND", True)
    assert row.evidence["verdicts"] == old_row.evidence["verdicts"]
    assert row.strict["correction"]["judge_label"] == old_row.strict["label"]
    first.refresh_from_db()
    assert numbers(first) == before


def test_the_signatures_differ_in_the_corrections_only(scored, olga):
    first, (item,) = scored.current_run, failed_items(scored, 1)
    made = correct(scored, item, label="C_RESPOND", reason=WHY, by=olga)
    rescore(scored, who=olga)
    run = Submission.objects.get(pk=scored.pk).current_run
    mark = given([made]).mark
    assert differences(*(Signature.parse(one.signature) for one in (first, run))) == [
        f"The list of corrections differs: none against {mark}."
    ]
    assert uncorrected(run.signature) == first.signature


def test_after_taking_back_a_new_scoring_has_the_numbers_from_before(scored, olga):
    before, (item,) = numbers(scored.current_run), failed_items(scored, 1)
    correct(scored, item, label="C_RESPOND", reason=WHY, by=olga)
    rescore(scored, who=olga)
    between = Submission.objects.get(pk=scored.pk).current_run
    assert numbers(between) != before
    taken_back = correct(scored, item, label="", reason="It was right.", by=olga)
    assert waiting(between) == [taken_back]
    rescore(scored, who=olga)
    run = Submission.objects.get(pk=scored.pk).current_run
    assert numbers(run) == before
    assert waiting(run) == []


def test_a_run_under_way_keeps_the_corrections_that_it_began_with(scored, olga, monkeypatch):
    one, other = failed_items(scored, 2)
    correct(scored, one, label="C_RESPOND", reason=WHY, by=olga)
    monkeypatch.setattr(queue, "send", lambda task, key: None)
    rescore(scored, who=olga)
    begun = score.start(Submission.objects.get(pk=scored.pk))
    score.work(begun)
    correct(scored, other, label="C_RESPOND", reason=WHY, by=olga)
    # As the sweep does for a run that lost its worker.
    again = score.start(Submission.objects.get(pk=scored.pk))
    assert again == begun
    while score.work(again):
        pass
    again.refresh_from_db()
    assert again.finished
    assert again.results["strict"]["totals"]["corrected"] == 1
    assert [word.item for word in waiting(again)] == [other]


def test_a_new_start_after_a_failure_takes_the_corrections_of_now(scored, olga, monkeypatch):
    monkeypatch.setattr(queue, "send", lambda task, key: None)
    rescore(scored, who=olga)
    begun = score.start(Submission.objects.get(pk=scored.pk))
    Submission.objects.filter(pk=scored.pk).update(state=State.FAILED)
    (item,) = failed_items(scored, 1)
    made = correct(scored, item, label="C_RESPOND", reason=WHY, by=olga)
    rescore(Submission.objects.get(pk=scored.pk), who=olga)
    run = score.start(Submission.objects.get(pk=scored.pk))
    assert run != begun
    assert list(run.corrections.all()) == [made]


# At home


@pytest.mark.parametrize("mode", MODES)
def test_the_same_corrections_at_home_give_the_same_numbers(
    scored, olga, mini, tmp_path, monkeypatch, mode
):
    one, other = failed_items(scored, 2)
    correct(scored, one, label="C_RESPOND", reason=WHY, by=olga)
    correct(scored, other, label="C_UNCERTAIN_HANDLING", reason="=It, “so”.", by=olga)
    rescore(scored, who=olga)
    run = Submission.objects.get(pk=scored.pk).current_run
    listed, out = tmp_path / "corrections.csv", tmp_path / "report.json"
    listed.write_text(of(run).to_csv(), encoding="utf-8", newline="")
    # The command has none of the site's planned words.
    monkeypatch.setattr(asr, "load", LOAD)
    assert main(command(mini, mode, out, listed)) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    rows = run.items.order_by("item__position").values_list(mode, flat=True)
    assert report["items"] == list(rows)
    assert report["totals"] == run.results[mode]["totals"]
    assert report["scenarios"] == run.results[mode]["scenarios"]
    mine = Signature.parse(report["signature"]).corrections
    assert mine == Signature.parse(run.signature).corrections != ""


def command(mini: Path, mode: str, out: Path, corrections: Path) -> list[str]:
    folder = mini / "submissions" / "steamroller"
    options = {
        "--mode": mode,
        "--reference": mini,
        "--manifest": mini / "manifest.csv",
        "--submission": folder / "HD-Track2.zip",
        "--transcripts": folder / "transcripts",
        "--corrections": corrections,
        "--json": out,
    }
    pairs = [str(part) for pair in options.items() for part in pair]
    return ["score", "--quiet", "--no-cache", *pairs]


def test_a_list_that_cannot_be_used_ends_the_command_with_its_name(mini, tmp_path, capsys):
    listed = tmp_path / "mine.csv"
    listed.write_text("item,language,scenario,part,label,reason\n9,en,negation,,C_RESUME,x\n")
    assert main(command(mini, "strict", tmp_path / "report.json", listed)) == 2
    told = capsys.readouterr().err
    assert "corrections-unusable" in told
    assert f"{listed}: 9/en/negation is none of the expected items." in told
