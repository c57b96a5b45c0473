import uuid
from contextlib import suppress
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.manifest import Manifest
from submissions.models.split import Item, Split
from submissions.models.team import System, Team


class State(models.TextChoices):
    """Where a submission stands; only ``submissions.states.advance`` moves it."""

    UPLOADING = "uploading", _("uploading")
    RECEIVED = "received", _("received")
    CHECKING = "checking", _("being checked")
    REJECTED = "rejected", _("archive refused")
    QUEUED = "queued", _("waiting in the queue")
    SCORING = "scoring", _("being scored")
    SCORED = "scored", _("scored")
    FAILED = "failed", _("failed on our side")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


class Kind(models.TextChoices):
    """What sort of entry it is; decides whether it can hold a rank."""

    PARTICIPANT = "participant", _("participant")
    LATE = "late", _("late")
    BASELINE = "baseline", _("baseline")
    OPEN = "open", _("reference, open model")
    CLOSED = "closed", _("reference, closed model")


class Submission(models.Model):
    """One upload, immutable: its archive, size and hash never change."""

    State = State
    Kind = Kind

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    split = models.ForeignKey(Split, models.PROTECT, related_name="submissions")
    team = models.ForeignKey(Team, models.PROTECT, related_name="submissions")
    system = models.ForeignKey(System, models.PROTECT, related_name="submissions")
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    # When the last byte came, not when it was stored.
    created = models.DateTimeField(_("received"), default=timezone.now, editable=False)
    archive = models.FileField(_("archive"), upload_to="archives/")
    archive_name = models.CharField(_("file name"), max_length=255)
    size = models.PositiveBigIntegerField(_("size (bytes)"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    kind = models.CharField(
        _("kind of entry"), max_length=12, choices=Kind.choices, default=Kind.PARTICIPANT
    )
    is_trial = models.BooleanField(
        _("trial"),
        default=False,
        help_text=_("A private dry run on a few items; costs no quota and is never published."),
    )
    is_chosen = models.BooleanField(_("chosen by its team"), default=False)
    model_channel = models.PositiveSmallIntegerField(
        _("channel of the model"),
        null=True,
        blank=True,
        help_text=_("From 1, where the recordings have several; empty: recordings have one."),
    )
    document = models.FileField(_("system description"), upload_to="documents/", blank=True)
    document_public = models.BooleanField(
        _("description for everybody"),
        default=False,
        help_text=_("Whether everybody may read the description once the entry is published."),
    )
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.RECEIVED, db_index=True
    )
    reason = models.TextField(
        _("reason"), blank=True, help_text=_("Public reason of a disqualification or failure.")
    )
    detail = models.TextField(
        _("detail"), blank=True, help_text=_("What only organisers read beside the reason.")
    )
    check_report = models.JSONField(null=True, blank=True)
    sign_of_life = models.DateTimeField(_("last sign of life"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    published = models.DateTimeField(_("published"), null=True, blank=True)
    board_run = models.OneToOneField(
        "submissions.Run",
        models.RESTRICT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("run on the board"),
        help_text=_("The finished run whose numbers stand for this entry, whatever others do."),
    )
    measured_delay = models.DecimalField(
        _("total delay as the organisers measured it (s)"),
        max_digits=6,
        decimal_places=3,
        null=True,
        blank=True,
    )
    measured_how = models.CharField(
        _("how it was measured"),
        max_length=200,
        blank=True,
        help_text=_("Machine, date and what else a reader has to know."),
    )

    class Meta:
        verbose_name, verbose_name_plural = _("submission"), _("submissions")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.system} ({self.team})"

    @property
    def document_size(self) -> int | None:
        """Bytes of the description; ``None`` where there is none, or it is not to be found."""
        with suppress(FileNotFoundError):
            return self.document.size if self.document else None
        return None

    @property
    def items(self) -> "models.QuerySet[Item]":
        """The items it answers, in their order: all of its split, or the few of a trial."""
        return self.split.trial if self.is_trial else self.split.items.all()

    @property
    def expected(self) -> Manifest:
        """Its items as the scorer knows them."""
        return Manifest(tuple(item.spec for item in self.items))

    @property
    def current_run(self) -> "models.Model | None":
        """The newest finished run, or the one under way when none is finished."""
        finished = self.runs.filter(finished__isnull=False).order_by("-created").first()
        return finished or self.runs.order_by("-created").first()


class Event(models.Model):
    """One move of a submission: who, when, from, to, why. Never changed, never deleted.

    ``role`` is for everybody, ``who`` for the team and the organisers.
    """

    class Role(models.TextChoices):
        SYSTEM = "system", _("the site")
        TEAM = "team", _("the team")
        ORGANISER = "organiser", _("an organiser")

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="events")
    at = models.DateTimeField(_("when"), auto_now_add=True)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    role = models.CharField(_("by"), max_length=10, choices=Role.choices, default=Role.SYSTEM)
    from_state = models.CharField(_("from"), max_length=12, choices=State.choices, blank=True)
    to_state = models.CharField(_("to"), max_length=12, choices=State.choices)
    why = models.TextField(_("why"), blank=True)
    detail = models.TextField(
        _("detail"), blank=True, help_text=_("What only organisers read beside the reason.")
    )

    class Meta:
        verbose_name, verbose_name_plural = _("event"), _("events")
        ordering: ClassVar = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.from_state} → {self.to_state}"
