"""The board's page: its views, what it costs, and what stands around it."""

import gzip
import re

import pytest
from django.contrib.staticfiles import finders

from leaderboard.models import Snapshot
from leaderboard.snapshots import freeze
from submissions.models import Split, Submission
from submissions.services.standing import withdraw
from tests.leaderboard import boards
from tests.leaderboard.reader import login, text_of, url

pytestmark = pytest.mark.django_db
BUDGET = 150_000


@pytest.fixture
def wide(db):
    """A split whose board has intervals, a tie and an entry with a Chinese name."""
    split = Split.objects.create(
        slug="wide", name="Wide", ranking_mode="strict", accepts_uploads=False, l_min="0.5"
    )
    for name, seed in (("Falcon", 1), ("小猫", 1)):
        boards.enter(split, name, quality=0.85, seed=seed)
    boards.enter(split, "Mole", quality=0.5, seed=3)
    freeze(split, "three entries")
    return split


def names(html):
    """Systems in order; pinned ones stand in a part of their own above."""
    body = html[html.index("<tbody>") :]
    return re.findall(r'<th scope="row" class="team">.*?translate="no"[^>]*>([^<]+)<', body)


def get(client, path):
    return client.get(path).content.decode()


# What a reader sees


def test_a_rank_has_its_interval_its_tie_and_words_for_both(client, wide):
    html = get(client, "/en/split/wide/")
    assert html.count("tie-first") == html.count("tie-last") == 1
    text = text_of(client.get("/en/split/wide/"))
    assert "cannot be told from 1 other system" in text
    assert re.search(r"95 % interval of the rank: 3–3", text)
    assert re.search(r"\d\d\.\d \d\d\.\d–\d\d\.\d", text)
    assert "paired bootstrap over items, 1000 draws" in text


def test_a_published_board_says_why_it_has_no_intervals(client, humdial):
    text = text_of(client.get("/en/"))
    assert "as reported by their source, without item results" in text
    assert "±" not in text


def test_a_small_board_says_why_it_has_no_intervals(client, split, submission):
    from tests.leaderboard import stage

    stage.score(submission)
    stage.published_board(split)
    assert "at least 10 items per scenario and language" in text_of(client.get("/en/split/demo/"))


def test_the_date_of_a_board_is_told_in_utc_and_at_the_end_of_the_world(client, humdial):
    assert re.search(r"frozen [\d-]+ [\d:]+ UTC \([\d-]+ [\d:]+ AoE\)", text_of(client.get("/en/")))


def test_headings_announce_the_order_and_lead_to_the_other_one(client, humdial):
    html = get(client, "/en/?sort=delay")
    heading = re.search(r'<th[^>]*aria-sort="ascending">.*?</th>', html, re.S)[0]
    assert 'href="?sort=-delay"' in heading
    assert html.count("aria-sort") == 1
    assert names(html)[:2] == ["HelloWorld", "Lingcon Insight"]


def test_search_finds_chinese(client, wide):
    html = get(client, "/en/split/wide/?q=小猫")
    assert names(html) == ["小猫"]
    assert "1 of 3 entries; ranks are those of the whole board" in re.sub(r"\s+", " ", html)


def test_a_search_without_a_hit_says_so_and_leads_back(client, wide):
    text = text_of(client.get("/en/split/wide/?q=nobody"))
    assert "No entry matches. Show all" in text


def test_what_a_reader_types_stays_text(client, wide):
    html = get(client, '/en/split/wide/?q="><script>alert(1)</script>')
    assert "<script>alert" not in html


def test_filters_and_language_are_links_that_keep_the_rest_of_the_view(client, humdial):
    html = get(client, "/en/?sort=delay")
    assert 'href="?kind=late&amp;sort=delay"' in html
    assert 'href="?lang=both&amp;sort=delay"' in html
    both = get(client, "/en/?lang=both")
    assert both.count("CN") > html.count("CN")


def test_the_column_picker_is_a_form_that_works_without_scripts(client, humdial):
    html = get(client, "/en/?cols=delay&cols=architecture")
    assert "end-to-end" in html
    assert "Interruption: " not in html
    assert re.search(r'name="cols" value="delay" checked', html)


def test_other_weights_are_tried_beside_the_official_order(client, humdial):
    text = text_of(client.get("/en/?w=90&w=5&w=5"))
    assert "Ranked systems under 90 : 5 : 5" in text
    assert "Cookie asr leads with 76.6" in text


def test_what_moved_is_told_with_the_board_before(client, wide):
    first = Snapshot.objects.get()
    boards.enter(wide, "Newcomer", quality=0.7, seed=9)
    second = freeze(wide, "new entry: Newcomer")
    html = get(client, "/en/split/wide/")
    assert f"What moved since board {first.pk}" in html
    assert "New: Newcomer." in html
    assert f'href="{url("board", first.pk)}"' in html
    assert "What moved" not in get(client, url("board", first.pk))
    assert f"previous board ({first.pk})" in get(client, url("board", second.pk))


def test_unknown_keys_are_no_error(client, humdial):
    assert client.get("/en/?sort=colour&kind=pirate&page=-3&w=x&pin=&foo=bar").status_code == 200


