import shutil
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from leaderboard.demo import at_size
from leaderboard.demo.at_size import Dialogue
from leaderboard.demo.cast import CAST, Player
from leaderboard.demo.mini import Mini
from leaderboard.demo.unpack import unpacked
from scoring.errors import ScoringError
from scoring.uncertainty import MIN_ITEMS
from submissions.models import Split, Submission, System, Team, Upload
from submissions.services import systems, teams, upload
from submissions.services.engines import tools
from submissions.services.import_split import import_split
from submissions.services.import_transcripts import import_transcripts
from submissions.services.refused import Refused
from submissions.services.standing import mark

SLUG = "demo-at-size"
SPLIT = {
    "name": "Demonstration at size",
    "description": (
        "Two hundred dialogues and the answers of six made-up systems, to show intervals, ties and "
        "differences. Generated from humdial-mini, for demonstration; the numbers mean nothing."
    ),
    "l_min": None,
    "l_base": None,
    "reference_name": "",
    "limit_per_day": None,
    "trial_items": 0,
    "items_public": True,
    "is_demo": True,
    "position": 2,
}
# Hands everything in; nobody can log in as this person.
PERSON = "demonstration"
# Who knows the words: they were planned when the recordings were made.
ORIGIN = "planned@humdial-mini"
CHUNK = 1 << 20


class Command(BaseCommand):
    help = "Load the demonstration at size: a split with intervals, and six made-up systems."

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = [player.slug for player in CAST]
        parser.add_argument("--each", type=int, default=MIN_ITEMS, help="dialogues per stratum")
        parser.add_argument("--systems", nargs="*", default=names, choices=names)

    def handle(self, *args: Any, **options: Any) -> None:
        players = [one for one in CAST if one.slug in options["systems"]]
        if all(map(_handed_in, players)):
            return
        folder = settings.DATA_DIR / SLUG
        try:
            self._load(folder, players, options["each"])
        except (ScoringError, Refused) as error:
            raise CommandError(str(error)) from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _load(self, folder: Path, players: Sequence[Player], each: int) -> None:
        """Do what is still to be done; what was begun and not finished is begun anew."""
        shutil.rmtree(folder, ignore_errors=True)
        mini = Mini.read(unpacked(settings.DATA_DIR / "humdial-mini"))
        split = Split.objects.filter(slug=SLUG, items__isnull=False).first()
        if split is not None:
            each = split.items.count() // len(mini.manifest.items)
        those = at_size.dialogues(mini.manifest, each)
        split = split or self._split(folder / "split", mini, those)
        # Open to its own systems only: nobody else has recordings for it.
        _open(split, accepts_uploads=True)
        for player in players:
            if not _handed_in(player):
                self._hand_in(folder / player.slug, split, mini, those, player)
        _open(split, accepts_uploads=False)

    def _split(self, folder: Path, mini: Mini, those: Sequence[Dialogue]) -> Split:
        reference = at_size.write_split(folder, mini, those)
        manifest = at_size.manifest_of(those)
        split = import_split(SLUG, reference, manifest, tools=tools(), fields=SPLIT)
        shutil.rmtree(folder)
        self.stdout.write(f"{split.name}: {split.items.count()} items.")
        return split

    def _hand_in(
        self, folder: Path, split: Split, mini: Mini, those: Sequence[Dialogue], player: Player
    ) -> None:
        entry = at_size.write_entry(folder, mini, those, player)
        report = import_transcripts(entry.words, ORIGIN, tools=tools())
        for problem in report.problems:
            raise problem
        _upload(split, player, entry.archive)
        shutil.rmtree(folder)
        self.stdout.write(f"Submitted the made-up system {player.system}.")


def _handed_in(player: Player) -> bool:
    those = Submission.objects.filter(split__slug=SLUG, team__slug=player.slug)
    return those.filter(system__name=player.system).exists()


def _open(split: Split, *, accepts_uploads: bool) -> None:
    split.accepts_uploads = accepts_uploads
    split.save(update_fields=["accepts_uploads"])


def _upload(split: Split, player: Player, archive: Path) -> None:
    """Hand in an archive the way that teams do, and mark what sort of entry it is."""
    person = _person()
    team = _team(player, person)
    for left in Upload.objects.filter(user=person, submission=None):
        upload.discard(left)
    size = archive.stat().st_size
    wish = upload.Wish(split.slug, team.slug, player.system, archive.name, size)
    begun = upload.begin(person, wish)
    with archive.open("rb") as file:
        upload.receive(begun, 0, iter(partial(file.read, CHUNK), b""))
    with transaction.atomic():
        submission = upload.finish(begun)
        if player.kind != submission.kind:
            mark(submission, player.kind, who=person)


def _person() -> User:
    person, new = User.objects.get_or_create(username=PERSON)
    if new:
        person.set_unusable_password()
        person.save()
    return person


def _team(player: Player, person: User) -> Team:
    """The team of a made-up system, with the system described."""
    team, _ = Team.objects.get_or_create(slug=player.slug, defaults={"name": player.team})
    teams.join(team, person)
    if not team.systems.filter(name=player.system).exists():
        described = System(
            name=player.system,
            slug=player.slug,
            description=player.description,
            architecture=player.architecture,
            weights=player.weights,
        )
        systems.save(team, described)
    return team
