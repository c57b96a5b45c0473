"""Figures as plain data: what a reader would see of them."""

import json

from leaderboard import charts
from leaderboard.charts import Box, Dot, Ink, Point
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
    line, marks = charts.scatter(points, points[:2], Ink(HUE), ("s", "%"), "")["data"]
    assert line["x"] == [0.5, 2.0]
    assert marks["marker"]["color"] == [HUE, HUE, "var(--surface)"]


def test_the_delay_axis_is_logarithmic_with_round_numbers_around_the_points():
    points = [Point(0.4, 80, "A", ""), Point(2.0, 40, "B", "")]
    axis = charts.scatter(points, [], Ink(HUE), ("s", "%"), "")["layout"]["xaxis"]
    assert axis["type"] == "log"
    assert axis["ticktext"] == ["0.3", "0.5", "0.7", "1", "1.5", "2", "3"]


def test_close_labels_stand_on_both_sides_of_their_points():
    points = [Point(1, 50, "A", ""), Point(1, 52, "B", ""), Point(1, 90, "C", "")]
    marks = charts.scatter(points, [], Ink(HUE), ("s", "%"), "")["data"][1]
    low, high, alone = marks["textposition"]
    assert low != high
    assert alone == "top center"


def test_a_label_at_the_edge_turns_inwards():
    assert places([(0.99, 0.5)], ["A long name"]) == ["middle left"]
    assert places([(0.0, 0.5)], ["A long name"]) == ["middle right"]


def test_a_label_leaves_the_neighbours_point_free():
    right, _left = places([(0.4, 0.5), (0.41, 0.545)], ["Name", "Name"])
    assert right != "top center"


def test_a_name_cannot_carry_a_link_into_a_figure():
    name = '<a href="https://evil.example">A</a> & B'
    assert "<" not in charts.plain(name)
    figure = charts.scatter([Point(1, 50, name, charts.plain(name))], [], Ink(HUE), ("", ""), "")
    assert "<a" not in json.dumps(figure)


def test_a_long_name_is_cut_but_not_a_short_one():
    assert charts.short("Easy-Turn") == "Easy-Turn"
    assert charts.short("A system with a very long name") == "A system with a ver…"


def test_figures_are_plain_json_with_rounded_numbers():
    figure = charts.dots(["A"], [("", Ink(HUE), [Dot(0, 100 / 3, 20, 50, "A")])], "%")
    assert json.loads(json.dumps(figure)) == figure
    assert figure["data"][0]["x"] == [33.333]
