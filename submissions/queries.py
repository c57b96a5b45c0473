"""Typed rows for pages and ranking."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from submissions.models import ReportedResult, Run, Split, Submission


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One published entry of a split, ours or reported; ``None`` is a missing value."""

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


def board_entries(split: Split) -> list[BoardEntry]:
    """All published entries of a split: reported results, then scored submissions."""
    scored = (
        Submission.objects.filter(
            split=split, published__isnull=False, state=Submission.State.SCORED
        )
        .select_related("team", "system")
        .order_by("created")
    )
    entries = [_reported(row) for row in split.reported.all()]
    return entries + [_scored(one, run) for one in scored if (run := finished_run(one))]


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
    )


def _language(totals: dict[str, Any]) -> dict[str, str]:
    return _texts(**{name: totals[name] for name in ("interruption", "rejection", "delay")})


def _number(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _texts(**values: Any) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}
