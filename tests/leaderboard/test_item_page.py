"""The viewer of one item: lanes, words, numbers and judge, as they are stored."""

import re

import pytest

from leaderboard.entry import results
from leaderboard.items import transcripts
from scoring.dialogue import Transcript, Word
from submissions.models import ItemResult
from tests import builders
from tests.leaderboard import sounded, stage
from tests.leaderboard.reader import login, text_of, url
from tests.leaderboard.sounded import ITEM

pytestmark = pytest.mark.django_db


def get(client, *submissions, name=ITEM, **query):
    if submissions:
        query["sys"] = ",".join(str(one.pk) for one in submissions)
    return client.get(url("item", "demo", name, **query))


def labels(response):
    return re.findall(r'aria-label="(\w[\w ]+ -?[\d.]+ s)[ ,]', response.content.decode())


@pytest.fixture
def parrot(split, submission):
    stage.score(submission)
    return submission


@pytest.fixture
def magpie(split, team):
    """It talks on and fails."""
    made = stage.make_submission(split, team, "Magpie")
    stage.score(made, speech=[(5.2, 11.0)], starts=(5.2,), verdict=builders.verdict("C_RESUME"))
    return made


# Numbers


def test_brackets_show_the_stored_numbers_of_every_item(client, split, parrot):
    for row in ItemResult.objects.filter(run__submission=parrot).select_related("item"):
        stored = row.official
        expected = [f"stop {results.length(pair)} s" for pair in stored["stop"] or ()]
        expected += [f"response {results.length(pair)} s" for pair in stored["response"] or ()]
        if stored["first_response_delay"] is not None:
            expected.append(f"first response {stored['first_response_delay']:.3f} s")
        elif stored["difference"] is not None:
            expected.append(f"first response {stored['difference']:.3f} s")
        found = labels(get(client, parrot, name=row.item.slug))
        assert sorted(found) == sorted(expected), row.item.slug


