"""The shapes of what the API answers; keys are stable and may be added to."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from ninja import Field, Schema

from leaderboard.board.rules import made_by
from scoring.report import readable


class RuleOut(Schema):
    """One rule of a split, in the language that the request asks for."""

    key: str
    sentence: str
    at: datetime | None = Field(description="The moment that it names, if any.")


class SplitOut(Schema):
    """A set of items that systems are scored on, with its window, limits and rules."""

    slug: str
    name: str
    description: str
    benchmark: str
    ranking_mode: str
    accepts_uploads: bool
    needs_approval: bool
    opens: datetime | None
    closes: datetime | None
    limit_total: int | None
    limit_per_day: int | None
    refused_per_day: int
    one_at_a_time: bool
    counting: str
    publication: str
    reveal: datetime | None
    items_public: bool
    is_draft: bool
    is_demo: bool
    trial_items: int
    latency: str = Field(description="Which delay ranks: from recordings, or as measured.")
    contact: str = Field(description="Where its organisers are reached; empty if nobody said.")
    void: list[str] = Field(description="Recordings taken out of the test set; not expected.")
    min_document_pages: int | None
    min_coverage: str = Field(description="Percent of the recordings that a rank needs.")
    rank_baseline: bool
    both_modes: bool
    weights: dict[str, str] = Field(description="What each part counts in the total.")
    l_min: str | None
    l_base: str | None
    items: int = Field(description="How many items it has.")
    rules: list[RuleOut] = Field(description="All of this, and what follows from it, in words.")


class FileOut(Schema):
    """A file that a submission is expected to hold."""

    path: str


class BoardOut(Schema):
    """A frozen board without its rows."""

    number: int = Field(alias="pk")
    split: str = Field(alias="split.slug")
    created: datetime
    cause: str
    mode: str
    entries: int
    l_min: str | None
    l_base: str | None
    rules: dict[str, Any]
    address: str

    @staticmethod
    def resolve_rules(board: Any) -> dict[str, Any]:
        return made_by(board)

    @staticmethod
    def resolve_entries(board: Any) -> int:
        return len(board.rows)

    @staticmethod
    def resolve_l_min(board: Any) -> str | None:
        return board.l_min or None

    @staticmethod
    def resolve_l_base(board: Any) -> str | None:
        return board.l_base or None

    @staticmethod
    def resolve_address(board: Any) -> str:
        return reverse("board", args=[board.pk])


class SystemOut(Schema):
    """A system as its team describes it."""

    slug: str
    name: str
    team: str = Field(alias="team.name")
    description: str
    architecture: str
    parts: str
    weights: str
    licence: str
    paper: str
    code: str
    hardware: str
    external_resources: str


class SubmissionOut(Schema):
    """One upload and where it stands."""

    id: UUID
    split: str = Field(alias="split.slug")
    team: str = Field(alias="team.slug")
    system: str = Field(alias="system.slug")
    kind: str
    state: str
    reason: str
    is_trial: bool
    created: datetime
    published: datetime | None
    page: str

    @staticmethod
    def resolve_page(submission: Any) -> str:
        return reverse("submission", args=[submission.pk])


class ReceiptOut(Schema):
    """What arrived here, measured here; for the team and organisers."""

    archive_name: str
    size: int
    model_channel: int | None = Field(description="From 1; absent where recordings have one.")
    sha256: str | None = Field(description="Absent until it has been measured.")


class ProgressOut(Schema):
    """How far a submission is."""

    items: int
    heard: int
    judged: int
    ahead: int = Field(description="Submissions before it in the queue.")
    next: str = Field(description="What happens next and who must act.")


class SubmissionDetail(Schema):
    """One upload with its progress, and its numbers for those who may see them."""

    submission: SubmissionOut
    progress: ProgressOut
    receipt: ReceiptOut | None
    signature: str | None
    unofficial: list[str]
    results: dict[str, Any] | None = Field(
        description="Per mode, its signature, scenarios and totals as in a score report; null "
        "while hidden. What is absent for want of the judge says so with a key (absent)."
    )


class ItemResultOut(Schema):
    """One item of a submission in both modes."""

    item: str = Field(alias="item.slug")
    name: str = Field(alias="item.name")
    language: str = Field(alias="item.language")
    scenario: str = Field(alias="item.scenario")
    part: str = Field(alias="item.part")
    official: dict[str, Any] | None
    strict: dict[str, Any] | None
    page: str

    @staticmethod
    def resolve_official(row: Any) -> Any:
        return readable(row.official)

    @staticmethod
    def resolve_strict(row: Any) -> Any:
        return readable(row.strict)

    @staticmethod
    def resolve_page(row: Any) -> str:
        submission = row.run.submission
        address = reverse("item", args=[submission.split.slug, row.item.slug])
        return f"{address}?sys={submission.pk}"


class EventOut(Schema):
    """One move of a submission."""

    at: datetime
    role: str = Field(description="Who acted: the team, an organiser, or the site.")
    from_state: str
    to_state: str
    why: str


class SlotsOut(Schema):
    """What a team may still submit."""

    split: str
    team: str
    allowed: bool
    left: int | None
    next_opens: datetime | None
    reason: str


class TeamOut(Schema):
    """A team of the reader."""

    slug: str
    name: str
    role: str
    systems: list[str]


class MeOut(Schema):
    """The reader and the reader's teams."""

    username: str
    teams: list[TeamOut]
