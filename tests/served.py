"""A site of its own, served by gunicorn as in production, over a line that can be cut."""

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.services import free_port

ROOT = Path(__file__).parents[1]
PATIENCE = 60
SEED = """
from django.contrib.auth.models import User
from django.test import Client
from submissions.models import Split, Team
from submissions.services import tokens
alice = User.objects.create_user("alice", "alice@example.org", "wonderland-7")
team = Team.objects.create(name="Wonderland", slug="wonderland")
team.members.add(alice)
split = Split.objects.create(slug="dev", name="Dev", limit_per_day=None)
for number in range(40):
    split.items.create(
        position=number, slug=f"en-pause-{number}", name=f"{number:04d}_0001", language="en",
        scenario="pause_handling", annotation={"segments": []}, duration=1, speech=[],
    )
client = Client()
client.force_login(alice)
print(tokens.create(alice, "test", "submit", expires=None).key)
print(client.cookies["sessionid"].value)
"""


@cache
def _seeded():
    """A folder with a migrated database, made once; the key and the session of its user."""
    folder = Path(mkdtemp(prefix="served-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    env = environment(folder)
    run_python("manage.py", "migrate", "-v0", env=env)
    key, session = run_python("manage.py", "shell", "-v0", "-c", SEED, env=env).split()
    return folder, key, session


def environment(folder):
    """The environment of a site with everything in one folder."""
    kept = {name: value for name, value in os.environ.items() if name != "BROKER_URL"}
    return kept | {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        # Static files are served as they lie, without collecting them first.
        "DEBUG": "1",
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
    }


def run_python(*arguments, env):
    """Run a program of the project and return what it prints."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout


class Served:
    """The site; ``url`` stays the same when the server is killed and started again."""

    def __init__(self, folder):
        self.folder = folder
        template, self.key, self.session = _seeded()
        shutil.copytree(template, folder, dirs_exist_ok=True)
        self.env = environment(folder)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        options = ["--workers", "1", "--worker-class", "gthread", "--threads", "8"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "leaderboard.wsgi:application", *options,
             "--bind", f"127.0.0.1:{self.port}", "--log-level", "error"],
            env=self.env, cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self):
        """End it like a power cut."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def ask(self, code):
        """Run code in the site and return what it prints."""
        return run_python("manage.py", "shell", "-v0", "-c", code, env=self.env).strip()

    def submissions(self):
        """Size, SHA-256 and content hash of every submission, oldest first."""
        printed = self.ask(
            "import hashlib\n"
            "from submissions.models import Submission\n"
            "from submissions.services.check import measure\n"
            "for one in Submission.objects.order_by('created'):\n"
            "    measure(one)\n"
            "    print(one.size, one.sha256)\n"
        )
        return [(int(size), sha256) for size, sha256 in map(str.split, printed.splitlines())]


@contextlib.contextmanager
def serving(folder):
    """Serve a fresh site."""
    folder.mkdir(parents=True, exist_ok=True)
    site = Served(folder)
    site.start()
    try:
        yield site
    finally:
        site.kill()


class Line:
    """A line to a port that is cut after so many bytes, again and again, or by hand."""

    def __init__(self, port, cuts=(), speed=None):
        self.target, self.speed = port, speed
        self.cuts, self.sent, self.broken = sorted(cuts), 0, 0
        self.lock, self.pairs = threading.Lock(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    near.close()
                    continue
                self.pairs.append((near, far))
                for source, sink, counts in ((near, far, True), (far, near, False)):
                    arguments = (source, sink, counts)
                    threading.Thread(target=self._carry, args=arguments, daemon=True).start()

    def _carry(self, source, sink, counts):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
                if counts:
                    self._count(len(data))
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            # What one end has broken is broken for the other too.
            _hang_up(source, sink)

    def _count(self, size):
        with self.lock:
            self.sent += size
            due = bool(self.cuts) and self.sent >= self.cuts[0]
            if due:
                self.cuts.pop(0)
        if due:
            self.cut()
        if self.speed:
            time.sleep(size / self.speed)

    def cut(self):
        """Break every connection at once."""
        self.broken += 1
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            _hang_up(*pair)

    def close(self):
        self.listener.close()
        self.cut()


def _hang_up(*ends):
    for one in ends:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
