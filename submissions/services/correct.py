"""Correct the judge's label of an item, or take a correction back; nothing is overwritten.

A correction enters no number by itself: a run takes those that stand when it starts, so the next
scoring counts them, beside the judge's label that it keeps.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from scoring import corrections, pipeline
from scoring.corrections import Corrections
from scoring.evidence import evidence_from_json, verdicts_from_json
from scoring.humdial import is_judged
from submissions.models import Correction, Item, ItemResult, Run, Submission
from submissions.queries import finished_run
from submissions.services.refused import Refused
from submissions.states import LEFT, Role, note


class CorrectionRefused(Refused):
    """A correction that makes no sense."""


@transaction.atomic
def correct(submission: Submission, item: Item, *, label: str, reason: str, by: Any) -> Correction:
    """Say what a person reads in an item; without a label, take the last word back.

    Raises:
        CorrectionRefused: there is no judged answer to read, or it would change nothing.
    """
    submission = Submission.objects.select_for_update().get(pk=submission.pk)
    run = finished_run(submission)
    row = run.items.filter(item=item).first() if run else None
    if refusal := obstacle(submission, item, row) or _no_news(submission, item, row, label):
        raise refusal
    # The log is public once the entry is; labels of single items are not always.
    why = "A label was corrected." if label else "A correction was taken back."
    note(submission, why, who=by, role=Role.ORGANISER)
    return submission.corrections.create(item=item, label=label, reason=reason, by=by)


def obstacle(
    submission: Submission, item: Item, row: ItemResult | None
) -> CorrectionRefused | None:
    """Say why nobody can correct this answer; ``row`` is its newest result."""
    if submission.state in LEFT:
        return CorrectionRefused(
            "correction-without-numbers",
            _("A submission that was withdrawn or disqualified has no numbers to correct."),
            _("Leave it as it is."),
        )
    if not is_judged(item.spec):
        return CorrectionRefused(
            "correction-not-judged",
            _("This scenario is decided by timing; no label counts in it."),
            _("If a time is wrong, its annotation has to be mended."),
        )
    evidence = evidence_from_json(row.evidence) if row and row.evidence else None
    if evidence is None or pipeline.exchange(item.reference, evidence) is None:
        return CorrectionRefused(
            "correction-nothing-judged",
            _("Nothing was judged in this item: an answer or its words are missing."),
            _("A correction cannot stand for a recording that was not handed in."),
        )
    return None


def standing(submission: Submission) -> list[Correction]:
    """The last word about each item that has one, in the order of the items."""
    words = submission.corrections.select_related("item").order_by("id")
    last = {one.item_id: one for one in words}
    return sorted((one for one in last.values() if one.label), key=lambda one: one.item.position)


def waiting(run: Run) -> list[Correction]:
    """The last words about items whose numbers in a run say otherwise; one query."""
    taken = Correction.runs.through.objects.filter(correction=OuterRef("pk"), run=run)
    words = run.submission.corrections.select_related("item").annotate(taken=Exists(taken))
    last, counted = {}, set()
    for one in words.order_by("id"):
        last[one.item_id] = one
        if one.taken:
            counted.add(one.item_id)
    found = (one for one in last.values() if not one.taken)
    return [one for one in found if one.label or one.item_id in counted]


def of(run: Run) -> Corrections:
    """Those that a run took when it started."""
    return given(run.corrections.select_related("item"))


def given(found: Iterable[Correction]) -> Corrections:
    """The same as the scorer knows them."""
    return corrections.collect(
        (one.item.spec, corrections.Correction(one.label, one.reason)) for one in found
    )


def _no_news(
    submission: Submission, item: Item, row: ItemResult | None, label: str
) -> CorrectionRefused | None:
    """Say why a word would change nothing; a correction that only agrees is none."""
    last = submission.corrections.filter(item=item).first()
    stands = last.label if last else ""
    if label == stands:
        return CorrectionRefused(
            "correction-stands",
            _("This correction stands already.") if label else _("There is no correction here."),
            _("Reload the item's page."),
        )
    verdicts = verdicts_from_json(row.evidence or {}).values() if row else ()
    if label and verdicts and all(verdict.labels == (label,) for verdict in verdicts):
        return CorrectionRefused(
            "correction-agrees",
            _("The judge has given this label itself."),
            _("Take the correction back, and its label counts again.")
            if stands
            else _("Nothing has to be done."),
        )
    return None
