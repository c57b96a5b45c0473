from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0001_initial"),
    ]

    operations = [
        # Several systems may hold the fastest delay together.
        migrations.AlterField(
            model_name="snapshot",
            name="l_min_holder",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="snapshot",
            name="draws",
            field=models.PositiveIntegerField(default=0, verbose_name="draws of the bootstrap"),
        ),
        migrations.AddField(
            model_name="snapshot",
            name="seed",
            field=models.BigIntegerField(default=0, verbose_name="seed of the bootstrap"),
        ),
        migrations.AddField(
            model_name="snapshot",
            name="moved",
            field=models.JSONField(blank=True, default=dict, verbose_name="what moved"),
        ),
    ]
