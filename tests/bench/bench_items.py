"""The item viewer over a full database: ``python -m tests.bench.bench_items``.

Conventions: PostgreSQL of this machine; 5,000 items × 200 runs are a million rows and some minutes,
so ``--items`` and ``--runs`` make it smaller. Every page is asked for once, by an anonymous reader,
through the whole of Django in one process; times are the server's, in milliseconds.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.services import postgres

SLOWEST = 0.250
ROOT = Path(__file__).parents[2]
# What readers ask for: one system, several, inside a filter, as a list, the cell of a matrix.
VIEWS = {
    "one system": "item/bench/{item}/?sys={a}",
    "failures of one system": "item/bench/{item}/?sys={a}&outcome=failed",
    "four systems, one scenario": "item/bench/{item}/?sys={a},{b},{c},{d}&scenario=follow_up",
    "only A succeeds": "item/bench/{item}/?sys={a},{b}&agree=only-a",
    "list of failures": "items/bench/?sys={a}&outcome=failed",
    "list where only A succeeds": "items/bench/?sys={a},{b}&agree=only-a&lang=en",
}
FILL = """
INSERT INTO submissions_itemresult
    (run_id, item_id, evidence, official, strict, heard, judged, claimed_by)
SELECT %s, item.id, kind.evidence, kind.official, kind.strict, now(), now(), ''
FROM submissions_item item JOIN kind ON kind.name = item.language || item.scenario || item.part
    AND kind.number = (item.position * 7 + %s) %% 3
"""


def fill(items: int, runs: int) -> None:
    """Write split, submissions and results; the rows of results are copied by the database."""
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from submissions.models import Run, Split, Submission, System, Team

    call_command("migrate", verbosity=0)
    split = Split.objects.create(slug="bench", name="Bench", items_public=True)
    team = Team.objects.create(name="Bench", slug="bench")
    _make_items(split, items)
    with connection.cursor() as cursor:
        _make_kinds(cursor)
        for number in range(runs):
            system = System.objects.create(team=team, name=f"System {number}", slug=f"s{number}")
            submission = Submission.objects.create(
                split=split, team=team, system=system, archive="none.zip", archive_name="none.zip",
                size=1, sha256=f"{number:064d}", state="scored", published=timezone.now(),
            )  # fmt: skip
            run = Run.objects.create(
                submission=submission, signature="bench", finished=timezone.now()
            )
            cursor.execute(FILL, [run.pk, number])
        cursor.execute("VACUUM ANALYZE submissions_itemresult")


def _make_items(split: Any, count: int) -> None:
    from submissions.models import Item

    references = [reference for reference, _evidence in _kinds()]
    rows = []
    for position in range(count):
        one = references[position % len(references)]
        name = f"{position:05d}"
        rows.append(
            Item(
                split=split,
                position=position,
                slug=name,
                name=name,
                language=one.item.language,
                scenario=one.item.scenario,
                part=one.item.part,
                annotation=one.annotation.to_json(),
                duration=one.duration,
                speech=[list(pair) for pair in one.speech],
                noisy_words=one.noisy.to_json(),
                clean_words=one.clean.to_json(),
            )
        )
    Item.objects.bulk_create(rows, batch_size=500)


def _make_kinds(cursor: Any) -> None:
    """One stored result per scenario, language and sort of answer, to be copied."""
    from scoring.evidence import evidence_to_json
    from scoring.humdial import BENCHMARK
    from scoring.report import item_to_json

    cursor.execute(
        "CREATE TEMPORARY TABLE kind (name text, number int, evidence jsonb, official jsonb,"
        " strict jsonb)"
    )
    for reference, answers in _kinds():
        item = reference.item
        for number, evidence in enumerate(answers):
            results = [
                json.dumps(item_to_json(BENCHMARK.measure(reference, evidence, mode=mode)))
                for mode in ("official", "strict")
            ]
            name = f"{item.language}{item.scenario}{item.part}"
            stored = json.dumps(evidence_to_json(evidence))
            cursor.execute("INSERT INTO kind VALUES (%s, %s, %s, %s, %s)",
                           [name, number, stored, *results])  # fmt: skip


def _kinds() -> Iterator[tuple[Any, list[Any]]]:
    """References, each with a success, a failure and a silence of some sixty words a side."""
    from scoring.humdial import SCRIPTS
    from tests import builders

    starts = [5.2 + 0.3 * number for number in range(14)] + [
        13.1 + 0.15 * number for number in range(45)
    ]
    for language, script in product(("cn", "en"), SCRIPTS):
        label = SCRIPTS[script].measure.value if SCRIPTS[script].measure.is_judged else ""
        answers = [
            builders.evidence(label, starts=starts),
            builders.evidence("C_UNKNOWN" if label else "", starts=starts),
            builders.silent("C_UNKNOWN" if label else ""),
        ]
        yield builders.reference(script, language), answers


class Times(NamedTuple):
    """Seconds that each answer took, on the clock and of this process's own work."""

    waited: list[float]
    worked: list[float]


def ask(requests: int) -> dict[str, Times]:
    """Ask for every view once to warm up, and then so often for the record."""
    from django.test import Client

    from submissions.models import Item, Submission

    chance, client = random.Random(1), Client()
    slugs = list(Item.objects.values_list("slug", flat=True))
    systems = list(Submission.objects.values_list("pk", flat=True))
    found: dict[str, Times] = {}
    for name, view in VIEWS.items():
        times = found[name] = Times([], [])
        for turn in range(requests + 1):
            some = dict(zip("abcd", chance.sample(systems, 4), strict=True))
            address = "/en/" + view.format(item=chance.choice(slugs), **some)
            start, work = time.perf_counter(), time.process_time()
            response = client.get(address)
            if turn:
                times.waited.append(time.perf_counter() - start)
                times.worked.append(time.process_time() - work)
            if response.status_code != 200:
                raise SystemExit(f"{address} answered {response.status_code}")
    return found


def _at(times: Sequence[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)]


def run_inside(items: int, runs: int, requests: int) -> None:
    """Fill and ask, in a process whose settings name the new database."""
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    start = time.perf_counter()
    fill(items, runs)
    sys.stdout.write(f"  filled in {time.perf_counter() - start:.0f} s\n")
    slow = 0
    for name, times in ask(requests).items():
        slow += _at(times.waited, 0.95) > SLOWEST
        sys.stdout.write(
            f"  {name:<28} p50 {1000 * _at(times.waited, 0.5):6.1f} ms   "
            f"p95 {1000 * _at(times.waited, 0.95):6.1f} ms of {1000 * SLOWEST:.0f}   "
            f"own work p50 {1000 * _at(times.worked, 0.5):5.1f} ms\n"
        )
    sys.stdout.write(f"  load of this machine meanwhile: {os.getloadavg()[0]:.1f}\n")
    raise SystemExit(bool(slow))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--requests", type=int, default=60, help="of each view")
    chosen = parser.parse_args(arguments)
    sys.stdout.write(f"Item viewer, {chosen.items} items × {chosen.runs} runs:\n")
    sys.stdout.flush()
    with TemporaryDirectory() as folder, postgres(is_durable=True) as url:
        environment = {
            **os.environ, "DATABASE_URL": url, "DATA_DIR": folder, "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        }  # fmt: skip
        inside = f"run_inside({chosen.items}, {chosen.runs}, {chosen.requests})"
        code = f"from tests.bench.bench_items import run_inside; {inside}"
        done = subprocess.run([sys.executable, "-u", "-c", code], cwd=ROOT, env=environment)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
