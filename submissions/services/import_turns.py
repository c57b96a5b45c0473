"""Make a split a few items at a time: begun by an organiser, done by workers, whoever dies.

Conventions: a turn takes the items after those that are done and keeps them before it goes on, so
any turn may be lost or run twice. What an engine heard is remembered by content, so an import that
is tried again reads the files anew and hears only what is new. One worker at a time; the others
go on scoring.
"""

import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.errors import ScoringError
from scoring.humdial.void import without_void
from scoring.manifest import Manifest
from scoring.reference import user_side
from submissions import queue
from submissions.models import ImportedItem, Item, Split, SplitImport
from submissions.services.claims import dead, worker_name
from submissions.services.engines import tools
from submissions.services.import_folder import manifest_in
from submissions.services.import_split import CHUNK, hear, make, store_recording, under_way
from submissions.services.refused import Refused

GOING, FAILED, DONE = SplitImport.State.GOING, SplitImport.State.FAILED, SplitImport.State.DONE
# Seconds that one task goes on, chunk after chunk.
TURN = 10.0
# Turns that may end without a new item before the import gives up.
MAX_ATTEMPTS = 3
# So many files that cannot be used are told at once; more of them, and it stops there.
MAX_PROBLEMS = 50

UNUSABLE = gettext_noop(
    "Files cannot be used, see above. Mend them and try again; what was heard is not heard twice."
)
UNSEEN = gettext_noop(
    "The worker does not see the folder. Give it the same folder at the same place, and try again."
)
LOST = gettext_noop(
    "The worker was lost several times at the same items, perhaps for want of memory. Look into "
    "its log, and try again."
)
BROKEN = gettext_noop(
    "An internal error stopped the import. The worker's log tells it under “import_items”; mend "
    "the cause, and try again."
)


class ImportRefused(Refused):
    """An import that cannot begin now."""


class _Read(NamedTuple):
    """What came of the next items of an import; ``seen`` is how many those were."""

    seen: int
    items: Sequence[Item]
    problems: Sequence[str]


def begin(
    slug: str,
    folder: Path,
    manifest: Manifest,
    *,
    who: Any,
    split: Split | None = None,
    fields: dict[str, Any] | None = None,
) -> SplitImport:
    """Note what is to be imported and ask for the first turn.

    Args:
        slug: of the split.
        folder: on the server, where every worker finds it.
        manifest: the expected items.
        who: asks for it.
        split: gets the items, if it exists already.
        fields: settings of a new split.

    Raises:
        ImportRefused: the same split is being imported.
    """
    news = {
        "folder": str(folder),
        "manifest": manifest.to_csv(),
        "total": len(without_void(manifest).manifest.items),
        "who": who,
        "split": split,
        "fields": fields or {},
        "sign_of_life": timezone.now(),
    }
    job, is_new = SplitImport.objects.get_or_create(slug=slug, state=GOING, defaults=news)
    if not is_new:
        raise _busy()
    queue.send("import_items", str(job.pk))
    return job


@transaction.atomic
def try_again(job: SplitImport) -> None:
    """Begin a stopped import anew, with the manifest as it is now.

    Raises:
        Refused: the folder has still something missing, or the same split is being imported.
    """
    manifest = manifest_in(Path(job.folder))
    if under_way(job.slug):
        raise _busy()
    total = len(without_void(manifest).manifest.items)
    news = {"manifest": manifest.to_csv(), "total": total, "problems": []}
    clean = {"reason": "", "finished": None, "done": 0, "attempts": 0, "claimed_by": ""}
    failed = SplitImport.objects.filter(pk=job.pk, state=FAILED)
    try:
        with transaction.atomic():
            is_mine = failed.update(state=GOING, sign_of_life=timezone.now(), **news, **clean)
    except IntegrityError as error:
        raise _busy() from error
    if is_mine:
        queue.send("import_items", str(job.pk))


def _busy() -> ImportRefused:
    return ImportRefused(
        "import-under-way",
        _("A split of this slug is being imported."),
        _("Wait until that has ended, or discard it."),
    )


@transaction.atomic
def discard(job: SplitImport) -> None:
    """Forget an import and what it has stored; a split that it has made stays."""
    locked = SplitImport.objects.select_for_update().filter(pk=job.pk).first()
    if locked is not None:
        _drop(locked)
        locked.delete()


def work(pk: str) -> bool:
    """Do the next items for a while; return whether another turn is wanted."""
    job = _claim(pk)
    if job is None:
        return False
    try:
        return _turn(job)
    except ScoringError as error:
        _fail(job, str(error))
        return False
    finally:
        SplitImport.objects.filter(pk=pk, claimed_by=worker_name()).update(claimed_by="")


