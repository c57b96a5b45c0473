import django.core.serializers.json
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0004_correction"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SplitImport",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("slug", models.SlugField(verbose_name="slug of the split")),
                (
                    "fields",
                    models.JSONField(
                        default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder
                    ),
                ),
                ("folder", models.CharField(max_length=1000, verbose_name="folder on the server")),
                ("manifest", models.TextField()),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="begun")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("going", "being read"),
                            ("done", "complete"),
                            ("failed", "stopped; nothing was made"),
                        ],
                        db_index=True,
                        default="going",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("total", models.PositiveIntegerField(verbose_name="items in all")),
                ("done", models.PositiveIntegerField(default=0, verbose_name="items done")),
                ("problems", models.JSONField(default=list)),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                ("finished", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                ("sign_of_life", models.DateTimeField(verbose_name="last sign of life")),
                ("claimed_by", models.CharField(blank=True, max_length=120)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "split",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="submissions.split",
                        verbose_name="split",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="begun by",
                    ),
                ),
            ],
            options={
                "verbose_name": "import of a split",
                "verbose_name_plural": "imports of splits",
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="ImportedItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("values", models.JSONField()),
                (
                    "of",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="submissions.splitimport",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddConstraint(
            model_name="splitimport",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "going")),
                fields=("slug",),
                name="one_import_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="importeditem",
            constraint=models.UniqueConstraint(
                fields=("of", "position"), name="one_imported_item_per_place"
            ),
        ),
    ]
