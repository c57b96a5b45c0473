"""Figures as plain data: what a reader would see of them."""

import json
import random
from itertools import combinations

import pytest

from leaderboard import charts, scatters
from leaderboard.charts import Box, Dot, Ink, Point
from leaderboard.models import Snapshot
from leaderboard.scenarios import group_figure, label_places
from leaderboard.scenarios.figures import unnamed, unnamed_on_a_phone
from leaderboard.scenarios.label_places import places

HUE = "var(--rejection)"


def test_a_dot_carries_its_interval_and_its_own_height():
    series = [
        ("Chinese", Ink(HUE), [Dot(0, 62.0, 55.5, 70.25, "A")]),
        ("English", Ink(HUE, "diamond-open"), [Dot(0, 40.0, 30.0, 52.0, "A")]),
    ]
    chinese, english = charts.dots(["A"], series, "%")["data"]
    assert chinese["error_x"]["array"] == [8.25]
    assert chinese["error_x"]["arrayminus"] == [6.5]
    assert chinese["y"] != english["y"]
    assert chinese["marker"]["symbol"] != english["marker"]["symbol"]


def test_a_dot_without_an_interval_has_no_reach():
    trace = charts.dots(["A"], [("", Ink(HUE), [Dot(0, 62.0, None, None, "A")])], "%")["data"][0]
    assert trace["error_x"]["array"] == trace["error_x"]["arrayminus"] == [0.0]


def test_the_first_row_is_on_top_and_rows_make_room_for_themselves():
    few, many = (charts.dots(["A"] * n, [], "%")["layout"] for n in (3, 9))
    low, high = few["yaxis"]["range"]
    assert low > high
    assert many["height"] - few["height"] == 6 * charts.ROW


def test_shares_stack_and_are_hatched():
    series = [("RESPOND", Ink(HUE, hatch="/"), [60.0, 25.0], ["a", "b"])]
    figure = charts.shares(["A", "B"], series, "%")
    assert figure["layout"]["barmode"] == "stack"
    assert figure["data"][0]["marker"]["pattern"]["shape"] == "/"
    assert figure["data"][0]["x"] == [60.0, 25.0]


def test_a_box_is_drawn_from_its_five_numbers_and_marks_the_mean_where_there_is_one():
    found = [Box(0, (0.1, 0.2, 0.3, 0.4, 0.5), 0.35, ""), Box(1, (1, 2, 3, 4, 5), None, "")]
    boxes, means = charts.boxes(["A", "B"], [("", Ink(HUE), found)], "s")["data"]
    assert (boxes["q1"], boxes["median"], boxes["q3"]) == ([0.2, 2.0], [0.3, 3.0], [0.4, 4.0])
    assert means["x"] == [0.35]


def test_the_front_is_drawn_as_steps_from_fast_to_slow_and_its_points_are_filled():
    points = [Point(2.0, 80, "slow", ""), Point(0.5, 40, "fast", ""), Point(3.0, 20, "bad", "")]
    line, marks = scatters.scatter(points, points[:2], Ink(HUE), ("s", "%"), "")["data"]
    assert line["x"] == [0.5, 2.0]
    assert marks["marker"]["color"] == [HUE, HUE, "var(--surface)"]


def test_the_delay_axis_is_logarithmic_with_round_numbers_around_the_points():
    points = [Point(0.4, 80, "A", ""), Point(2.0, 40, "B", "")]
    axis = scatters.scatter(points, [], Ink(HUE), ("s", "%"), "")["layout"]["xaxis"]
    assert axis["type"] == "log"
    assert axis["ticktext"] == ["0.3", "0.5", "0.7", "1", "1.5", "2", "3"]


def test_close_labels_stand_on_both_sides_of_their_points():
    points = [Point(1, 50, "A", ""), Point(1, 52, "B", ""), Point(1, 90, "C", "")]
    marks = scatters.scatter(points, [], Ink(HUE), ("s", "%"), "")["data"][1]
    low, high, alone = marks["textposition"]
    assert low != high
    assert alone == "top center"


def test_a_label_at_the_edge_turns_inwards():
    assert places([(0.99, 0.5)], ["A long name"]) == ["middle left"]
    assert places([(0.0, 0.5)], ["A long name"]) == ["middle right"]


def crowd(count=30):
    """Points as close as good systems are, with names of all lengths, some Chinese."""
    chance = random.Random(7)
    points = [(chance.gauss(0.4, 0.09), chance.gauss(0.75, 0.05)) for _ in range(count)]
    names = ["Easy-Turn", "Cookie asr", "全双工小鹦鹉", "GPT-4o Realtime, a long n…", "X"]
    return points, [names[number % len(names)] for number in range(count)]


