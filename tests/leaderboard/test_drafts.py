"""A draft, and a split with nothing to show, are its organisers' alone at every door (A20)."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from leaderboard.snapshots import freeze
from submissions.models import ReportedResult, Split, Submission, Token
from submissions.services import tokens
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.sending import Sender

API = "/api/v1"


@pytest.fixture
def draft(db, media, team, orla):
    """A split that was made a draft after it had everything: entry, board, badge, card."""
    cache.clear()
    made = stage.make_split("secret", items_public=True, closes=timezone.now())
    made.organisers.add(orla)
    one = stage.make_submission(made, team, "Hidden")
    stage.score(one)
    freeze(made, "before")
    Split.objects.filter(pk=made.pk).update(is_draft=True)
    return one


def addresses(one):
    board = one.split.snapshots.get()
    item = one.split.items.first().slug
    return [
        url("split", "secret"),
        url("split-live", "secret"),
        url("split-export", "secret", "json"),
        url("board", board.pk),
        url("board-export", board.pk, "csv"),
        url("compare", split="secret"),
        url("scenario", "follow_up", split="secret"),
        url("scenario-export", "follow_up", "json", split="secret"),
        url("boards", split="secret"),
        url("boards-difference", a=board.pk, b=board.pk),
        url("submission", one.pk),
        url("items", "secret"),
        url("item", "secret", item),
        f"{API}/splits/secret",
        f"{API}/boards/{board.pk}",
        f"{API}/submissions/{one.pk}",
    ]


def statuses(client, found):
    return {address: client.get(address).status_code for address in found}


def test_everybody_else_is_told_that_a_draft_does_not_exist(client, draft, charlie):
    found = addresses(draft)
    assert set(statuses(client, found).values()) == {404}, statuses(client, found)
    assert set(statuses(login(client, charlie), found).values()) == {404}


def test_its_organisers_and_staff_see_all_of_it(client, draft, orla, olga):
    for person in (orla, olga):
        found = statuses(login(client, person), addresses(draft))
        assert set(found.values()) == {200}, found


def test_what_an_organiser_has_looked_at_is_not_kept_for_others(client, draft, orla, settings):
    settings.BOARD_TRUSTED = 60
    assert login(client, orla).get(url("split", "secret")).status_code == 200
    assert Client().get(url("split", "secret")).status_code == 404


def test_a_public_page_that_becomes_a_draft_is_gone_as_soon_as_it_is_looked_up(client, draft):
    Split.objects.update(is_draft=False)
    assert client.get(url("split", "secret")).status_code == 200
    Split.objects.update(is_draft=True)
    assert Client().get(url("split", "secret")).status_code == 404


@pytest.mark.parametrize(
    "name",
    [("home",), ("boards",), ("compare",), ("scenario", "follow_up"), ("boards-feed",), ("embed",)],
)
def test_no_list_names_a_draft(client, draft, split, name):
    freeze(split, "a board to show")
    text = client.get(url(*name)).content.decode()
    assert "Secret" not in text
    assert "secret" not in text


def test_pictures_sitemap_and_lists_of_the_api_leave_it_out(client, draft, team):
    board = draft.split.snapshots.get()
    for address in (
        f"/badge/{draft.pk}.svg",
        url("board-card", board.pk),
        url("system-card", draft.system.slug),
        url("embed-board", board.pk),
        url("system", draft.system.slug),
        f"{API}/systems/{draft.system.slug}",
    ):
        assert client.get(address).status_code == 404, address
    text = client.get("/sitemap.xml").content.decode()
    assert "secret" not in text
    assert f"/board/{board.pk}/" not in text
    assert [one["slug"] for one in client.get(f"{API}/splits/").json()["items"]] == ["demo"]
    for name in ("boards", "submissions", "systems"):
        assert client.get(f"{API}/{name}/").json()["count"] == 0, name


def test_a_draft_is_not_the_first_split_of_the_site_for_anybody(client, draft, split, olga):
    Split.objects.filter(pk=draft.split_id).update(position=0)
    assert "Demo" in text_of(client.get(url("home")))
    assert "Secret" not in text_of(login(client, olga).get(url("home"))).split("Other boards")[0]


def test_nobody_submits_to_a_draft_at_any_door(client, draft, team, alice):
    login(client, alice)
    split = draft.split
    assert "Secret" not in text_of(client.get(url("submit")))
    for name in ("expected-files", "manifest", "preflight"):
        assert client.get(url(name, "secret")).status_code == 404
    answer = Sender(client, split, team).begin(5)
    assert (answer.status_code, answer.json()["code"]) == (403, "split-unknown")
    key = tokens.create(alice, "laptop", Token.Scope.SUBMIT, expires=None).key
    head = {"Authorization": f"Bearer {key}"}
    rows = client.get(f"{API}/me/slots", headers=head).json()["items"]
    assert [row["split"] for row in rows] == ["demo"]
    assert Submission.objects.count() == 1


def test_a_split_without_items_is_no_public_one_until_it_has_some(client, db):
    Split.objects.create(slug="bare", name="Bare")
    assert client.get(url("split", "bare")).status_code == 404
    assert "No boards yet" in text_of(client.get(url("home")))
    assert client.get(f"{API}/splits/").json()["count"] == 0


def test_reported_results_alone_make_a_split_public(client, db):
    bare = Split.objects.create(slug="bare", name="Bare")
    ReportedResult.objects.create(
        split=bare, team="A", slug="a", kind="participant", source="paper"
    )
    assert client.get(url("split", "bare")).status_code == 200
    Split.objects.update(is_draft=True)
    assert client.get(url("split", "bare")).status_code == 404
    assert client.get(url("system", "a")).status_code == 404


def test_a_split_of_many_items_and_rows_is_one_split(db, split):
    for name in ("a", "b"):
        ReportedResult.objects.create(split=split, team=name, slug=name, kind="open", source="x")
    assert list(Split.objects.public()) == [split]
