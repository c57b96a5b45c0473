from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import scoring.manifest
from scoring.dialogue import Annotation, Segment, Transcript
from scoring.evidence import Reference
from scoring.manifest import Manifest
from scoring.ranking import HUMDIAL_2025_12
from submissions import validation


def _weight(label: Any, default: str) -> models.DecimalField:
    return models.DecimalField(
        label, max_digits=4, decimal_places=3, default=Decimal(default), help_text=_("Sum: 1.")
    )


def after_the_last() -> int:
    """The position of a new split: behind all others, so that it takes nobody's place."""
    last: int | None = Split.objects.aggregate(last=models.Max("position"))["last"]
    return 0 if last is None else last + 1


class SplitQuerySet(models.QuerySet["Split"]):
    """Splits by who may know of them; every page, export and mail asks here."""

    def public(self) -> Self:
        """Those that everybody may know of: no drafts, and none that has nothing to show yet."""
        own = Split.objects.filter(pk=OuterRef("pk"))
        items, reported = own.filter(items__isnull=False), own.filter(reported__isnull=False)
        return self.filter(Exists(items) | Exists(reported), is_draft=False)

    def visible_to(self, user: Any) -> Self:
        """The public ones, and what the user organises; staff organise every split."""
        if user.is_staff:
            return self
        if not user.is_authenticated:
            return self.public()
        own = user.organised_splits.values("pk")
        return self.filter(Q(pk__in=self.public().values("pk")) | Q(pk__in=own))

    def taking_uploads(self) -> Self:
        """Those that submissions can be made to."""
        return self.public().filter(accepts_uploads=True)


