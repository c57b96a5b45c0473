from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0009_void"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="waiting",
            field=models.JSONField(
                blank=True,
                help_text="What keeps the judge, since when, and when it is asked again.",
                null=True,
                verbose_name="waiting for the judge",
            ),
        ),
        migrations.AlterField(
            model_name="run",
            name="judges",
            field=models.JSONField(
                default=dict,
                help_text="Per mode, what came back of the judge where it differs from what was asked.",
                verbose_name="judges",
            ),
        ),
    ]
