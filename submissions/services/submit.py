"""Take an archive in: check the limits under a lock, and make it a submission."""

import hashlib
import uuid
from datetime import datetime
from pathlib import PurePath
from typing import IO, Any, NamedTuple

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from submissions import queue
from submissions.models import Event, Split, Submission, System, Team
from submissions.services.description import check_description
from submissions.services.slots import Slots, SubmissionRefused, demand, slots
from submissions.services.systems import free_slug

__all__ = ["Files", "Slots", "SubmissionRefused", "record", "slots", "submit", "system_of"]

CHUNK = 1 << 20


class Files(NamedTuple):
    """What a submission consists of, stored.

    Attributes:
        archive: its name in the storage.
        archive_name: its name on the sender's machine.
        size: bytes, as measured here.
        sha256: as measured here; empty where the check will measure it.
        document: name of the description in the storage; empty without one.
        document_public: whether everybody may read it once the entry is published.
        model_channel: of recordings with several channels, counted from 1; ``None`` if not said.
    """

    archive: str
    archive_name: str
    size: int
    sha256: str = ""
    document: str = ""
    document_public: bool = False
    model_channel: int | None = None


def submit(
    *,
    split: Split,
    team: Team,
    system_name: str,
    user: Any,
    upload: IO[bytes],
    is_trial: bool = False,
    document: IO[bytes] | None = None,
    document_public: bool = False,
    model_channel: int | None = None,
    received: datetime | None = None,
) -> Submission:
    """Store an archive and make it a submission; the check starts after commit.

    The files are stored first and the limits are checked under a lock on the team, so two tabs
    cannot get past them; what is refused is removed again. ``received`` is when the last byte
    came, now unless told: hashing and storing may take minutes, and cost nobody the deadline.

    Raises:
        SubmissionRefused: window or quota do not allow it, or the description is not as asked.
    """
    received = received or timezone.now()
    check_description(split, document, is_trial=is_trial)
    size, sha256 = _measured(upload)
    key = uuid.uuid4()
    stored = Files(
        default_storage.save(f"archives/{key}.zip", File(upload)),
        PurePath(getattr(upload, "name", "") or "submission.zip").name,
        size,
        sha256,
        default_storage.save(f"documents/{key}.pdf", File(document)) if document else "",
        document_public,
        model_channel,
    )
    try:
        return record(
            stored,
            split,
            team,
            system_name.strip(),
            user,
            is_trial=is_trial,
            received=received,
        )
    except SubmissionRefused:
        for name in filter(None, (stored.archive, stored.document)):
            default_storage.delete(name)
        raise


@transaction.atomic
def record(
    files: Files,
    split: Split,
    team: Team,
    system: str | System,
    user: Any,
    *,
    is_trial: bool = False,
    received: datetime,
) -> Submission:
    """Make stored files a submission, if the team may, under a lock on the team.

    Window and quota are asked as they were when the last byte was ``received``.

    Raises:
        SubmissionRefused: window or quota do not allow it.
    """
    team = Team.objects.select_for_update().get(pk=team.pk)
    demand(split, team, received, is_trial=is_trial)
    submission = Submission.objects.create(
        split=split,
        team=team,
        system=system if isinstance(system, System) else system_of(team, system),
        submitted_by=user,
        is_trial=is_trial,
        created=received,
        sign_of_life=timezone.now(),
        **files._asdict(),
    )
    Event.objects.create(
        submission=submission, who=user, role=Event.Role.TEAM, to_state=submission.state
    )
    queue.send("check", str(submission.pk))
    return submission


def system_of(team: Team, name: str) -> System:
    """The system of a team with this name, however it is capitalised; made when it is new."""
    known = team.systems.filter(name__iexact=name).first()
    slug = {"slug": free_slug(team, name)}
    return known or System.objects.get_or_create(team=team, name=name, defaults=slug)[0]


def _measured(upload: IO[bytes]) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    upload.seek(0)
    while chunk := upload.read(CHUNK):
        size += len(chunk)
        digest.update(chunk)
    upload.seek(0)
    return size, digest.hexdigest()
