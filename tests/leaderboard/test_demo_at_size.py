"""The demonstration at size on the site: handed in like any entry, and once, whatever happens."""

import sys
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from leaderboard.management.commands import run_demo
from leaderboard.management.commands.load_demo_at_size import ORIGIN, PERSON, SLUG
from scoring import asr
from submissions.models import Remembered, Split, Team, Upload
from submissions.services import engines, teams, upload
from tests.leaderboard import stage
from tests.leaderboard.reader import text_of, url
from tests.submissions.split_of import small_split

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("demo-baseline", "demo-paper-kite")


class Deaf:
    """A transcriber that must not be asked."""

    name = engine = "deaf-1"
    languages = ("cn", "en")
    unofficial = False

    def transcribe(self, recordings, speech):
        assert not recordings, "these words are planned"
        return []


@pytest.fixture
def site(settings, tmp_path, media, mini, monkeypatch):
    """A folder for everything, tasks that run at once, and nobody who could transcribe."""
    from leaderboard.celery import app

    (tmp_path / "humdial-mini").symlink_to(mini)
    settings.DATA_DIR, settings.PARTIAL_DIR = tmp_path, tmp_path / "partial"
    monkeypatch.setattr(asr, "load", lambda name, **options: Deaf())
    engines.tools.cache_clear()
    app.loader.import_default_modules()
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield tmp_path
    app.conf.task_always_eager = False
    engines.tools.cache_clear()


def load(*systems, each=2):
    call_command("load_demo_at_size", "--each", str(each), "--systems", *systems, verbosity=0)


def test_it_is_scored_the_real_way_with_the_words_that_were_planned(site, client):
    load(*NAMES)
    split = Split.objects.get(slug=SLUG)
    assert (split.items.count(), split.is_demo, split.items_public) == (40, True, True)
    assert not split.accepts_uploads
    assert split.items.earliest("position").recording.name.endswith(".flac")
    entries = {one.team.slug: one for one in split.submissions.select_related("team", "system")}
    kinds = {slug: one.kind for slug, one in entries.items()}
    assert kinds == {"demo-baseline": "baseline", "demo-paper-kite": "participant"}
    for one in entries.values():
        assert (one.state, one.published is not None) == ("scored", True)
        assert one.submitted_by.username == PERSON
        assert f"imported:{ORIGIN}" in one.current_run.unofficial
        assert (one.system.architecture, one.system.weights) != ("", "")
    totals = {slug: one.current_run.results["strict"]["totals"] for slug, one in entries.items()}
    counts = {slug: (one["received"], one["silent"]) for slug, one in totals.items()}
    assert counts == {"demo-baseline": (40, 4), "demo-paper-kite": (39, 0)}
    assert [one["unjudged"] for one in totals.values()] == [0, 0]
    page = text_of(client.get(url("split", SLUG)))
    assert "Generated from humdial-mini, for demonstration; the numbers mean nothing." in page


def leave_half_received(site, split, team, person):
    """Be killed while an archive comes in."""
    wish = upload.Wish(split.slug, team.slug, "纸鸢", "HD-Track2.zip", 10)
    upload.receive(upload.begin(person, wish), 0, [b"half"])
    (site / SLUG / team.slug).mkdir(parents=True)
    (site / SLUG / team.slug / "HD-Track2.zip").write_bytes(b"half")


def leave_stored(site, split, team, person):
    """Be killed when the archive lies in its place and no submission knows of it."""
    wish = upload.Wish(split.slug, team.slug, "纸鸢", "HD-Track2.zip", 4)
    begun = upload.begin(person, wish)
    default_storage.save(upload.archive_name(begun), ContentFile(b"full"))
    upload.path_of(begun).unlink()


@pytest.mark.parametrize("leave", [leave_half_received, leave_stored])
def test_killed_in_the_middle_it_goes_on_and_loaded_again_it_changes_nothing(site, leave):
    load(NAMES[0], each=1)
    split, person = Split.objects.get(slug=SLUG), User.objects.get(username=PERSON)
    Split.objects.update(accepts_uploads=True)
    team = Team.objects.create(slug=NAMES[1], name="纸鸢小组")
    teams.join(team, person)
    leave(site, split, team, person)
    load(*NAMES)
    kept = facts(site, split)
    assert kept["systems"] == [("demo-baseline", "scored"), ("demo-paper-kite", "scored")]
    assert (len(kept["archives"]), kept["recordings"], kept["uploads"]) == (2, 20, 2)
    assert (kept["partial"], kept["begun"]) == ([], False)
    load(*NAMES)
    assert facts(site, split) == kept


def facts(site, split):
    return {
        "systems": list(split.submissions.order_by("created").values_list("team__slug", "state")),
        "archives": default_storage.listdir("archives")[1],
        "recordings": len(default_storage.listdir(f"items/{SLUG}")[1]),
        "splits": Split.objects.count(),
        "boards": split.snapshots.count(),
        "remembered": Remembered.objects.count(),
        "uploads": Upload.objects.count(),
        "partial": [path.name for path in (site / "partial").iterdir()],
        "begun": (site / SLUG).exists(),
    }


def test_the_front_page_stays_the_published_board_and_leads_to_the_demonstrations(client, humdial):
    small_split(SLUG, "Demonstration at size", is_demo=True, position=2)
    page = client.get(url("home"))
    assert "<h1>HumDial 2026" in page.content.decode()
    assert f'href="{url("split", SLUG)}">Demonstration at size</a>' in page.content.decode()
    assert "Demonstration at size (made-up systems to try everything out)" in text_of(page)


def test_a_program_of_the_site_is_started_again_and_the_loader_is_not():
    out, programs = StringIO(), {"worker": [sys.executable, "-c", ""]}
    running = {"worker": None, run_demo.LOADER: None}
    command = run_demo.Command(stdout=out)
    for name in list(running):
        command._ended(name, 1, programs, running)
    assert running.keys() == {"worker"}
    assert running["worker"].wait() == 0
    assert "starting it again" in out.getvalue()
    assert "goes on with the next make run" in out.getvalue()


@pytest.mark.parametrize(
    ("state", "waits"), [("queued", True), ("scoring", True), ("scored", False)]
)
def test_the_one_at_size_waits_for_the_small_one(split, team, state, waits):
    assert run_demo._is_scored("demo")
    stage.make_submission(split, team, state=state)
    assert run_demo._is_scored("demo") is not waits
