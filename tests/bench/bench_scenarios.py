"""Scenario pages, comparisons, differences: ``python -m tests.bench.bench_scenarios``.

Conventions: an SQLite file of its own, everything in one process, through the whole of Django;
times are the server's, in milliseconds on the clock and of the processor, the middle one of
several. Item results are those of a few made-up systems, shared by all entries, since what they are
changes nothing of the time.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

SLOWEST = 0.150
KINDS = 8  # of made-up item results
ROUNDS = 7
ROOT = Path(__file__).parents[2]


def fill(items: int, systems: int) -> Any:
    """Write split, items and scored entries."""
    from django.core.management import call_command

    from scoring.humdial import SCRIPTS
    from submissions.models import Split
    from tests.leaderboard import boards
    from tests.scoring.systems import items as made_up

    call_command("migrate", verbosity=0)
    split = Split.objects.create(
        slug="bench", name="Bench", ranking_mode="strict", l_min="0.5", items_public=True
    )
    each = items // (2 * len(SCRIPTS))
    _items(split, each)
    kinds = [made_up(0.2 + 0.08 * seed, seed=seed, per_stratum=each) for seed in range(KINDS)]
    for number in range(systems):
        kind = "baseline" if number == systems // 2 else "participant"
        boards.enter(split, f"System {number}", kinds[number % KINDS], kind=kind)
    return split


def _items(split: Any, each: int) -> None:
    from scoring.humdial import SCRIPTS
    from submissions.models import Item

    names = [
        (code, script, number)
        for code in ("cn", "en")
        for script in SCRIPTS.values()
        for number in range(each)
    ]
    Item.objects.bulk_create(
        Item(
            split=split, position=position, slug=f"{code}-{script.slug}-{number:04d}",
            name=f"{number:04d}_0001", language=code, scenario=script.scenario,
            part=script.slug.removeprefix(script.scenario).lstrip("_"),
            annotation={"speech_segments": []}, duration=10.0, speech=[], noisy_words={},
            clean_words={},
        )
        for position, (code, script, number) in enumerate(names)
    )  # fmt: skip


class Spent(NamedTuple):
    """Seconds on the clock and of the processor."""

    clock: float
    processor: float


def timed(work: Callable[[], Any], rounds: int = 1) -> Spent:
    found = []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - clock, time.process_time() - processor))
    return Spent(*(statistics.median(times) for times in zip(*found, strict=True)))


def say(name: str, spent: Spent | None, more: str = "") -> None:
    times = "" if spent is None else f"{1000 * spent.clock:9.0f} {1000 * spent.processor:9.0f}"
    sys.stdout.write(f"  {name:<44} {times:<20} {more}\n")
    sys.stdout.flush()


def measure(items: int, systems: int) -> int:
    """Run everything in this process, with the settings of the environment."""
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test import Client

    from leaderboard.models import Draws, ScenarioPage
    from leaderboard.scenarios import kept
    from leaderboard.snapshots import freeze

    settings.ALLOWED_HOSTS = ["testserver"]
    split = fill(items, systems)
    sys.stdout.write(f"{systems} systems x {items} items; ms on the clock, of the processor\n")
    say("freeze, nothing kept yet", timed(lambda: freeze(split, "first")))
    say("freeze again", timed(lambda: freeze(split, "again")))
    board = split.snapshots.first()
    kilobytes = sum(len(one.content) for one in Draws.objects.all()) / 1000
    say("draws kept", None, f"{Draws.objects.count()} rows, {kilobytes:.0f} kB")
    client = Client()

    def ask(address: str) -> Callable[[], None]:
        def work() -> None:
            response = client.get(address)
            assert response.status_code == 200, (address, response.status_code)

        return work

    page = "/en/scenario/follow_up/?split=bench"
    say("scenario page, nothing kept", timed(ask(page)))
    say("all pages, as after a freeze", timed(lambda: kept.prepare(board)))
    size = sum(len(one.content) for one in ScenarioPage.objects.all()) / 1000
    say("pages kept", None, f"{ScenarioPage.objects.count()} rows, {size:.0f} kB")
    slowest = 0.0
    keys = [row["link"] for row in board.rows]
    for name, address in {
        "scenario page": page,
        "scenario page in Chinese": page.replace("/en/", "/zh/"),
        "third party page": page.replace("follow_up", "third_party"),
        "scenario page, other systems drawn": f"{page}&page=2&pin={keys[0]}",
        "scenario export": "/en/scenario/follow_up.json?split=bench",
    }.items():
        spent = timed(ask(address), ROUNDS)
        connection.force_debug_cursor = True
        connection.queries_log.clear()
        ask(address)()
        connection.force_debug_cursor = False
        say(name, spent, f"{len(connection.queries_log)} queries")
        slowest = max(slowest, spent.processor)
    six = random.Random(1).sample(keys, 6)
    compare = f"/en/compare/?split=bench&s={','.join(six)}"
    say("compare six, first time", timed(ask(compare)))
    say("compare six, again", timed(ask(compare), ROUNDS))
    say("compare two, first time", timed(ask(f"/en/compare/?split=bench&s={keys[0]},{keys[9]}")))
    for query in ("", "?diff=1", "?diff=1&lang=both&page=all"):
        say(f"board{query}, first time", timed(ask(f"/en/board/{board.pk}/{query}")))
    say("board.csv?diff=1", timed(ask(f"/en/board/{board.pk}.csv?diff=1"), ROUNDS))
    return 0 if slowest < SLOWEST else 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--systems", type=int, default=200)
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="bench-") as folder:
        environment = {
            **os.environ,
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "LOG_LEVEL": "WARNING",
        }
        environment.pop("DATABASE_URL", None)
        call = f"sys.exit(measure({json.dumps(chosen.items)}, {json.dumps(chosen.systems)}))"
        code = f"import sys; from tests.bench.bench_scenarios import measure; {call}"
        return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
