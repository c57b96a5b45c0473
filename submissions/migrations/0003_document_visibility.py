import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0002_participants"),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="document_public",
            field=models.BooleanField(
                default=False,
                help_text="Whether everybody may read the description once the entry is published.",
                verbose_name="description for everybody",
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="document_public",
            field=models.BooleanField(default=False, verbose_name="description for everybody"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("name"),
                name="one_team_per_name_in_any_case",
            ),
        ),
    ]
