"""Splits of the site: with the items of a list of expected files, or with just one."""

from submissions.models import Split
from tests import builders


def split_of(files, *, seconds=0.05, **fields):
    """Make a split; each user recording lasts so many seconds."""
    split = Split.objects.create(slug="hostile", name="Hostile", **fields)
    for position, item in enumerate(dict.fromkeys(file.item for file in files)):
        add_item(split, item, position=position, seconds=seconds)
    return split


def small_split(slug="dev", name="Dev", **fields):
    """Make a split of one item: without any it would be no public one."""
    split = Split.objects.create(slug=slug, name=name, **fields)
    add_item(split, builders.item())
    return split


def add_item(split, item, *, position=0, seconds=22.0):
    reference = builders.reference(item.script, item.language, item.item)
    split.items.create(
        position=position,
        slug=item.key.replace("/", "-"),
        name=item.item,
        language=item.language,
        scenario=item.scenario,
        part=item.part,
        folder=item.folder,
        test_id=item.test_id,
        clean_id=item.clean_id,
        annotation=reference.annotation.to_json(),
        duration=seconds,
        speech=[],
    )
