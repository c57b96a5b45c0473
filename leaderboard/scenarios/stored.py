"""Write the numbers of a scenario as plain JSON, and read them again.

Conventions: pure. Systems that failed an item are written as their numbers in the list of keys.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from leaderboard.scenarios.numbers import Hard, Latency, Place, Rate, Scenario, Side, System


def to_json(numbers: Scenario) -> dict[str, Any]:
    """Return plain lists and dicts; named tuples become lists."""
    keys = {one.key: number for number, one in enumerate(numbers.systems)}
    return {
        "slug": numbers.slug,
        "group": numbers.group,
        "scripts": numbers.scripts,
        "delay": numbers.delay,
        "systems": [_plain_system(one) for one in numbers.systems],
        "front": numbers.front,
        "items": dict(numbers.items),
        "hard": [
            (one.item, [keys[key] for key in one.failing], one.counted) for one in numbers.hard
        ],
    }


def _plain_system(one: System) -> dict[str, Any]:
    sides = {code: _plain(side) for code, side in one.sides.items()}
    return {**_plain(one), "sides": sides}


def _plain(one: System | Side) -> dict[str, Any]:
    """The fields as they are; ``asdict`` would copy every number in them."""
    return {field.name: getattr(one, field.name) for field in fields(one)}


def from_json(data: Mapping[str, Any]) -> Scenario:
    """Read what ``to_json`` wrote."""
    systems = tuple(_system(one) for one in data["systems"])
    return Scenario(
        data["slug"],
        data["group"],
        tuple(data["scripts"]),
        data["delay"],
        systems,
        tuple(data["front"]),
        data["items"],
        tuple(
            Hard(Place(*item), tuple(systems[number].key for number in failing), counted)
            for item, failing, counted in data["hard"]
        ),
    )


def _system(data: Mapping[str, Any]) -> System:
    return System(**{**data, "sides": {code: _side(one) for code, one in data["sides"].items()}})


def _side(data: Mapping[str, Any]) -> Side:
    return Side(
        data["expected"],
        None if data["rate"] is None else Rate(*data["rate"]),
        data["outcomes"],
        {name: _latency(*one) for name, one in data["latencies"].items()},
    )


def _latency(mean: float | None, fences: list[float] | None, *counts: int) -> Latency:
    ends = None if fences is None else tuple(fences)
    return Latency(mean, ends, *counts)  # type: ignore[arg-type] # plain lists have no length
