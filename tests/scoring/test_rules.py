"""The one table of rules: complete, used, and the same words wherever they are filled in."""

import json
import re
from pathlib import Path

import pytest

from scoring import reasons, rules
from scoring.errors import ArchiveError, Phrase
from scoring.reason_table import REASONS
from scoring.rule_table import PHRASES, RULES

ROOT = Path(__file__).parents[2]
PLACE = re.compile(r"%\((\w+)\)s")
SOURCES = [
    *(ROOT / "scoring").rglob("*.py"),
    ROOT / "submissions/services/check.py",
    *(ROOT / "static/js").glob("preflight*.js"),
]
TEXT = "\n".join(
    path.read_text(encoding="utf-8")
    for path in SOURCES
    if path.name not in ("rule_table.py", "reason_table.py")
)
# Names that are put together from a word of the manifest.
BUILT = {"kind-test", "kind-clean"}


def quoted(key: str) -> bool:
    return f'"{key}"' in TEXT


def test_no_rule_and_no_phrase_is_unused() -> None:
    assert [key for key in RULES if not quoted(key)] == []
    assert [key for key in PHRASES if not quoted(key)] == sorted(BUILT, reverse=True)


def test_what_python_and_the_browser_name_is_in_the_table() -> None:
    named = set(re.findall(r'\b(?:finding|Refused|phrase|Phrase)\(\s*"([a-z0-9:-]+)"', TEXT))
    assert named - set(RULES) - set(PHRASES) - set(REASONS) == set()
    assert len(named) > 40


def test_no_reason_is_unused() -> None:
    assert [key for key in REASONS if not quoted(key)] == []


@pytest.mark.parametrize("key", REASONS)
def test_every_reason_is_worded_from_its_values_and_comes_back_from_json(key: str) -> None:
    values = dict.fromkeys(PLACE.findall(REASONS[key]), "5")
    said = Phrase(key, values)
    assert "%" not in reasons.worded(said)
    assert reasons.from_json(json.loads(json.dumps(reasons.to_json(said)))) == said
    assert reasons.worded(said, lambda text: f"«{text}»").startswith("«")


@pytest.mark.parametrize("key", RULES)
def test_every_rule_reads_as_a_sentence_with_a_cure(key: str) -> None:
    rule = RULES[key]
    values = dict.fromkeys(PLACE.findall(rule.rule + rule.cure), "5")
    found = rules.finding(key, "a.wav", **values)
    assert found.code == key.partition(":")[0]
    assert found.severity == rule.severity
    assert "%" not in found.rule + found.cure
    assert found.cure.endswith(".")


def test_all_variants_of_a_code_are_equally_grave() -> None:
    graveness: dict[str, set[str]] = {}
    for key, rule in RULES.items():
        graveness.setdefault(rules.code_of(key), set()).add(rule.severity)
    assert [code for code, found in graveness.items() if len(found) > 1] == []


def test_what_was_said_comes_back_from_json_and_can_be_said_in_another_language() -> None:
    said = Phrase(
        "name-ambiguous",
        {"count": "4", "items": Phrase("names-and-more", {"names": "a, b, c", "count": "1"})},
    )
    back = rules.said_from_json(json.loads(json.dumps(rules.said_to_json(said))))
    assert back == said
    assert rules.sentences(said)[0] == (
        "The name stands for 4 items (a, b, c and 1 more), and its folders do not say which."
    )
    german = {"%(names)s and %(count)s more": "%(names)s und %(count)s weitere"}
    rule, _ = rules.sentences(said, lambda text: german.get(text, text))
    assert "a, b, c und 1 weitere" in rule


def test_lists_of_parts_are_joined() -> None:
    parts = [Phrase("tree-no-root", {"root": "R", "name": "a"}), Phrase("no-file")]
    found = rules.finding("layout-differs", differences=parts, tree="T")
    assert "no doubt: there is no folder R, as in a; no file at all." in found.rule
    assert rules.said_from_json(rules.said_to_json(found.said)) == found.said


def test_a_rule_that_is_not_known_any_more_has_no_words() -> None:
    assert rules.said_from_json({"key": "gone", "values": {}}) is None
    assert rules.said_to_json(None) == {"key": None, "values": {}}


def test_an_error_says_what_its_finding_says() -> None:
    error = rules.error(ArchiveError, "archive-truncated:inside", count="7")
    found = rules.as_finding(error)
    assert (found.code, found.severity) == ("archive-truncated", "error")
    assert found == rules.finding("archive-truncated:inside", count="7")
    assert error.at("x").said == found.said
