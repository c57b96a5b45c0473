"""What the sources say differently about a board; one test per decision, by its number."""

import pytest

from leaderboard.snapshots import freeze
from submissions.models import ReportedResult, Split

pytestmark = pytest.mark.django_db


def totals(snapshot):
    return {row["system"]: row["total"] for row in snapshot.rows}


@pytest.fixture
def split(humdial):
    return Split.objects.get(slug="humdial")


@pytest.fixture
def faster(split):
    """Half the latency of the fastest published system."""
    before = totals(split.snapshots.get())

    def arrive():
        ReportedResult.objects.create(
            split=split, team="Swift", slug="swift", kind="participant", source="a test",
            interruption="50.0", rejection="50.0", delay="0.312",
        )  # fmt: skip
        return before

    return arrive


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_37_frozen_constants_let_no_new_system_move_the_others(split, faster, mode):
    Split.objects.filter(pk=split.pk).update(ranking_mode=mode)
    before = totals(freeze(split, "before"))
    faster()
    board = freeze(split, "a faster system")
    assert {name: total for name, total in totals(board).items() if name != "Swift"} == before
    swift = next(row for row in board.rows if row["system"] == "Swift")
    # Shown unclamped, 100 of it in the total.
    assert (float(swift["delay_score"]) > 100, swift["total"]) == (True, "60.0")
    assert swift["beyond_reference"] is True


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_37_a_split_may_take_them_from_each_board_which_says_what_moved(
    split, faster, mode
):
    Split.objects.filter(pk=split.pk).update(l_min=None, l_base=None, ranking_mode=mode)
    first = freeze(split, "from the rows")
    assert (first.l_min, first.l_base) == ("0.624", "2.531")
    before = faster()
    board = freeze(split, "a faster system")
    assert board.l_min == "0.312"
    assert board.moved["l_min"] == ["0.624", "HelloWorld", "0.312", "Swift"]
    assert totals(board)["HelloWorld"] != before["HelloWorld"]
