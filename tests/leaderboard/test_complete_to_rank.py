"""An entry that leaves recordings out stands on the board without a rank, and says why (A4)."""

import pytest

from leaderboard.snapshots import freeze
from submissions.models import Run, Split
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

LEFT_OUT = ["en-follow_up-0009_0001", "en-negation-0008_0001"]
NOTE = "Only 18 of 20 test recordings came; a rank needs 100 % of them."


@pytest.fixture
def rows(split, team):
    """An honest entry, and one that leaves out what it fails; each has the whole of a total."""
    honest = stage.make_submission(split, team, "Honest")
    short = stage.make_submission(split, team, "Short")
    stage.score(honest)
    run = stage.score(short, missing=LEFT_OUT)
    # As where other items of the scenario came: nothing is missing in a total.
    for mode, results in Run.objects.get(submission=honest).results.items():
        own = run.results[mode]["totals"]
        kept = {name: own[name] for name in COUNTS} | {"coverage_reasons": []}
        run.results[mode]["totals"] = results["totals"] | kept
    run.save()
    return lambda: {row["system"]: row for row in freeze(split, "test").rows}


COUNTS = ("expected", "received", "clean_expected", "clean_received")


def test_below_the_share_there_is_no_rank_but_the_coverage(rows):
    honest, short = (rows()[name] for name in ("Honest", "Short"))
    assert (honest["rank"], short["rank"]) == (1, None)
    assert (honest["coverage"], short["coverage"]) == ([20, 20, 16, 16], [20, 18, 16, 14])
    assert NOTE in short["notes"]
    assert "Only 14 of 16 clean recordings came; a rank needs 100 % of them." in short["notes"]
    assert not any("recordings came" in note for note in honest["notes"])
    # What it scored on the rest stands there all the same.
    assert short["total"] == honest["total"]


def test_the_board_says_so_in_words(client, split, rows):
    rows()
    page = text_of(client.get(url("split", split.slug)))
    assert NOTE in page


def test_a_split_may_ask_for_less(split, rows):
    Split.objects.update(min_coverage="87.5")
    split.refresh_from_db()
    assert rows()["Short"]["rank"] == 1
    Split.objects.update(min_coverage="87.6")
    split.refresh_from_db()
    short = rows()["Short"]
    assert short["rank"] is None
    assert "Only 14 of 16 clean recordings came; a rank needs 87.6 % of them." in short["notes"]
    assert not any("test recordings came" in note for note in short["notes"])


def test_runs_from_before_clean_recordings_were_counted_keep_their_rank(split, team, rows):
    run = Run.objects.get(submission__system__name="Short")
    for mode in ("official", "strict"):
        totals = run.results[mode]["totals"]
        for key in ("clean_expected", "clean_received", "is_whole", "coverage_reasons"):
            del totals[key]
        totals["received"] = 20
    run.save()
    short = rows()["Short"]
    assert (short["rank"], short["coverage"]) == (1, [20, 20])


def test_the_page_of_the_entry_says_it_with_the_share_of_its_split(client, split, rows, alice):
    rows()
    run = Run.objects.get(submission__system__name="Short")
    page = text_of(login(client, alice).get(url("submission", run.submission_id)))
    assert f"Cannot be ranked: {NOTE}" in page
    assert "clean recording missing 2 items" in page
    Split.objects.update(min_coverage=50)
    page = text_of(client.get(url("submission", run.submission_id)))
    assert "Cannot be ranked" not in page
