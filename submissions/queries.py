"""Typed rows for pages and ranking."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet

from submissions.models import ReportedResult, Run, Split, Submission
from submissions.states import LEFT

Counting = Split.Counting


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One published entry of a split, ours or reported; ``None`` is a missing value.

    Attributes:
        system_slug: name of the system in addresses.
        weights: ``open``, ``closed`` or empty where nobody said.
        received: when it was handed in (ISO, UTC); empty for reported rows.
        coverage: how many items were expected and received.
        run: the run behind a scored entry.
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
    )


def _scored(submission: Submission, run: Run) -> BoardEntry:
    totals = (run.results or {})[submission.split.ranking_mode]["totals"]
    return BoardEntry(
        team=submission.team.name,
        system=submission.system.name,
        kind=submission.kind,
        origin="scored",
        link=str(submission.pk),
        interruption=_number(totals["interruption_raw"]),
        rejection=_number(totals["rejection_raw"]),
        delay=_number(totals["delay_raw"]),
        languages={one["language"]: _language(one) for one in totals["languages"]},
        rankable=totals["rankable"],
        published={},
        architecture=submission.system.architecture,
        unofficial=tuple(run.unofficial),
        signature=run.full_signature,
        notes=tuple(totals["reasons"]),
        system_slug=submission.system.slug,
        weights=submission.system.weights,
        received=submission.created.isoformat(timespec="seconds"),
        coverage=(totals["expected"], totals["received"]),
        run=run,
    )


def _language(totals: dict[str, Any]) -> dict[str, str]:
    return _texts(**{name: totals[name] for name in ("interruption", "rejection", "delay")})


def _number(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _texts(**values: Any) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}
