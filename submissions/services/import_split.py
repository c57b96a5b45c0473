"""Make a split from a manifest and a folder of recordings; reference work is done once here."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from django.db import transaction

from scoring.errors import ManifestError
from scoring.evidence import Reference
from scoring.hearing import Side, hear_users
from scoring.manifest import Item as Spec
from scoring.manifest import Manifest
from scoring.reference import find_folder, user_side
from scoring.tools import Tools
from submissions.models import Item, Split

CHUNK = 8

Progress = Callable[[int, int], None]


def import_split(
    slug: str,
    reference: Path,
    manifest: Manifest,
    *,
    tools: Tools,
    progress: Progress | None = None,
    fields: Mapping[str, Any] | None = None,
) -> Split:
    """Create a split with all its items, or nothing.

    Args:
        slug: of the new split.
        reference: folder with recordings and annotations.
        manifest: the expected items.
        tools: engines; transcripts that lie beside the recordings are used as they are.
        progress: called with items done and items in all.
        fields: other fields of the split.

    Raises:
        ScoringError: a file is missing or cannot be used; nothing is created.
    """
    if Split.objects.filter(slug=slug, items__isnull=False).exists():
        raise ManifestError(
            f"The split {slug!r} has items already.",
            cure="Choose another slug: the items of a split never change.",
        )
    rows: list[Item] = []
    slugs = _slugs(manifest.items)
    for first in range(0, len(manifest.items), CHUNK):
        specs = manifest.items[first : first + CHUNK]
        sides = [user_side(reference, spec) for spec in specs]
        heard = hear_users(sides, tools)
        rows += [
            _row(len(rows) + n, slugs[side.item.key], side, one)
            for n, (side, one) in enumerate(zip(sides, heard, strict=True))
        ]
        if progress:
            progress(len(rows), len(manifest.items))
    return _save(slug, fields or {}, rows, reference)


@transaction.atomic
def _save(slug: str, fields: Mapping[str, Any], rows: Sequence[Item], reference: Path) -> Split:
    split, _ = Split.objects.update_or_create(
        slug=slug, defaults=fields, create_defaults={"name": slug, **fields}
    )
    for row in rows:
        row.split = split
        path = find_folder(reference, row.spec).audio(row.name)
        if path is not None:
            name = f"{split.slug}/{uuid.uuid4()}{path.suffix}"
            row.recording.save(name, ContentFile(path.read_bytes()), save=False)
    Item.objects.bulk_create(rows)
    return split


def _row(position: int, slug: str, side: Side, heard: Reference) -> Item:
    spec = side.item
    return Item(
        position=position,
        slug=slug,
        name=spec.item,
        language=spec.language,
        scenario=spec.scenario,
        part=spec.part,
        folder=spec.folder,
        test_id=spec.test_id,
        clean_id=spec.clean_id,
        annotation=side.annotation.to_json(),
        duration=heard.duration,
        speech=[list(pair) for pair in heard.speech],
        noisy_words=None if heard.noisy is None else heard.noisy.to_json(),
        clean_words=None if heard.clean is None else heard.clean.to_json(),
    )


def _slugs(specs: Sequence[Spec]) -> dict[str, str]:
    """Use the dialogue id where it is unique (two folders may hold the same id)."""
    names = [spec.item for spec in specs]
    return {
        spec.key: spec.item if names.count(spec.item) == 1 else spec.key.replace("/", "-")
        for spec in specs
    }
