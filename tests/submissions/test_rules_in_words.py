"""The rules of a split are said once, and the same wherever they are shown."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from submissions import rules
from submissions.models import Split
from submissions.services import announce
from tests.leaderboard import stage
from tests.leaderboard.reader import login, text_of, url
from tests.submissions.split_of import small_split

NOON = datetime(2030, 1, 1, 11, 59, tzinfo=UTC)


def said(**fields):
    return {one.key: one.sentence for one in rules.in_words(Split(slug="s", name="S", **fields))}


@pytest.mark.parametrize(
    ("fields", "key", "sentence"),
    [
        ({"closes": NOON}, "closes",
         "The window closes at 2029-12-31 23:59 AoE (2030-01-01 11:59 UTC)."),
        ({"opens": NOON}, "opens",
         "The window opens at 2029-12-31 23:59 AoE (2030-01-01 11:59 UTC)."),
        ({}, "closes", "There is no closing time."),
        ({"accepts_uploads": False}, "uploads", "This split takes no submissions."),
        ({"is_draft": True}, "draft",
         "This is a draft: only its organisers see it, and nobody can submit to it."),
        ({"limit_total": 1}, "total-limit", "A team has 1 submission in all."),
        ({"limit_per_day": 3}, "daily-limit", "A team has 3 submissions in any 24 hours."),
        ({"limit_per_day": None}, "no-limit", "A team may submit as often as it likes."),
        ({"refused_per_day": 4}, "free",
         "What is refused, fails on our side or is withdrawn before it is scored costs no slot; a "
         "team has 4 such attempts in any 24 hours."),
        ({}, "coverage",
         "A rank needs every expected recording, those with the event and the clean ones. Silence "
         "is an answer."),
        ({"min_coverage": Decimal("97.50")}, "coverage",
         "A rank needs 97.5 % of the expected recordings, of those with the event and of the clean "
         "ones each. Silence is an answer."),
        ({}, "weights", "Total = 0.4 × interruption + 0.4 × rejection + 0.2 × delay score."),
        ({}, "scale",
         "100 points of the delay score are a total delay of 0.624 s, 60 points one of 2.531 s "
         "(humdial-2025-12)."),
        ({"l_min": None, "l_base": None}, "scale",
         "100 points of the delay score are the fastest ranked system of each board, 60 points the "
         "baseline of each board."),
        ({"rank_baseline": False}, "baseline",
         "The baseline stands on the board in its order, without a rank."),
        ({"both_modes": False}, "mode", "The official mode ranks; the other mode is not scored."),
        ({"latency": "measured"}, "latency",
         "Latency ranks as the organisers measured it on their own machine."),
        ({"counting": "newest", "closes": NOON}, "choice",
         "The choice ends at 2029-12-31 23:59 AoE (2030-01-01 11:59 UTC): what is withdrawn or "
         "disqualified after that leaves its team without an entry, and no other one takes its "
         "place."),
        ({"publication": "reveal", "reveal": NOON}, "publication",
         "This split is blind: nobody sees scores before 2029-12-31 23:59 AoE "
         "(2030-01-01 11:59 UTC)."),
        ({"publication": "by-hand"}, "publication",
         "The organisers publish entries; before that a team sees its own scores."),
        ({"items_public": True}, "trial-shows", "A trial shows its team every detail."),
        ({"items_public": True, "publication": "reveal"}, "trial-shows",
         "A trial reports on files and pipeline only: no scores, labels, texts or recordings, "
         "because its items rank and are hidden."),
        ({"trial_items": 0}, "trials", "There are no trials."),
        ({"contact": "hello@example.org"}, "contact", "Questions: hello@example.org"),
    ],
)  # fmt: skip
def test_each_setting_is_told(fields, key, sentence):
    assert said(**fields)[key] == sentence


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"accepts_uploads": False}, "closes"), ({"accepts_uploads": False}, "trials"),
        ({}, "choice"), ({"counting": "chosen"}, "choice"), ({}, "approval"), ({}, "contact"),
        ({"trial_items": 0}, "trial-shows"), ({}, "one-at-a-time"),
    ],
)  # fmt: skip
def test_what_is_no_rule_here_is_not_told(fields, key):
    assert key not in said(**fields)


def test_no_rule_is_told_twice():
    keys = [one.key for one in rules.in_words(Split(slug="s", name="S"))]
    assert len(keys) == len(set(keys))


# ---- where they stand ---------------------------------------------------------------------------


@pytest.fixture
def open_split(db):
    return small_split(
        closes=timezone.now() + timedelta(hours=20), limit_total=7, counting="newest",
        contact="hello@example.org",
    )  # fmt: skip


def sentences(split, chosen=lambda rule: True):
    return [one.sentence for one in rules.in_words(split) if chosen(one)]


def plain(response):
    return text_of(response).replace("&#x27;", "'")


def test_the_public_page_of_a_split_tells_all_of_them_without_an_account(client, open_split):
    page = client.get(url("split", open_split.slug))
    for one in sentences(open_split):
        assert one in plain(page).replace(" hello@example.org ", " hello@example.org")
    assert 'href="mailto:hello@example.org"' in page.content.decode()


def test_the_submit_page_tells_all_of_them(client, open_split, team, alice):
    page = login(client, alice).get(url("submit"))
    for one in sentences(open_split):
        assert one in plain(page)
    # Readers with a clock of their own get the moment in it.
    assert f'datetime="{open_split.closes:%Y-%m-%dT%H:%M}' in page.content.decode()


def test_the_api_tells_all_of_them_with_their_values(client, open_split):
    for address in ("/api/v1/splits/dev", "/api/v1/splits/"):
        answer = client.get(address).json()
        one = answer["items"][0] if "items" in answer and "slug" not in answer else answer
        assert [rule["sentence"] for rule in one["rules"]] == sentences(open_split)
    assert (one["min_coverage"], one["weights"]["delay"]) == ("100.0", "0.200")
    assert one["contact"] == "hello@example.org"


def test_a_reminder_tells_what_a_team_has_to_know_first(open_split, team):
    stage.make_submission(open_split, team, is_trial=True)
    assert announce.remind(timezone.now()) == 2
    told = sentences(open_split, lambda rule: rule.comes_first)
    assert len(told) >= 4
    for one in told:
        assert f"\n- {one}" in mail.outbox[0].body


def test_the_organisers_form_shows_them(client, olga, open_split):
    address = reverse("admin:submissions_split_change", args=[open_split.pk])
    page = plain(login(client, olga).get(address))
    for one in sentences(open_split):
        assert one in page


def test_they_come_in_the_readers_language(open_split):
    with override("zh-hans"):
        told = sentences(open_split)
    assert told != sentences(open_split)
