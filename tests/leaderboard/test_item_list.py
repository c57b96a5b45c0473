"""The list of items: what a filter means, which items match, and who may see them."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone

from leaderboard.items.filters import ItemFilter
from leaderboard.items.walk import matching
from submissions.models import ItemResult, Split
from tests import builders
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url

MISSING, UNJUDGED = "en-negation-0008_0001", "cn-repetition-0010_0001"


def read(query, systems=1):
    return ItemFilter.read(QueryDict(query).dict(), systems)


def test_what_is_not_known_is_ignored():
    query = "scenario=nonsense&lang=fr&label=X&outcome=__all__&diagnostic=pk&agree=a"
    assert read(query, 2) == ItemFilter()


def test_outcomes_need_a_system_and_agreement_needs_two():
    query = "outcome=failed&label=RESUME&diagnostic=cut_off&agree=both&lang=en"
    assert read(query, 0) == ItemFilter(lang="en")
    assert read(query, 1).agree == ""
    assert read(query, 2).agree == "both"


@pytest.mark.parametrize(
    "label", ["UNCERTAIN", "C_UNCERTAIN_HANDLING", "UNCERTAIN_HANDLING", "uncertain"]
)
def test_a_label_may_be_named_as_it_is_shown_or_as_it_is_stored(label):
    assert read(f"label={label}").label == "UNCERTAIN"


def test_a_filter_is_written_as_it_is_read():
    query = "scenario=third_party_after&lang=zh&outcome=failed"
    assert read(query).query == {
        "scenario": "third_party_after",
        "lang": "cn",
        "outcome": "failed",
    }


@pytest.fixture
def parrot(split, submission):
    """It succeeds but for one missing item, one without label and one silence."""
    run = stage.score(submission, missing=[MISSING])
    silent = ItemResult.objects.filter(run=run, item__slug="cn-follow_up-0009_0001").get()
    silent.official |= {"silent": True, "success": False, "diagnostics": {"cut_off": True}}
    unjudged = ItemResult.objects.filter(run=run, item__slug=UNJUDGED).get()
    unjudged.official |= {"unjudged": "No label.", "counted": False, "success": None, "label": None}
    ItemResult.objects.bulk_update([silent, unjudged], ["official"])
    return submission


@pytest.fixture
def magpie(split, team):
    made = stage.make_submission(split, team, "Magpie")
    stage.score(made, verdict=builders.verdict("C_RESUME"))
    return made


def found(split, query, *submissions):
    runs = [one.runs.get() for one in submissions]
    return {item.slug for item in matching(split, runs, read(query, len(runs)), "official")}


def by_hand(split, keep, submission):
    rows = ItemResult.objects.filter(run__submission=submission).select_related("item")
    return {row.item.slug for row in rows if keep(row.official, row.item)}


@pytest.mark.parametrize(
    ("query", "keep"),
    [
        ("", lambda result, item: True),
        ("lang=zh", lambda result, item: item.language == "cn"),
        ("scenario=third_party", lambda result, item: item.scenario == "third_party"),
        ("scenario=third_party_before", lambda result, item: item.part == "before"),
        ("outcome=failed", lambda result, item: result["success"] is False),
        ("outcome=success", lambda result, item: result["success"] is True),
        ("outcome=missing", lambda result, item: not result["received"]),
        ("outcome=silent", lambda result, item: result["silent"] is True),
        ("outcome=unjudged", lambda result, item: bool(result["unjudged"])),
        ("outcome=left-out", lambda result, item: not result["counted"]),
        ("label=RESPOND", lambda result, item: result["label"] == "C_RESPOND"),
        ("diagnostic=cut_off", lambda result, item: result["diagnostics"].get("cut_off")),
        (
            "lang=en&outcome=success&label=RESUME",
            lambda result, item: item.language == "en" and result["label"] == "C_RESUME",
        ),
    ],
)
@pytest.mark.django_db
def test_a_filter_finds_what_the_stored_results_say(split, parrot, query, keep):
    expected = by_hand(split, keep, parrot)
    assert expected
    assert found(split, query, parrot) == expected


@pytest.mark.django_db
def test_the_four_cells_of_agreement_hold_every_item_that_both_are_counted_for(
    split, parrot, magpie
):
    cells = {cell: found(split, f"agree={cell}", parrot, magpie) for cell in
             ("both", "only-a", "only-b", "neither")}  # fmt: skip
    counted = [by_hand(split, lambda result, item: result["counted"], one) for one in
               (parrot, magpie)]  # fmt: skip
    assert set().union(*cells.values()) == counted[0] & counted[1]
    assert sum(map(len, cells.values())) == len(counted[0] & counted[1])
    assert "en-follow_up-0009_0001" in cells["only-a"]
    assert "cn-follow_up-0009_0001" in cells["neither"]
    assert cells["both"]


@pytest.mark.django_db
def test_the_list_links_every_item_inside_the_filter(client, split, parrot):
    response = client.get(url("items", "demo", sys=parrot.pk, outcome="missing"))
    html, text = response.content.decode(), text_of(response)
    assert "1 item: missing" in text
    assert f'/item/demo/{MISSING}/?sys={parrot.pk}&amp;outcome=missing"' in html
    assert html.count('<th scope="row">') == 1


@pytest.mark.django_db
def test_a_filter_without_match_says_what_to_do(client, split, parrot):
    text = text_of(client.get(url("items", "demo", sys=parrot.pk, label="UNKNOWN")))
    assert "0 items: UNKNOWN" in text
    assert "Take away a part of the filter." in text


@pytest.mark.django_db
def test_two_systems_have_columns_of_their_own(client, split, parrot, magpie):
    keys = f"{parrot.pk},{magpie.pk}"
    text = text_of(client.get(url("items", "demo", sys=keys, agree="only-a")))
    assert "only A succeeds" in text
    assert "success RESPOND 1.200 failure RESUME 1.200" in text


@pytest.mark.django_db
def test_pages_keep_the_filter(client, split, parrot, monkeypatch):
    monkeypatch.setattr("leaderboard.views.items.ITEMS_PER_PAGE", 4)
    html = client.get(url("items", "demo", sys=parrot.pk, lang="en")).content.decode()
    assert f'href="?sys={parrot.pk}&amp;lang=en&amp;page=2"' in html
    last = client.get(url("items", "demo", sys=parrot.pk, lang="en", page=99))
    assert "page 3 of 3" in text_of(last)


@pytest.mark.django_db
def test_without_a_system_the_user_sides_are_listed(client, split):
    text = text_of(client.get(url("items", "demo", scenario="follow_up")))
    assert "2 items: Follow-up questions" in text
    assert "Outcome" not in text


@pytest.mark.django_db
def test_a_system_that_is_not_scored_yet_has_no_results(client, split, submission, alice):
    text = text_of(
        login(client, alice).get(url("items", "demo", sys=submission.pk, outcome="failed"))
    )
    assert "not scored yet" in text
    assert "20 items" in text


@pytest.mark.django_db
def test_the_list_takes_few_queries(
    client, split, parrot, magpie, alice, django_assert_max_num_queries
):
    split.items_public = False
    split.save()
    login(client, alice)
    with django_assert_max_num_queries(15):
        client.get(url("items", "demo", sys=f"{parrot.pk},{magpie.pk}", agree="only-a"))


# Who may see it


@pytest.mark.django_db
def test_the_list_of_a_closed_split_is_for_the_team_and_the_organiser(
    client, split, parrot, alice, charlie, olga
):
    split.items_public = False
    split.save()
    addresses = (url("items", "demo", sys=parrot.pk), url("items", "demo"))
    for address in addresses:
        assert client.get(address).status_code == 404
        assert login(client, charlie).get(address).status_code == 404
        client.logout()
    for user in (alice, olga):
        assert login(client, user).get(addresses[0]).status_code == 200


@pytest.mark.django_db
def test_one_hidden_system_hides_the_list_and_the_item(client, split, parrot, charlie):
    secret = stage.make_submission(split, stage.make_team("Rivals"), "Secret")
    stage.score(secret, publish=False)
    both = f"{parrot.pk},{secret.pk}"
    for address in (url("items", "demo", sys=both), url("item", "demo", MISSING, sys=both)):
        assert login(client, charlie).get(address).status_code == 404


@pytest.mark.django_db
def test_before_the_reveal_the_team_sees_no_list(client, split, submission, alice, olga):
    split.publication = Split.Publication.REVEAL
    split.reveal = timezone.now() + timedelta(days=1)
    split.save()
    stage.score(submission, publish=False)
    address = url("items", "demo", sys=submission.pk)
    assert login(client, alice).get(address).status_code == 404
    assert login(client, olga).get(address).status_code == 200


# Trials


@pytest.fixture
def trial(split, submission):
    """A dry run on two items of a split that is open to everybody."""
    submission.is_trial = True
    run = stage.score(submission, publish=False)
    kept = [MISSING, UNJUDGED]
    ItemResult.objects.filter(run=run).exclude(item__slug__in=kept).delete()
    return submission


@pytest.mark.django_db
def test_a_trial_shows_its_own_items_to_its_team_and_to_nobody_else(
    client, trial, alice, charlie, olga
):
    listed, item = url("items", "demo", sys=trial.pk), url("item", "demo", MISSING, sys=trial.pk)
    for user in (alice, olga):
        assert "2 items" in text_of(login(client, user).get(listed))
        assert client.get(item).status_code == 200
        assert "item 2 of 2" in text_of(client.get(item))
    client.logout()
    for address in (listed, item):
        assert client.get(address).status_code == 404
        assert login(client, charlie).get(address).status_code == 404
        client.logout()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "hidden",
    [
        {"items_public": False},
        {"publication": Split.Publication.REVEAL},
        {"publication": Split.Publication.REVEAL, "reveal": timezone.now() + timedelta(days=1)},
    ],
)
def test_a_trial_of_what_is_hidden_opens_nothing_to_its_team(client, trial, alice, olga, hidden):
    Split.objects.update(**hidden)
    addresses = [
        url("items", "demo", sys=trial.pk),
        *(
            url(name, "demo", MISSING, sys=trial.pk)
            for name in (
                "item",
                "item-user-audio",
                "item-sound",
                "item-user-wave",
                "item-model-audio",
            )
        ),
        url("submission-report", trial.pk),
    ]
    login(client, alice)
    assert {client.get(address).status_code for address in addresses} == {404}
    page = client.get(url("submission", trial.pk))
    text = text_of(page)
    assert "A trial reports on files and pipeline only: no scores, labels, texts" in text
    assert "Totals (done)" in text
    for word in ('id="coverage"', "RESPOND", "Cannot be ranked", "judge:offline"):
        assert word not in page.content.decode()
    assert login(client, olga).get(addresses[0]).status_code == 200


@pytest.mark.django_db
def test_a_trial_tells_its_numbers_after_the_reveal_of_public_items(client, trial, alice):
    past = timezone.now() - timedelta(minutes=1)
    Split.objects.update(publication=Split.Publication.REVEAL, reveal=past)
    assert login(client, alice).get(url("items", "demo", sys=trial.pk)).status_code == 200


@pytest.mark.django_db
def test_a_trial_opens_no_other_item_of_the_split(client, trial, alice):
    login(client, alice)
    for name in ("item", "item-user-audio", "item-sound", "item-user-wave"):
        address = url(name, "demo", "en-follow_up-0009_0001", sys=trial.pk)
        assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_a_trial_that_is_not_scored_opens_nothing(client, trial, alice):
    trial.board_run = None
    trial.save()
    trial.runs.all().delete()
    assert login(client, alice).get(url("items", "demo", sys=trial.pk)).status_code == 404


@pytest.mark.django_db
def test_a_trial_stays_private_where_items_are_public(client, split, trial, charlie):
    split.items_public = True
    split.publication = Split.Publication.AUTOMATIC
    split.save()
    address = url("item", "demo", MISSING, sys=trial.pk)
    assert client.get(address).status_code == 404
    assert login(client, charlie).get(address).status_code == 404
