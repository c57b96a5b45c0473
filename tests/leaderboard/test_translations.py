"""The Chinese catalogue: complete, compiled, and with every placeholder."""

import ast
import gettext
import re
from pathlib import Path

from django.conf import settings

LOCALE = Path(settings.BASE_DIR) / "leaderboard/locale/zh_Hans/LC_MESSAGES"


def messages():
    """Entries of the Chinese catalogue: id, translation, and whether it is only a guess."""
    for block in (LOCALE / "django.po").read_text(encoding="utf-8").split("\n\n")[1:]:
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        found = {}
        for line in lines:
            key, _, text = line.partition(" ") if line.startswith("msg") else ("", "", line)
            current = key or current  # noqa: F821 (the first line of a block starts a key)
            found[current] = found.get(current, "") + ast.literal_eval(text)
        if found.get("msgid"):
            translation = found.get("msgstr", found.get("msgstr[0]"))
            yield found["msgid"], translation, ", fuzzy" in block


def test_every_text_has_a_chinese_translation():
    missing = [key for key, translation, fuzzy in messages() if not translation or fuzzy]
    assert missing == []


def test_the_compiled_catalogue_is_that_of_the_source():
    with (LOCALE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    catalogue = set(compiled._catalog.values())
    assert [key for key, translation, _ in messages() if translation not in catalogue] == []


def test_translations_keep_the_placeholders():
    holes = re.compile(r"%\(\w+\)[.\d]*[sdf]|%[.\d]*[sdf]|</?\w+")
    wrong = [
        key
        for key, translation, _ in messages()
        if set(holes.findall(key)) != set(holes.findall(translation))
    ]
    assert wrong == []
