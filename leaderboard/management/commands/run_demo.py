import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from leaderboard.management.commands.load_demo import ACCOUNTS
from submissions.models import ItemResult, Submission
from submissions.states import UNFINISHED

RESTART_AFTER = 1.0
# Ends by itself when it is done, unlike the programs of the site.
LOADER = "loader of the demonstration at size"

Programs = Mapping[str, list[str]]
Running = dict[str, "subprocess.Popen[bytes]"]


class Command(BaseCommand):
    help = "Run the whole site on this machine: set up, web server, worker, demonstration."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-demo", action="store_true", help="without the demonstrations")
        parser.add_argument("--small", action="store_true", help="without the one at size")

    def handle(self, *args: Any, **options: Any) -> None:
        _require_free(options["port"])
        self._say("Preparing the database …")
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("load_published", stdout=self.stdout)
        signal.signal(signal.SIGTERM, _interrupt)
        address = f"http://localhost:{options['port']}"
        os.environ.setdefault("SITE_URL", address)
        programs = {
            "web server": _gunicorn(options["port"]),
            "worker": _celery(),
        }
        # Small steps, so that one can watch them.
        os.environ.setdefault("SCORING_CHUNK", "4")
        running = {name: subprocess.Popen(command) for name, command in programs.items()}
        try:
            if not options["no_demo"]:
                self._say("Loading the demonstration …")
                call_command("load_demo", stdout=self.stdout)
            at_size = not (options["no_demo"] or options["small"])
            self._welcome(address, has_demo=not options["no_demo"], at_size=at_size)
            self._watch(programs, running, at_size=at_size)
        except KeyboardInterrupt:
            self._say("Stopping; type make run again to go on where it was.")
        finally:
            _stop(running.values())

    def _welcome(self, address: str, *, has_demo: bool, at_size: bool) -> None:
        accounts = settings.DATA_DIR / ACCOUNTS
        self._say(f"\nThe site runs at {address}")
        self._say(f"  board of the challenge   {address}/en/")
        if has_demo:
            self._say(f"  demonstration            {address}/en/split/demo/")
        if at_size:
            self._say(
                f"  the same at size         {address}/en/split/demo-at-size/ (a little later)"
            )
        self._say(f"  upload                   {address}/en/submit/")
        self._say(f"  organisers               {address}/admin/")
        if accounts.exists():
            self._say("Accounts (name, password):")
            for line in accounts.read_text(encoding="utf-8").splitlines():
                self._say(f"  {line}")
        if not settings.EMAIL_HOST:
            self._say(f"Mails are files in {settings.EMAIL_FILE_PATH}")
        self._say("Ctrl-C stops everything.\n")

    def _watch(self, programs: Programs, running: Running, *, at_size: bool) -> None:
        """Start again whatever has died; the queue goes on where it was."""
        said = ""
        while True:
            time.sleep(RESTART_AFTER)
            if (line := _progress()) != said:
                self._say(line)
                said = line
            if at_size and _is_scored("demo"):
                running[LOADER] = subprocess.Popen(_loader())
                at_size = False
            for name, process in list(running.items()):
                if process.poll() is not None:
                    self._ended(name, process.returncode, programs, running)

    def _ended(self, name: str, code: int, programs: Programs, running: Running) -> None:
        del running[name]
        if name in programs:
            self._say(f"The {name} stopped ({code}); starting it again.")
            running[name] = subprocess.Popen(programs[name])
        elif code:
            self._say(f"The {name} stopped ({code}); it goes on with the next make run.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as cause:
            raise CommandError(
                f"Port {port} is taken: stop what uses it, or run make run ARGS='--port 8001'."
            ) from cause


def _progress() -> str:
    """Say how far the scoring is; nothing when all is done."""
    counts = ItemResult.objects.filter(run__finished=None, run__submission__state="scoring")
    total, done = counts.count(), counts.filter(judged__isnull=False).count()
    return f"Scoring: {done} of {total} items are done." if total else "Nothing waits for scoring."


def _is_scored(split: str) -> bool:
    """Whether nothing waits in a split."""
    return not Submission.objects.filter(split__slug=split, state__in=UNFINISHED).exists()


def _loader() -> list[str]:
    return [sys.executable, "-m", "django", "load_demo_at_size"]


def _gunicorn(port: int) -> list[str]:
    options = ["--bind", f"127.0.0.1:{port}", "--threads", "8", "--timeout", "600"]
    return [
        sys.executable,
        "-m",
        "gunicorn",
        "leaderboard.wsgi",
        "--log-level",
        "warning",
        *options,
    ]


def _celery() -> list[str]:
    workers = str(max(1, min(os.cpu_count() or 1, settings.SCORING_PARALLEL)))
    options = ["--concurrency", workers, "--beat", "--loglevel", "warning"]
    return [sys.executable, "-m", "celery", "--quiet", "--app", "leaderboard", "worker", *options]


def _stop(processes: "Sequence[subprocess.Popen[bytes]] | Any") -> None:
    processes = list(processes)
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
