import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from submissions.models.split import Split
from submissions.models.submission import Submission
from submissions.models.team import System, Team


class Upload(models.Model):
    """A resumable upload: what has arrived of an archive, and the submission it becomes.

    ``offset`` is what is safe on disk; the file itself lies in the folder of unfinished uploads,
    under the upload's id.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    split = models.ForeignKey(Split, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, related_name="uploads")
    system = models.ForeignKey(System, models.CASCADE, related_name="+")
    is_trial = models.BooleanField(_("trial"), default=False)
    model_channel = models.PositiveSmallIntegerField(
        _("channel of the model"), null=True, blank=True
    )
    document_public = models.BooleanField(_("description for everybody"), default=False)
    file_name = models.CharField(_("file name"), max_length=255)
    length = models.PositiveBigIntegerField(_("length (bytes)"))
    offset = models.PositiveBigIntegerField(_("received (bytes)"), default=0)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    touched = models.DateTimeField(_("last bytes"), auto_now=True)
    expires = models.DateTimeField(_("expires"))
    submission = models.OneToOneField(
        Submission, models.SET_NULL, null=True, blank=True, related_name="upload"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("upload"), _("uploads")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.file_name}: {self.offset} of {self.length}"
