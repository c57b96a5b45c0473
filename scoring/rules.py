"""Word the findings of a check: fill the templates of the one table of rules.

Conventions: what a finding says is its rule's name and the values in its places; the sentences are
made from that, in English here and in the reader's language on the site. Values are texts, parts
of sentences (``Phrase``), or lists of these.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from scoring.errors import Finding, Phrase, ScoringError, Value
from scoring.reason_table import REASONS
from scoring.rule_table import PHRASES, RULES, Severity

E = TypeVar("E", bound=ScoringError)
Translate = Callable[[str], str]

LISTED = 3
# Everything that may be said but for the rules, which have a cure each.
_TEMPLATES: Mapping[str, str] = {**PHRASES, **REASONS}


def finding(key: str, path: str = "", **values: Value) -> Finding:
    """Return the finding of a rule.

    Args:
        key: name of the rule in the table.
        path: the file it is about; empty for the archive itself.
        values: what stands in the places of its sentences.
    """
    rule, said = RULES[key], Phrase(key, values)
    return Finding(
        code_of(key), path, _filled(rule.rule, said), _filled(rule.cure, said), rule.severity, said
    )


def error(kind: type[E], key: str, path: str = "", **values: Value) -> E:
    """Return an exception of this kind that says the same as the finding of a rule."""
    one = finding(key, path, **values)
    return kind(one.rule, cure=one.cure, path=path, code=one.code, said=one.said)


def as_error(kind: type[E], one: Finding) -> E:
    """Return an exception that says what a finding says."""
    return kind(one.rule, cure=one.cure, path=one.path, code=one.code, said=one.said)


def as_finding(one: ScoringError, path: str = "") -> Finding:
    """Turn an error into a finding of severity ``error``; ``path`` is used where it names none."""
    return Finding(one.code, one.path or path, one.rule, one.cure, said=one.said)


def code_of(key: str) -> str:
    """The code of a rule: its name without the variant."""
    return key.partition(":")[0]


def severity_of(key: str) -> Severity:
    """How grave a rule is."""
    return RULES[key].severity


def said_to_json(said: Phrase | None) -> dict[str, Any]:
    """Return ``key`` and ``values`` for a report, ``null`` where the words are free."""
    if said is None:
        return {"key": None, "values": {}}
    return {
        "key": said.key,
        "values": {name: _value_to_json(value) for name, value in said.values.items()},
    }


def _value_to_json(value: Value) -> Any:
    if isinstance(value, str):
        return value
    return said_to_json(value) if isinstance(value, Phrase) else [*map(said_to_json, value)]


def said_from_json(stored: Mapping[str, Any]) -> Phrase | None:
    """Read what ``said_to_json`` wrote; ``None`` when the rule is not (or no longer) known."""
    key = stored.get("key")
    if key not in RULES and key not in _TEMPLATES:
        return None
    values = {name: _value_from_json(value) for name, value in stored.get("values", {}).items()}
    return Phrase(str(key), values)


def _value_from_json(value: Any) -> Value:
    if isinstance(value, list):
        return [one for one in map(said_from_json, value) if one is not None]
    return (said_from_json(value) or "") if isinstance(value, dict) else str(value)


def sentences(said: Phrase, translate: Translate = str) -> tuple[str, str]:
    """Return rule and cure in the language that ``translate`` knows."""
    rule = RULES[said.key]
    return _filled(rule.rule, said, translate), _filled(rule.cure, said, translate)


def phrase(said: Phrase, translate: Translate = str) -> str:
    """Return a phrase that is no rule in the language that ``translate`` knows."""
    return _filled(_TEMPLATES[said.key], said, translate)


def _filled(template: str, said: Phrase, translate: Translate = str) -> str:
    words = {name: _words(value, translate) for name, value in said.values.items()}
    return translate(template) % words


def _words(value: Value, translate: Translate) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Phrase):
        return phrase(value, translate)
    return "; ".join(_words(one, translate) for one in value)


def listed(names: Sequence[str], limit: int = LISTED) -> Value:
    """The first names of a list, and how many more there are."""
    some = ", ".join(names[:limit])
    if len(names) <= limit:
        return some
    return Phrase("names-and-more", {"names": some, "count": f"{len(names) - limit:,}"})
