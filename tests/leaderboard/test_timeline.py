"""The lanes of an item: geometry from stored times, and the same events as a list."""

from itertools import pairwise

import pytest

from leaderboard.timeline import LEFT, RIGHT, WIDTH, Scene, clock, role, text_width, timeline
from scoring.dialogue import AnnotatedSegment

SAID = (AnnotatedSegment(0.0, 4.0, "how are you"), AnnotatedSegment(9.0, 12.0, "stop"))


def scene(**changes):
    values = {
        "script": "silence_stop",
        "said": SAID,
        "user": [(0.0, 4.0), (9.0, 12.0)],
        "duration": 20.0,
        "model": [(5.2, 9.8), (13.1, 20.0)],
        "stop": [(9.0, 9.8)],
        "response": [(4.0, 5.2), (12.0, 13.1)],
        "first": (4.0, 5.3),
    }
    return Scene(**{**values, **changes})


def unit(duration=20.0):
    return (WIDTH - LEFT - RIGHT) / duration


def test_boxes_stand_at_their_times():
    found = timeline(scene())
    second = found.model[1]
    assert float(second.x) == pytest.approx(LEFT + 13.1 * unit(), abs=0.06)
    assert float(second.x) + float(second.width) == pytest.approx(WIDTH - RIGHT, abs=0.1)


def test_brackets_are_the_stored_intervals_with_their_numbers():
    labels = [(bracket.kind, bracket.label) for bracket in timeline(scene()).brackets]
    assert labels == [
        ("response", "response 1.200 s"),
        ("first", "first response 1.300 s"),
        ("stop", "stop 0.800 s"),
        ("response", "response 1.100 s"),
    ]


def test_brackets_in_one_row_never_touch():
    crowded = scene(stop=[(n / 2, n / 2 + 0.4) for n in range(30)], response=(), first=None)
    rows = {}
    for bracket in timeline(crowded).brackets:
        need = text_width(bracket.label) + 8
        left, right = float(bracket.x1), float(bracket.x2)
        span = (left, right + need) if bracket.anchor == "start" else (left - need, right)
        rows.setdefault(bracket.y, []).append(span)
    for spans in rows.values():
        spans.sort()
        assert all(one[1] <= other[0] + 0.2 for one, other in pairwise(spans))
    assert timeline(crowded).height > max(rows)


def test_the_overlap_is_shaded_over_both_lanes():
    (shade,) = timeline(scene()).overlaps
    assert float(shade.x) == pytest.approx(LEFT + 9.0 * unit(), abs=0.06)
    assert float(shade.width) == pytest.approx(0.8 * unit(), abs=0.06)


def test_a_missing_answer_has_an_empty_lane_and_no_bracket():
    found = timeline(scene(model=None, stop=(), response=(), first=None))
    assert (found.model, found.overlaps, found.brackets) == ((), (), ())
    assert all("model" not in event.text for event in found.events)


def test_an_unreadable_annotation_time_is_left_out():
    found = timeline(scene(said=(SAID[0], AnnotatedSegment(None, 3.0, "?"))))
    assert len(found.said) == 1


def test_times_beyond_the_end_stay_inside_the_drawing():
    found = timeline(scene(model=[(19.0, 25.0)]))
    box = found.model[0]
    assert float(box.x) + float(box.width) <= WIDTH - RIGHT + 0.1


def test_the_list_tells_the_same_events_in_order():
    events = timeline(scene()).events
    assert [event.clock for event in events] == sorted(event.clock for event in events)
    assert ("0:09.800", "stop latency 0.800 s: user and model spoke at once until here") in [
        (event.clock, event.text) for event in events
    ]
    assert events[0].quote == "how are you"


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


def test_a_long_recording_has_few_ticks():
    ticks = timeline(scene(duration=900.0)).ticks
    assert 3 <= len(ticks) <= 13
