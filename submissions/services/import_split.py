"""Make a split from a manifest and a folder of recordings; reference work is done once here.

Here it is done in one go, for a command that somebody waits for; ``import_turns`` takes the same
steps a few items at a time, for workers.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.errors import ManifestError
from scoring.evidence import Reference
from scoring.hearing import Side, hear_users
from scoring.humdial.void import without_void
from scoring.manifest import Item as Spec
from scoring.manifest import Manifest
from scoring.reference import find_folder, user_side
from scoring.tools import Tools
from submissions.models import Item, Split, SplitImport
from submissions.services.refused import Refused

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
        SettingsRefused: the split's own fields cannot be as they are.
    """
    _demand_free(slug)
    _demand_possible(slug, fields or {})
    manifest, void = without_void(manifest)
    items: list[Item] = []
    for first in range(0, len(manifest.items), CHUNK):
        specs = manifest.items[first : first + CHUNK]
        items += hear([user_side(reference, spec) for spec in specs], manifest, tools)
        if progress:
            progress(len(items), len(manifest.items))
    place = uuid.uuid4()
    for item in items:
        store_recording(item, slug, reference, place)
    return make(slug, {**(fields or {}), "void": list(void)}, items)


class SettingsRefused(Refused):
    """Fields of a split that cannot be, all told at once."""


def _demand_possible(slug: str, fields: Mapping[str, Any]) -> None:
    split = Split.objects.filter(slug=slug).first() or Split(slug=slug, name=slug)
    for name, value in fields.items():
        setattr(split, name, value)
    try:
        split.full_clean()
    except ValidationError as error:
        rules = (f"{field}: {' '.join(said)}" for field, said in error.message_dict.items())
        cure = _("Change them and import again.")
        raise SettingsRefused("settings-refused", " ".join(rules), cure) from error


def under_way(slug: str) -> bool:
    """Whether a split of this slug is being read."""
    return SplitImport.objects.filter(slug=slug, state=SplitImport.State.GOING).exists()


def _demand_free(slug: str) -> None:
    if under_way(slug):
        raise ManifestError(
            f"The split {slug!r} is being imported.", cure="Wait until that has ended."
        )
    if Split.objects.filter(slug=slug, items__isnull=False).exists():
        raise _full(slug)


def _full(slug: str) -> ManifestError:
    return ManifestError(
        f"The split {slug!r} has items already.",
        cure="Choose another slug: the items of a split never change.",
    )


def hear(sides: Sequence[Side], manifest: Manifest, tools: Tools) -> list[Item]:
    """Work out the user side of some items of a manifest; nothing is saved but what was heard."""
    places = {spec.key: place for place, spec in enumerate(manifest.items)}
    slugs = _slugs(manifest.items)
    return [
        _row(places[side.item.key], slugs[side.item.key], side, one)
        for side, one in zip(sides, hear_users(sides, tools), strict=True)
    ]


def store_recording(item: Item, slug: str, reference: Path, place: uuid.UUID) -> None:
    """Copy an item's recording into the storage, under the same name at every try.

    Args:
        item: not saved yet.
        slug: of its split.
        reference: folder with the recordings.
        place: stands for this import; nobody can guess a name from the item alone.
    """
    path = find_folder(reference, item.spec).audio(item.name)
    if path is None:
        return
    name = f"{slug}/{uuid.uuid5(place, item.spec.key)}{path.suffix}"
    storage = item.recording.storage
    storage.delete(item.recording.field.generate_filename(item, name))
    item.recording.save(name, ContentFile(path.read_bytes()), save=False)


@transaction.atomic
def make(slug: str, fields: Mapping[str, Any], items: Sequence[Item]) -> Split:
    """Create a split with these items, or give them to one that has none.

    Among the fields, ``organisers`` are the keys of people.

    Raises:
        ManifestError: it has items; nothing is changed.
    """
    own = {name: value for name, value in fields.items() if name != "organisers"}
    split = Split.objects.update_or_create(
        slug=slug, defaults=own, create_defaults={"name": slug, **own}
    )[0]
    # Asked again: the row is locked now, and somebody may have been faster.
    if split.items.exists():
        raise _full(slug)
    split.organisers.add(*fields.get("organisers", ()))
    for item in items:
        item.split = split
    Item.objects.bulk_create(items)
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
    names = Counter(spec.item for spec in specs)
    return {
        spec.key: spec.item if names[spec.item] == 1 else spec.key.replace("/", "-")
        for spec in specs
    }
