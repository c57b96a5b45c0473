"""What travels with a board: that it is made up, whose delays it has, where rows were published."""

import csv
import io
import json
import re

import pytest
from PIL import Image

from leaderboard.board import card, print_exports
from leaderboard.models import Snapshot
from leaderboard.snapshots import freeze
from submissions.models import ReportedResult, Split
from tests.leaderboard import boards, stage
from tests.leaderboard.reader import text_of

pytestmark = pytest.mark.django_db
PAPER = (
    "Full-Duplex Interaction in Spoken Dialogue Systems: A Comprehensive Study from the ICASSP "
    "2026 HumDial Challenge"
)
WARNING = "A demonstration with made-up systems and synthetic speech"


@pytest.fixture
def demo(db, media):
    split = Split.objects.create(slug="at-size", name="At size", is_demo=True, l_min="0.5")
    boards.enter(split, "Parrot", quality=0.9, seed=1)
    boards.enter(split, "Base", quality=0.5, seed=2, kind="baseline")
    return freeze(split, "two entries")


@pytest.fixture
def published(humdial):
    return Snapshot.objects.get(split__slug="humdial")


def exported(client, number, form):
    return client.get(f"/en/board/{number}.{form}").content.decode()


# Demonstrations


def test_an_embedded_demonstration_says_what_it_is(client, demo):
    text = text_of(client.get(f"/en/embed/board/{demo.pk}/"))
    assert WARNING in text
    assert "unofficial engines: offline rule judge" in text


def test_the_cards_of_a_demonstration_are_stamped(demo):
    for made in (card.of_board(demo, "Site"), card.of_system(demo, "Site", demo.rows[0])):
        assert made.stamp == "made-up demonstration · unofficial engines"


def test_the_badge_of_a_demonstration_says_so_and_names_its_split(client, demo):
    picture = client.get(f"/badge/{demo.rows[0]['link']}.svg").content.decode()
    assert "made-up demonstration · unofficial engines · At size · rank 1" in picture


def test_exports_of_a_demonstration_say_so(client, demo):
    found = json.loads(exported(client, demo.pk, "json"))
    assert found["demonstration"] is True
    assert found["warnings"][0].startswith(WARNING)
    line = next(csv.DictReader(io.StringIO(exported(client, demo.pk, "csv"))))
    assert (line["demonstration"], line["unofficial"]) == ("yes", "offline")
    for form in ("tex", "bib"):
        assert WARNING in exported(client, demo.pk, form)
        assert "unofficial engines" in exported(client, demo.pk, form)


def test_link_previews_of_a_demonstration_say_so(client, demo):
    for path in ("/en/split/at-size/", f"/en/board/{demo.pk}/", "/en/system/parrot/"):
        html = client.get(path).content.decode()
        described = re.search(r'property="og:description" content="([^"]+)"', html)[1]
        assert "made-up" in described, path


def test_the_feed_says_which_boards_are_made_up(client, demo):
    assert WARNING in client.get("/en/boards.atom").content.decode()


def test_a_real_board_carries_no_warning(client, published):
    assert json.loads(exported(client, published.pk, "json"))["warnings"] == []
    assert "made-up" not in exported(client, published.pk, "bib")
    assert card.of_board(published, "Site").stamp == ""


# Sources


@pytest.mark.parametrize("path", ["/en/", "/zh/", "/en/split/humdial/", "/en/embed/board/"])
def test_the_paper_and_the_challenge_stand_linked_above_the_table(client, published, path):
    html = client.get(path).content.decode()
    above = html[: html.index("<table")]
    assert f">{PAPER}</a>" in above
    assert 'href="https://arxiv.org/abs/2604.21406"' in above
    assert 'href="https://aslp-lab.github.io/HumDial-Challenge/track2/results/"' in above


def test_every_published_row_names_its_source_in_json_and_csv(client, published):
    rows = json.loads(exported(client, published.pk, "json"))["rows"]
    lines = list(csv.DictReader(io.StringIO(exported(client, published.pk, "csv"))))
    for row in (*rows, *lines):
        assert row["source"].startswith("arXiv 2604.21406, Table 2")
        assert row["source_url"] == "https://arxiv.org/abs/2604.21406"
        assert row["published_on"] == "2026-04-23"
    assert [line["invited"] for line in lines[:3]] == ["yes", "yes", ""]


def test_a_published_board_has_an_entry_for_the_paper_and_one_for_itself(client, published):
    board, paper = exported(client, published.pk, "bib").split("\n\n")
    assert board.startswith(f"@misc{{humdial-board-{published.pk},")
    assert "author" not in board
    assert "Results as published: arXiv 2604.21406" in board
    # The day of the results, not that of the installation.
    assert "  year = {2026},\n  month = {04}," in board
    assert f"Board frozen {published.created:%Y-%m-%d}" in board
    assert paper.startswith("@misc{wang2026humdial,")
    assert f"title = {{{{{PAPER}}}}}" in paper
    assert "author = {Chengyou Wang and Hongfei Xue and " in paper
    assert "eprint = {2604.21406}" in paper
    assert paper.count("{") == paper.count("}")


def test_a_scored_board_has_its_own_entry_only(demo):
    text = print_exports.as_bibtex(demo, address="https://x/", site="Site")
    assert text.count("@misc{") == 1
    assert "author = {{Site}}" in text


def test_a_board_from_before_rows_named_their_source_asks_the_results(client, published):
    for row in published.rows:
        for name in ("source", "source_url", "published_on"):
            del row[name]
    published.save()
    assert "@misc{wang2026humdial," in exported(client, published.pk, "bib")
    assert PAPER in client.get("/en/").content.decode()


