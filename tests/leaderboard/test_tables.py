"""The table of a board: cells, notes, bars, and what is said about ties."""

import pytest
from django.utils.translation import override

from leaderboard.board import tables
from leaderboard.board.cells import BEYOND
from leaderboard.board.viewstate import ViewState
from leaderboard.models import Snapshot
from tests.leaderboard.rows import row

LANGUAGES = ViewState(lang="both")

pytestmark = pytest.mark.django_db


def only(state=LANGUAGES, **changes):
    return tables.board([row(**changes)], state).rows[0]


def texts(found):
    return [cell.text for cell in found.cells]


@pytest.fixture
def published(humdial):
    return tables.board(Snapshot.objects.get().rows, LANGUAGES)


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


def test_among_differences_no_row_keeps_its_own_numbers(humdial):
    rows = Snapshot.objects.get().rows
    found = tables.board(rows, ViewState(diff=True, pin=("baseline",)))
    assert [found.pinned[0].total.text, *texts(found.pinned[0])] == [
        "56.4", "75.9", "35.2", "2.531", "60.0",
    ]  # fmt: skip
    same = named(found, "Baseline")
    assert [same.total.text, *texts(same)] == ["0.0", "0.0", "0.0", "0.000", "0.0"]
    assert named(found, "Cookie asr").total.text == "+20.2"


def test_transcripts_made_elsewhere_are_named_in_words():
    assert tables.engine_words(["imported:cluster", "offline"]) == (
        "transcripts made elsewhere (cluster), offline rule judge"
    )


def test_sentences_in_chinese_follow_without_a_gap(humdial):
    with override("zh-hans"):
        said = tables.takeaway(Snapshot.objects.get().rows)
    assert "。" in said[:-1]
    assert "。 " not in said


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
    assert texts(moshi) == ["—", "—", "35.4", "—", "—", "22.8", "—", "—", "2.876", "56.3"]
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
    found = only(delay_score="104.1", beyond_reference=True, notes=[BEYOND])
    assert found.cells[-1].aside == "beyond the reference"
    assert found.cells[-1].notes[0].text == BEYOND
    assert found.bar[-1].width == "20.00"


def test_a_negative_delay_score_takes_no_room_in_the_bar():
    assert only(delay_score="-3.0").bar[-1].width == "0.00"


def test_equal_notes_share_a_letter():
    board = tables.board([row(notes=["same"]), row(notes=["other"]), row(notes=["same"])])
    assert [note.text for note in board.notes] == ["same", "other"]
    assert [found.notes[0].mark for found in board.rows] == ["a", "b", "a"]


def test_unofficial_engines_are_named_on_the_row_and_on_the_board():
    board = tables.board([row(unofficial=["another engine", "offline"]), row()])
    assert board.unofficial == board.rows[0].unofficial == "another engine, offline rule judge"
    assert board.rows[1].unofficial == ""


def test_what_is_true_of_every_row_is_said_once():
    board = tables.board([row(unofficial=["offline"]), row(unofficial=["offline"])])
    assert board.unofficial == "offline rule judge"
    assert [found.unofficial for found in board.rows] == ["", ""]


def test_a_tie_for_the_first_place_names_both():
    board = tables.board([row(system="A"), row(system="B")])
    assert board.takeaway.startswith("A and B lead with 73.3")


def test_a_lead_that_may_be_chance_is_not_called_one():
    rows = [row(system=name, tie_group=1, rank=place) for place, name in enumerate("ABC", 1)]
    assert tables.takeaway(rows).startswith(
        "A comes first with 73.3 of 100 points, but 2 other systems cannot be told from it."
    )


def test_intervals_stand_beside_numbers_with_the_places_of_the_number():
    found = only(intervals={"total": [71.38, 75.21], "delay": [0.9113, 1.1116]})
    assert found.total.beside == "±1.9"
    assert found.cells[-2].beside == "0.911–1.112"
    assert found.cells[0].beside == ""


def test_the_interval_of_a_language_is_around_that_languages_number():
    intervals = {"interruption_cn": [74.0, 88.04], "rejection_cn": [50.0, 70.0]}
    cells = only(ViewState(lang="cn"), intervals=intervals).cells
    assert [(cell.text, cell.beside) for cell in cells[:4]] == [
        ("81.0", "±7.0"), ("80.0", ""), ("61.0", "50.0–70.0"), ("60.0", "")
    ]  # fmt: skip


def test_no_interval_reaches_beyond_a_full_score():
    found = only(ViewState(), interruption="96.9", intervals={"interruption": [93.5, 100.0]})
    assert (found.cells[0].text, found.cells[0].beside) == ("96.9", "93.5–100.0")


def test_only_what_cannot_be_told_from_the_best_is_bold():
    found = only(best=["total", "interruption_cn"])
    assert found.total.strong
    assert [cell.strong for cell in found.cells].count(True) == 1


def test_a_rank_has_its_interval_and_says_with_whom_it_is_tied():
    rows = [row(rank=2, rank_low=1, rank_high=3, tie_group=1), row(tie_group=1), row(tie_group=2)]
    found = tables.board(rows).rows
    assert found[0].rank_interval == "1–3"
    assert found[0].tie_words == "cannot be told from 1 other system"
    assert found[2].tie_words == ""


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([1, 1, 1, 2], ["first", "middle", "last", ""]),
        ([1, None, 1], ["alone", "", "alone"]),
        ([1, 1, 2, 2], ["first", "last", "first", "last"]),
        ([None, None], ["", ""]),
    ],
)
def test_a_bar_runs_along_the_rows_of_a_tie_group(groups, expected):
    rows = [row(tie_group=group) for group in groups]
    assert [found.tie for found in tables.board(rows).rows] == expected


def test_boards_frozen_before_there_were_intervals_are_still_shown():
    old = {key: value for key, value in row().items() if key not in ("system_slug", "weights")}
    state = ViewState(cols=("delay", "architecture", "weights", "received", "stability"))
    found = tables.board([old], state).rows[0]
    assert texts(found) == ["1.000", "—", "—", "—", "—"]
    assert (found.rank_interval, found.total.beside, found.tie) == ("", "", "")
