"""Typed rows for pages and ranking."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from scoring.coverage import Coverage, standing
from submissions.counting import choice_ends, one_of_each_team
from submissions.models import Event, ReportedResult, Run, Split, Submission
from submissions.states import LEFT

Counting = Split.Counting
ORGANISER, SELF_REPORTED = "organiser", "self-reported"
NOT_MEASURED = "The organisers have not measured its latency, by which this split ranks."


class Latency(NamedTuple):
    """The total delay of an entry that counts, whose it is, and whether it may rank."""

    delay: Decimal | None
    source: str
    how: str = ""
    may_rank: bool = True


def latency_of(submission: Submission, from_recordings: Decimal | None) -> Latency:
    """Choose the delay that counts, by the rule of the split (decision 38).

    Args:
        submission: the entry, with what the organisers measured of it, if they did.
        from_recordings: total delay as the run has it; ``None`` where it is missing.
    """
    if submission.split.latency == Split.Latency.RECORDINGS:
        return Latency(from_recordings, SELF_REPORTED)
    if submission.measured_delay is None:
        return Latency(from_recordings, SELF_REPORTED, may_rank=False)
    return Latency(submission.measured_delay, ORGANISER, submission.measured_how)


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One published entry of a split, ours or reported; ``None`` is a missing value.

    Attributes:
        system_slug: name of the system in addresses.
        weights: ``open``, ``closed`` or empty where nobody said.
        received: when it was handed in (ISO, UTC); empty for reported rows.
        coverage: how many recordings were expected and came.
        run: the run behind a scored entry.
        latency_source: ``organiser`` where the organisers measured the delay, ``self-reported``
            where it comes from the team's recordings; empty for reported rows (decision 38).
        measured_how: what the organisers say of their measurement.
        source, source_url, published_on: where a reported row was published, and when (ISO).
        invited: whether its team was invited to submit a paper (decision 7).
    """

    team: str
    system: str
    kind: str
    origin: str
    link: str
    interruption: Decimal | None
    rejection: Decimal | None
    delay: Decimal | None
    languages: dict[str, dict[str, str]]
    rankable: bool = True
    published: dict[str, str] | None = None
    architecture: str = ""
    unofficial: tuple[str, ...] = ()
    signature: str = ""
    notes: tuple[Any, ...] = ()
    system_slug: str = ""
    weights: str = ""
    received: str = ""
    coverage: Coverage | None = None
    run: Run | None = None
    latency_source: str = ""
    measured_how: str = ""
    source: str = ""
    source_url: str = ""
    published_on: str = ""
    invited: bool = False


def board_entries(split: Split) -> list[BoardEntry]:
    """All entries on the board of a split: reported results, then scored submissions."""
    entries = [_reported(row) for row in split.reported.all()]
    return entries + [
        _scored(one, one.board_run) for one in counting_submissions(split) if one.board_run
    ]


def counting_submissions(split: Split) -> list[Submission]:
    """The submissions that stand on the board of a split as its rule lets count, oldest first."""
    rows = on_board(split).select_related("team", "system", "split", "board_run")
    found = list(rows.order_by("created"))
    if split.counting == Counting.EVERY:
        return found
    by_choice = split.counting == Counting.CHOSEN
    return one_of_each_team(found, _gone(split), ends=choice_end(split), by_choice=by_choice)


def choice_end(split: Split) -> datetime | None:
    """When teams can no longer choose which entry counts; ``None`` while nothing ends it."""
    is_blind = split.publication == Split.Publication.REVEAL
    return choice_ends(split.closes, split.reveal if is_blind else None)


def scored_or_not(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Note of each whether it ever was scored, whatever happened to it afterwards."""
    scored = Event.objects.filter(submission=OuterRef("pk"), to_state=Submission.State.SCORED)
    finished = Run.objects.filter(submission=OuterRef("pk"), finished__isnull=False)
    return submissions.annotate(was_scored=Exists(scored) | Exists(finished))


def _gone(split: Split) -> list[tuple[Submission, datetime]]:
    """The submissions that were withdrawn or disqualified, and when.

    What had failed on our side before it ever was scored could not have counted.
    """
    moves = Event.objects.filter(submission=OuterRef("pk"), to_state=OuterRef("state"))
    last = moves.order_by("-pk")
    found = scored_or_not(Submission.objects.filter(split=split, is_trial=False, state__in=LEFT))
    dated = found.annotate(
        gone=Subquery(last.values("at")[:1]), was=Subquery(last.values("from_state")[:1])
    )
    could_count = Q(was_scored=True) | ~Q(was=Submission.State.FAILED)
    return [(one, one.gone) for one in dated.filter(could_count, gone__isnull=False)]


def on_board(split: Split) -> QuerySet[Submission]:
    """What may stand on a board: published, not gone, no trial, and with its chosen run.

    What another run of the same entry is doing changes nothing.
    """
    published = split.submissions.filter(
        published__isnull=False, is_trial=False, board_run__isnull=False
    )
    return published.exclude(state__in=LEFT)


def finished_run(submission: Submission) -> Run | None:
    """Return the newest finished run of a submission."""
    return submission.runs.filter(finished__isnull=False).order_by("-created").first()


def _reported(row: ReportedResult) -> BoardEntry:
    return BoardEntry(
        team=row.team,
        system=row.team,
        kind=row.kind,
        origin="reported",
        link=row.slug,
        interruption=row.interruption,
        rejection=row.rejection,
        delay=row.delay,
        languages={
            "cn": _texts(interruption=row.interruption_cn, rejection=row.rejection_cn),
            "en": _texts(interruption=row.interruption_en, rejection=row.rejection_en),
        },
        published=_texts(
            delay_score=row.published_delay_score,
            total=row.published_total,
            rank=row.published_rank,
        ),
        architecture=row.architecture,
        notes=(row.note,) if row.note else (),
        system_slug=row.slug,
        weights=row.kind if row.kind in ("open", "closed") else "",
        source=row.source,
        source_url=row.source_url,
        published_on=row.published_on.isoformat() if row.published_on else "",
        invited=row.invited,
    )


def _scored(submission: Submission, run: Run) -> BoardEntry:
    totals = (run.results or {})[submission.split.ranking_mode]["totals"]
    latency = latency_of(submission, _number(totals["delay_raw"]))
    place = standing(totals, submission.split.min_coverage)
    return BoardEntry(
        team=submission.team.name,
        system=submission.system.name,
        kind=submission.kind,
        origin="scored",
        link=str(submission.pk),
        interruption=_number(totals["interruption_raw"]),
        rejection=_number(totals["rejection_raw"]),
        delay=latency.delay,
        languages={one["language"]: _language(one, latency) for one in totals["languages"]},
        rankable=place.rankable and latency.may_rank,
        published={},
        architecture=submission.system.architecture,
        unofficial=tuple(run.unofficial),
        # Rows differ by what their numbers were made with, whatever the other mode's judge was.
        signature=run.signature_of(submission.split.ranking_mode),
        notes=(*place.reasons, *([] if latency.may_rank else [NOT_MEASURED])),
        system_slug=submission.system.slug,
        weights=submission.system.weights,
        received=submission.created.isoformat(timespec="seconds"),
        coverage=place.coverage,
        run=run,
        latency_source=latency.source,
        measured_how=latency.how,
    )


def _language(totals: dict[str, Any], latency: "Latency") -> dict[str, str]:
    """Numbers of one language; the organisers measure no delay by language."""
    found = {name: totals[name] for name in ("interruption", "rejection", "delay")}
    return _texts(**found | ({"delay": None} if latency.source == ORGANISER else {}))


def _number(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _texts(**values: Any) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}
