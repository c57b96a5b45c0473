"""Why there is a label, or none: a key and its values, worded when it is shown.

Conventions: what is stored is a ``Phrase`` of ``scoring.reason_table``; its sentence is made from
that, in English here and in the reader's language on the site. Nothing is recognised by its
wording. What an engine says in its own words, and what older releases stored, stays a text.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from scoring.errors import Phrase
from scoring.reason_table import TROUBLE
from scoring.rules import Translate, phrase, said_from_json, said_to_json

Said: TypeAlias = str | Phrase

NOT_ASKED = Phrase("mode-not-asked")
NO_JUDGE = Phrase("judge-none")
PENDING = Phrase("judge-pending")
UNEVEN, IMPORTED = "words-uneven", "words-imported"

# How older releases wrote what a score or a signature hangs on.
_OLD = {
    UNEVEN: re.compile(
        r"Words and times differ in number: (?P<words>\d+) words, (?P<times>\d+) times;.*"
    ),
    IMPORTED: re.compile(r"Words imported: (?P<name>.*)", re.DOTALL),
}


def worded(said: Said, translate: Translate = str) -> str:
    """Return the sentence, in the language that ``translate`` knows."""
    return said if isinstance(said, str) else phrase(said, translate)


def to_json(said: Said) -> Any:
    """Return a text as it is, a phrase as ``key`` and ``values``."""
    return said if isinstance(said, str) else said_to_json(said)


def from_json(stored: Any) -> Said:
    """Read what ``to_json`` wrote; of a key that is no longer known the key is left."""
    if isinstance(stored, str):
        return _older(stored)
    return said_from_json(stored) or str(stored["key"])


def in_words(stored: Any, translate: Translate = str) -> str:
    """Return the sentence of a stored reason."""
    return worded(from_json(stored), translate)


def is_phrase(stored: Any) -> bool:
    """Whether a JSON value is a stored phrase."""
    return isinstance(stored, Mapping) and stored.keys() == {"key", "values"}


def of_kind(said: Said, key: str) -> bool:
    """Whether something said is the phrase of this key."""
    return isinstance(said, Phrase) and said.key == key


def is_pending(said: Said) -> bool:
    """Whether it says that the judge is still to be asked, and no word of it is known."""
    return isinstance(said, Phrase) and (said == PENDING or said.key in TROUBLE)


def distinct(found: Iterable[Said]) -> tuple[Said, ...]:
    """Return each of them once, in their order."""
    once: list[Said] = []
    for one in found:
        if one not in once:
            once.append(one)
    return tuple(once)


def _older(text: str) -> Said:
    for key, pattern in _OLD.items():
        if found := pattern.fullmatch(text):
            return Phrase(key, found.groupdict())
    return text
