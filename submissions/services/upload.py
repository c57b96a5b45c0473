"""Resumable uploads: begun, grown, finished into a submission, or swept away when they expire.

Conventions: the file on disk says how much has arrived and when, the row says whose it is. What a
user sent is kept until it expires, also when the submission is refused at the end.
"""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePath
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from submissions.contact import and_ask
from submissions.models import Split, Submission, Team, Upload
from submissions.permissions import is_member
from submissions.services.description import check_description
from submissions.services.slots import SubmissionRefused, demand
from submissions.services.submit import Files, record, system_of
from submissions.tus import growing_file

# Room that must stay free on the disk beside what is announced.
SPARE = 2**30


class Wish(NamedTuple):
    """What somebody wants to upload, as they wrote it."""

    split: str
    team: str
    system: str
    file_name: str
    length: int
    is_trial: bool = False
    document_public: bool = False
    model_channel: int | None = None


class NotFinished(Exception):
    """An upload that is not complete yet, or whose bytes are gone."""


def begin(user: Any, wish: Wish) -> Upload:
    """Open an upload, if the team may submit as things stand.

    Raises:
        SubmissionRefused: the wish names nothing we know, or is more than is allowed.
    """
    split, team = _target(user, wish)
    demand(split, team, timezone.now(), is_trial=wish.is_trial)
    _demand_room(user, wish.length)
    upload = Upload.objects.create(
        user=user,
        split=split,
        team=team,
        system=system_of(team, _system_name(wish)),
        is_trial=wish.is_trial,
        document_public=wish.document_public,
        model_channel=wish.model_channel,
        file_name=PurePath(wish.file_name).name[:255] or "submission.zip",
        length=wish.length,
        expires=_expiry(),
    )
    growing_file.create(path_of(upload))
    return upload


def demand_member(user: Any, team: Team) -> None:
    """Stop whoever is not in the team any more, or whose account was closed.

    Raises:
        SubmissionRefused: with code ``not-a-member``.
    """
    if not (user.is_active and is_member(user, team)):
        raise _not_yours()


def receive(
    upload: Upload, offset: int, pieces: Iterable[bytes], *, came: datetime | None = None
) -> int:
    """Take in what comes; return where the upload ends now.

    Args:
        upload: what grows.
        offset: where the sender believes that it ends.
        pieces: what comes.
        came: when the last of it came, where it was kept aside meanwhile.

    Raises:
        Overtaken, TooMuch, FileNotFoundError: as ``growing_file.append`` says.
    """
    end = growing_file.append(path_of(upload), offset, pieces, limit=upload.length)
    if came is not None:
        os.utime(path_of(upload), (came.timestamp(), came.timestamp()))
    upload.expires = _expiry()
    if end < upload.length:
        upload.offset = end
        upload.save(update_fields=["offset", "touched", "expires"])
    return end


def received(upload: Upload) -> int | None:
    """How much is safe; ``None`` when the bytes are gone."""
    size = growing_file.safe_size(path_of(upload))
    if size is None and _is_stored(upload):
        return upload.length
    return size


def finish(upload: Upload) -> Submission:
    """Make a complete upload a submission; the same one again if it is one already.

    What counts is the moment of the last byte, however long storing takes, and what was allowed
    then, whatever was allowed at the beginning. Who comes again after a refusal comes now.

    Raises:
        NotFinished: bytes are missing.
        SubmissionRefused: not allowed now; the bytes are kept.
    """
    if upload.submission is not None:
        return upload.submission
    if received(upload) != upload.length:
        raise NotFinished
    moment = _last_byte(upload)
    archive = _stored(path_of(upload), archive_name(upload))
    try:
        return _record(upload, archive, moment)
    finally:
        # Noted in any case: a complete upload that is refused waits for its sender.
        Upload.objects.filter(pk=upload.pk).update(offset=upload.length, expires=_expiry())


def _last_byte(upload: Upload) -> datetime:
    """When the last byte was written; now, if the upload was complete and refused before."""
    if upload.offset == upload.length:
        return timezone.now()
    with suppress(FileNotFoundError):
        return datetime.fromtimestamp(path_of(upload).stat().st_mtime, UTC)
    return default_storage.get_modified_time(archive_name(upload))


@transaction.atomic
def _record(upload: Upload, archive: str, received: datetime) -> Submission:
    locked = Upload.objects.select_for_update().get(pk=upload.pk)
    if locked.submission is not None:
        return locked.submission
    demand_member(locked.user, locked.team)
    files = Files(
        archive,
        locked.file_name,
        locked.length,
        document=_document(locked),
        document_public=locked.document_public,
        model_channel=locked.model_channel,
    )
    submission = record(
        files,
        locked.split,
        locked.team,
        locked.system,
        locked.user,
        is_trial=locked.is_trial,
        received=received,
    )
    locked.submission = upload.submission = submission
    locked.save(update_fields=["submission"])
    return submission


def describe(upload: Upload, document: IO[bytes]) -> None:
    """Keep the description beside its upload.

    Raises:
        SubmissionRefused: it is no PDF, or not as the split asks.
    """
    check_description(upload.split, document, is_trial=upload.is_trial)
    with _document_path(upload).open("wb") as file:
        shutil.copyfileobj(document, file)