def test_the_page_shows_what_is_stored_even_if_it_could_be_worked_out_otherwise(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.official["stop"] = [[9.0, 10.25]]
    row.save()
    assert "stop 1.250 s" in text_of(get(client, parrot))


def test_it_says_which_intervals_enter_the_means(client, parrot):
    text = text_of(get(client, parrot))
    assert "1 stop and 2 response intervals enter the means of the scenario." in text
    assert "1 of the response intervals begins before the event" in text
    assert "The first-response delay enters its mean." in text


def test_it_says_why_a_delay_is_left_out(client, split, submission):
    stage.score(submission, speech=[(3.0, 9.8)], starts=(3.0,))
    text = text_of(get(client, submission))
    assert "left out: the first word came 1.000 s before the end of the question." in text
    assert "first response -1.000 s, left out" in text


def test_a_missing_answer_is_told_in_words(client, split, submission):
    stage.score(submission, missing=[ITEM])
    text = text_of(get(client, submission))
    assert "No recording was handed in for this item." in text
    assert "No recording was handed in, so there is nothing to measure." in text
    assert "not measured in this scenario" not in text
    assert labels(get(client, submission)) == []


def test_a_silent_answer_is_told_in_words(client, split, submission):
    stage.score(submission, speech=(), starts=())
    text = text_of(get(client, submission))
    assert "No words were recognised: the answer is silent." in text
    assert "There is no first word, so there is no first-response delay." in text


def test_an_answer_that_is_not_scored_yet_is_told_in_words(client, split, submission, alice):
    text = text_of(get(login(client, alice), submission))
    assert "This item has not been scored for this submission yet." in text


# Words


def test_every_word_has_its_time(client, parrot):
    html = get(client, parrot).content.decode()
    assert '<span class="word" data-start="5.200" data-end="5.500">w</span> <span' in html


def test_chinese_is_written_without_blanks(client, parrot):
    html = get(client, parrot, name="cn-follow_up-0009_0001").content.decode()
    assert 'data-end="5.500">w</span><span class="word"' in html


def test_words_of_the_user_from_the_second_question_on_stand_on_the_clock_of_the_page(
    client, parrot
):
    html = get(client, parrot, name="en-directed_at_others-0018_0001").content.decode()
    # The stored transcript is cut at 9 s; its first word stands at 1 s of the cut recording.
    assert '<span class="word" data-start="10.000"' in html


def test_a_word_without_time_says_so(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["transcript"]["chunks"][0]["timestamp"] = [None, None]
    row.save()
    assert "Words in grey have no time" in text_of(get(client, parrot))


def test_without_a_transcript_the_user_is_quoted_by_the_annotation(client, split, parrot):
    item = split.items.get(slug=ITEM)
    item.noisy_words = None
    item.annotation["speech_segments"][0]["text"] = "How are you?"
    item.save()
    html = get(client, parrot).content.decode()
    assert '<span class="word" data-start="0.000" data-end="4.000">How are you?</span>' in html


# Judge


def test_the_judge_card_names_label_instruction_and_votes(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["verdicts"]["official"] |= {
        "raw": ["C_RESPOND", "C_RESPOND", "C_RESUME"],
        "agreement": 2 / 3,
        "returned": "test-2026",
    }
    row.save()
    text = text_of(get(client, parrot))
    assert "Judge : RESPOND" in text or "Judge: RESPOND" in text
    for part in ("Asked test", "Answered as test-2026", "Instruction test-1", "67 %"):
        assert part in text
    assert "3 raw replies C_RESPOND C_RESPOND C_RESUME" in text


def test_one_verdict_of_an_older_run_is_shown_as_it_was_kept(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    row.evidence["verdict"] = row.evidence.pop("verdicts")["official"] | {
        "reason": "judge answered C_RESPOND."
    }
    row.save()
    text = text_of(get(client, parrot))
    assert "Judge: RESPOND" in text
    assert "judge answered C_RESPOND." in text


def test_a_note_on_a_reply_and_what_the_model_does_not_take_are_told(client, parrot):
    row = ItemResult.objects.get(run__submission=parrot, item__slug=ITEM)
    values = {"answers": "C_RESPOND / C_RESUME"}
    row.evidence["verdicts"]["official"] |= {
        "notes": [{"key": "reply-two-answers", "values": values}],
        "left_out": ["temperature"],
    }
    row.save()
    text = text_of(get(client, parrot))
    assert "reply holds different answers: C_RESPOND / C_RESUME." in text
    assert "Not taken by the model temperature" in text


# Several systems


def test_two_systems_stand_under_one_user_lane(client, parrot, magpie):
    response = get(client, parrot, magpie)
    html, text = response.content.decode(), text_of(response)
    assert html.count('class="user-said"') + html.count('class="user-event"') == 2
    assert "A · Parrot" in text
    assert "B · Magpie" in text
    assert "A : RESPOND" in text
    assert "B : RESUME" in text
    assert "stop 2.000 s" in text


def test_systems_may_be_named_one_by_one_or_together_and_once_is_enough(client, parrot, magpie):
    keys = f"sys={parrot.pk}&sys={magpie.pk},{parrot.pk}"
    text = text_of(client.get(f"{url('item', 'demo', ITEM)}?{keys}"))
    assert "B · Magpie" in text
    assert "C · " not in text


def test_more_than_four_systems_are_not_shown(client, split, team):
    five = [stage.make_submission(split, team, f"System {n}") for n in range(5)]
    for one in five:
        stage.score(one)
    assert get(client, *five[:4]).status_code == 200
    assert get(client, *five).status_code == 404


# Moments and neighbours


def test_the_moment_of_a_link_is_marked_in_lanes_and_words(client, parrot):
    html = get(client, parrot, t="5.1-5.3").content.decode()
    assert 'class="moment"' in html
    assert html.count('class="word meant"') == 1
    assert 'data-player data-moment="5.100-5.300"' in html


def test_a_moment_that_is_none_is_ignored(client, parrot):
    response = get(client, parrot, t="soon")
    assert response.status_code == 200
    assert 'class="moment"' not in response.content.decode()


def test_neighbours_keep_the_systems_and_the_filter(client, split, parrot):
    name = "en-pause_handling-0014_0001"
    html = get(client, parrot, name=name, lang="en", outcome="success").content.decode()
    links = re.findall(r'<a rel="(prev|next)" href="([^"]+)"', html)
    assert {rel for rel, _ in links} == {"prev", "next"}
    for _rel, link in links:
        assert "/item/demo/en-" in link
        assert f"?sys={parrot.pk}&amp;lang=en&amp;outcome=success" in link


def test_the_next_failure_starts_again_at_the_first(client, split, parrot, magpie):
    failed = [
        row.item.slug
        for row in ItemResult.objects.filter(run__submission=magpie).select_related("item")
        if row.official["success"] is False
    ]
    assert len(failed) > 2
    for here, there in ((failed[0], failed[1]), (failed[-1], failed[0])):
        html = get(client, magpie, name=here).content.decode()
        assert f'/item/demo/{there}/?sys={magpie.pk}">Next failure' in html


def test_where_nothing_fails_there_is_no_next_failure(client, parrot):
    for row in ItemResult.objects.filter(run__submission=parrot):
        row.official["success"] = True
        row.save()
    assert "Next failure" not in text_of(get(client, parrot))


def test_the_page_takes_few_queries_with_four_systems(
    client, split, team, alice, django_assert_max_num_queries
):
    split.items_public = False
    split.save()
    sounded.add_user_sound(split)
    four = [sounded.submit(split, team, f"System {n}") for n in range(4)]
    for one in four:
        stage.score(one)
    login(client, alice)
    with django_assert_max_num_queries(15):
        assert get(client, *four, lang="en", outcome="failed").status_code == 200


def test_the_page_without_a_sound_says_so(client, split, parrot):
    parrot.check_report["members"] = {}
    parrot.save()
    response = get(client, parrot)
    assert "There is no sound of this dialogue." in text_of(response)
    assert "<audio" not in response.content.decode()


def offered(response):
    return re.findall(r"<option value=\"[\w-]+\">([^<]+)</option>", response.content.decode())


def test_other_published_systems_are_offered_to_be_laid_beside(client, split, parrot, magpie, team):
    hidden = stage.make_submission(split, team, "Hidden")
    stage.score(hidden, publish=False)
    assert "Magpie (Wonderland)" in offered(get(client, parrot))
    names = " ".join(offered(get(client, parrot, magpie)))
    assert not any(name in names for name in ("Parrot", "Magpie", "Hidden"))


def test_on_a_closed_split_a_team_is_offered_its_own_systems_only(
    client, split, parrot, magpie, alice
):
    split.items_public = False
    split.save()
    rival = stage.make_submission(split, stage.make_team("Rivals"), "Rival")
    stage.score(rival)
    names = " ".join(offered(get(login(client, alice), parrot)))
    assert "Magpie" in names
    assert "Rival" not in names


def test_what_the_user_says_after_a_pause_begins_a_new_line():
    words = [
        Word("how", 0.0, 0.4),
        Word("so", 1.0, 1.2),
        Word("and", 1.9, 2.1),
        Word("why", None, None),
    ]
    stored = Transcript("how so and why", tuple(words)).to_json()
    found = transcripts.said(stored, "en", pause=0.6).words
    assert [one.is_new_turn for one in found] == [False, False, True, False]
    assert not any(one.is_new_turn for one in transcripts.said(stored, "en").words)


def test_the_reason_of_a_judged_item_stands_on_the_card_only(client, magpie):
    row = ItemResult.objects.get(run__submission=magpie, item__slug=ITEM)
    reason = "It talks on."
    for verdict in row.evidence["verdicts"].values():
        verdict["reason"] = reason
    row.official["reasons"], row.strict["reasons"] = [reason], [reason, "Not in time."]
    row.save()
    text = text_of(get(client, magpie))
    assert text.count(reason) == 1
    assert text.count("Not in time.") == 1


def test_a_reason_of_both_modes_is_said_once(client, magpie):
    row = ItemResult.objects.get(run__submission=magpie, item__slug=ITEM)
    row.official["reasons"] = row.strict["reasons"] = ["Not in time."]
    row.save()
    assert text_of(get(client, magpie)).count("Not in time.") == 1
