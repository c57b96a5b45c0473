from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0008_last_byte"),
    ]

    operations = [
        migrations.AddField(
            model_name="split",
            name="void",
            field=models.JSONField(
                blank=True,
                default=list,
                editable=False,
                help_text="Taken out of the test set by its organisers: not expected, not scored.",
                verbose_name="void recordings",
            ),
        ),
        migrations.AlterField(
            model_name="split",
            name="position",
            field=models.PositiveSmallIntegerField(
                blank=True,
                default=None,
                help_text="Empty: after the last split.",
                verbose_name="position",
            ),
        ),
    ]