# What it costs


def test_no_view_takes_more_than_a_few_queries(client, humdial, django_assert_max_num_queries):
    for query in ("", "?sort=delay&lang=both", "?q=cookie", "?w=50-30-20&diff=1"):
        with django_assert_max_num_queries(10):
            client.get(f"/en/{query}")


def test_a_page_seen_before_takes_one_query(client, humdial, django_assert_max_num_queries):
    first = client.get("/en/?sort=delay")
    with django_assert_max_num_queries(1):
        assert client.get("/en/?sort=delay").content == first.content


def test_a_board_trusted_for_a_moment_takes_no_query_at_all(
    client, humdial, settings, django_assert_max_num_queries
):
    settings.BOARD_TRUSTED = 60
    first = client.get("/en/")
    with django_assert_max_num_queries(0):
        assert client.get("/en/").content == first.content


def test_work_under_way_is_never_taken_from_memory(client, split, submission, settings):
    settings.BOARD_TRUSTED = 60
    submission.state = Submission.State.SCORING
    submission.save()
    assert "being scored" in text_of(client.get("/en/split/demo/"))
    Submission.objects.update(state=Submission.State.REJECTED)
    assert "being scored" not in text_of(client.get("/en/split/demo/"))


def test_the_first_view_is_small_and_has_no_chart_code(client, humdial):
    html = get(client, "/en/")
    files = [*re.findall(r'<link rel="(?:stylesheet|icon)" href="/static/([^"]+)"', html),
             *re.findall(r'<script[^>]* src="/static/([^"]+)"', html)]  # fmt: skip
    assert files
    assert not [name for name in files if "plotly" in name or "charts.js" in name]
    size = len(gzip.compress(html.encode()))
    for name in files:
        with open(finders.find(name), "rb") as file:
            size += len(gzip.compress(file.read()))
    assert size < BUDGET


def test_a_new_board_is_shown_at_once(client, wide):
    assert "Newcomer" not in get(client, "/en/split/wide/")
    boards.enter(wide, "Newcomer", quality=0.7, seed=9)
    freeze(wide, "new entry: Newcomer")
    assert "Newcomer" in get(client, "/en/split/wide/")


def test_kept_pages_are_told_apart_by_language_theme_host_and_view(client, humdial):
    get(client, "/en/")
    assert "打断" in get(client, "/zh/")
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in get(client, "/en/")
    assert names(get(client, "/en/?kind=open")) == ["Freeze-Omni", "Moshi"]


def test_a_reader_with_an_account_gets_a_page_of_her_own(client, humdial, alice):
    get(client, "/en/")
    own = login(client, alice).get("/en/")
    assert "My submissions" in text_of(own)
    assert "ETag" not in own
    client.logout()
    assert "My submissions" not in text_of(client.get("/en/"))


def test_an_unchanged_page_is_not_sent_twice(client, humdial):
    first = client.get("/en/")
    again = client.get("/en/", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Cookie" in first["Vary"]


def test_a_kept_page_is_sent_packed_to_whoever_takes_it(client, humdial):
    plain = client.get("/en/")
    packed = client.get("/en/", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content


# Elsewhere


def test_a_board_can_stand_on_pages_of_others_and_only_there(client, humdial):
    for address in (url("embed"), url("embed-board", Snapshot.objects.get().pk)):
        response = client.get(address)
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert "script-src 'self'" in response["Content-Security-Policy"]
        assert "X-Frame-Options" not in response
        assert "<nav" not in response.content.decode()
        assert "Cookie asr" in response.content.decode()
    assert "frame-ancestors 'none'" in client.get("/en/")["Content-Security-Policy"]


def test_an_embedded_board_that_is_not_there_is_not_found(client, db):
    assert client.get("/en/embed/board/").status_code == 404
    assert client.get("/en/embed/board/9/").status_code == 404


def test_a_badge_tells_the_place_of_an_entry(client, wide):
    mole = Submission.objects.get(system__name="Mole")
    response = client.get(f"/badge/{mole.pk}.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert f"rank 3 · total {_total('Mole')}" in response.content.decode()


def _total(name):
    rows = {row["system"]: row for row in Snapshot.objects.latest("pk").rows}
    return rows[name]["total"]


def test_whoever_left_the_board_or_never_was_on_it_has_no_badge(client, wide, olga):
    mole = Submission.objects.get(system__name="Mole")
    withdraw(mole, who=olga)
    assert client.get(f"/badge/{mole.pk}.svg").status_code == 404
    hidden = boards.enter(wide, "Hidden")
    Submission.objects.filter(pk=hidden.pk).update(published=None)
    freeze(wide, "again")
    assert client.get(f"/badge/{hidden.pk}.svg").status_code == 404
    assert "Hidden" not in get(client, "/en/split/wide/")


def test_a_badge_prints_names_as_text():
    from leaderboard.board import badge

    picture = badge.svg('A<b>"&', "小猫 & co")
    assert "<b>" not in picture
    assert "小猫 &amp; co" in picture
