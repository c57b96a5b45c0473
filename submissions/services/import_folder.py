"""Look at a folder that a split shall be made from, quickly: is everything there?

Only names are read, so that a form can answer at once on a slow disk too; what is in
the files is found out when they are heard.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.errors import ScoringError
from scoring.humdial import is_judged
from scoring.humdial.void import without_void
from scoring.manifest import Item, Manifest
from scoring.reference import AUDIO
from submissions.services.refused import Refused

# Missing files that are told by name.
TOLD = 10


class FolderRefused(Refused):
    """A folder that no split can be made from."""


def manifest_in(folder: Path) -> Manifest:
    """Read the manifest of a folder that has all its files.

    Raises:
        FolderRefused: there is none, it cannot be used, or files are missing.
    """
    manifest = _manifest(folder)
    try:
        missing = list(_missing(folder, without_void(manifest).manifest))
    except ScoringError as error:
        raise FolderRefused(error.code, error.rule, error.cure) from error
    if missing:
        rule = ngettext(
            "%(count)d file that manifest.csv asks for is missing: %(names)s.",
            "%(count)d files that manifest.csv asks for are missing, such as %(names)s.",
            len(missing),
        ) % {"count": len(missing), "names": ", ".join(missing[:TOLD])}
        cure = _("Add them, or take their rows out of the manifest.")
        raise FolderRefused("files-missing", rule, cure)
    return manifest


def _manifest(folder: Path) -> Manifest:
    path = folder / "manifest.csv"
    try:
        return Manifest.from_csv(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        rule = _("There is no manifest.csv in %(folder)s.") % {"folder": folder}
        cure = _("Name the folder that holds manifest.csv and the recordings.")
        raise FolderRefused("manifest-missing", rule, cure) from error
    except ScoringError as error:
        raise FolderRefused(error.code, error.rule, error.cure) from error
    except (OSError, UnicodeDecodeError) as error:
        rule = _("manifest.csv cannot be read: %(error)s.") % {"error": error}
        cure = _("Save it as a UTF-8 text that the site may read.")
        raise FolderRefused("manifest-unreadable", rule, cure) from error


def _missing(root: Path, manifest: Manifest) -> Iterator[str]:
    """Names of files that the import would look for in vain, in the order of the manifest."""
    base = root / "reference" if (root / "reference").is_dir() else root
    places = [f"{item.language}/{item.folder}" for item in manifest.items]
    named = {
        place: set(os.listdir(base / place))
        for place, item in dict(zip(places, manifest.items, strict=True)).items()
        if item.folder and (base / place).is_dir()
    }
    # Where the manifest names no folder, or one that is not there, the import searches for it.
    searched = set(places) - set(named)
    everywhere = {name for _, _, names in os.walk(base) for name in names} if searched else set()
    for place, item in zip(places, manifest.items, strict=True):
        lacking = _lacking(item, named.get(place, everywhere))
        yield from (f"{place}/{name}" for name in lacking)


def _lacking(item: Item, names: set[str]) -> Iterator[str]:
    stems = [item.item, f"clean_{item.item}"] if is_judged(item) else [item.item]
    for stem in stems:
        if not any(f"{stem}{suffix}" in names for suffix in AUDIO):
            yield f"{stem}.wav"
    if not {f"{item.item}_sentence.json", f"{item.item}.json"} & names:
        yield f"{item.item}_sentence.json"
