"""What a split and a reported result may say: one set of rules for forms, commands and workers.

Conventions: pure over the values of a row and a clock; each problem names its field, the rule and
the cure. ``Model.clean`` asks here, so nothing gets past it that calls ``full_clean``.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from submissions.models import ReportedResult, Split

WEIGHTS = ("weight_interruption", "weight_rejection", "weight_delay")
# Fields where 0 would mean nothing, or the opposite of what somebody wants.
NEVER_ZERO = ("limit_total", "limit_per_day", "min_document_pages")
RATES = tuple(
    f"{name}{language}" for name in ("interruption", "rejection") for language in ("", "_cn", "_en")
)


class Problem(NamedTuple):
    """One value that cannot be, in words for whoever wrote it.

    Attributes:
        field: which one.
        code: stable short name.
        rule: what is allowed.
        cure: what to do.
    """

    field: str
    code: str
    rule: str
    cure: str


def demand(problems: Iterable[Problem]) -> None:
    """Stop where there is a problem.

    Raises:
        ValidationError: with every problem at its field.
    """
    found: dict[str, list[ValidationError]] = {}
    for one in problems:
        error = ValidationError(f"{one.rule} {one.cure}", code=one.code)
        found.setdefault(one.field, []).append(error)
    if found:
        raise ValidationError(found)


def of_split(
    split: "Split", now: datetime, *, is_new: bool, is_shown: bool = False
) -> Iterator[Problem]:
    """What cannot be about a split.

    Args:
        split: with its fields as somebody wrote them.
        now: the server's clock.
        is_new: whether it is made just now; a reveal that was may stay where it is.
        is_shown: whether scores of it are public, which no later reveal takes back.
    """
    yield from _window(split)
    yield from _reveal(split, now, is_new=is_new, is_shown=is_shown)
    yield from _limits(split)
    yield from _scale(split)
    yield from _weights(split)
    if not 0 <= _number(split.min_coverage, default=100) <= 100:
        rule = _("The share of the recordings that a rank needs is from 0 to 100 %.")
        yield Problem("min_coverage", "share-impossible", rule, _("Write 100 for all of them."))


def of_reported(row: "ReportedResult") -> Iterator[Problem]:
    """What cannot be about a row that somebody else published."""
    for field in RATES:
        value = _number(getattr(row, field), default=0)
        if not 0 <= value <= 100:
            rule = _("A rate is from 0 to 100 %%, and this one is %(value)s.") % {"value": value}
            yield Problem(field, "rate-impossible", rule, _("Write it as the source prints it."))
    if _number(row.delay, default=0) < 0:
        rule = _("A total delay is not negative.")
        yield Problem("delay", "delay-negative", rule, _("Leave it empty where there is none."))
    if row.published_rank == 0:
        rule = _("The first rank is 1.")
        yield Problem(
            "published_rank", "rank-impossible", rule, _("Leave it empty where there is none.")
        )


def _window(split: "Split") -> Iterator[Problem]:
    if _is_before(split.closes, split.opens, or_same=True):
        rule = _("The window closes after it opens.")
        yield Problem("closes", "closes-before-opens", rule, _("Move one of the two times."))


def _reveal(split: "Split", now: datetime, *, is_new: bool, is_shown: bool) -> Iterator[Problem]:
    if split.publication != split.Publication.REVEAL:
        return
    if split.reveal is None:
        rule = _("Publication at the reveal time needs a reveal time.")
        cure = _("Enter one, or let the organisers publish by hand.")
        yield Problem("reveal", "reveal-missing", rule, cure)
    elif is_new and _is_before(split.reveal, now):
        rule = _("The reveal of a new split lies ahead.")
        yield Problem("reveal", "reveal-past", rule, _("Enter a time to come; the clock is UTC."))
    elif is_shown and _is_before(now, split.reveal):
        rule = _("Scores of this split are public already; a later reveal hides nothing.")
        cure = _("Leave the reveal where it was, or withdraw the entries first.")
        yield Problem("reveal", "reveal-after-scores", rule, cure)
    if _is_before(split.reveal, split.closes):
        rule = _("Scores are revealed when the window has closed, not before.")
        cure = _("Move the reveal to the closing time or after it.")
        yield Problem("reveal", "reveal-before-close", rule, cure)


def _limits(split: "Split") -> Iterator[Problem]:
    for field in NEVER_ZERO:
        if getattr(split, field) == 0:
            rule = _("A limit of 0 says nothing.")
            cure = _("Leave it empty for no limit. To take no submissions, switch uploads off.")
            yield Problem(field, "limit-zero", rule, cure)
    if split.refused_per_day == 0:
        rule = _("A team needs at least one attempt that may fail: every upload begins as one.")
        yield Problem("refused_per_day", "limit-zero", rule, _("Write 1 or more."))


def _scale(split: "Split") -> Iterator[Problem]:
    for field in ("l_min", "l_base"):
        if _number(getattr(split, field), default=1) <= 0:
            rule = _("A total delay that scores are made from is above 0 s.")
            cure = _("Leave it empty to take it from each board.")
            yield Problem(field, "constant-not-positive", rule, cure)
    if _number(split.l_min, default=0) >= _number(split.l_base, default=float("inf")):
        rule = _("The fastest total delay is below the baseline's.")
        yield Problem("l_min", "constants-reversed", rule, _("Check which is which."))


def _weights(split: "Split") -> Iterator[Problem]:
    weights = [_number(getattr(split, field), default=0) for field in WEIGHTS]
    for field, weight in zip(WEIGHTS, weights, strict=True):
        if weight < 0:
            rule = _("A weight is not negative.")
            yield Problem(field, "weight-negative", rule, _("Write 0 for what shall not count."))
    if sum(weights) != 1:
        rule = _("The three weights sum to 1, and these to %(sum)s.") % {"sum": sum(weights)}
        yield Problem(WEIGHTS[0], "weights-sum", rule, _("Change one of them."))


def _number(value: Any, *, default: float) -> Any:
    """A number; what is absent, or was refused as a field already, is in nobody's way."""
    return value if isinstance(value, Decimal | int | float) else Decimal(default)


def _is_before(one: Any, other: Any, *, or_same: bool = False) -> bool:
    if not (isinstance(one, datetime) and isinstance(other, datetime)):
        return False
    return one <= other if or_same else one < other
