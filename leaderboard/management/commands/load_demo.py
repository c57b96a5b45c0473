import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from leaderboard.demo.mini import ARCHIVE, SYSTEMS, manifest_of
from leaderboard.demo.unpack import unpacked
from scoring.errors import ScoringError
from submissions.models import Membership, Split, Team
from submissions.services.engines import tools
from submissions.services.import_split import import_split
from submissions.services.submit import submit

SPLIT = {
    "name": "Demonstration",
    "description": (
        "Twenty synthetic dialogues, one per scenario and language, and three systems whose "
        "recordings are scored here for real. Upload your own answers to try it."
    ),
    "limit_per_day": None,
    "items_public": True,
    "is_demo": True,
    "position": 1,
}
ACCOUNTS = "demo-accounts.txt"


class Command(BaseCommand):
    help = "Load the demonstration split, its accounts, and its three submissions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--systems", nargs="*", default=SYSTEMS, choices=SYSTEMS)

    def handle(self, *args: Any, **options: Any) -> None:
        team = self._accounts()
        source = unpacked(settings.DATA_DIR / "humdial-mini")
        split = Split.objects.filter(slug="demo", items__isnull=False).first()
        if split is None:
            split = self._split(source)
        for system in options["systems"]:
            self._submit(split, team, system, source)

    def _split(self, source: Path) -> Split:
        manifest = manifest_of(source)
        try:
            split = import_split("demo", source, manifest, tools=tools(), fields=SPLIT)
        except ScoringError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{split.name}: {split.items.count()} items.")
        return split

    def _submit(self, split: Split, team: Team, system: str, source: Path) -> None:
        if split.submissions.filter(system__name=system, team=team).exists():
            return
        archive = source / "submissions" / system / ARCHIVE
        with archive.open("rb") as upload:
            submit(split=split, team=team, system_name=system, user=None, upload=upload)
        self.stdout.write(f"Submitted the demonstration system {system}.")

    def _accounts(self) -> Team:
        team, _ = Team.objects.get_or_create(slug="demo-team", defaults={"name": "Demo team"})
        own, _ = Team.objects.get_or_create(slug="visitors", defaults={"name": "Visitors"})
        lines = []
        for name, is_staff in (("participant", False), ("organiser", True)):
            user, new = User.objects.get_or_create(
                username=name, defaults={"is_staff": is_staff, "is_superuser": is_staff}
            )
            _verify(user)
            if new:
                password = secrets.token_urlsafe(9)
                user.set_password(password)
                user.save()
                lines.append(f"{name} {password}")
            if not is_staff:
                Membership.objects.update_or_create(
                    team=own, user=user, defaults={"role": Membership.Role.OWNER}
                )
        if lines:
            path = settings.DATA_DIR / ACCOUNTS
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            path.chmod(0o600)
        return team


def _verify(user: User) -> None:
    """Give a demo account an address that counts as its own, so that it can log in."""
    if not user.email:
        user.email = f"{user.username}@example.org"
        user.save(update_fields=["email"])
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
