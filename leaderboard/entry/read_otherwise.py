"""The latencies of one run read otherwise: what the sources also describe, beside what counts.

All input is the stored JSON of a score report; nothing here enters a total (decisions 12, 13, 19,
30). Runs from before a reading was stored lack it; an average that is absent is said to be so.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from leaderboard import words
from leaderboard.entry.results import Measured, mean, seconds


class Reading(NamedTuple):
    """One script in one language: what counts, and how else it can be read."""

    name: Any
    language: Any
    by_voice: Measured
    stop_of_items: Measured
    response_of_items: Measured
    after_event: Measured


class Ten(NamedTuple):
    """The first-response delay of a language, over nine scenarios and over ten folders."""

    language: Any
    nine: str
    ten: str


def readings(rows: Sequence[Mapping[str, Any]]) -> list[Reading]:
    """Return every script of a report with its other readings, in the order of the report."""
    return [_reading(row, part) for row in rows for part in row["parts"]]


def ten_folders(totals: Mapping[str, Any]) -> list[Ten]:
    """Return both means of each language that has them."""
    return [
        Ten(
            words.LANGUAGES[one["language"]],
            seconds(one["first_response"]),
            seconds(one["first_response_ten"]),
        )
        for one in totals["languages"]
        if one.get("first_response_ten") is not None
    ]


def _reading(row: Mapping[str, Any], part: Mapping[str, Any]) -> Reading:
    return Reading(
        words.SCENARIOS.get(part["script"], part["script"]),
        words.LANGUAGES[row["language"]],
        mean(part.get("first_response_by_voice")),
        _of_items(part.get("stop")),
        _of_items(part.get("response")),
        mean(part.get("response_after_event")),
    )


def _of_items(average: Mapping[str, Any] | None) -> Measured:
    """The mean of each item's mean; the number beside it would be that of intervals."""
    if average is None or average["mean_of_items"] is None:
        return mean(None if average is None else {"value": None})
    return Measured(seconds(average["mean_of_items"]))


def about() -> list[str]:
    """What each reading is, in sentences."""
    return [
        _(
            "First response by voice: from the end of the user's voice in the question to the "
            "first voice of the model, as the paper words it; what counts is read from words and "
            "annotation."
        ),
        _(
            "Mean of items: the mean of each item's own mean; what counts is the mean of all "
            "intervals in one pool."
        ),
        _(
            "After the event: response gaps that begin at the event or later; what counts has the "
            "gap after the first question too."
        ),
    ]
