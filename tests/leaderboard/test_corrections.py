"""Labels that people corrected, on the page of an item: who may, the form, the card, the votes."""

from html import unescape

import pytest

from submissions.models import Correction, ItemResult, Split
from tests import builders
from tests.leaderboard import stage
from tests.leaderboard.corrected import WHY, say
from tests.leaderboard.reader import login, text_of, url
from tests.leaderboard.sounded import ITEM

pytestmark = pytest.mark.django_db

TIMED = "en-pause_handling-0014_0001"


@pytest.fixture
def parrot(split, submission):
    """It succeeds everywhere, and stands on a board."""
    stage.score(submission)
    stage.published_board(split)
    return submission


def read(response):
    return unescape(text_of(response))


def card(client, submission, slug=ITEM, **query):
    text = read(client.get(url("item", "demo", slug, **{"sys": submission.pk, **query})))
    return text[text.index("Judge") :] if "Judge" in text else text


def address(submission, slug=ITEM, **query):
    return url("correct", submission.pk, slug, **query)


# Who may


def test_the_form_is_for_organisers_of_the_split_only(
    client, parrot, orla, alice, charlie, olga, django_user_model
):
    other = django_user_model.objects.create_user("omar")
    stage.make_split("elsewhere").organisers.add(other)
    assert "Correct this label" not in card(client, parrot)
    for person in (alice, charlie, other):
        assert "Correct this label" not in card(login(client, person), parrot)
    for person in (orla, olga):
        assert "Correct this label" in card(login(client, person), parrot)


def test_what_cannot_be_corrected_has_no_form(client, parrot, orla):
    login(client, orla)
    assert "Correct this label" not in card(client, parrot, slug=TIMED)
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["clean"] = None
    row.save()
    assert "Correct this label" not in card(client, parrot)


def test_the_form_works_without_a_script_and_leads_back_to_the_card(client, parrot, orla):
    login(client, orla)
    page = client.get(url("item", "demo", ITEM, sys=parrot.pk, lang="en", outcome="success"))
    query = f"?sys={parrot.pk}&amp;lang=en&amp;outcome=success"
    assert f'method="post" action="{address(parrot)}{query}"' in page.content.decode()
    sent = {"label": "C_RESUME", "reason": f"  {WHY}\r\n"}
    answer = client.post(address(parrot, sys=parrot.pk, lang="en", outcome="success"), sent)
    assert answer.status_code == 302
    there = url("item", "demo", ITEM, sys=parrot.pk, lang="en", outcome="success")
    assert answer["Location"] == f"{there}#judge-{parrot.pk}"
    shown = client.get(answer["Location"])
    assert f'id="judge-{parrot.pk}"' in shown.content.decode()
    assert "Corrected to RESUME: it counts from the next scoring on." in text_of(shown)
    made = Correction.objects.get()
    assert (made.label, made.reason, made.by) == ("C_RESUME", WHY, orla)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"label": "C_RESUME"},
        {"label": "C_RESUME", "reason": "  "},
        {"label": "RESUME", "reason": "x"},
        {"label": "", "reason": "x"},
        {"label": "C_RESUME", "reason": "x" * 501},
    ],
)
def test_a_correction_needs_a_label_and_a_reason(client, parrot, orla, sent):
    answer = login(client, orla).post(address(parrot), sent, follow=True)
    assert "The label was not corrected: a label and a reason are needed." in text_of(answer)
    assert Correction.objects.count() == 0


def test_a_correction_that_makes_no_sense_is_refused_in_words(client, parrot, orla):
    login(client, orla)
    sent = {"label": "C_RESPOND", "reason": "x"}
    answer = client.post(address(parrot), sent, follow=True)
    assert "The judge has given this label itself. Nothing has to be done." in text_of(answer)
    answer = client.post(address(parrot), {"label": "judge", "reason": "x"}, follow=True)
    assert "There is no correction here." in text_of(answer)
    assert client.get(address(parrot)).status_code == 405


def test_a_form_without_its_token_is_refused(parrot, orla, settings):
    from django.test import Client

    strict = login(Client(enforce_csrf_checks=True), orla)
    sent = {"label": "C_RESUME", "reason": "x"}
    assert strict.post(address(parrot), sent).status_code == 403
    assert Correction.objects.count() == 0


# The card


def test_a_new_correction_waits_and_the_public_learns_no_name(client, parrot, orla, alice):
    say(parrot, orla)
    public = card(client, parrot)
    assert public.startswith("Judge: RESPOND")
    assert "corrected to" not in public
    assert "RESUME · an organiser," in public
    assert f"counts from the next scoring on {WHY}" in public
    assert "orla" not in public
    # The team knows whom to ask, as in the log.
    assert "RESUME · orla ," in card(login(client, alice), parrot)


def test_after_the_next_scoring_and_its_board_the_card_shows_both_labels(
    client, split, parrot, orla
):
    say(parrot, orla)
    again = stage.score(parrot)
    # Until it is put on the board, everybody but the organisers sees the run from before.
    assert "counts from the next scoring on" in card(client, parrot)
    assert "corrected to RESUME" in card(login(client, orla), parrot)
    client.logout()
    stage.put_on_board(again)
    text = card(client, parrot)
    assert text.startswith("Judge: RESPOND corrected to RESUME")
    assert f"counts in these numbers {WHY}" in text
    page = text_of(client.get(url("item", "demo", ITEM, sys=parrot.pk)))
    assert "RESUME corrected; the judge: RESPOND" in page
    assert f"A person corrected the label C_RESPOND to C_RESUME: {WHY}" in page


