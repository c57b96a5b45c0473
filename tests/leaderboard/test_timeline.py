"""The lanes of an item: geometry from stored times, and the same moments as a list."""

from itertools import pairwise

import pytest

from leaderboard.items.scene import (
    FIRST,
    RESPONSE,
    STOP,
    Lane,
    Measured,
    Scene,
    clock,
    moment_link,
    moments,
    parse_moment,
    role,
)
from leaderboard.items.timeline import LEFT, RIGHT, USER_Y, WIDTH, text_width, timeline
from scoring.dialogue import AnnotatedSegment

SAID = (AnnotatedSegment(0.0, 4.0, "how are you"), AnnotatedSegment(9.0, 12.0, "stop"))
MEASURED = (
    Measured(STOP, 9.0, 9.8, "0.800"),
    Measured(RESPONSE, 4.0, 5.2, "1.200"),
    Measured(RESPONSE, 12.0, 13.1, "1.100"),
    Measured(FIRST, 4.0, 5.3, "1.300"),
)
SPEECH = [(5.2, 9.8), (13.1, 20.0)]


def lane(**changes):
    return Lane(**{"name": "Model", "speech": SPEECH, "measured": MEASURED, **changes})


def scene(*lanes, **changes):
    values = {
        "script": "silence_stop",
        "said": SAID,
        "user": [(0.0, 4.0), (9.0, 12.0)],
        "duration": 20.0,
        "lanes": lanes or (lane(),),
    }
    return Scene(**{**values, **changes})


def at(seconds, duration=20.0):
    return pytest.approx(LEFT + seconds * (WIDTH - LEFT - RIGHT) / duration, abs=0.06)


def test_boxes_stand_at_their_times():
    second = timeline(scene()).rows[0].speech[1]
    assert float(second.x) == at(13.1)
    assert float(second.x) + float(second.width) == pytest.approx(WIDTH - RIGHT, abs=0.1)


def test_brackets_are_the_stored_intervals_with_their_numbers():
    labels = [(bracket.kind, bracket.label) for bracket in timeline(scene()).rows[0].brackets]
    assert labels == [
        ("response", "response 1.200 s"),
        ("first", "first response 1.300 s"),
        ("stop", "stop 0.800 s"),
        ("response", "response 1.100 s"),
    ]


def test_a_bracket_says_its_definition_and_links_to_its_moment():
    stop = timeline(scene()).rows[0].brackets[2]
    assert stop.title.startswith("stop 0.800 s (9.000–9.800 s). Stop latency: from the moment")
    assert stop.moment == "9.000-9.800"


def test_a_number_is_shown_as_it_is_stored_and_never_worked_out_again():
    odd = lane(measured=[Measured(STOP, 9.0, 9.8, "0.801")])
    assert timeline(scene(odd)).rows[0].brackets[0].label == "stop 0.801 s"


def test_a_first_word_before_the_end_of_the_question_has_a_bracket_that_is_left_out():
    early = lane(measured=[Measured(FIRST, 4.0, 3.2, "-0.800", counted=False)])
    (bracket,) = timeline(scene(early)).rows[0].brackets
    assert bracket.label == "first response -0.800 s, left out"
    assert (float(bracket.x1), float(bracket.x2)) == (at(3.2), at(4.0))
    texts = [moment.text for moment in moments(scene(early))]
    assert "first word -0.800 s after the end of the question, left out" in texts


def test_brackets_on_one_line_never_touch():
    crowded = [Measured(STOP, n / 2, n / 2 + 0.4, "0.400") for n in range(30)]
    found = timeline(scene(lane(measured=crowded)))
    lines = {}
    for bracket in found.rows[0].brackets:
        need = text_width(bracket.label) + 8
        left, right = float(bracket.x1), float(bracket.x2)
        span = (left, right + need) if bracket.anchor == "start" else (left - need, right)
        lines.setdefault(bracket.y, []).append(span)
    for spans in lines.values():
        spans.sort()
        assert all(one[1] <= other[0] + 0.2 for one, other in pairwise(spans))
    assert found.height > max(lines)


def test_the_overlap_is_shaded_over_both_lanes():
    found = timeline(scene())
    (shade,) = found.overlaps
    assert float(shade.x) == at(9.0)
    assert float(shade.width) == pytest.approx(0.8 * (WIDTH - LEFT - RIGHT) / 20, abs=0.06)
    row = found.rows[0]
    assert (shade.y, shade.y + shade.height) == (USER_Y, row.y + row.height)