def test_a_source_that_no_paper_is_known_of_is_cited_by_its_words(client, published):
    ReportedResult.objects.update(source="A talk, slide 7", source_url="", published_on=None)
    board = freeze(published.split, "another source")
    text = exported(client, board.pk, "bib")
    assert "@misc{source-a-talk-slide-7,\n  title = {{A talk, slide 7}}\n}" in text
    assert "Source: A talk, slide 7" in text_of(client.get("/en/"))


def test_the_page_of_an_invited_team_says_so(client, published):
    assert "Invited yes, to submit a paper" in text_of(client.get("/en/system/cookie-asr/"))
    assert "Invited" not in text_of(client.get("/en/system/sensedialog/"))


# Pictures that stand for a page


def alt_of(client, path):
    html = client.get(path).content.decode()
    return re.search(r'property="og:image:alt" content="([^"]+)"', html)[1]


def test_the_words_for_a_card_promise_intervals_only_where_there_are_any(client, demo, published):
    assert alt_of(client, f"/en/board/{demo.pk}/").endswith("with totals and intervals.")
    assert alt_of(client, f"/en/board/{published.pk}/").endswith("with totals; no intervals.")
    assert alt_of(client, "/en/system/parrot/").endswith("first five, totals and intervals.")
    assert alt_of(client, "/en/system/cookie-asr/").endswith("totals; no intervals.")


def test_pages_without_a_card_have_a_neutral_picture_of_the_right_shape(client, db, settings):
    html = client.get("/en/methodology/").content.decode()
    assert f'content="{settings.SITE_URL}/static/img/preview.png"' in html
    with Image.open(settings.BASE_DIR / "static/img/preview.png") as picture:
        assert picture.size == (1200, 630)


# Whose latency


@pytest.fixture
def contest(db, media):
    split = Split.objects.create(slug="contest", name="Contest", latency="measured")
    fast = boards.enter(split, "Fast", quality=0.9, seed=1)
    boards.enter(split, "Unmeasured", quality=0.95, seed=3)
    return split, fast


def rows_of(split):
    return {row["system"]: row for row in freeze(split, "a board").rows}


def test_decision_38_the_measured_delay_ranks_and_rows_without_it_stand_unranked(contest):
    split, fast = contest
    fast.measured_delay, fast.measured_how = "0.700", "RTX A6000, 2026-12-01"
    fast.save()
    rows = rows_of(split)
    assert (rows["Fast"]["delay"], rows["Fast"]["rank"]) == ("0.700", 1)
    assert rows["Fast"]["latency_source"] == "organiser"
    assert rows["Fast"]["languages"]["cn"]["delay"] == ""
    other = rows["Unmeasured"]
    assert (other["rank"], other["latency_source"]) == (None, "self-reported")
    assert (
        "The organisers have not measured its latency, by which this split ranks."
        in (other["notes"])
    )
    # It stands in its order, before the worse one.
    assert float(other["total"]) > float(rows["Fast"]["total"])
    assert list(rows) == ["Unmeasured", "Fast"]


def test_decision_38_a_split_that_ranks_by_recordings_does_so_whatever_was_measured(contest):
    split, fast = contest
    Split.objects.filter(pk=split.pk).update(latency="recordings")
    before = rows_of(split)["Fast"]["delay"]
    fast.measured_delay, fast.measured_how = "0.001", "a mistake"
    fast.save()
    row = rows_of(split)["Fast"]
    assert (row["delay"], row["latency_source"]) == (before, "self-reported")
    assert row["rank"] is not None


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_decision_38_holds_in_both_modes(contest, mode):
    split, _fast = contest
    Split.objects.filter(pk=split.pk).update(ranking_mode=mode)
    assert {row["rank"] for row in rows_of(split).values()} == {None}


def test_a_measured_delay_has_no_interval_and_says_how_it_was_measured(client, contest):
    split, fast = contest
    fast.measured_delay, fast.measured_how = "0.700", "RTX A6000, 2026-12-01"
    fast.save()
    board = freeze(split, "measured")
    text = text_of(client.get("/en/split/contest/"))
    assert "Delay measured by the organisers: RTX A6000, 2026-12-01." in text
    assert "Delay from the recordings that the team handed in." in text
    row = next(row for row in board.rows if row["system"] == "Fast")
    assert "delay" not in row["intervals"]
    found = json.loads(exported(client, board.pk, "json"))["rows"]
    assert {one["system"]: one["latency_source"] for one in found} == {
        "Fast": "organiser", "Unmeasured": "self-reported",
    }  # fmt: skip
    lines = csv.DictReader(io.StringIO(exported(client, board.pk, "csv")))
    assert {one["measured_how"] for one in lines} == {"", "RTX A6000, 2026-12-01"}


def test_a_board_on_which_all_delays_are_the_teams_says_so_once(client, demo):
    text = text_of(client.get("/en/split/at-size/"))
    assert text.count("All delays come from the recordings that teams handed in.") == 1
    assert "Delay from the recordings" not in text


def test_a_published_board_claims_nothing_about_whose_delays_they_are(client, published):
    assert "recordings that teams handed in" not in text_of(client.get("/en/"))


def test_a_submission_and_its_system_tell_what_the_organisers_measured(
    client, split, submission, team
):
    stage.score(submission)
    submission.measured_delay, submission.measured_how = "0.700", "RTX A6000"
    submission.save()
    told = "The organisers measured a total delay of 0.700 s (RTX A6000)."
    assert told in text_of(client.get(f"/en/submission/{submission.pk}/"))
    page = text_of(client.get(f"/en/system/{submission.system.slug}/"))
    assert "the organisers measured a total delay of 0.700 s (RTX A6000)." in page
    assert "nobody measured them" not in page
