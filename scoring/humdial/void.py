"""Recordings that HumDial's organisers took out of their own test set (decision 41).

Conventions: a recording is known by its anonymous name in the challenge layout. An item of which
one recording is void is not expected and not scored; pages show it with the reason. The list is
that of the challenge's website, "General description", news of 17 November 2025.
"""

from typing import NamedTuple

from scoring.errors import ManifestError
from scoring.manifest import Item, Kind, Manifest

SOURCE = "https://aslp-lab.github.io/HumDial-Challenge/homepage_sections/general_description/"
EXCLUDED_ON = "2025-11-17"
VOID: frozenset[tuple[Kind, str]] = frozenset({("test", "003126"), ("clean", "000899")})


class Valid(NamedTuple):
    """A manifest without its void items, and the names of the void recordings it had."""

    manifest: Manifest
    void: tuple[str, ...]


def is_void(kind: Kind, anonymous_id: str) -> bool:
    """Whether the organisers took the recording out."""
    return (kind, anonymous_id) in VOID


def without_void(manifest: Manifest) -> Valid:
    """Return what remains of a manifest when its void items are taken out.

    Raises:
        ManifestError: nothing remains.
    """
    kept = tuple(item for item in manifest.items if not _void_names(item))
    if not kept:
        raise ManifestError(
            "Every item of the manifest was taken out of the test set by its organisers.",
            cure="Add the items that are scored.",
        )
    names = tuple(name for item in manifest.items for name in _void_names(item))
    return Valid(Manifest(kept) if names else manifest, names)


def _void_names(item: Item) -> tuple[str, ...]:
    known: tuple[tuple[Kind, str], ...] = (("test", item.test_id), ("clean", item.clean_id))
    return tuple(f"{kind}-{one}.wav" for kind, one in known if is_void(kind, one))
