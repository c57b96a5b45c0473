"""Who may see what: every address, for seven kinds of people, in eight situations.

A row is an address and one answer for each of ``PEOPLE``; ``.`` is 200, ``-`` is 404, ``>`` leads
to the log-in, and a number is that status. An address that is in no row fails the last tests.
Every answer is counted too: none takes more than ``MOST_QUERIES`` queries.
"""

import re
from pathlib import Path
from uuid import UUID

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from leaderboard.api import api
from leaderboard.snapshots import freeze
from submissions.models import Correction, Membership, Split, Submission
from submissions.services import tokens
from tests.leaderboard import stage

pytestmark = pytest.mark.django_db

SOURCE = Path(__file__)
PEOPLE = ("anonymous", "outsider", "member", "owner", "other organiser", "organiser", "staff")
SIGNS = {".": 200, "-": 404, ">": 302}
# No page asks the database more often, whoever reads it.
MOST_QUERIES = 15

# What belongs to one submission: page, check, items and sounds, and the same through the API.
PAGE, LIVE = "/en/submission/{pk}/", "/en/submission/{pk}/live/"
LIST, ITEM = "/en/items/{split}/?sys={pk}", "/en/item/{split}/{item}/?sys={pk}"
SOUNDS = [
    "/en/item/{split}/{item}/model.wav?sys={pk}",
    "/en/item/{split}/{item}/sound.flac?sys={pk}",
    "/en/item/{split}/{item}/model.svg?sys={pk}",
]
DOWNLOADS = [
    "/en/submission/{pk}/items.csv",
    "/en/submission/{pk}/items.json",
    "/en/submission/{pk}/report.json",
    "/en/submission/{pk}/corrections.csv",
]
CORRECT = "/en/submission/{pk}/item/{item}/correct/"
SCORE_AGAIN = "/en/submission/{pk}/score-again/"
PUT_ON_BOARD = "/en/submission/{pk}/run/{run}/put/"
ASK_AGAIN = "/en/submission/{pk}/ask-judge-again/"
API_ONE, API_ITEMS = "/api/v1/submissions/{pk}", "/api/v1/submissions/{pk}/items"
API_CHECK, API_EVENTS = "/api/v1/submissions/{pk}/check", "/api/v1/submissions/{pk}/events"
SITUATIONS = {
    # situation: what everybody gets for the page, the numbers, the items
    "public items, published": (".......", ".......", "......."),
    "hidden items, published": (".......", ".......", "--..-.."),
    "by hand, not yet published": ("--..-..", "--..-..", "--..-.."),
    "blind, before the reveal": ("--..-..", "-----..", "-----.."),
    # A trial tells nothing of items that rank and are hidden, or whose scores are (fault A5).
    "trial on a blind split": ("--..-..", "-----..", "-----.."),
    "trial on a blind split of public items": ("--..-..", "-----..", "-----.."),
    "trial on hidden items": ("--..-..", "-----..", "-----.."),
    "trial on public items": ("--..-..", "--..-..", "--..-.."),
}
INSIDE = "--..-.."


@pytest.fixture
def cast(db, team, alice, bob, charlie, olga, django_user_model):
    """One of each kind, with a session and a key."""
    cache.clear()
    Membership.objects.filter(user=bob).update(role=Membership.Role.OWNER)
    stage.make_team("Elsewhere", charlie)
    other, own = (django_user_model.objects.create_user(name) for name in ("omar", "orla"))
    stage.make_split("elsewhere").organisers.add(other)
    return dict(zip(PEOPLE, (None, charlie, alice, bob, other, own, olga), strict=True))


@pytest.fixture
def scene(cast, media, team):
    """Set a situation up, and say what stands in its addresses."""

    def play(situation):
        split = stage.make_split("house", items_public="public items" in situation)
        split.organisers.add(cast["organiser"])
        blind = "blind" in situation
        split.publication = Split.Publication.REVEAL if blind else Split.Publication.BY_HAND
        split.save()
        made = stage.make_submission(
            split,
            team,
            is_trial=situation.startswith("trial"),
            document=ContentFile(b"%PDF-1.7", name="paper.pdf"),
        )
        stage.score(made, publish=situation.endswith("items, published"))
        return {"pk": made.pk, "split": split.slug, "item": split.items.first().slug}

    return play


