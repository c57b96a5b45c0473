"""The history of boards: dates, differences, and the ledger of the delay scale."""

import pytest

from leaderboard.board.history import day, ledger
from leaderboard.models import Snapshot
from tests.leaderboard import stage
from tests.leaderboard.reader import text_of, url

pytestmark = pytest.mark.django_db


def board(number, l_min, holder="Parrot"):
    return {
        "id": number,
        "created": None,
        "cause": f"cause {number}",
        "l_min": l_min,
        "l_min_holder": holder,
        "l_base": "2.531",
        "reference_name": "",
    }


def test_the_ledger_keeps_only_boards_that_changed_the_scale():
    found = ledger([board(3, "0.9"), board(1, "1.1"), board(2, "1.1"), board(4, "1.1")])
    assert [(one.number, one.l_min) for one in found] == [(4, "1.1"), (3, "0.9"), (1, "1.1")]


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0"])
def test_what_is_no_day_is_none(text):
    assert day(text) is None


def test_all_boards_are_listed_with_their_causes(client, split):
    stage.published_board(split, "new entry: Parrot")
    stage.published_board(split, "Parrot withdrawn")
    text = text_of(client.get(url("boards")))
    assert "new entry: Parrot" in text
    assert "Parrot withdrawn" in text


def test_a_single_board_offers_nothing_to_compare_and_changed_no_scale(client, humdial):
    response = client.get(url("boards"))
    assert 'type="radio"' not in response.content.decode()
    text = text_of(response)
    assert "No board has changed that scale." in text
    assert "0.624 HelloWorld 2.531" in text


def test_a_scale_without_numbers_says_why(client, split):
    stage.published_board(split)
    Snapshot.objects.update(l_min="", l_min_holder="", l_base="")
    assert "— (no baseline with a faster ranked system yet)" in text_of(client.get(url("boards")))


def test_boards_up_to_a_day_leave_later_ones_out(client, split):
    stage.published_board(split, "old cause")
    Snapshot.objects.update(created="2026-01-05T12:00:00Z")
    stage.published_board(split, "late cause")
    response = client.get(url("boards", until="2026-01-05"))
    table = response.content.decode().partition('aria-labelledby="ledger"')[0]
    assert "old cause" in table
    assert "late cause" not in table


def test_two_boards_differ_by_the_entry_that_came(client, split, submission):
    before = stage.published_board(split, "nothing yet")
    stage.score(submission)
    now = stage.published_board(split)
    text = text_of(client.get(url("boards-difference", a=now.pk, b=before.pk)))
    assert f"From board {before.pk} to board {now.pk}" in text
    assert "New Parrot" in text


def test_equal_boards_say_that_nothing_differs(client, split):
    a, b = stage.published_board(split).pk, stage.published_board(split).pk
    assert "Nothing differs" in text_of(client.get(url("boards-difference", a=a, b=b)))


def test_boards_of_two_splits_have_no_difference(client, split):
    a = stage.published_board(split).pk
    b = stage.published_board(stage.make_split("other")).pk
    assert client.get(url("boards-difference", a=a, b=b)).status_code == 404


@pytest.mark.parametrize("number", ["", "x", "999", "9" * 40, "²"])
def test_a_board_that_never_was_has_no_difference(client, split, number):
    a = stage.published_board(split).pk
    assert client.get(url("boards-difference", a=a, b=number)).status_code == 404


def test_an_unknown_split_has_no_boards_page(client, split):
    assert client.get(url("boards", split="nowhere")).status_code == 404