def test_a_correction_that_is_taken_back_counts_until_the_next_scoring(client, split, parrot, orla):
    say(parrot, orla)
    stage.put_on_board(stage.score(parrot))
    say(parrot, orla, label="", reason="The judge was right.")
    text = card(login(client, orla), parrot)
    assert "the judge's label counts from the next scoring on The judge was right." in text
    assert f"counts in these numbers until the next scoring {WHY}" in text
    stage.put_on_board(stage.score(parrot))
    text = card(client, parrot)
    assert "corrected to" not in text
    assert "counts" not in text.partition("Correct this label")[0]
    assert WHY in text  # the history stays


def test_to_take_back_is_offered_where_something_stands(client, parrot, orla):
    login(client, orla)
    assert "take the correction back" not in card(client, parrot)
    say(parrot, orla)
    assert "take the correction back" in card(client, parrot)
    answer = client.post(address(parrot), {"label": "judge", "reason": "No."}, follow=True)
    assert "Taken back: the judge's label counts again" in read(answer)
    assert "take the correction back" not in card(client, parrot)


def test_a_reason_is_shown_as_text(client, parrot, orla):
    say(parrot, orla, reason="<script>alert(1)</script>")
    html = client.get(url("item", "demo", ITEM, sys=parrot.pk)).content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_each_of_several_systems_has_its_own_corrections_and_form(
    client, split, team, parrot, orla
):
    magpie = stage.make_submission(split, team, "Magpie")
    stage.score(magpie, verdict=builders.verdict("C_UNKNOWN"))
    say(magpie, orla, label="C_RESPOND")
    page = login(client, orla).get(url("item", "demo", ITEM, sys=f"{parrot.pk},{magpie.pk}"))
    html = page.content.decode()
    first, second = html.index(f'id="judge-{parrot.pk}"'), html.index(f'id="judge-{magpie.pk}"')
    assert WHY not in html[first:second]
    assert WHY in html[second:]
    assert html.count('id="correctA-label"') == html.count('id="correctB-label"') == 1


def test_the_page_of_an_organiser_takes_few_queries(
    client, split, team, parrot, orla, django_assert_max_num_queries
):
    others = [stage.make_submission(split, team, f"System {n}") for n in range(3)]
    for one in others:
        stage.score(one, verdict=builders.verdict("C_UNKNOWN"))
        for label in ("C_RESPOND", "C_RESUME", "C_RESPOND"):
            say(one, orla, label=label)
    keys = ",".join(str(one.pk) for one in (parrot, *others))
    login(client, orla)
    with django_assert_max_num_queries(15):
        assert client.get(url("item", "demo", ITEM, sys=keys)).status_code == 200


def test_items_that_only_the_team_sees_keep_their_corrections_to_it(
    client, split, parrot, orla, alice
):
    say(parrot, orla)
    split.items_public = False
    split.save()
    assert client.get(url("item", "demo", ITEM, sys=parrot.pk)).status_code == 404
    assert WHY in card(login(client, alice), parrot)
    page = text_of(client.get(url("submission", parrot.pk)))
    assert "A label was corrected." in page
    assert WHY not in page


def test_before_the_reveal_not_even_the_team_reads_a_correction(
    client, split, submission, orla, alice
):
    split.publication = Split.Publication.REVEAL
    split.save()
    stage.score(submission, publish=False)
    say(submission, orla)
    login(client, alice)
    assert client.get(url("item", "demo", ITEM, sys=submission.pk)).status_code == 404
    text = text_of(client.get(url("submission", submission.pk)))
    assert WHY not in text
    assert "RESUME" not in text


# Judged by votes


def test_the_card_of_a_voted_label_has_all_that_is_known_of_it(client, parrot, orla):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["verdicts"] = {"official": row.evidence["verdicts"]["official"]}
    row.evidence["verdicts"]["official"] |= {
        "raw": ['{"behaviour": ["C_RESPOND"]}'] * 2 + ["no idea"],
        "votes": ["C_RESPOND", "C_RESPOND", ""],
        "agreement": 2 / 3,
        "asked": "judge-alias",
        "returned": "judge-2026-11",
        "prompt": "humdial-2",
    }
    row.save()
    say(parrot, orla)
    text = card(client, parrot)
    for part in (
        "Judge: RESPOND",
        "Asked judge-alias",
        "Answered as judge-2026-11",
        "Instruction humdial-2",
        "Votes RESPOND · RESPOND · no usable label",
        "Agreement of the votes 2 of 3 (67 %)",
        "3 raw replies",
        "no idea",
        "RESUME · an organiser,",
    ):
        assert part in text, part


def test_votes_without_a_majority_are_shown_with_the_item_unjudged(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["verdicts"]["official"] |= {
        "labels": [],
        "votes": ["C_RESPOND", "C_RESUME", "C_UNKNOWN"],
        "agreement": None,
    }
    row.save()
    text = card(client, parrot)
    assert text.startswith("Judge: unjudged")
    assert "Votes RESPOND · RESUME · UNKNOWN Agreement of the votes no majority" in text
