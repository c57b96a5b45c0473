"""Take an upload in: measure it, check the limits under a lock, and make it a submission."""

import hashlib
import uuid
from datetime import datetime
from pathlib import PurePath
from typing import IO, Any, NamedTuple

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from submissions import queue
from submissions.limits import Allowance, Refusal, allowance
from submissions.models import Event, Split, Submission, System, Team
from submissions.states import FREE

CHUNK = 1 << 20


class SubmissionRefused(Exception):
    """A submission that cannot be taken now.

    Attributes:
        code: stable short name.
        rule: what is allowed, in a sentence.
        cure: what to do, in a sentence.
    """

    def __init__(self, code: str, rule: str, cure: str) -> None:
        super().__init__(f"{rule} {cure}")
        self.code, self.rule, self.cure = code, rule, cure


class Slots(NamedTuple):
    """What a team may still submit to a split, in words for its page."""

    allowed: bool
    left: int | None
    next_opens: datetime | None
    reason: str


def slots(split: Split, team: Team, now: datetime) -> Slots:
    """Return what a team may still submit."""
    allowed = _allowance(split, team, now)
    reason = _words(allowed.refusal)[0] if allowed.refusal else ""
    return Slots(allowed.refusal is None, allowed.left, allowed.next_opens, reason)


def submit(
    *, split: Split, team: Team, system_name: str, user: Any, upload: IO[bytes]
) -> Submission:
    """Store an upload and make it a submission; the check starts after commit.

    The file is stored first and the limits are checked under a lock on the team, so two tabs
    cannot get past them; a refused upload is removed again.

    Raises:
        SubmissionRefused: window or quota do not allow it.
    """
    size, sha256 = _measured(upload)
    archive = default_storage.save(f"archives/{uuid.uuid4()}.zip", File(upload))
    try:
        return _record(
            split=split,
            team=team,
            system_name=system_name.strip(),
            submitted_by=user,
            archive=archive,
            archive_name=PurePath(getattr(upload, "name", "") or "submission.zip").name,
            size=size,
            sha256=sha256,
        )
    except SubmissionRefused:
        default_storage.delete(archive)
        raise


@transaction.atomic
def _record(*, split: Split, team: Team, system_name: str, **fields: Any) -> Submission:
    team = Team.objects.select_for_update().get(pk=team.pk)
    refusal = _allowance(split, team, timezone.now()).refusal
    if refusal is not None:
        raise SubmissionRefused(refusal.value, *_words(refusal))
    submission = Submission.objects.create(
        split=split,
        team=team,
        system=_system(team, system_name),
        sign_of_life=timezone.now(),
        **fields,
    )
    Event.objects.create(
        submission=submission, who=fields["submitted_by"], to_state=submission.state
    )
    queue.send("check", str(submission.pk))
    return submission


def _measured(upload: IO[bytes]) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    upload.seek(0)
    while chunk := upload.read(CHUNK):
        size += len(chunk)
        digest.update(chunk)
    upload.seek(0)
    return size, digest.hexdigest()


def _allowance(split: Split, team: Team, now: datetime) -> Allowance:
    if not split.accepts_uploads:
        return Allowance(Refusal.NO_UPLOADS, 0, None)
    spent = split.submissions.filter(team=team).exclude(state__in=FREE)
    return allowance(
        now,
        list(spent.values_list("created", flat=True)),
        opens=split.opens,
        closes=split.closes,
        total=split.limit_total,
        per_day=split.limit_per_day,
    )


def _system(team: Team, name: str) -> System:
    stem = slugify(f"{team.slug}-{name}")[:40] or "system"
    taken = System.objects.filter(slug=stem).exclude(team=team, name=name).exists()
    slug = f"{stem}-{uuid.uuid4().hex[:6]}" if taken else stem
    return System.objects.get_or_create(team=team, name=name, defaults={"slug": slug})[0]


def _words(refusal: Refusal) -> tuple[str, str]:
    return {
        Refusal.NOT_OPEN: (
            _("The window of this split is not open yet."),
            _("Come back when it opens."),
        ),
        Refusal.CLOSED: (
            _("The window of this split has closed."),
            _("Write to the organisers if your upload was complete before."),
        ),
        Refusal.TOTAL: (
            _("Your team has used all its submissions to this split."),
            _("Withdraw one, or write to the organisers."),
        ),
        Refusal.DAY: (
            _("Your team has used its submissions of the last 24 hours."),
            _("Wait for the next slot; refused and failed attempts do not count."),
        ),
        Refusal.NO_UPLOADS: (
            _("This split takes no uploads."),
            _("Choose another split."),
        ),
    }[refusal]
