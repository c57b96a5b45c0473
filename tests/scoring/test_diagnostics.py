"""What happened in an item beside its score: around the event, and on the clock.

The question is from 0 to 4 s, the event from 9 to 12 s, both recordings take 22 s, unless a test
says otherwise.
"""

import pytest

from scoring.dialogue import AnnotatedSegment, Annotation, Transcript, Word
from scoring.errors import AnnotationError
from scoring.humdial.diagnostics import WORDS, Share, diagnose, shares, warnings
from scoring.humdial.measures import measure
from scoring.humdial.scenarios import SCRIPTS
from scoring.humdial.scores import score_script
from scoring.report import diagnostics_to_json
from tests.builders import evidence, reference, result, silent, words

AROUND = ("speaking_at_event", "talked_through", "finished_before_event")


def found(script="follow_up", speech=(), transcript=None, duration=22.0, user=22.0):
    rules = SCRIPTS[script]
    annotation = reference(script).annotation
    said = Transcript("") if transcript is None else transcript
    return diagnose(
        rules, annotation, speech=speech, transcript=said, duration=duration, user_duration=user
    )


@pytest.mark.parametrize(
    ("speech", "speaking", "through", "finished"),
    [
        ([(5, 20)], True, True, False),
        ([(5, 11.9)], True, True, False),
        ([(5, 11.8)], True, False, False),
        ([(5, 9.8), (13.1, 20)], True, False, False),
        ([(9, 12)], True, True, False),
        ([(9.1, 12.5)], False, False, False),
        ([(5, 9)], False, False, True),
        ([(5, 8), (13, 20)], False, False, True),
        ([(5, 8), (10, 11)], False, False, False),
        ([(13, 20)], False, False, False),
        ([], False, False, False),
    ],
)
def test_what_the_model_did_around_the_event(speech, speaking, through, finished):
    told = found(speech=speech)
    assert tuple(told[name] for name in AROUND) == (speaking, through, finished)


def test_a_short_pause_does_not_end_a_turn():
    assert found(speech=[(5, 10), (10.5, 13)])["talked_through"]
    assert not found(speech=[(5, 10), (10.6, 13)])["talked_through"]


def test_a_recording_that_ends_within_the_event_was_talked_through_as_far_as_it_goes():
    assert found(speech=[(5, 10.5)], duration=10.5)["talked_through"]


def test_a_recording_that_ends_before_the_event_talked_through_nothing():
    told = found(speech=[(5, 8)], duration=8.0)
    assert tuple(told[name] for name in AROUND) == (False, False, True)


def test_speech_directed_at_others_is_the_third_segment():
    assert found("directed_at_others", speech=[(14, 18)])["talked_through"]
    assert not found("directed_at_others", speech=[(8, 13)])["talked_through"]


def test_a_pause_is_no_event():
    assert not set(AROUND) & set(found("pause_handling", speech=[(5, 8)]))


@pytest.mark.parametrize(("end", "cut"), [(22.0, True), (21.95, True), (21.94, False)])
def test_speech_that_touches_the_end_of_the_file_was_cut_off(end, cut):
    assert found(speech=[(5, 8), (14, end)])["cut_off"] is cut


@pytest.mark.parametrize(
    ("speech", "both"),
    [
        ([(4.5, 6), (12.5, 15)], True),
        ([(9.5, 11), (12.5, 15)], True),
        ([(12.5, 15), (16, 18)], False),
        ([(4.5, 6)], False),
        ([(4.5, 15)], False),
        ([], False),
    ],
)
def test_answering_the_third_party_and_the_user_is_told(speech, both):
    told = found("third_party_before", speech=speech)
    assert told["answered_both"] is both
    assert not set(AROUND) & set(told)


def test_only_a_third_party_before_the_question_can_be_answered_too():
    assert all("answered_both" not in found(slug) for slug in SCRIPTS if "before" not in slug)


@pytest.mark.parametrize(
    ("start", "ghost"), [(5.0, False), (9.4, False), (9.6, True), (4.3, False), (4.1, True)]
)
def test_words_far_from_any_speech_were_heard_in_silence(start, ghost):
    told = found(speech=[(5, 9)], transcript=words(6.0, start))
    assert told["words_without_speech"] is ghost


def test_words_without_any_speech_are_told_even_without_times():
    timeless = Transcript("hm", (Word("hm", None, None),))
    assert found(transcript=timeless)["words_without_speech"]
    assert not found(speech=[(5, 9)], transcript=timeless)["words_without_speech"]


def test_words_past_the_end_of_the_file_are_no_matter_of_voice_activity():
    assert not found(speech=[(5, 9)], transcript=words(6.0, 22.5))["words_without_speech"]


