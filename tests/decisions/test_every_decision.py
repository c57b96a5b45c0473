"""Every decision has a number, a text in both languages, and a test that shows it."""

import json
import re
from pathlib import Path

from leaderboard.texts.prose import CONTENT

TESTS = Path(__file__).parent.parent
NAME = re.compile(r"def test_decision_(\d\d[a-z]?)_\w+")


def shown():
    """Numbers that stand in the name of a test, anywhere in this folder's room or another."""
    files = TESTS.rglob("test_*.py")
    return {one for path in files for one in NAME.findall(path.read_text(encoding="utf-8"))}


def told():
    """Numbers that the public texts tell of, written like those in the names of tests."""
    texts = json.loads((CONTENT / "decisions.json").read_text(encoding="utf-8"))
    return {re.sub(r"^(\d)(?!\d)", r"0\1", entry["number"]) for entry in texts}


def test_every_decision_that_readers_are_told_of_has_a_test_that_shows_it():
    assert told() - shown() == set()


def test_every_decision_that_a_test_shows_is_told_to_readers():
    assert shown() <= told()