def ask(person, address, method="get", **data):
    client = Client()
    headers = {}
    if person is not None and address.startswith("/api/"):
        key = tokens.create(person, "t", "submit", expires=None).key
        headers = {"Authorization": f"Bearer {key}"}
    elif person is not None:
        client.force_login(person)
    with CaptureQueriesContext(connection) as asked:
        response = getattr(client, method)(address, data or None, headers=headers)
    assert method != "get" or len(asked) <= MOST_QUERIES, address
    return response


def answers(cast, address, method="get"):
    return [ask(person, address, method).status_code for person in cast.values()]


def expected(signs):
    return [SIGNS[sign] for sign in signs]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_submission_its_numbers_and_its_items(cast, scene, situation):
    page, numbers, items = SITUATIONS[situation]
    names = scene(situation)
    rows = {PAGE: page, LIVE: page, API_ONE: page, LIST: items, ITEM: items, API_ITEMS: items}
    rows |= dict.fromkeys([*SOUNDS, *DOWNLOADS], items)
    wrong = {
        address: found
        for address, signs in rows.items()
        if (found := answers(cast, address.format(**names))) != expected(signs)
    }
    assert wrong == {}
    seen = [_has_numbers(ask(person, API_ONE.format(**names))) for person in cast.values()]
    assert seen == [sign == "." for sign in numbers]
    shown = [_shows_totals(ask(person, PAGE.format(**names))) for person in cast.values()]
    assert shown == [sign == "." for sign in numbers]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_inside_of_a_submission_is_for_its_team_and_organisers(cast, scene, situation):
    names = scene(situation)
    for address in (API_CHECK, API_EVENTS):
        found = answers(cast, address.format(**names))
        assert found[0] == 401
        assert found[1:] == expected(INSIDE)[1:], address


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_description_is_for_everybody_beside_public_results_where_its_team_says_so(
    cast, scene, situation
):
    names = scene(situation)
    address = "/en/submission/{pk}/description.pdf".format(**names)
    assert answers(cast, address) == expected(INSIDE)
    Submission.objects.update(document_public=True)
    is_public = situation.endswith("items, published")
    assert answers(cast, address) == expected("......." if is_public else INSIDE)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_labels_are_corrected_and_scored_again_by_organisers_alone(cast, scene, situation):
    names = scene(situation)
    # A judged item that everybody's judge took for a success.
    names["item"] = "en-follow_up-0009_0001"
    sent = {"label": "C_RESUME", "reason": "It goes on."}
    found = [
        (response.status_code, "/login/" in response.headers.get("Location", ""))
        for person in cast.values()
        if (response := ask(person, CORRECT.format(**names), "post", **sent))
    ]
    assert found == [(302, True), *[(404, False)] * 4, *[(302, False)] * 2]
    assert [one.by for one in Correction.objects.all()] == [cast["organiser"]]
    assert answers(cast, ASK_AGAIN.format(**names), "post") == expected(">---->>")
    found = answers(cast, SCORE_AGAIN.format(**names), "post")
    assert found == expected(">---->>")
    assert Submission.objects.get().events.filter(to_state="queued").count() == 1
    names["run"] = Submission.objects.get().board_run_id
    assert answers(cast, PUT_ON_BOARD.format(**names), "post") == expected(">---->>")


@pytest.mark.parametrize(
    ("address", "signs"),
    [
        ("/en/submission/{pk}/withdraw/", ">-..-.."),
        ("/en/submission/{pk}/check.csv", "--..-.."),
        ("/en/team/wonderland/", ">-..--."),
        ("/en/team/wonderland/systems/new/", ">-..---"),
        ("/en/submit/", ">......"),
        ("/en/my/", ">......"),
        ("/en/teams/", ">......"),
        ("/en/account/tokens/", ">......"),
        ("/en/account/mail/", ">......"),
        ("/en/submit/house/files.csv", ">......"),
        ("/en/submit/house/manifest.csv", ">----.."),
        ("/en/submit/preflight/house.json", ">......"),
        # The admin is for staff; organisers of a split are no staff.
        ("/admin/submissions/splitimport/", ">>>>>>."),
    ],
)
def test_pages_for_people_with_an_account(cast, scene, address, signs):
    names = scene("by hand, not yet published")
    assert answers(cast, address.format(**names)) == expected(signs)


@pytest.mark.parametrize(
    ("address", "statuses"),
    [
        ("/api/v1/submissions/{pk}/withdraw", [401, 404, 200, 409, 404, 409, 409]),
        ("/api/v1/submissions/{pk}/choose", [401, 404, 409, 409, 404, 404, 404]),
    ],
)
def test_verbs_of_the_api(cast, scene, address, statuses):
    names = scene("by hand, not yet published")
    assert answers(cast, address.format(**names), "post") == statuses