def show_description(upload: Upload, *, to_everybody: bool) -> None:
    """Note who may read the description once the entry is published."""
    Upload.objects.filter(pk=upload.pk).update(document_public=to_everybody)


def discard(upload: Upload) -> None:
    """Forget an upload, and its bytes where they are no submission's."""
    with transaction.atomic():
        locked = Upload.objects.select_for_update().filter(pk=upload.pk).first()
        if locked is None:
            return
        is_loose = locked.submission_id is None
        locked.delete()
    path_of(upload).unlink(missing_ok=True)
    _document_path(upload).unlink(missing_ok=True)
    if is_loose:
        default_storage.delete(archive_name(upload))
        default_storage.delete(_document_name(upload))


def discard_expired(now: datetime) -> int:
    """Forget what has expired; return how many uploads that were."""
    expired = list(Upload.objects.filter(expires__lte=now))
    for upload in expired:
        discard(upload)
    return len(expired)


def unfinished(user: Any, now: datetime) -> list[Upload]:
    """The user's uploads that are no submissions yet, newest first."""
    found = Upload.objects.filter(user=user, submission=None, expires__gt=now)
    return list(found.select_related("split", "team", "system"))


def path_of(upload: Upload) -> Path:
    """Where the bytes gather."""
    return Path(settings.PARTIAL_DIR) / str(upload.pk)


def archive_name(upload: Upload) -> str:
    """Name of the archive in the storage, the same at every try."""
    return f"archives/{upload.pk}.zip"


def _target(user: Any, wish: Wish) -> tuple[Split, Team]:
    split = Split.objects.taking_uploads().filter(slug=wish.split).first()
    if split is None:
        raise SubmissionRefused(
            "split-unknown",
            _("No split that takes uploads is called “%(name)s”.") % {"name": wish.split},
            _("Take its name from the submit page."),
        )
    teams = Team.objects.filter(members=user)
    mine = list(teams.filter(slug=wish.team) if wish.team else teams)
    if len(mine) != 1:
        raise _not_yours()
    return split, mine[0]


def _not_yours() -> SubmissionRefused:
    return SubmissionRefused(
        "not-a-member",
        _("You cannot submit for this team."),
        _("Name a team that you belong to."),
    )


def _system_name(wish: Wish) -> str:
    name = wish.system.strip()
    if not name or len(name) > 80:
        raise SubmissionRefused(
            "system-unnamed",
            _("A submission names its system, in at most 80 characters."),
            _("Send the name as “system”."),
        )
    return name


def _demand_room(user: Any, length: int) -> None:
    if not 0 < length <= settings.MAX_ARCHIVE_BYTES:
        raise SubmissionRefused(
            "archive-too-large" if length else "archive-empty",
            _("The file has %(size)s; the limit is %(limit)s.")
            % {
                "size": filesizeformat(length),
                "limit": filesizeformat(settings.MAX_ARCHIVE_BYTES),
            },
            _("Check that it is the right file."),
        )
    if len(unfinished(user, timezone.now())) >= settings.UPLOADS_AT_ONCE:
        raise SubmissionRefused(
            "too-many-uploads",
            _("You have %(limit)s unfinished uploads.") % {"limit": settings.UPLOADS_AT_ONCE},
            _("Go on with one of them, or delete one, on the submit page."),
        )
    if shutil.disk_usage(settings.DATA_DIR).free < length + SPARE:
        raise SubmissionRefused(
            "disk-full",
            _("There is no room for this archive on the server at the moment."),
            and_ask(_("Your archive is not at fault; try again later.")),
        )


def _expiry() -> datetime:
    return timezone.now() + timedelta(days=settings.UPLOAD_KEEP_DAYS)


def _is_stored(upload: Upload) -> bool:
    return default_storage.exists(archive_name(upload))


def _stored(path: Path, name: str) -> str:
    """Move a file into the storage: a rename on the same disk, a copy elsewhere.

    After a crash half way the file is still here, and what lies there is replaced.
    """
    with suppress(FileNotFoundError), path.open("rb") as file, growing_file.locked(file.fileno()):
        # Whoever waited for the lock finds that the file has moved meanwhile.
        if path.exists():
            default_storage.delete(name)
            default_storage.save(name, _Movable(file, path))
            path.unlink(missing_ok=True)
    return name


class _Movable(File):
    """A file that the local storage may take as it is instead of copying it."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        super().__init__(file, name=path.name)
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


def _document_path(upload: Upload) -> Path:
    return path_of(upload).with_suffix(".pdf")


def _document_name(upload: Upload) -> str:
    return f"documents/{upload.pk}.pdf"


def _document(upload: Upload) -> str:
    """Check and store the description; its name, or nothing where none came."""
    path, name = _document_path(upload), _document_name(upload)
    if not path.exists() and default_storage.exists(name):
        return name
    if not path.exists():
        check_description(upload.split, None, is_trial=upload.is_trial)
        return ""
    with path.open("rb") as file:
        check_description(upload.split, file, is_trial=upload.is_trial)
    return _stored(path, name)
