"""Nobody is told to write to nowhere, or to read what stands nowhere."""

import pytest

from submissions import rules
from submissions.contact import ask, contact_of
from submissions.limits import Refusal
from submissions.models import Split
from submissions.services.choose import choose
from submissions.services.refused import Refused
from submissions.services.slots import words
from tests.leaderboard import stage
from tests.leaderboard.reader import text_of
from tests.submissions.split_of import small_split

pytestmark = pytest.mark.django_db


def test_a_splits_own_contact_comes_before_the_sites(settings):
    settings.CONTACT = "board@example.org"
    assert contact_of(Split(contact="split@example.org")) == "split@example.org"
    assert contact_of(Split()) == "board@example.org"


def test_without_a_contact_no_sentence_names_one(settings):
    settings.CONTACT = ""
    assert ask(Split()) == ""
    cures = [words(refusal)[1] for refusal in (Refusal.CLOSED, Refusal.TOTAL)]
    assert not any("rganisers" in cure for cure in cures)


def test_a_refusal_names_the_contact(settings):
    settings.CONTACT = "board@example.org"
    assert words(Refusal.CLOSED)[1].endswith("The organisers: board@example.org.")


def test_the_page_of_a_split_shows_its_contact_and_only_one_that_there_is(client, settings):
    small_split("s", "Night shift", contact="https://example.org/ask")
    small_split("t", "Day shift")
    assert 'href="https://example.org/ask"' in client.get("/en/split/s/").content.decode()
    assert "Contact" not in text_of(client.get("/en/split/t/"))


def test_the_upload_page_shows_the_contact_of_each_split(client, alice, team):
    small_split("s", "Night shift", contact="night@example.org")
    client.force_login(alice)
    assert 'href="mailto:night@example.org"' in client.get("/en/submit/").content.decode()


def test_where_a_team_may_not_choose_the_refusal_says_what_counts(team, media):
    split = small_split("s", "S", counting="newest")
    submission = stage.make_submission(split, team)
    with pytest.raises(Refused) as raised:
        choose(submission, who=None)
    assert raised.value.cure == rules.sentence(split, "counting")