class Split(models.Model):
    """A set of items that systems are scored on, with its window, limits and rules."""

    class Mode(models.TextChoices):
        OFFICIAL = "official", _("official")
        STRICT = "strict", _("strict")

    class Publication(models.TextChoices):
        AUTOMATIC = "automatic", _("as soon as it is scored")
        BY_HAND = "by-hand", _("by the organiser")
        REVEAL = "reveal", _("at the reveal time")

    class Counting(models.TextChoices):
        EVERY = "every", _("every published submission")
        NEWEST = "newest", _("the newest of each team")
        CHOSEN = "chosen", _("the one that the team chooses, else its newest")

    class Latency(models.TextChoices):
        RECORDINGS = "recordings", _("from the recordings that teams hand in")
        MEASURED = "measured", _("as the organisers measured it on their own machine")

    slug = models.SlugField(unique=True)
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), blank=True)
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="organised_splits",
        blank=True,
        verbose_name=_("organisers"),
        help_text=_("People who run this split; staff run every split."),
    )
    benchmark = models.CharField(_("benchmark"), max_length=40, default="humdial-fdbench")
    ranking_mode = models.CharField(
        _("ranking mode"),
        max_length=10,
        choices=Mode.choices,
        default=Mode.OFFICIAL,
        help_text=_("Runs store both modes; this one ranks."),
    )
    l_min = models.DecimalField(
        _("fastest total delay (s)"),
        max_digits=7,
        decimal_places=3,
        null=True,
        blank=True,
        default=HUMDIAL_2025_12.l_min,
        help_text=_("Empty: the fastest ranked system of each board."),
    )
    l_base = models.DecimalField(
        _("baseline's total delay (s)"),
        max_digits=7,
        decimal_places=3,
        null=True,
        blank=True,
        default=HUMDIAL_2025_12.l_base,
        help_text=_("Empty: the baseline entry of each board."),
    )
    reference_name = models.CharField(
        _("name of these constants"), max_length=40, blank=True, default=HUMDIAL_2025_12.name
    )
    weight_interruption = _weight(_("weight of interruption"), "0.4")
    weight_rejection = _weight(_("weight of rejection"), "0.4")
    weight_delay = _weight(_("weight of the delay score"), "0.2")
    rank_baseline = models.BooleanField(
        _("the baseline holds a rank"),
        default=True,
        help_text=_("Otherwise it stands on the board in its order, without a rank."),
    )
    latency = models.CharField(
        _("which latency ranks"),
        max_length=12,
        choices=Latency.choices,
        default=Latency.RECORDINGS,
    )
    min_coverage = models.DecimalField(
        _("share of the recordings that a rank needs (%)"),
        max_digits=4,
        decimal_places=1,
        default=100,
        help_text=_("Of the expected recordings, test and clean each. Silence is an answer."),
    )
    both_modes = models.BooleanField(
        _("the other mode too"),
        default=True,
        help_text=_("Whether runs are also scored in the mode that does not rank."),
    )
    opens = models.DateTimeField(_("opens"), null=True, blank=True)
    closes = models.DateTimeField(_("closes"), null=True, blank=True)
    limit_total = models.PositiveIntegerField(
        _("submissions per team"), null=True, blank=True, help_text=_("Empty: no limit.")
    )
    limit_per_day = models.PositiveIntegerField(
        _("submissions per team in 24 hours"), null=True, blank=True, default=3
    )
    refused_per_day = models.PositiveIntegerField(
        _("refused archives per team in 24 hours"),
        default=20,
        help_text=_("A refused archive costs no slot, but checking is not free."),
    )
    one_at_a_time = models.BooleanField(
        _("one at a time"),
        default=False,
        help_text=_("A team waits until its last submission is scored."),
    )
    counting = models.CharField(
        _("which submissions count"),
        max_length=10,
        choices=Counting.choices,
        default=Counting.EVERY,
    )
    needs_approval = models.BooleanField(
        _("needs approval"), default=False, help_text=_("Teams ask before their first upload.")
    )
    min_document_pages = models.PositiveSmallIntegerField(
        _("pages of the system description"),
        null=True,
        blank=True,
        help_text=_("Empty: no description is asked for."),
    )
    trial_items = models.PositiveSmallIntegerField(
        _("trial items"),
        default=2,
        help_text=_("Per scenario and language; 0: no trials."),
    )
    publication = models.CharField(
        _("publication"),
        max_length=12,
        choices=Publication.choices,
        default=Publication.AUTOMATIC,
    )
    reveal = models.DateTimeField(_("reveal time"), null=True, blank=True)
    items_public = models.BooleanField(
        _("items are public"),
        default=False,
        help_text=_("Whether everybody may see and hear single items."),
    )
    accepts_uploads = models.BooleanField(_("accepts uploads"), default=True)
    is_draft = models.BooleanField(
        _("draft"),
        default=False,
        help_text=_("Only its organisers see a draft; nobody can submit to it."),
    )
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        help_text=_("E-mail or address of a page, shown wherever teams are told to write to you."),
    )
    void = models.JSONField(
        _("void recordings"),
        default=list,
        blank=True,
        editable=False,
        help_text=_("Taken out of the test set by its organisers: not expected, not scored."),
    )
    is_demo = models.BooleanField(_("demonstration"), default=False)
    position = models.PositiveSmallIntegerField(
        _("position"), blank=True, default=None, help_text=_("Empty: after the last split.")
    )
    created = models.DateTimeField(auto_now_add=True)

    objects = SplitQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("split"), _("splits")
        ordering: ClassVar = ["position", "slug"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Save; a new split without a position goes last."""
        if self.position is None:
            self.position = after_the_last()
        super().save(*args, **options)

    def clean(self) -> None:
        """Refuse settings that cannot be, each at its field."""
        is_new = self._state.adding
        is_shown = not is_new and self.submissions.filter(published__isnull=False).exists()
        found = validation.of_split(self, timezone.now(), is_new=is_new, is_shown=is_shown)
        validation.demand(found)

    @property
    def manifest(self) -> Manifest:
        """The expected items as the scorer knows them."""
        return Manifest(tuple(item.spec for item in self.items.all()))

    @property
    def trial(self) -> "models.QuerySet[Item]":
        """The items of a trial: the first few of each language, scenario and part."""
        kind = [F("language"), F("scenario"), F("part")]
        place = Window(RowNumber(), partition_by=kind, order_by="position")
        return self.items.annotate(place=place).filter(place__lte=self.trial_items)

    @property
    def frozen_reference(self) -> tuple[Decimal | None, Decimal | None]:
        """The delay score's two constants, ``None`` where each board finds its own."""
        return self.l_min, self.l_base


class Item(models.Model):
    """One user recording of a split, with everything worked out once about it."""

    split = models.ForeignKey(Split, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    slug = models.CharField(max_length=80)
    name = models.CharField(_("dialogue"), max_length=40)
    language = models.CharField(_("language"), max_length=2)
    scenario = models.CharField(_("scenario"), max_length=30)
    part = models.CharField(_("part"), max_length=10, blank=True)
    folder = models.CharField(_("folder"), max_length=60, blank=True)
    test_id = models.CharField(max_length=40, blank=True)
    clean_id = models.CharField(max_length=40, blank=True)
    annotation = models.JSONField()
    duration = models.FloatField(_("duration (s)"))
    speech = models.JSONField(help_text=_("Voice activity of the user, unmerged."))
    noisy_words = models.JSONField(
        null=True, blank=True, help_text=_("The user's words with the event, for the judge.")
    )
    clean_words = models.JSONField(
        null=True, blank=True, help_text=_("The user's words without the event, for the judge.")
    )
    recording = models.FileField(upload_to="items/", blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("item"), _("items")
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["split", "slug"], name="one_item_per_slug"),
            models.UniqueConstraint(
                fields=["split", "language", "scenario", "part", "name"], name="one_item_per_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"

    @property
    def spec(self) -> scoring.manifest.Item:
        """The item as the scorer knows it."""
        return scoring.manifest.Item(
            self.name,
            self.language,
            self.scenario,
            self.part,
            self.folder,
            self.test_id,
            self.clean_id,
        )

    @property
    def reference(self) -> Reference:
        """The user side as the scorer knows it."""
        return Reference(
            self.spec,
            Annotation.from_json(self.annotation),
            self.duration,
            speech=tuple(Segment(*pair) for pair in self.speech),
            noisy=_transcript(self.noisy_words),
            clean=_transcript(self.clean_words),
        )


def _transcript(value: Any) -> Transcript | None:
    return None if value is None else Transcript.from_json(value)
