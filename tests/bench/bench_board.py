"""A board of 1,000 entries under 50 readers at once: ``python -m tests.bench.bench_board``.

Conventions: PostgreSQL and gunicorn of this machine, loopback only. An empty Django view behind the
same middleware on the same server is measured in the same run, before and after, and the better of
both counts. Times are what a reader waits, in milliseconds; beside them stands the server's own
processor time per request, which means something on a busy machine too.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psutil

from tests.services import free_port, postgres

SHARE, SLOWEST = 0.5, 0.150
SETTINGS = "tests.bench.board_settings"
ROOT = Path(__file__).parents[2]


def fill(entries: int) -> None:
    """Write one frozen board of made-up rows; runs with the server's settings."""
    import django

    django.setup()
    from django.core.management import call_command

    from leaderboard.models import Snapshot
    from submissions.models import Split

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    split = Split.objects.create(slug="bench", name="Bench", accepts_uploads=False)
    # A split without items is shown to nobody.
    split.items.create(
        position=0, slug="en-pause", name="0001_0001", language="en", scenario="pause_handling",
        annotation={}, duration=1, speech=[],
    )  # fmt: skip
    rows = [made_up(place) for place in range(1, entries + 1)]
    signatures = sorted({row["signature"] for row in rows})
    Snapshot.objects.create(
        split=split, cause="bench", mode="strict", rows=rows, draws=1000, seed=1,
        l_min="0.624", l_base="2.531", signatures=signatures,
    )  # fmt: skip


def made_up(place: int) -> dict[str, Any]:
    """One row with everything that a frozen row has."""
    from dataclasses import asdict

    from leaderboard.snapshots import BoardRow

    chance = random.Random(place)
    parts: dict[str, Any] = {
        name: f"{chance.uniform(30, 95):.1f}" for name in ("interruption", "rejection")
    }
    total = f"{95 - place * 0.06:.1f}"
    languages = {code: {**parts, "delay": "1.234"} for code in ("cn", "en")}
    numbers = ("total", "interruption", "rejection", "delay", "delay_score")
    return asdict(
        BoardRow(
            rank=place, team=f"Team {place}", system=f"System {place}",
            kind="baseline" if place == 500 else "participant", origin="scored",
            link=f"00000000-0000-4000-8000-{place:012d}", **parts, delay="1.234",
            delay_score="80.1", delay_score_raw="80.1", total=total, total_raw=total,
            languages=languages, beyond_reference=False, published={}, architecture="cascade",
            unofficial=["offline"], signature="protocol:a|mode:both|manifest:b|vad:c|asr_cn:d|"
            "asr_en:e|judge:f|prompt:g|rounding:h|scorer:i", notes=[],
            system_slug=f"system-{place}", weights="open", received="2026-01-01T00:00:00+00:00",
            coverage=[5000, 5000], intervals={name: [70.1234, 74.5678] for name in numbers},
            rank_low=max(1, place - 3), rank_high=place + 3, tie_group=1 + place // 5,
            stability={"kept": 0.5, "low": place, "high": place + 9},
        )
    )  # fmt: skip


class Site(NamedTuple):
    """A running server."""

    url: str
    pid: int


@contextmanager
def served(folder: str, database: str, workers: int, entries: int) -> Iterator[Site]:
    """Serve the filled site."""
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "DATA_DIR": folder,
        "DJANGO_SETTINGS_MODULE": SETTINGS,
        "LOG_LEVEL": "WARNING",
    }
    code = f"from tests.bench.bench_board import fill; fill({entries})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    command = [
        sys.executable, "-m", "gunicorn", "leaderboard.wsgi", "--bind", f"127.0.0.1:{port}",
        "--workers", str(workers), "--worker-class", "gthread", "--threads", "8",
        "--keep-alive", "30", "--log-level", "warning", "--no-control-socket",
    ]  # fmt: skip
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{port}/empty/")
        yield Site(f"http://127.0.0.1:{port}", server.pid)
    finally:
        server.terminate()
        server.wait(30)


def wait_for(url: str) -> None:
    for _ in range(120):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise TimeoutError(f"{url} does not answer.")


def under_load(site: Site, path: str, clients: int, seconds: float) -> dict[str, Any]:
    """Run the readers in a process of their own, once to warm up and once for the record."""
    command = [sys.executable, "-m", "tests.bench.load", f"{site.url}{path}"]
    command += ["--clients", str(clients)]
    for length in ("1.5", str(seconds)):
        before = processor_seconds(site.pid)
        done = subprocess.run(
            [*command, "--seconds", length], cwd=ROOT, check=True, capture_output=True, text=True
        )
    found: dict[str, Any] = json.loads(done.stdout)
    spent = processor_seconds(site.pid) - before
    return found | {"processor": spent / sum(found["statuses"].values())}


def processor_seconds(pid: int) -> float:
    """What all workers of the server have used so far."""
    times = [one.cpu_times() for one in psutil.Process(pid).children(recursive=True)]
    return sum(one.user + one.system for one in times)


def say(name: str, found: dict[str, Any]) -> None:
    sys.stdout.write(
        f"  {name:<34} {found['rps']:8.0f} requests/s   p50 {1000 * found['p50']:6.1f} ms   "
        f"p95 {1000 * found['p95']:6.1f} ms   processor {1000 * found['processor']:5.2f} ms   "
        f"{found['statuses']}\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    with (
        TemporaryDirectory(prefix="bench-") as folder,
        postgres(is_durable=True) as database,
        served(folder, database, chosen.workers, chosen.entries) as site,
    ):
        load = (chosen.clients, chosen.seconds)
        before = under_load(site, "/empty/", *load)
        board = under_load(site, "/en/", *load)
        whole = under_load(site, "/en/?page=all", *load)
        after = under_load(site, "/empty/", *load)
        start = time.perf_counter()
        with urllib.request.urlopen(f"{site.url}/en/?sort=delay&lang=both") as answer:
            size = len(answer.read())
        first = time.perf_counter() - start
    sys.stdout.write(f"{chosen.entries} entries, {chosen.clients} readers\n")
    for name, found in (
        ("empty view", before), ("board, first page", board), ("board, all rows", whole),
        ("empty view again", after),
    ):  # fmt: skip
        say(name, found)
    share = board["rps"] / max(before["rps"], after["rps"])
    sys.stdout.write(
        f"  board / empty: {share:.2f} (at least {SHARE}); a view nobody saw before: "
        f"{1000 * first:.0f} ms, {size} bytes\n"
    )
    only_good = set(board["statuses"]) == set(whole["statuses"]) == {"200"}
    return 0 if only_good and share >= SHARE and board["p95"] < SLOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