def test_with_two_systems_each_overlap_lies_on_the_users_lane_and_on_its_own():
    late = lane(name="Late", mark="B", speech=[(11.0, 14.0)], measured=())
    found = timeline(scene(lane(mark="A"), late))
    places = [(shade.y, shade.x) for shade in found.overlaps]
    first, second = found.rows
    assert [y for y, _ in places] == [USER_Y, first.y, USER_Y, second.y]
    assert float(places[-1][1]) == at(11.0)


def test_lanes_of_several_systems_lie_below_each_others_brackets():
    rows = timeline(scene(*(lane(name=f"System {mark}", mark=mark) for mark in "ABCD"))).rows
    for above, below in pairwise(rows):
        assert max(bracket.y for bracket in above.brackets) + 10 < below.y
    assert [row.name for row in rows] == [f"{mark} · System {mark}" for mark in "ABCD"]
    assert all(text_width(row.label) <= LEFT - 8 for row in rows)


def test_a_missing_answer_has_an_empty_lane_and_no_bracket():
    empty = scene(lane(speech=None, measured=()))
    (row,) = timeline(empty).rows
    assert (row.is_missing, row.speech, row.brackets) == (True, (), ())
    assert timeline(empty).overlaps == ()
    assert all("model" not in moment.text for moment in moments(empty))


def test_event_and_question_are_marked():
    found = timeline(scene())
    assert [(mark.text, float(mark.x)) for mark in found.marks] == [
        ("the event begins", at(9.0)),
        ("the event ends", at(12.0)),
        ("the question ends", at(4.0)),
    ]
    (band,) = found.bands
    assert (band.kind, float(band.x)) == ("event-band", at(9.0))


def test_the_moment_of_the_link_is_marked():
    band = timeline(scene(moment=(3.48, 4.83))).bands[-1]
    assert (band.kind, float(band.x)) == ("moment", at(3.48))


def test_an_unreadable_annotation_time_is_left_out():
    found = timeline(scene(said=(SAID[0], AnnotatedSegment(None, 3.0, "?"))))
    assert len(found.said) == 1
    assert [mark.kind for mark in found.marks] == ["question"]


def test_times_beyond_the_end_stay_inside_the_drawing():
    (box,) = timeline(scene(lane(speech=[(19.0, 25.0)]))).rows[0].speech
    assert float(box.x) + float(box.width) <= WIDTH - RIGHT + 0.1


def test_a_waveform_is_stretched_over_its_lane():
    found = timeline(scene(lane(wave="/model.svg"), wave="/user.svg"))
    assert found.user_wave.href == "/user.svg#wave"
    unit = (WIDTH - LEFT - RIGHT) / 20 / 100
    assert found.rows[0].wave.transform == (
        f"translate({LEFT} {found.rows[0].y}) scale({unit:.5f} 0.31250)"
    )


def test_the_list_tells_the_same_moments_in_order():
    found = moments(scene())
    assert [one.at for one in found] == sorted(one.at for one in found)
    stop = "stop latency 0.800 s: user and model spoke at once until here"
    assert ("0:09.800", stop) in [(one.clock, one.text) for one in found]
    assert found[0].quote == "how are you"
    assert found[0].link == "0.000-4.000"


def test_the_list_says_which_system_it_is_about():
    found = moments(scene(lane(mark="A"), lane(mark="B", measured=())))
    assert {one.mark for one in found} == {"", "A", "B"}


@pytest.mark.parametrize(
    ("script", "index", "name"),
    [
        ("silence_stop", 1, "request to stop"),
        ("third_party_before", 0, "third party"),
        ("third_party_before", 1, "question"),
        ("directed_at_others", 1, "second question"),
        ("directed_at_others", 2, "aside to somebody else"),
        ("pause_handling", 0, "question with a pause"),
        ("follow_up", 5, "speech"),
    ],
)
def test_segments_are_named_by_scenario_and_place(script, index, name):
    assert role(script, index) == name


@pytest.mark.parametrize(
    ("seconds", "text"), [(7.33, "0:07.330"), (59.9996, "1:00.000"), (125.5, "2:05.500")]
)
def test_clocks_are_exact_to_the_millisecond(seconds, text):
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("3.48-4.83", (3.48, 4.83)),
        ("3.48", (3.48, 3.48)),
        ("", None),
        ("4-3", None),
        ("-1", None),
        ("nan-5", None),
        ("0-inf", None),
        ("soon", None),
    ],
)
def test_only_stretches_of_time_are_moments(text, pair):
    assert parse_moment(text) == pair


def test_a_moment_is_written_as_it_is_read():
    assert parse_moment(moment_link(3.48, 4.83)) == (3.48, 4.83)
    assert moment_link(3.48, 3.48) == "3.480"


def test_a_long_recording_has_few_ticks():
    ticks = timeline(scene(duration=900.0)).ticks
    assert 3 <= len(ticks) <= 13
