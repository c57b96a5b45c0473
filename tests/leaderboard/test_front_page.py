"""The front page is that of a split with a board; a new, empty or hidden one never takes it."""

import pytest

from leaderboard import boards
from leaderboard.snapshots import freeze
from submissions.models import Split
from tests.leaderboard.reader import text_of
from tests.submissions.split_of import small_split


@pytest.fixture
def newcomer(humdial):
    """A split without entries that would come first by position and by name."""
    return Split.objects.create(slug="a-new-one", name="bad window", position=0)


@pytest.mark.parametrize("path", ["/en/", "/zh/", "/en/embed/board/", "/en/scenario/negation/"])
def test_an_empty_split_does_not_take_over_the_front_page(client, newcomer, path):
    text = text_of(client.get(path))
    assert "HumDial 2026" in text
    assert "bad window · " not in text


def test_the_card_of_the_front_page_is_that_of_its_board(client, newcomer):
    assert client.get("/en/card.png").status_code == 200


def test_comparing_begins_with_the_split_of_the_front_page(client, newcomer):
    assert "Cookie asr" in text_of(client.get("/en/compare/"))


@pytest.mark.django_db
def test_a_board_without_entries_is_no_reason_to_come_first(newcomer):
    freeze(newcomer, "frozen by an organiser")
    assert boards.home().slug == "humdial"


@pytest.mark.django_db
def test_a_draft_never_comes_first(humdial):
    Split.objects.filter(slug="humdial").update(is_draft=True)
    assert boards.home() is None


@pytest.mark.django_db
def test_before_there_is_a_board_the_first_public_split_comes_first(db):
    small_split("draft", "Draft", is_draft=True)
    Split.objects.create(slug="empty", name="Empty")
    small_split("open", "Open")
    assert boards.home().slug == "open"


@pytest.mark.django_db
def test_a_new_split_comes_last(humdial):
    assert Split.objects.create(slug="a", name="A").position == 1
    assert Split.objects.create(slug="0", name="0").position == 2
    assert [split.slug for split in Split.objects.all()] == ["humdial", "a", "0"]
