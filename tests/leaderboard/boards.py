"""Boards of made-up systems with enough items for intervals."""

from django.utils import timezone

from scoring import report
from scoring.evidence import MODES
from scoring.humdial import BENCHMARK
from scoring.humdial.totals import score_scenarios, total
from submissions.components import of_rows
from submissions.models import Run, Submission, System, Team
from tests import builders
from tests.leaderboard.stage import SIGNATURE
from tests.scoring.systems import items
from tests.submissions.split_of import add_item


def enter(split, name, found=None, *, kind="participant", stored=True, signature=SIGNATURE, **made):
    """Publish an entry of a new team whose item results are ``found``, or made up.

    The split gets an item if it has none: without any nobody would see it.
    """
    if not split.items.exists():
        add_item(split, builders.item("pause_handling", "cn"))
    results = items(**made) if found is None else found
    slug = name.lower().replace(" ", "-")
    team = Team.objects.create(name=f"Team {name}", slug=f"team-{slug}")
    system = System.objects.create(
        team=team, name=name, slug=slug, architecture="cascade", weights="open"
    )
    submission = Submission.objects.create(
        split=split, team=team, system=system, kind=kind, archive_name="a.zip", size=1,
        sha256="0" * 64, state=Submission.State.SCORED, published=timezone.now(),
        check_report={"acceptable": True, "findings": [], "members": {}},
    )  # fmt: skip
    submission.board_run = Run.objects.create(
        submission=submission,
        signature=signature,
        unofficial=["offline"],
        finished=timezone.now(),
        results={mode: _results(results, mode) for mode in MODES},
        components=of_rows(_rows(results)) if stored else None,
    )
    submission.save()
    return submission


def _rows(results):
    return [dict.fromkeys(MODES, report.item_to_json(one)) for one in results]


def _results(results, mode):
    scenarios = score_scenarios(results, mode=mode)
    return {
        "scenarios": [report.scenario_to_json(one) for one in scenarios],
        "totals": report.totals_to_json(total(scenarios, mode=mode)),
    }


def columns():
    """Names of a board's columns."""
    return [one.name for one in BENCHMARK.columns]