@pytest.mark.parametrize("situation", SITUATIONS)
def test_cards_show_what_everybody_may_see(cast, scene, situation):
    names = scene(situation)
    freeze(Split.objects.first(), "the first split's board")
    board = freeze(Split.objects.get(slug=names["split"]), "board")
    system = Submission.objects.get(pk=names["pk"]).system
    is_public = SITUATIONS[situation][0] == "......."
    for address, signs in (
        ("/en/card.png", "......."),
        ("/en/board/{board}/card.png", "......."),
        ("/en/system/{system}/card.png", "......." if is_public else "-------"),
    ):
        filled = address.format(board=board.pk, system=system.slug)
        assert answers(cast, filled) == expected(signs), address


@pytest.mark.parametrize("situation", SITUATIONS)
def test_lists_exports_and_feeds_know_no_more_than_pages(cast, scene, situation):
    names = scene(situation)
    page, _numbers, _items = SITUATIONS[situation]
    listed = [
        str(names["pk"]) in ask(person, "/api/v1/submissions/?split=house").content.decode()
        for person in cast.values()
    ]
    # Organisers find what is not public on their desk, not in the public list.
    assert listed[:4] == [sign == "." for sign in page[:4]]
    is_public = page == "......."
    for address in (
        "/en/split/house/",
        "/en/split/house.json",
        "/en/scenario/follow_up/?split=house",
    ):
        text = ask(None, address).content.decode()
        assert (str(names["pk"]) in text) <= is_public, address


def _has_numbers(response):
    return response.status_code == 200 and response.json()["results"] is not None


def _shows_totals(response):
    return response.status_code == 200 and 'id="coverage"' in response.content.decode()


# Nothing is forgotten

# Addresses that are the same for everybody, or whose rules have tests of their own.
OPEN = {
    "home",
    "split",
    "split-live",
    "split-export",
    "board",
    "board-card",
    "board-export",
    "boards",
    "boards-difference",
    "embed",
    "embed-board",
    "system",
    "scenario",
    "scenario-export",
    "compare",
    "compare-export",
    "methodology",
    "rules",
    "faq",
    "how-to-submit",
    "api-guide",
    "data",
    "changelog",
    "boards-feed",
    "healthz",
    "robots",
    "sitemap",
    "badge",
    "theme",
    "item-user-audio",
    "item-user-wave",
}
ELSEWHERE = {
    "test_teams.py": "team-member team-leave team-ask team-invite team-link team-revoke team-join "
    "invitation",
    "test_systems.py": "system-edit",
    "test_uploads.py": "uploads upload upload-plain upload-description upload-submit-again",
    "test_accounts.py": "login logout mail-stop",
    "test_tokens.py": "token-revoke",
    "test_description.py": "description-show",
    "test_unfinished.py": "unfinished-submit unfinished-delete",
    "test_api.py": "choose",
    "test_pages.py": "organise",
}


def test_every_page_has_its_row():
    source = SOURCE.read_text(encoding="utf-8")
    names = {one.name for one in _walk(get_resolver())}
    asked = set(re.findall(r'"(/[^"\s]*)"', source))
    covered = OPEN | set(" ".join(ELSEWHERE.values()).split())
    missing = [
        name
        for name in sorted(names)
        if name not in covered and not any(_leads_to(address, name) for address in asked)
    ]
    assert missing == []


def _walk(resolver):
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            if one.namespace not in ("admin", "api-1", "api"):
                yield from _walk(one)
        elif one.name and "allauth" not in one.lookup_str:
            yield one


def _leads_to(address, name):
    filled = address.partition("?")[0].replace("{pk}", str(UUID(int=0))).replace("{run}", "1")
    try:
        return resolve(re.sub(r"{\w+}", "x", filled)).url_name == name
    except Resolver404:
        return False


def test_every_door_of_the_api_has_its_row():
    source = SOURCE.read_text(encoding="utf-8")
    public = {
        "/boards/",
        "/boards/{number}",
        "/splits/",
        "/splits/{slug}",
        "/systems/",
        "/systems/{slug}",
    }
    own = {"/splits/{slug}/files", "/me/", "/me/slots"}
    paths = {path.removeprefix("/api/v1") for path in api.get_openapi_schema()["paths"]}
    missing = [path for path in paths - public - own if f"/api/v1{path}" not in source]
    assert missing == []
