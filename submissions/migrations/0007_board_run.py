"""Give every scored submission the run that stands for it, and every event its role."""

from django.db import migrations


def stand(apps, schema_editor):
    """The newest finished run stands; boards correct this where they show an older one."""
    Submission = apps.get_model("submissions", "Submission")
    Run = apps.get_model("submissions", "Run")
    newest = dict(
        Run.objects.filter(finished__isnull=False)
        .order_by("created", "pk")
        .values_list("submission_id", "pk")
    )
    for key, run in newest.items():
        Submission.objects.filter(pk=key).update(board_run=run)


def name_roles(apps, schema_editor):
    """Whoever acted and belongs to the team acted for it; anybody else was an organiser."""
    Event = apps.get_model("submissions", "Event")
    Membership = apps.get_model("submissions", "Membership")
    acted = Event.objects.filter(who__isnull=False)
    acted.update(role="organiser")
    for team, user in Membership.objects.values_list("team_id", "user_id"):
        acted.filter(submission__team_id=team, who_id=user).update(role="team")


class Migration(migrations.Migration):
    dependencies = [("submissions", "0006_contest")]

    operations = [
        migrations.RunPython(stand, migrations.RunPython.noop),
        migrations.RunPython(name_roles, migrations.RunPython.noop),
    ]
