from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.errors import ScoringError
from scoring.manifest import LANGUAGES
from submissions.models import Split
from submissions.services.engines import tools
from submissions.services.import_transcripts import import_transcripts


class Command(BaseCommand):
    help = "Take in transcripts made elsewhere, by the hash of their recordings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", type=Path, help="holds {sha256 of the wav}.json, or X_output.wav and .json"
        )
        parser.add_argument(
            "--origin", required=True, help="who made them, such as paraformer-zh@gpu-cluster"
        )
        parser.add_argument("--split", help="tells the language by its items")
        parser.add_argument("--language", default="", choices=LANGUAGES, help="of all other files")
        parser.add_argument(
            "--partial", action="store_true", help="import the rest when some cannot be used"
        )
        parser.add_argument(
            "--replace", action="store_true", help="words that are known already give way"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["folder"].is_dir():
            raise CommandError(f"{options['folder']} is no folder.")
        try:
            report = import_transcripts(
                options["folder"],
                options["origin"],
                tools=tools(),
                split=self._split(options["split"]),
                language=options["language"],
                partial=options["partial"],
                replace=options["replace"],
            )
        except ScoringError as error:
            raise CommandError(str(error)) from error
        for problem in report.problems:
            self.stderr.write(str(problem))
        if report.problems and not options["partial"]:
            raise CommandError(
                f"{len(report.problems)} file(s) cannot be used, so nothing was imported. "
                "Mend them, or give --partial."
            )
        known = f", {report.known} known already" if report.known else ""
        bad = f", {len(report.problems)} cannot be used" if report.problems else ""
        self.stdout.write(f"{report.kept} transcript(s) imported{known}{bad}.")

    def _split(self, slug: str | None) -> Split | None:
        split = Split.objects.filter(slug=slug).first()
        if slug and split is None:
            raise CommandError(f"There is no split {slug!r}.")
        return split
