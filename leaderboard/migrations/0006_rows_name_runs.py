"""Let the rows of stored boards name their runs, and their causes no person."""

from django.db import migrations

NUMBERS = ("interruption", "rejection", "delay")


def name_runs(apps, schema_editor):
    """A row is of the newest run that the board could know; with its numbers, where one has."""
    Snapshot = apps.get_model("leaderboard", "Snapshot")
    Submission = apps.get_model("submissions", "Submission")
    known = _runs(apps)
    for board in Snapshot.objects.order_by("pk").iterator():
        for row in board.rows:
            if row["origin"] == "scored":
                row["run"] = _behind(known.get(row["link"], []), row, board)
        if board.cause.startswith("frozen by "):
            board.cause = "frozen by an organiser"
        board.save(update_fields=["rows", "cause"])
    for split in Snapshot.objects.values_list("split", flat=True).distinct():
        newest = Snapshot.objects.filter(split=split).order_by("-pk").first()
        for row in newest.rows:
            if row.get("run"):
                Submission.objects.filter(pk=row["link"]).update(board_run=row["run"])


def _runs(apps):
    """Finished runs by submission, newest first."""
    Run = apps.get_model("submissions", "Run")
    found = {}
    finished = Run.objects.filter(finished__isnull=False).defer("components")
    for run in finished.order_by("-created", "-pk"):
        found.setdefault(str(run.submission_id), []).append(run)
    return found


def _behind(runs, row, board):
    there = [run for run in runs if run.finished <= board.created] or runs
    same = (run.pk for run in there if _made(run, row, board.mode))
    return next(same, there[0].pk if there else None)


def _made(run, row, mode):
    totals = (run.results or {}).get(mode, {}).get("totals", {})
    return all(row[name] == (totals.get(name) or "") for name in NUMBERS)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0005_contest"), ("submissions", "0007_board_run")]

    operations = [migrations.RunPython(name_runs, migrations.RunPython.noop)]
