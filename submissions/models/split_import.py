import uuid
from typing import ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions.models.split import Split


class SplitImport(models.Model):
    """A split in the making: which folder it is read from, how far that is, and how it ended.

    The split itself comes with its last item, so nobody meets half of one. ``fields`` are its
    settings as the organiser wrote them; they stay empty when an existing split gets its items.
    ``manifest`` is as it was when the import began, ``problems`` are files that cannot be used,
    ``attempts`` count since the last item that was done.
    """

    class State(models.TextChoices):
        GOING = "going", _("being read")
        DONE = "done", _("complete")
        FAILED = "failed", _("stopped; nothing was made")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(_("slug of the split"))
    split = models.ForeignKey(
        Split,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="imports",
        verbose_name=_("split"),
    )
    fields = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    folder = models.CharField(_("folder on the server"), max_length=1000)
    manifest = models.TextField()
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("begun by"),
    )
    created = models.DateTimeField(_("begun"), auto_now_add=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.GOING, db_index=True
    )
    total = models.PositiveIntegerField(_("items in all"))
    done = models.PositiveIntegerField(_("items done"), default=0)
    problems = models.JSONField(default=list)
    reason = models.TextField(_("reason"), blank=True)
    finished = models.DateTimeField(_("finished"), null=True, blank=True)
    sign_of_life = models.DateTimeField(_("last sign of life"))
    claimed_by = models.CharField(max_length=120, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name, verbose_name_plural = _("import of a split"), _("imports of splits")
        ordering: ClassVar = ["-created"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["slug"], condition=models.Q(state="going"), name="one_import_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return self.slug


class ImportedItem(models.Model):
    """An item that was heard and waits for the others; ``values`` are the fields it will have."""

    of = models.ForeignKey(SplitImport, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    values = models.JSONField()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["of", "position"], name="one_imported_item_per_place")
        ]

    def __str__(self) -> str:
        return f"{self.of} {self.position}"
