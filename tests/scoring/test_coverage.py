"""A rank needs every expected recording, test and clean (decision 15, fault A4)."""

import json
import zipfile
from decimal import Decimal

import pytest

from scoring.__main__ import main
from scoring.coverage import Came, Coverage, standing
from scoring.evidence import MISSING, evidence_from_json, evidence_to_json, without_answer
from scoring.humdial import SCRIPTS
from scoring.humdial.measures import measure
from scoring.humdial.totals import score_scenarios, total
from scoring.report import item_to_json, totals_to_json
from tests.builders import evidence, reference, silent

JUDGED = [script for script, rules in SCRIPTS.items() if rules.measure.is_judged]


def entry(mode="official", copies=1, **changed):
    """Totals of a system that answers everything well, but for what is changed by script."""
    results = []
    for script, rules in SCRIPTS.items():
        label = rules.measure.value if rules.measure.is_judged else None
        for copy in range(copies):
            own = changed.get(script) if copy == 0 else None
            about = reference(script, "en", f"0001_{copy:04d}")
            starts = (13.1,) if script == "third_party_before" else (5.2, 13.1)
            results.append(measure(about, own or evidence(label, starts=starts), mode=mode))
    return total(score_scenarios(results, mode=mode), mode=mode)


def test_recordings_with_the_event_and_clean_ones_are_counted_apart():
    found = entry().coverage
    assert found == Coverage(Came(10, 10), Came(8, 8))
    assert len(JUDGED) == 8
    lacking = entry(follow_up=MISSING, negation=evidence(clean=None)).coverage
    assert lacking == Coverage(Came(9, 10), Came(6, 8))


def test_decision_15_whoever_leaves_out_what_it_fails_holds_no_official_rank():
    """The fault as it was found: 92.0 and rank 1 without the failed half."""
    left_out = entry(copies=2, follow_up=MISSING)
    assert (left_out.interruption, left_out.is_whole) == (100, True)
    assert not left_out.rankable
    assert totals_to_json(left_out)["coverage_reasons"] == [
        "Only 19 of 20 test recordings came; a rank needs 100 % of them.",
        "Only 15 of 16 clean recordings came; a rank needs 100 % of them.",
    ]


def test_leaving_out_only_a_clean_partner_costs_the_rank_too():
    found = entry(copies=2, follow_up=evidence(clean=None))
    assert (found.coverage.test, found.coverage.clean) == (Came(20, 20), Came(15, 16))
    assert not found.rankable
    assert found.coverage.reasons(Decimal(100)) == (
        "Only 15 of 16 clean recordings came; a rank needs 100 % of them.",
    )


def test_decision_15_strict_mode_asks_for_95_percent_of_each_kind():
    assert entry("strict", copies=20, follow_up=MISSING).rankable
    assert not entry("strict", copies=2, follow_up=MISSING).rankable
    assert not entry("strict", copies=1, follow_up=evidence(clean=None)).rankable


def test_silence_is_an_answer():
    muted = entry(copies=2, follow_up=silent("C_UNKNOWN"))
    assert muted.coverage == Coverage(Came(20, 20), Came(16, 16))
    assert muted.rankable


def test_an_item_without_a_clean_partner_expects_none():
    found = measure(reference("pause_handling"), evidence(None), mode="official")
    assert item_to_json(found)["clean_received"] is None
    judged = measure(reference("follow_up"), evidence(clean=None), mode="official")
    assert item_to_json(judged)["clean_received"] is False


def test_a_clean_answer_beside_a_missing_one_has_come_all_the_same():
    lone = without_answer("abc")
    assert (lone.received, lone.clean_received) == (False, True)
    assert evidence_from_json(evidence_to_json(lone)) == lone
    assert without_answer(None) == MISSING
    found = entry(follow_up=lone)
    assert found.coverage == Coverage(Came(9, 10), Came(8, 8))


@pytest.mark.parametrize(
    ("received", "expected", "percent", "enough"),
    [
        (0, 0, 100, True), (19, 20, 95, True), (18, 20, 95, False), (999, 1000, 100, False),
        (1, 3, "33.3", True), (1, 3, "33.4", False), (0, 5, 0, True),
    ],
)  # fmt: skip
def test_shares_are_compared_exactly(received, expected, percent, enough):
    assert Came(received, expected).is_enough(Decimal(percent)) is enough


def test_a_split_with_a_lower_share_ranks_what_is_whole():
    totals = totals_to_json(entry(copies=2, follow_up=MISSING))
    assert standing(totals, Decimal(90)).rankable
    assert not standing(totals, Decimal(100)).rankable
    assert "19 of 20 test" in standing(totals, Decimal(100)).reasons[0]
    assert not any("recordings came" in one for one in standing(totals, Decimal(90)).reasons)
    # A share that is low enough does not make a total of what has none.
    lost = dict.fromkeys(("follow_up", "negation"), MISSING)
    assert not standing(totals_to_json(entry(**lost)), Decimal(0)).rankable


def test_reports_from_before_are_judged_by_what_they_hold():
    old = totals_to_json(entry(copies=2, follow_up=evidence(clean=None)))
    for key in ("clean_expected", "clean_received", "is_whole", "coverage_reasons"):
        del old[key]
    old["rankable"] = True
    assert Coverage.of(old) == Coverage(Came(20, 20), None)
    assert standing(old, Decimal(100)).rankable
    old["received"] = 19
    assert not standing(old, Decimal(100)).rankable
    assert not standing(old | {"received": 20, "rankable": False}, Decimal(100)).rankable


def test_the_command_line_reports_both_counts(mini, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, short = mini / "submissions" / "prompt", tmp_path / "short.zip"
    with zipfile.ZipFile(folder / "HD-Track2.zip") as source, zipfile.ZipFile(short, "w") as made:
        names = [name for name in source.namelist() if name.endswith(".wav")]
        left = next(name for name in names if "/clean/" in name)
        for name in names:
            if name != left:
                made.writestr(name, source.read(name))
    report = tmp_path / "report.json"
    command = [
        "score", "--reference", mini, "--manifest", mini / "manifest.csv", "--submission", short,
        "--transcripts", folder / "transcripts", "--json", report,
    ]  # fmt: skip
    assert main(list(map(str, command))) == 0
    totals = json.loads(report.read_text())["totals"]
    expected = totals["clean_expected"]
    assert (totals["expected"], totals["received"]) == (20, 20)
    assert (expected, totals["clean_received"]) == (16, 15)
    assert totals["rankable"] is False
    told = capsys.readouterr().out
    assert "20 of 20 test recordings and 15 of 16 clean ones received" in told
    assert "Only 15 of 16 clean recordings came; a rank needs 100 % of them." in told
