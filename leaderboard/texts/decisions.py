"""Where the sources of the protocol differ, and what each mode does: a table for readers.

Conventions: the numbers are those that comments and docstrings of the scorer name as
``decision 24``; numbers inside the sentences come from the code.
"""

import json
from functools import cache
from typing import NamedTuple

from leaderboard.texts.prose import CONTENT
from scoring.humdial.totals import MIN_COVERAGE
from scoring.ranking import HUMDIAL_2025_12


class Decision(NamedTuple):
    """One difference between the sources, with what is done about it in each mode."""

    number: str
    topic: str
    official: str
    strict: str


@cache
def decisions(language: str) -> tuple[Decision, ...]:
    """Return all decisions in ``en`` or ``zh``, by number."""
    entries = json.loads((CONTENT / "decisions.json").read_text(encoding="utf-8"))
    return tuple(_decision(entry["number"], entry[language]) for entry in entries)


def _decision(number: str, texts: dict[str, str]) -> Decision:
    values = {
        "coverage": f"{100 * MIN_COVERAGE:.0f} %",
        "l_min": HUMDIAL_2025_12.l_min,
        "l_base": HUMDIAL_2025_12.l_base,
    }
    filled = (texts[key].format(**values) for key in ("topic", "official", "strict"))
    return Decision(number, *filled)
