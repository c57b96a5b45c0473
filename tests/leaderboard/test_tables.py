"""The table of a board: cells, notes, bars, and what its exports say."""

import csv
import io

import pytest

from leaderboard import exports, tables
from leaderboard.models import Snapshot

pytestmark = pytest.mark.django_db


def row(**changes):
    values = {
        "rank": 1,
        "team": "Parrot",
        "system": "Parrot",
        "kind": "participant",
        "origin": "scored",
        "link": "b5a1",
        "interruption": "80.0",
        "rejection": "60.0",
        "delay": "1.000",
        "delay_score": "86.5",
        "delay_score_raw": "86.5",
        "total": "73.3",
        "total_raw": "73.3",
        "languages": {"cn": {"interruption": "81.0", "rejection": "61.0"}, "en": {}},
        "beyond_reference": False,
        "published": {},
        "architecture": "",
        "unofficial": [],
        "signature": "",
        "notes": [],
    }
    return {**values, **changes}


def only(**changes):
    return tables.board([row(**changes)]).rows[0]


def texts(found):
    return [cell.text for cell in found.cells]


@pytest.fixture
def published(humdial):
    return tables.board(Snapshot.objects.get().rows)


def named(board, name):
    return next(row for row in board.rows if row.name == name)


def test_the_published_table_keeps_its_order_and_its_ranks(published):
    assert [(row.rank, row.name) for row in published.rows] == [
        ("1", "Cookie asr"),
        ("2", "Badcat"),
        ("3", "SenseDialog"),
        ("—", "Gemini-2.5"),
        ("—", "Unity Squad"),
        ("4", "RhythmSense"),
        ("5", "Lingcon Insight"),
        ("6", "Baseline"),
        ("7", "HelloWorld"),
        ("—", "Freeze-Omni"),
        ("8", "AISpeech"),
        ("9", "Cascade"),
        ("—", "Moshi"),
    ]


def test_a_row_without_rank_says_why(published):
    assert named(published, "Unity Squad").rank_reason == "late"
    assert named(published, "Gemini-2.5").rank_reason == "reference"


def test_badcat_shows_our_delay_score_beside_the_published_one_with_the_reason(published):
    score = named(published, "Badcat").cells[-1]
    assert (score.text, score.aside) == ("72.5", "published 72.6")
    assert "72.535" in score.notes[0].text
    assert score.notes[0] in published.notes


def test_no_other_row_differs_from_what_was_published(published):
    differing = {
        row.name
        for row in published.rows
        for cell in (*row.cells, row.total)
        if cell.aside.startswith("published")
    }
    assert differing == {"Badcat"}


def test_reference_models_have_dashes_for_languages_and_a_note(published):
    moshi = named(published, "Moshi")
    assert texts(moshi) == ["—", "—", "35.4", "—", "—", "22.8", "2.876", "56.3"]
    assert moshi.cells[0].reason == "not published by language"
    assert "no figures by language" in moshi.notes[0].text


def test_the_takeaway_is_made_from_the_rows(published):
    assert published.takeaway == (
        "Cookie asr leads with 76.6 of 100 points. "
        "8 of 13 systems stay below 50 % on speech that is not meant for them."
    )


def test_a_missing_language_is_a_dash_with_a_reason_and_never_zero():
    cell = only().cells[1]
    assert (cell.text, cell.reason) == ("—", "not scored in this language")


def test_a_row_without_total_has_no_bar_and_says_it_is_incomplete():
    found = only(rank=None, total="", delay="", delay_score="")
    assert found.bar == ()
    assert (found.rank, found.rank_reason) == ("—", "incomplete")
    assert (found.total.text, found.total.reason) == ("—", "a part of it is missing")
    assert texts(found)[-2:] == ["—", "—"]


def test_the_bar_is_as_long_as_the_total_in_three_pieces():
    parts = [(part.name, part.x, part.width) for part in only().bar]
    assert parts == [
        ("interruption", "0.00", "32.00"),
        ("rejection", "32.00", "24.00"),
        ("delay", "56.00", "17.30"),
    ]


def test_a_delay_score_beyond_the_reference_is_shown_but_fills_no_more_than_its_part():
    found = only(delay_score="104.1", beyond_reference=True, notes=[tables.BEYOND])
    assert found.cells[-1].aside == "beyond the reference"
    assert found.cells[-1].notes[0].text == tables.BEYOND
    assert found.bar[-1].width == "20.00"


def test_a_negative_delay_score_takes_no_room_in_the_bar():
    assert only(delay_score="-3.0").bar[-1].width == "0.00"


def test_equal_notes_share_a_letter():
    board = tables.board([row(notes=["same"]), row(notes=["other"]), row(notes=["same"])])
    assert [note.text for note in board.notes] == ["same", "other"]
    assert [found.notes[0].mark for found in board.rows] == ["a", "b", "a"]


def test_unofficial_engines_are_named_on_the_row_and_on_the_board():
    board = tables.board([row(unofficial=["another engine", "offline"])])
    assert board.unofficial == board.rows[0].unofficial == "another engine, offline rule judge"


def test_a_tie_for_the_first_place_names_both():
    board = tables.board([row(system="A"), row(system="B")])
    assert board.takeaway.startswith("A and B leads with 73.3")


def test_csv_has_the_numbers_of_the_snapshot_and_its_marks(humdial):
    snapshot = Snapshot.objects.get()
    lines = list(csv.DictReader(io.StringIO(exports.as_csv(snapshot))))
    assert len(lines) == 13
    badcat = lines[1]
    assert (badcat["delay_score"], badcat["published_delay_score"]) == ("72.5", "72.6")
    assert (badcat["board"], badcat["split"]) == (str(snapshot.pk), "humdial")
    assert (lines[3]["rank"], lines[3]["interruption_cn"]) == ("", "")


def test_csv_never_lets_a_name_run_as_a_formula(humdial):
    snapshot = Snapshot.objects.get()
    snapshot.rows[0]["team"] = "=1+1"
    lines = list(csv.DictReader(io.StringIO(exports.as_csv(snapshot))))
    assert lines[0]["team"] == "'=1+1"


def test_json_says_null_for_what_is_missing_and_names_the_unofficial(humdial):
    snapshot = Snapshot.objects.get()
    snapshot.rows[0] |= {"total": "", "unofficial": ["offline"]}
    found = exports.as_json(snapshot)
    assert found["rows"][0]["total"] is None
    assert found["unofficial"] == ["offline"]
    assert (found["l_min"], found["l_min_holder"]) == ("0.624", "HelloWorld")
