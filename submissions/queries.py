"""Typed rows for pages and ranking."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import QuerySet

from submissions.models import ReportedResult, Run, Split, Submission
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
        coverage: how many items were expected and received.
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
    notes: tuple[str, ...] = ()
    system_slug: str = ""
    weights: str = ""
    received: str = ""
    coverage: tuple[int, int] | None = None
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
    chosen = {one.team_id: one for one in found}
    if split.counting == Counting.CHOSEN:
        chosen |= {one.team_id: one for one in found if one.is_chosen}
    return [one for one in found if chosen[one.team_id] is one]


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
        rankable=totals["rankable"] and latency.may_rank,
        published={},
        architecture=submission.system.architecture,
        unofficial=tuple(run.unofficial),
        signature=run.full_signature,
        notes=(*totals["reasons"], *([] if latency.may_rank else [NOT_MEASURED])),
        system_slug=submission.system.slug,
        weights=submission.system.weights,
        received=submission.created.isoformat(timespec="seconds"),
        coverage=(totals["expected"], totals["received"]),
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
