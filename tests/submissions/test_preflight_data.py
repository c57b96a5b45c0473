"""What the browser is told to check an archive before it is sent, and what it must not be told."""

import gzip
import json

import pytest

from scoring.check.preflight import expected_to_json, names_to_json, rules_to_json
from scoring.humdial import SCRIPTS
from scoring.humdial.names import expected_files
from scoring.manifest import Item, Manifest
from scoring.rule_table import RULES
from tests.leaderboard.reader import login
from tests.scoring.handed_in import DENY, FOLLOW, PAUSE, SPLIT
from tests.submissions.split_of import split_of

ADDRESS = "/en/submit/preflight/hostile.json"
OPEN = Item("0001_0002", "cn", "negation", folder="Negation")


def full_split():
    """5,000 items in shuffled order of their anonymous ids."""
    items, number = [], 0
    for language in ("cn", "en"):
        for slug in SCRIPTS:
            scenario, part = slug, ""
            if slug.startswith("third_party"):
                scenario, _, part = slug.rpartition("_")
            for _ in range(250):
                number += 1
                test, clean = (f"{number * step % 10_007:05d}" for step in (7919, 104_729))
                name = f"{number * 31 % 9973:04d}_{number:04d}"
                items.append(Item(name, language, scenario, part, f"F_{slug}", test, clean))
    return items


@pytest.mark.parametrize("hides_pairs", [True, False])
def test_a_full_split_takes_less_than_100_kb_compressed(hides_pairs):
    expected = expected_to_json(full_split(), tried=(), hides_pairs=hides_pairs)
    text = json.dumps({**rules_to_json(), **names_to_json(), **expected})
    assert len(gzip.compress(text.encode())) < 100_000


def test_hidden_files_tell_neither_scenario_nor_pair():
    told = expected_to_json([FOLLOW, DENY, PAUSE], tried={FOLLOW.key}, hides_pairs=True)
    assert told["items"]["item"] == []
    assert told["hidden"]["path"] == sorted(file.path for file in SPLIT)
    assert sum(told["hidden"]["tried"]) == 2
    text = json.dumps(told)
    for item in (FOLLOW, DENY, PAUSE):
        assert item.item not in text
        assert item.scenario not in text


def test_items_without_anonymous_ids_have_nothing_to_hide():
    told = expected_to_json([FOLLOW, OPEN], tried=(), hides_pairs=True)
    assert told["items"]["item"] == [OPEN.item]
    assert len(told["hidden"]["path"]) == 2


def test_the_browser_gets_the_rules_that_a_directory_can_break_in_the_readers_words():
    told = rules_to_json(str.upper)
    assert set(told["rules"]) == {key for key, rule in RULES.items() if rule.in_directory}
    assert told["rules"]["archive-encrypted"] == {
        "severity": "error",
        "rule": "THE FILE IS ENCRYPTED, AND NOBODY HERE HAS ITS PASSWORD.",
        "cure": "ZIP THE FOLDER AGAIN WITHOUT A PASSWORD.",
    }
    assert told["limits"]["members"] == 50_000


@pytest.fixture
def split(db):
    return split_of(SPLIT, trial_items=1)


def test_pairs_are_told_only_where_items_are_public(client, split, alice, olga):
    told = login(client, alice).get(ADDRESS).json()
    assert (told["items"]["item"], len(told["hidden"]["path"])) == ([], 5)
    assert len(login(client, olga).get(ADDRESS).json()["items"]["item"]) == 3
    split.items_public = True
    split.save()
    told = login(client, alice).get(ADDRESS).json()
    assert told["items"]["item"] == [FOLLOW.item, DENY.item, PAUSE.item]
    assert told["items"]["tried"] == [1, 1, 1]
    assert expected_files(Manifest((FOLLOW, DENY, PAUSE))) == SPLIT


def test_it_needs_a_login_and_an_open_split(client, split, alice):
    assert client.get(ADDRESS).status_code == 302
    assert login(client, alice).get(ADDRESS.replace("hostile", "other")).status_code == 404
    assert client.post(ADDRESS).status_code == 405
    split.accepts_uploads = False
    split.save()
    assert client.get(ADDRESS).status_code == 404


def test_the_answer_is_packed_where_the_browser_takes_it(client, split, alice):
    response = login(client, alice).get(ADDRESS, headers={"Accept-Encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(response.content))["schema"] == "preflight/1"
