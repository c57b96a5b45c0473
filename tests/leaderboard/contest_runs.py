"""Finished runs of the contest's machine: as a scoring stores them, with totals of their own."""

import copy

from django.utils import timezone

from submissions.models import Run, Submission
from tests.leaderboard import stage
from tests.leaderboard.contest import Scoring

# Interruption totals in a mixed order, no two alike.
MIXED = [20 + 37 * number % 71 for number in range(71)]
# What a complete and an incomplete scoring stores.
TEMPLATES: dict = {}


def keep_templates():
    """Score once with every recording and once with one missing, and keep what was stored."""
    split = stage.make_split("template")
    made = stage.make_submission(split, stage.make_team("template"))
    missing = {split.items.first().slug}
    for complete in (True, False):
        run = stage.score(made, missing=() if complete else missing, publish=False)
        TEMPLATES[complete] = run.results
    Submission.objects.update(board_run=None)
    split.submissions.all().delete()
    split.delete()


def run_of(submission, number, *, complete):
    """Make the finished run of this number; its delay is told from that of every other one."""
    results = copy.deepcopy(TEMPLATES[complete])
    interruption, delay = MIXED[number], f"7.{number:03}"
    for mode in results.values():
        _put(mode["totals"], {"interruption": str(interruption), "delay": delay})
    run = Run.objects.create(
        submission=submission,
        signature=stage.SIGNATURE,
        finished=timezone.now(),
        results=results,
    )
    return Scoring(run.pk, interruption, delay, complete)


def _put(totals, values):
    for name, value in values.items():
        totals[name] = totals[f"{name}_raw"] = value
        for language in totals["languages"]:
            language[name] = value
