"""What a browser needs to check an archive before it is sent: rules, limits and expected files.

Conventions: everything comes from the tables that the check itself uses, and is plain JSON. The
browser reads the directory of the zip only, so rules on the content of files stay here. Lists are
columns of equal length, which packs well: 9,100 files take less than 100 kB.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from scoring.archive import members, zips
from scoring.check import expected, layout
from scoring.humdial import SCRIPTS, names
from scoring.humdial.names import expected_files
from scoring.humdial.void import VOID
from scoring.manifest import ExpectedFile, Item, Manifest
from scoring.rule_table import PHRASES, RULES
from scoring.rules import LISTED

SCHEMA = "preflight/1"

Translate = Callable[[str], str]
NAMES = ("item", "language", "scenario", "part", "folder", "test_id", "clean_id")


def rules_to_json(translate: Translate = str) -> dict[str, Any]:
    """Return the rules that the directory of a zip can break, and the limits they name.

    Args:
        translate: turns an English template into the reader's language.
    """
    return {
        "schema": SCHEMA,
        "rules": {
            key: {
                "severity": rule.severity,
                "rule": translate(rule.rule),
                "cure": translate(rule.cure),
            }
            for key, rule in RULES.items()
            if rule.in_directory
        },
        "phrases": {key: translate(text) for key, text in PHRASES.items()},
        "limits": _limits(),
        "formats": {magic.hex(): key for magic, key in zips.OTHER_FORMATS.items()},
        "methods": {str(number): name for number, name in zips.METHODS.items()},
        "systemFiles": sorted(members.SYSTEM_FILES),
    }


def _limits() -> dict[str, int]:
    return {
        "members": zips.MEMBER_COUNT_LIMIT,
        "directory": zips.DIRECTORY_LIMIT,
        "member": members.MEMBER_LIMIT,
        "bombSize": members.BOMB_SIZE,
        "bombRatio": members.BOMB_RATIO,
        "name": members.LONGEST_NAME,
        "shownOfAName": members.SHOWN_OF_A_NAME,
        "told": layout.TOLD,
        "listed": LISTED,
        "perCode": expected.MOST_OF_A_CODE,
    }


def names_to_json() -> dict[str, Any]:
    """Return what names of files and folders mean (protocol 1.1, 1.4 and 1.6)."""
    return {
        "root": names.ROOT,
        "tree": names.TREE,
        "places": {alias: list(place) for alias, place in names.places()},
        "void": sorted(f"{kind}-{one}" for kind, one in VOID),
        "judged": [slug for slug, script in SCRIPTS.items() if script.measure.is_judged],
    }


def expected_to_json(
    items: Sequence[Item], *, tried: Collection[str], hides_pairs: bool
) -> dict[str, Any]:
    """Return the expected files of a split.

    Args:
        items: of the split, in the order of the manifest.
        tried: keys of the items of a trial.
        hides_pairs: whether the reader must not learn which anonymous files belong together, and
            to which scenario: their names are then sorted and stand for themselves.
    """
    hidden = [item for item in items if hides_pairs and (item.test_id or item.clean_id)]
    unnamed = set(hidden)
    known = [item for item in items if item not in unnamed]
    columns: dict[str, Any] = {name: [getattr(item, name) for item in known] for name in NAMES}
    return {
        "items": {**columns, "tried": [int(item.key in tried) for item in known]},
        "hidden": _hidden(expected_files(Manifest(tuple(hidden))), tried),
    }


def _hidden(files: Iterable[ExpectedFile], tried: Collection[str]) -> Mapping[str, list[Any]]:
    rows = sorted((file.path, file.kind, int(file.item.key in tried)) for file in files)
    return {name: [row[at] for row in rows] for at, name in enumerate(("path", "kind", "tried"))}
