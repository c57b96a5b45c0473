from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from submissions.services.sweep import sweep


class Command(BaseCommand):
    help = "Take up submissions that lost their worker (the worker does so by itself as well)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--patience", type=float, default=60, help="seconds without a sign of life"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        taken = sweep(patience=timedelta(seconds=options["patience"]))
        self.stdout.write(f"{taken} submission(s) taken up.")
