"""Cards: what they say, as a picture, for whom, and how often they are drawn."""

import re
from io import BytesIO

import numpy as np
import pytest
from django.utils.translation import override
from PIL import Image

from leaderboard.board import card, card_drawing
from leaderboard.board.card import Card, Line
from leaderboard.models import Snapshot
from leaderboard.snapshots import freeze
from scoring.rounding import half_up
from submissions.models import Split
from submissions.services.standing import withdraw
from tests.leaderboard import boards, stage
from tests.leaderboard.reader import url

pytestmark = pytest.mark.django_db
LATIN = None  # no font of the system


@pytest.fixture
def drawn(db, media):
    """A board of seven with intervals."""
    split = Split.objects.create(slug="wide", name="Wide", ranking_mode="strict", l_min="0.5")
    for number in range(7):
        boards.enter(split, f"System {number}", quality=0.9 - number / 10, seed=number)
    return freeze(split, "seven entries")


def pixels(data):
    image = Image.open(BytesIO(data))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return np.asarray(image.convert("RGB")).astype(int)


def body(response):
    return b"".join(response.streaming_content)


def test_a_card_has_the_first_five_with_totals_intervals_and_ranges(drawn):
    made = card.of_board(drawn, "Site")
    assert [line.name for line in made.lines] == [row["system"] for row in drawn.rows[:5]]
    first, row = made.lines[0], drawn.rows[0]
    assert (first.rank, first.total) == ("1", row["total"])
    assert first.ranks == f"{row['rank_low']}–{row['rank_high']}"
    low, high = (half_up(end, 1) for end in row["intervals"]["total"])
    assert first.interval == f"{low}–{high}"
    assert made.subtitle == f"Board {drawn.pk}, frozen {drawn.created:%Y-%m-%d}"
    assert made.foot.startswith("7 entries")


def test_a_card_speaks_chinese_where_it_is_asked_to(drawn):
    with override("zh-hans"):
        assert "system" not in " ".join(card.of_board(drawn, "Site").heads).lower()


def test_a_systems_card_marks_it_and_adds_it_behind_the_first(drawn):
    last = drawn.rows[-1]
    made = card.of_system(drawn, "Site", last)
    assert (made.title, len(made.lines)) == (last["system"], 5)
    assert [line.is_own for line in made.lines] == [False] * 4 + [True]
    assert made.lines[-1].rank == str(last["rank"])
    inside = card.of_system(drawn, "Site", drawn.rows[1])
    assert [line.is_own for line in inside.lines] == [False, True, False, False, False]


def test_a_published_table_has_no_intervals_and_says_so(humdial):
    made = card.of_board(Snapshot.objects.get(), "Site")
    assert {(line.interval, line.ranks) for line in made.lines} == {("", "")}
    assert "no intervals" in made.foot


def test_a_small_board_is_not_called_reported(split, submission):
    stage.score(submission)
    made = card.of_board(freeze(split, "small"), "Site")
    assert made.foot == "1 entry · no intervals"


def one_card(*lines, title="Title"):
    return Card("Site", title, "Board 1", ("Rank", "System", "Total"), lines, "2 entries")


def test_the_picture_has_the_mark_and_grows_with_its_rows():
    line = Line("1", "1–2", "Parrot", "", "81.2", "±1.1")
    empty, full = (pixels(card_drawing.png(one, LATIN)) for one in (one_card(), one_card(line)))
    for ink in (card_drawing.USER, card_drawing.MODEL):
        colour = [int(ink[at : at + 2], 16) for at in (1, 3, 5)]
        assert (empty == colour).all(axis=2).sum() > 100
    rows = slice(card_drawing.ROWS - 30, card_drawing.ROWS + 5)
    assert (empty[rows] == 255).all()
    assert (full[rows] < 128).any()


def test_an_endless_name_stays_out_of_the_column_of_totals():
    name = "An endless name " * 20
    plain, long = (
        pixels(card_drawing.png(one_card(Line("1", "", text, name, "81.2", "")), LATIN))
        for text in ("A", name)
    )
    right = card_drawing.TOTAL_END - 100
    assert (plain[:, right:] == long[:, right:]).all()


@pytest.mark.skipif(card_drawing.faces() is None, reason="needs Noto Sans CJK")
def test_chinese_letters_are_drawn_with_the_systems_font():
    found = card_drawing.faces()
    one, other = (
        pixels(card_drawing.png(one_card(title=title), found)) for title in ("鹦鹉", "全双")
    )
    assert (one != other).any()
    assert card_drawing._font(found, 20, bold=True).getname()[0] == "Noto Sans CJK SC"


def test_without_such_a_font_the_card_is_english(drawn, client, monkeypatch):
    monkeypatch.setattr(card_drawing, "faces", lambda _chosen="": None)
    english = body(client.get(f"/en/board/{drawn.pk}/card.png"))
    assert body(client.get(f"/zh/board/{drawn.pk}/card.png")) == english


def test_boards_and_systems_have_their_cards(client, drawn):
    for path in (f"/en/board/{drawn.pk}/card.png", "/en/card.png", "/zh/system/system-6/card.png"):
        response = client.get(path)
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        pixels(body(response))


def test_a_card_is_drawn_once_and_known_by_its_tag(client, drawn, monkeypatch):
    address = f"/en/board/{drawn.pk}/card.png"
    response = client.get(address)
    first = body(response)
    monkeypatch.setattr(card_drawing, "png", lambda *_: pytest.fail("drawn again"))
    assert body(client.get(address)) == first
    again = client.get(address, headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_current_card_follows_the_newest_board(client, drawn):
    first = client.get("/en/card.png")["ETag"]
    freeze(drawn.split, "again")
    assert client.get("/en/card.png")["ETag"] != first


def test_a_withdrawn_system_has_no_card(client, drawn, olga):
    gone = drawn.split.submissions.get(system__name="System 3")
    assert client.get("/en/system/system-3/card.png").status_code == 200
    withdraw(gone, who=olga)
    assert client.get("/en/system/system-3/card.png").status_code == 404
    assert client.get("/en/system/system-3/").status_code == 404


@pytest.mark.parametrize("path", ["/en/card.png", "/en/board/77/card.png", "/en/system/x/card.png"])
def test_what_is_not_there_has_no_card(client, db, path):
    assert client.get(path).status_code == 404


def test_pages_name_their_cards_with_words_for_who_cannot_see_them(client, drawn, settings):
    for page, path in (
        (url("board", drawn.pk), f"/en/board/{drawn.pk}/card.png"),
        (url("system", "system-1"), "/en/system/system-1/card.png"),
        ("/zh/", f"/zh/board/{drawn.pk}/card.png"),
    ):
        html = client.get(page).content.decode()
        assert f'<meta property="og:image" content="{settings.SITE_URL}{path}">' in html
        assert '<meta name="twitter:card" content="summary_large_image">' in html
        alt = re.search(r'property="og:image:alt" content="([^"]+)"', html)
        assert alt, page
        assert html.count('property="og:image"') == 1
