from typing import ClassVar

from django.db import models


class Remembered(models.Model):
    """Work remembered by content: what an engine said of a recording or a message."""

    engine = models.CharField(max_length=400)
    key = models.CharField(max_length=64)
    value = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["engine", "key"], name="one_answer_per_engine_and_key")
        ]

    def __str__(self) -> str:
        return f"{self.engine} {self.key[:12]}"
