"""The demonstration as a site in production: really scored, and served by gunicorn.

Conventions: words come from the planned transcripts, so no model hears; everything else is what
``make run`` does. The folder is made once and may be served by several processes at once.
"""

import json
from pathlib import Path
from unittest.mock import patch

from tests.served import Served, environment, run_python
from tests.services import free_port
from tests.shared import alone, shared_folder

FACTS = "facts.json"
PERSON, PASSWORD = "alice", "wonderland-7"
STAFF = "olga"


class DemoSite(Served):
    """The running site; ``facts`` holds the keys of what is in it."""

    def __init__(self, folder):
        self.folder = folder
        self.env = environment(folder) | {"DEBUG": "0"}
        self.facts = self._facts()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def _facts(self):
        path = self.folder / FACTS
        with alone(self.folder):
            if not path.exists():
                code = "from tests.browser.demo_site import fill; fill()"
                run_python("manage.py", "migrate", "-v0", env=self.env)
                run_python("manage.py", "shell", "-v0", "-c", code, env=self.env)
        return json.loads(path.read_text(encoding="utf-8"))


def fill():
    """Fill an empty database; runs inside the site's own settings."""
    from django.conf import settings
    from django.core.management import call_command

    from leaderboard.celery import app
    from leaderboard.demo.unpack import unpack
    from scoring import asr
    from tests.planned import planned

    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_published", verbosity=0)
    mini = unpack(settings.DATA_DIR / "humdial-mini")
    app.loader.import_default_modules()
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    with patch.object(asr, "load", lambda name, **options: planned(mini)):
        call_command("load_demo", verbosity=0)
    facts = _people() | _boards()
    path = settings.DATA_DIR / FACTS
    path.write_text(json.dumps(facts), encoding="utf-8")


def _boards():
    """Keys of the demonstration's boards, submissions and items."""
    from submissions.models import Split, Submission

    split = Split.objects.get(slug="demo")
    done = Submission.objects.filter(split=split, state=Submission.State.SCORED)
    systems = {one.system.name: str(one.pk) for one in done.select_related("system")}
    assert len(systems) == 3, "the demonstration was not scored"
    slug = split.submissions.get(pk=systems["prompt"]).system.slug
    return {
        **systems,
        "system": slug,
        "item": _failed(systems["steamroller"]).item.slug,
        "board": split.snapshots.latest("pk").pk,
        "first_board": split.snapshots.earliest("pk").pk,
        "published": Split.objects.get(position=0).snapshots.latest("pk").pk,
    }


def _failed(submission):
    """The first result of a submission in a scenario that it fails."""
    from submissions.models import ItemResult

    rows = ItemResult.objects.filter(run__submission=submission, item__scenario="follow_up")
    return rows.earliest("item__position")


def _people():
    """A member with submissions under way and refused, and an organiser; return what they have."""
    from django.contrib.auth.models import User
    from django.test import Client

    from submissions.models import ItemResult, Membership, Run, Split, Submission
    from submissions.services import tokens
    from submissions.services.correct import correct
    from tests.leaderboard import stage

    alice = _person(User, PERSON)
    olga = _person(User, STAFF, is_staff=True, is_superuser=True)
    team = stage.make_team("Wonderland", alice)
    team.memberships.update(role=Membership.Role.OWNER)
    split = Split.objects.get(slug="demo")
    running = stage.make_submission(split, team, "Runner", state=Submission.State.SCORING)
    run = Run.objects.create(submission=running, signature="running", unofficial=["offline"])
    ItemResult.objects.bulk_create(ItemResult(run=run, item=item) for item in split.items.all())
    refused = stage.make_submission(split, team, "Broken", state=Submission.State.REJECTED)
    refused.check_report = {"acceptable": False, "findings": [_finding(n) for n in range(30)]}
    refused.save()
    failed = _failed(split.submissions.get(system__name="steamroller").pk)
    why = "It stops in the middle of a word and answers."
    correct(failed.run.submission, failed.item, label="C_RESPOND", reason=why, by=olga)
    tokens.create(alice, "laptop", "submit", expires=None)
    sessions = {}
    for user in (alice, olga):
        client = Client()
        client.force_login(user)
        sessions[user.username] = client.cookies["sessionid"].value
    return {
        "sessions": sessions,
        "running": str(running.pk),
        "refused": str(refused.pk),
        "own_system": running.system.slug,
    }


def _finding(number):
    return {
        "code": "file-unknown",
        "path": f"HD-Track2/test/a-rather-long-name-of-a-file-{number}_output.wav",
        "rule": "No such id.",
        "cure": "Check the name.",
        "severity": "error",
    }


def _person(user_model, name, **rights):
    from allauth.account.models import EmailAddress

    user = user_model.objects.create_user(name, f"{name}@example.org", PASSWORD, **rights)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def folder_of(factory) -> Path:
    """The folder that all workers of one test run share."""
    return shared_folder(factory, "demo-site")
