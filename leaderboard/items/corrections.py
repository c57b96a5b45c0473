"""What people said against the judge about one item, as its page tells it.

Everybody who may see the item reads label, reason and date. The name is for the team and the
organisers, as in the log; the public learns that it was an organiser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from leaderboard.items.answers import Answer, Found
from submissions.forms.correction import CorrectionForm
from submissions.models import Correction, Item
from submissions.permissions import can_correct, is_inside
from submissions.services.correct import obstacle


@dataclass(frozen=True, slots=True)
class Entry:
    """One word; ``label`` is empty where it took the one before back.

    Attributes:
        who: a name for those inside, empty for the public.
        effect: what it does to the numbers; empty for one that was replaced.
        counts: whether it is in the numbers that the reader sees.
    """

    label: str
    reason: str
    who: str
    at: datetime
    effect: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """All words about one answer, newest first, and the form for those who may add to them."""

    entries: tuple[Entry, ...] = ()
    form: CorrectionForm | None = None

    @property
    def counts(self) -> str:
        """The label that people gave, where it is in the numbers that the reader sees."""
        return next((one.label for one in self.entries if one.counts), "")


NOTHING = Heard()


def heard(user: Any, found: Found) -> dict[UUID, Heard]:
    """Everything that was said about the answers to an item, by submission; one query."""
    runs = [answer.run for answer in found.answers if answer.run]
    taken = Correction.runs.through.objects.filter(correction=OuterRef("pk"), run__in=runs)
    words = Correction.objects.filter(
        item=found.item, submission__in=[answer.submission for answer in found.answers]
    ).select_related("by")
    by_submission: dict[UUID, list[Any]] = {}
    for word in words.annotate(taken=Exists(taken)):
        by_submission.setdefault(word.submission_id, []).append(word)
    return {
        answer.submission.pk: _heard(
            user, found.item, answer, by_submission.get(answer.submission.pk, [])
        )
        for answer in found.answers
    }


def _heard(user: Any, item: Item, answer: Answer, words: Sequence[Any]) -> Heard:
    names = is_inside(user, answer.submission)
    counted = any(word.taken for word in words)
    entries = tuple(
        Entry(
            word.get_label_display(),
            word.reason,
            word.by.get_username() if names else "",
            word.at,
            _effect(word, counted=counted, is_last=word is words[0]),
            word.taken,
        )
        for word in words
    )
    return Heard(entries, _form(user, item, answer, stands=bool(words and words[0].label)))


def _effect(word: Any, *, counted: bool, is_last: bool) -> str:
    if word.taken and is_last:
        return _("counts in these numbers")
    if word.taken:
        return _("counts in these numbers until the next scoring")
    if not is_last:
        return ""
    if word.label:
        return _("counts from the next scoring on")
    return _("the judge's label counts from the next scoring on") if counted else ""


def _form(user: Any, item: Item, answer: Answer, *, stands: bool) -> CorrectionForm | None:
    submission = answer.submission
    submission.split = item.split
    if not can_correct(user, submission) or obstacle(submission, item, answer.row):
        return None
    return CorrectionForm(stands=stands, auto_id=f"correct{answer.mark}-%s")


def of(found: Mapping[UUID, Heard], answer: Answer) -> Heard:
    """What was said about one answer."""
    return found.get(answer.submission.pk, NOTHING)
