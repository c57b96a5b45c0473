from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.errors import ScoringError
from scoring.manifest import Manifest
from submissions.services.engines import tools
from submissions.services.import_split import import_split
from submissions.services.refused import Refused


class Command(BaseCommand):
    help = "Create a split from a folder of user recordings, annotations and a manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="short name of the new split, used in addresses")
        parser.add_argument("reference", type=Path, help="folder with {language}/{folder}/X.wav …")
        parser.add_argument("manifest", type=Path, help="CSV file of the expected items")
        parser.add_argument("--name", default="", help="name shown on pages")
        parser.add_argument(
            "--items-public", action="store_true", help="show and play single items"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = Manifest.from_csv(options["manifest"].read_text(encoding="utf-8"))
            split = import_split(
                options["slug"],
                options["reference"],
                manifest,
                tools=tools(),
                progress=self._progress,
                fields={
                    "name": options["name"] or options["slug"],
                    "items_public": options["items_public"],
                },
            )
        except (ScoringError, Refused, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(self.style.SUCCESS(f"{split.slug}: {split.items.count()} items."))

    def _progress(self, done: int, total: int) -> None:
        self.stdout.write(f"  {done}/{total} items")