@pytest.mark.parametrize("width", [label_places.WIDE, label_places.NARROW])
def test_labels_of_a_crowd_cover_neither_each_other_nor_a_point(width):
    points, names = crowd()
    found = places(points, names, width=width)
    shown = [
        (number, label_places.area(points[number], names[number], side, width))
        for number, side in enumerate(found)
        if side is not None
    ]
    assert len(shown) >= 5
    for (_a, one), (_b, other) in combinations(shown, 2):
        assert not overlap(one, other)
    for number, area in shown:
        assert 0 <= area.left < area.right <= 1
        assert 0 <= area.bottom < area.top <= 1
        for other, (x, y) in enumerate(points):
            inside = area.left < x < area.right and area.bottom < y < area.top
            assert other == number or not inside


@pytest.mark.parametrize("width", [label_places.WIDE, label_places.NARROW])
def test_labels_at_lines_cover_neither_labels_nor_points(width):
    points, names = crowd(20)
    sides = places(points, names, width=width)
    found = label_places.leads(points, names, sides, width=width)
    assert len(found) >= 5
    assert not any(sides[number] for number in found)
    areas = [
        label_places.area(points[number], names[number], side, width)
        for number, side in enumerate(sides)
        if side is not None
    ]
    apart = [
        label_places.apart(points[number], names[number], lead, width)
        for number, lead in found.items()
    ]
    for one, other in combinations([*areas, *apart], 2):
        assert not overlap(one, other)
    for area in apart:
        assert 0 <= area.left < area.right <= 1
        assert 0 <= area.bottom < area.top <= 1
        assert not any(area.left < x < area.right and area.bottom < y < area.top for x, y in points)


@pytest.mark.django_db
@pytest.mark.parametrize("group", ["interruption", "rejection"])
def test_every_published_system_is_named_in_its_figure_wide_and_narrow(humdial, group):
    board = Snapshot.objects.get()
    drawn = group_figure.chart(board.rows, group)
    layout, marks = drawn.figure["layout"], drawn.figure["data"][1]
    everybody = {charts.short(row["system"]) for row in board.rows}
    for texts, around in (
        (marks["text"], layout["annotations"]),
        (marks["meta"]["narrow"]["text"], layout["meta"]["narrow"]["annotations"]),
    ):
        assert {*filter(None, texts), *(one["text"] for one in around)} == everybody
    assert (drawn.note, drawn.note_narrow) == ("", "")


def test_a_point_without_a_name_is_told_of_at_every_width():
    points = [Point(10**x, 100 * y, "A middling name", "") for x, y in crowd(80)[0]]
    figure = scatters.scatter(points, points[:1], Ink(HUE), ("s", "%"), "")
    wide, narrow = unnamed(figure), unnamed_on_a_phone(figure)
    assert int(wide.split()[0]) < int(narrow.split()[0])
    assert "point at them" in wide
    # Nobody can point on a phone.
    assert narrow.endswith("points have no room for their names; the table has them.")


def overlap(one, other):
    across = min(one.right, other.right) - max(one.left, other.left)
    up = min(one.top, other.top) - max(one.bottom, other.bottom)
    return across > 1e-9 and up > 1e-9


def test_who_stands_on_the_front_is_named_before_others():
    points, names = crowd()
    hidden = [number for number, side in enumerate(places(points, names)) if side is None]
    named = [one for one in hidden if places(points, names, {one})[one] is not None]
    assert named


def test_a_phone_gets_fewer_names_than_a_wide_page():
    points = [Point(10**x, 100 * y, "A middling name", "") for x, y in crowd()[0]]
    marks = scatters.scatter(points, points[:1], Ink(HUE), ("s", "%"), "")["data"][1]
    wide, narrow = (sum(map(bool, one["text"])) for one in (marks, marks["meta"]["narrow"]))
    assert 0 < narrow < wide < len(points)
    assert len(marks["x"]) == len(points)


def test_the_drawing_holds_every_point_with_room_beside():
    for xs in ([1.0], [0.4, 0.41], [0.2, 5.0]):
        low, high = scatters.scatter(
            [Point(x, 50, "A", "") for x in xs], [], Ink(HUE), ("", ""), ""
        )["layout"]["xaxis"]["range"]
        assert 10**low < min(xs) <= max(xs) < 10**high
        assert high - low >= scatters.NARROWEST


def test_a_label_leaves_the_neighbours_point_free():
    right, _left = places([(0.4, 0.5), (0.41, 0.545)], ["Name", "Name"])
    assert right != "top center"


def test_a_name_cannot_carry_a_link_into_a_figure():
    name = '<a href="https://evil.example">A</a> & B'
    assert "<" not in charts.plain(name)
    figure = scatters.scatter([Point(1, 50, name, charts.plain(name))], [], Ink(HUE), ("", ""), "")
    assert "<a" not in json.dumps(figure)


def test_a_long_name_is_cut_but_not_a_short_one():
    assert charts.short("Easy-Turn") == "Easy-Turn"
    assert charts.short("A system with a very long name") == "A system with a ver…"


def test_figures_are_plain_json_with_rounded_numbers():
    figure = charts.dots(["A"], [("", Ink(HUE), [Dot(0, 100 / 3, 20, 50, "A")])], "%")
    assert json.loads(json.dumps(figure)) == figure
    assert figure["data"][0]["x"] == [33.333]
