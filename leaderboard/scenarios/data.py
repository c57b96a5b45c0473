"""Load what the numbers of scenarios are made from: a board's runs and the items of its split."""

from collections.abc import Mapping, Sequence
from typing import Any

from leaderboard.boards import run_numbers
from leaderboard.models import Snapshot
from leaderboard.scenarios.numbers import PAGES, Entry, Place, Scenario, scenario
from submissions import components
from submissions.models import Run, Split
from submissions.states import LEFT


def work_out(snapshot: Snapshot) -> dict[str, Scenario]:
    """The numbers of all scenarios on a frozen board."""
    runs = runs_of(snapshot.rows)
    entries = [entry(run, snapshot.mode) for run in runs]
    items = items_of(snapshot.split)
    return {slug: scenario(slug, entries, items) for slug in PAGES}


def runs_of(rows: Sequence[Mapping[str, Any]]) -> list[Run]:
    """Runs behind a board's rows in their order, of submissions that are still public."""
    numbers = list(run_numbers(rows).values())
    public = Run.objects.filter(pk__in=numbers).exclude(submission__state__in=LEFT)
    related = ("submission__team", "submission__system", "submission__split")
    found = {run.pk: run for run in public.select_related(*related)}
    return [found[number] for number in numbers if number in found]


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
