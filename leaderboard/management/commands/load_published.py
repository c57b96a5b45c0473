import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from leaderboard.snapshots import freeze
from submissions.models import ReportedResult, Split

DATA = Path(__file__).resolve().parents[2] / "content" / "humdial-2026.json"


class Command(BaseCommand):
    help = "Load the published results of the ICASSP 2026 HumDial challenge (Track 2)."

    def handle(self, *args: Any, **options: Any) -> None:
        data = json.loads(DATA.read_text(encoding="utf-8"))
        with transaction.atomic():
            split, new = Split.objects.update_or_create(
                slug=data["split"]["slug"], defaults=data["split"]
            )
            origin = {name: data[name] for name in ("source", "source_url", "published_on")}
            split.full_clean()
            for row in data["rows"]:
                made, _ = ReportedResult.objects.update_or_create(
                    split=split, slug=row["slug"], defaults={**row, **origin}
                )
                made.full_clean()
            if new:
                freeze(split, "the published table of the challenge")
        self.stdout.write(f"{split.name}: {split.reported.count()} published systems.")
