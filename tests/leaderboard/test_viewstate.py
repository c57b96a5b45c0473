"""The address of a view: read, written, and never an error."""

import pytest
from django.http import QueryDict

from leaderboard.board.viewstate import ViewState, read


def state(query):
    return read(QueryDict(query))


def test_an_empty_query_is_the_default_view_with_an_empty_link():
    assert state("") == ViewState()
    assert ViewState().query() == "?"


@pytest.mark.parametrize(
    "query",
    [
        "?arch=cascade&cols=delay,stability&diff=1&kind=late,open&lang=cn&page=3",
        "?pin=badcat,moshi&q=%E5%B0%8F%E7%8C%AB&sort=-total&w=60-20-20&weights=open",
        "?pin=none",
        "?page=all",
    ],
)
def test_what_is_written_is_read_back_the_same(query):
    assert state(query[1:]).query() == query


@pytest.mark.parametrize(
    "query",
    [
        "unknown=1", "sort=colour", "sort=--total", "cols=colour", "kind=pirate", "lang=fr",
        "page=0", "page=-1", "page=99999999999999999", "page=²", "w=1-2", "w=0-0-0", "w=a-b-c",
        "w=-1-1-1", "diff=yes", "weights=heavy", "arch=gothic", "q=+++", "pin=",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_the_default(query):
    assert state(query) == ViewState()


def test_forms_repeat_a_key_and_links_write_commas():
    assert state("cols=delay&cols=interruption") == state("cols=interruption,delay")
    assert state("w=50&w=30&w=20").w == (50, 30, 20)


def test_choosing_every_value_of_a_filter_is_choosing_none():
    assert state("weights=open,closed").weights == ()


def test_short_words_stand_for_kinds():
    assert state("kind=team,ref").kind == ("closed", "open", "participant")
    assert state("lang=zh").lang == "cn"


def test_a_filter_is_switched_on_and_off_and_starts_at_the_first_page():
    first = state("page=4").toggled("kind", "late")
    assert first == "?kind=late"
    assert state(first[1:]).toggled("kind", "late") == "?"


def test_a_click_on_a_heading_brings_the_better_end_first_then_the_other():
    assert state("").sorted_by("delay") == "?sort=delay"
    assert state("sort=delay").sorted_by("delay") == "?sort=-delay"
    assert state("").sorted_by("total") == "?sort=-total"
    assert state("sort=-total").sorted_by("total") == "?sort=total"


def test_values_from_outside_cannot_break_out_of_a_link():
    link = state("q=%22%3E%3Cscript%3E&pin=a%26kind%3Dlate").query()
    assert '"' not in link
    assert "<" not in link
    assert state(link[1:]).kind == ()