def note_error(pk: str, error: Exception) -> None:
    """Keep what stopped a turn, for the case that the next ones do not go better."""
    reason = str(error) if isinstance(error, OSError) else BROKEN
    SplitImport.objects.filter(pk=pk, state=GOING).update(reason=reason)


def take_up(*, patience: timedelta) -> int:
    """Ask again for a turn of each import that lost its worker; return how many there were."""
    now = timezone.now()
    going = SplitImport.objects.filter(state=GOING)
    lost = Q(claimed_by__in=dead(going.values_list("claimed_by", flat=True)))
    stale = Q(sign_of_life__lte=now - timedelta(seconds=settings.CLAIM_LEASE))
    quiet = Q(claimed_by="", sign_of_life__lte=now - patience)
    pks = list(going.filter(lost | stale | quiet).values_list("pk", flat=True))
    going.filter(pk__in=pks).update(claimed_by="", sign_of_life=now)
    for pk in pks:
        queue.send("import_items", str(pk))
    return len(pks)


def _claim(pk: str) -> SplitImport | None:
    """Take an import that nobody works on; an attempt counts until an item is done."""
    free = SplitImport.objects.filter(pk=pk, state=GOING, claimed_by="")
    mine = free.update(
        claimed_by=worker_name(), sign_of_life=timezone.now(), attempts=F("attempts") + 1
    )
    return SplitImport.objects.filter(pk=pk).first() if mine else None


def _turn(job: SplitImport) -> bool:
    if job.attempts > MAX_ATTEMPTS:
        _fail(job, job.reason or LOST)
        return False
    if not Path(job.folder).is_dir():
        _fail(job, UNSEEN)
        return False
    manifest = without_void(Manifest.from_csv(job.manifest)).manifest
    end = time.monotonic() + TURN
    while job.done < job.total:
        if not _keep(job, _read(job, manifest)):
            return False
        if time.monotonic() >= end:
            return True
    _finish(job)
    return False


def _read(job: SplitImport, manifest: Manifest) -> _Read:
    """Read and hear the next items; go on past files that cannot be used, to tell all at once."""
    specs = manifest.items[job.done : job.done + CHUNK]
    sides, problems = [], []
    for spec in specs:
        try:
            sides.append(user_side(Path(job.folder), spec))
        except (ScoringError, OSError) as error:
            problems.append(str(error))
    return _Read(len(specs), hear(sides, manifest, tools()), problems)


@transaction.atomic
def _keep(job: SplitImport, read: _Read) -> bool:
    """Keep what was read; return whether to go on, which another may have done or ended."""
    locked = _locked(job)
    if locked is None or locked.done != job.done:
        return False
    for item in read.items:
        store_recording(item, job.slug, Path(job.folder), job.pk)
    locked.items.bulk_create(
        ImportedItem(of=locked, position=item.position, values=_values(item)) for item in read.items
    )
    job.done += read.seen
    job.problems += read.problems
    job.attempts, job.reason, job.sign_of_life = 0, "", timezone.now()
    job.save(update_fields=["done", "problems", "attempts", "reason", "sign_of_life"])
    if len(job.problems) >= MAX_PROBLEMS:
        _fail(job, UNUSABLE)
    return len(job.problems) < MAX_PROBLEMS


def _values(item: Item) -> dict[str, Any]:
    values = model_to_dict(item, exclude=["id", "split"])
    return values | {"recording": item.recording.name}


@transaction.atomic
def _finish(job: SplitImport) -> None:
    """Make the split of all items, or tell which files stand in its way."""
    locked = _locked(job)
    if locked is None:
        return
    if locked.problems:
        _fail(locked, UNUSABLE)
        return
    items = [Item(**row.values) for row in locked.items.all()]
    slug = locked.split.slug if locked.split else locked.slug
    void = without_void(Manifest.from_csv(locked.manifest)).void
    locked.split = make(slug, {**locked.fields, "void": list(void)}, items)
    locked.items.all().delete()
    locked.state, locked.finished = DONE, timezone.now()
    locked.save(update_fields=["split", "state", "finished"])


@transaction.atomic
def _fail(job: SplitImport, reason: str) -> None:
    locked = _locked(job)
    if locked is not None:
        _drop(locked)
        locked.state, locked.reason, locked.finished = FAILED, reason, timezone.now()
        locked.save(update_fields=["state", "reason", "finished"])


def _locked(job: SplitImport) -> SplitImport | None:
    """The import as it is now, kept from others; ``None`` if it is not going any more."""
    return SplitImport.objects.select_for_update().filter(pk=job.pk, state=GOING).first()


def _drop(job: SplitImport) -> None:
    """Forget the items that waited, and their recordings once that is certain."""
    for name in filter(None, job.items.values_list("values__recording", flat=True)):
        transaction.on_commit(partial(default_storage.delete, name))
    job.items.all().delete()
