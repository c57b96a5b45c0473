"""Load what the numbers of scenarios are made from: a board's runs and the items of its split."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from leaderboard.models import Snapshot
from leaderboard.scenarios.numbers import PAGES, Entry, Place, Scenario, scenario
from submissions import components
from submissions.models import Run, Split, Submission
from submissions.queries import finished_runs


def work_out(snapshot: Snapshot) -> dict[str, Scenario]:
    """The numbers of all scenarios on a frozen board."""
    runs = runs_of(snapshot.rows, until=snapshot.created)
    entries = [entry(run, snapshot.mode) for run in runs]
    items = items_of(snapshot.split)
    return {slug: scenario(slug, entries, items) for slug in PAGES}


def runs_of(rows: Sequence[Mapping[str, Any]], until: datetime) -> list[Run]:
    """Runs behind a board's rows, of submissions that are still public."""
    keys = [row["link"] for row in rows if row["origin"] == "scored"]
    public = Submission.objects.filter(
        pk__in=keys, published__isnull=False, is_trial=False, state=Submission.State.SCORED
    )
    found = {str(one.pk): one for one in public.select_related("team", "system", "split")}
    return finished_runs([found[key] for key in keys if key in found], until)


def entry(run: Run, mode: str) -> Entry:
    """One run as the numbers need it."""
    submission = run.submission
    known = components.of_run(run, mode)
    strata = known.strata if known else {}
    return Entry(
        str(submission.pk),
        submission.system.name,
        submission.team.name,
        submission.kind,
        (run.results or {})[mode]["scenarios"],
        known,
        {key: known.values[rows] for key, rows in strata.items()} if known else {},
    )


def items_of(split: Split) -> list[Place]:
    """Items of a split in its order."""
    rows = split.items.order_by("position").values_list(
        "slug", "name", "language", "scenario", "part"
    )
    return [
        Place(slug, name, language, f"{scenario}_{part}" if part else scenario)
        for slug, name, language, scenario, part in rows
    ]