@pytest.mark.parametrize(
    ("start", "duration", "at_once", "off_clock"),
    [
        (0.0, 15.0, True, True),
        (0.1, 20.9, True, True),
        (0.1, 21.0, True, False),  # just shorter: silence left out at the end
        (0.11, 15.0, False, False),  # a short file that starts with silence
        (0.0, 30.0, True, False),  # a greeting in a whole file
        (5.0, 22.0, False, False),
    ],
)
def test_a_file_that_starts_at_the_models_first_sound_is_told(start, duration, at_once, off_clock):
    told = found(speech=[(start, start + 3)], duration=duration)
    assert (told["starts_at_once"], told["not_on_users_clock"]) == (at_once, off_clock)


def test_an_answer_at_once_to_a_question_that_is_over_at_once_is_on_the_clock():
    over = Annotation((AnnotatedSegment(0.0, 0.02), AnnotatedSegment(9.0, 12.0)))
    told = diagnose(
        SCRIPTS["follow_up"],
        over,
        speech=[(0.05, 3)],
        transcript=Transcript(""),
        duration=9.5,
        user_duration=22.0,
    )
    assert (told["starts_at_once"], told["not_on_users_clock"]) == (False, False)


def test_what_cannot_be_told_is_left_out():
    assert "not_on_users_clock" not in found(speech=[(0, 3)], user=None)
    assert not {"starts_at_once", "not_on_users_clock"} & set(found())


def test_an_annotation_without_the_events_times_is_named():
    broken = Annotation((AnnotatedSegment(0.0, 4.0), AnnotatedSegment(9.0, None)))
    with pytest.raises(AnnotationError) as raised:
        diagnose(SCRIPTS["follow_up"], broken, speech=(), transcript=Transcript(""), duration=22.0)
    assert raised.value.code == "annotation-time-unreadable"


@pytest.mark.parametrize("mode", ["official", "strict"])
def test_the_users_length_decides_and_no_number_changes(mode):
    early = {"speech": ((0.0, 3.0),), "starts": (0.0,)}
    short, whole = evidence(**early, duration=15.0), evidence(**early)
    off, on = measure(reference(), short, mode=mode), measure(reference(), whole, mode=mode)
    assert off.diagnostics["not_on_users_clock"] is True
    assert on.diagnostics["not_on_users_clock"] is False
    for name in ("success", "counted", "first_response_delay", "stop", "response"):
        assert getattr(off, name) == getattr(on, name)


def test_silence_has_no_clock_to_be_off():
    told = measure(reference(), silent(), mode="official").diagnostics
    assert told["cut_off"] is told["words_without_speech"] is False
    assert "not_on_users_clock" not in told


def test_diagnostics_are_counted_by_scenario():
    rows = [
        result(name="1", diagnostics={"cut_off": True, "talked_through": True}),
        result(name="2", diagnostics={"cut_off": True, "talked_through": False}),
        result(name="3"),
    ]
    score = score_script(SCRIPTS["follow_up"], rows, mode="official")
    assert score.diagnostics == {"cut_off": 2, "talked_through": 1}


def test_shares_are_over_the_items_a_diagnostic_applies_to():
    rows = [{"cut_off": True}, {"cut_off": False, "answered_both": True}, {}]
    assert shares(rows) == {"cut_off": Share(1, 2), "answered_both": Share(1, 1)}
    assert shares([]) == {}


def clocked(off, once, of):
    rows = [
        {"starts_at_once": number < once, "not_on_users_clock": number < off}
        for number in range(of)
    ]
    return warnings(shares(rows))


@pytest.mark.parametrize(
    ("off", "once", "warned"), [(2, 2, True), (1, 1, False), (0, 5, True), (1, 4, False)]
)
def test_a_submission_is_suspected_from_a_share_on(off, once, warned):
    assert bool(clocked(off, once, of=10)) is warned


def test_the_suspicion_says_what_was_seen_and_what_to_do():
    (line,) = clocked(6, 7, of=10)
    assert line.startswith("7 of 10 answers start in the first 0.1 s of their file, 6 of them")
    assert "keep the silence" in line


def test_a_submission_without_any_speech_is_not_suspected():
    assert warnings(shares([{"cut_off": False}])) == []


def test_the_report_has_the_shares_of_the_whole_submission():
    answers = (evidence(duration=15.0, speech=((0.0, 3.0),)), evidence(), silent())
    results = [measure(reference(), one, mode="strict") for one in answers]
    told = diagnostics_to_json(results)
    assert told["diagnostics"]["not_on_users_clock"] == {"count": 1, "of": 2}
    assert told["diagnostics"]["cut_off"] == {"count": 0, "of": 3}
    assert len(told["warnings"]) == 1


def test_every_diagnostic_has_its_words_and_its_rule_in_the_readme(pytestconfig):
    readme = (pytestconfig.rootpath / "scoring" / "README.md").read_text(encoding="utf-8")
    names = {name for slug in SCRIPTS for name in found(slug, speech=[(5, 8)])}
    assert names == set(WORDS)
    assert [name for name in WORDS if f"| `{name}` |" not in readme] == []
