"""How long a full entry takes, and how much memory: ``python -m tests.bench.bench_full``.

Conventions: a site of its own in a temporary folder, with the real services, a real Celery worker
of two processes, the offline judge and imported transcripts; wall-clock seconds. Memory is the
highest resident size of a process (VmHWM). Numbers mean something only on an idle machine.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scoring.dialogue import Transcript
from tests import services
from tests.bench import full_entry
from tests.bench.full_entry import Entry
from tests.bench.lines import fact, head, machine, versus

ORIGIN = "planned@bench"
PATIENCE = 3600.0
# Promised of a full entry: seconds, and MiB of a process.
CHECK, SCORING, AGAIN, MEMORY = 60.0, 900.0, 60.0, 1024.0


def timed(what: str, work: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    result = work()
    fact(what, f"{time.perf_counter() - start:.1f} s")
    return result


def within(what: str, spent: float, limit: float, unit: str) -> None:
    """Tell a figure against what was promised of a full entry on two idle processors."""
    ours, promised = f"{spent:.1f} {unit}", f"{limit:g} {unit}"
    versus(what, ours, "the promise, for 9,100 recordings", promised, limit / max(spent, 0.1))


@contextmanager
def site(folder: Path, *, postgres: bool) -> Iterator[None]:
    """Set up Django on a fresh data folder and database, for this process and its children."""
    with ExitStack() as stack:
        os.environ["DATA_DIR"] = str(folder)
        os.environ["DJANGO_SETTINGS_MODULE"] = "leaderboard.settings"
        os.environ.setdefault("LOG_LEVEL", "WARNING")
        for name in ("DATABASE_URL", "BROKER_URL"):
            os.environ.pop(name, None)
        if postgres:
            os.environ["DATABASE_URL"] = stack.enter_context(services.postgres(is_durable=True))
        import django
        from django.core.management import call_command

        django.setup()
        import leaderboard.celery  # noqa: F401 (opens the queue for sending; tasks are named only)

        call_command("migrate", verbosity=0)
        yield


@contextmanager
def worker() -> Iterator["subprocess.Popen[bytes]"]:
    """Run a worker of two processes, with its beat, as ``make run`` does."""
    options = ["--app", "leaderboard", "worker", "--beat", "--concurrency", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "celery", *options, "--loglevel", "warning"], start_new_session=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


def peak(pid: int) -> int:
    """Highest resident size of a process so far, in MiB; 0 for one that has just ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    sizes = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(sizes[0].split()[1]) // 1024 if sizes else 0


def children(pid: int) -> list[int]:
    import psutil

    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


def has_died(pid: int) -> bool:
    import psutil

    return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def make_split(entry: Entry) -> Any:
    """Make a split from reference values, without recordings."""
    from submissions.models import Item, Split

    split = Split.objects.create(slug="full", name="Full size", limit_per_day=None)
    rows = [
        Item(
            split=split,
            position=position,
            slug=one.item.item,
            name=one.item.item,
            language=one.item.language,
            scenario=one.item.scenario,
            part=one.item.part,
            folder=one.item.folder,
            test_id=one.item.test_id,
            clean_id=one.item.clean_id,
            annotation=one.annotation.to_json(),
            duration=one.duration,
            speech=[list(pair) for pair in one.speech],
            noisy_words=None if one.noisy is None else one.noisy.to_json(),
            clean_words=None if one.clean is None else one.clean.to_json(),
        )
        for position, one in enumerate(entry.references)
    ]
    Item.objects.bulk_create(rows, batch_size=500)
    return split


def bring_words(entry: Entry) -> None:
    """Import the planned transcripts."""
    from submissions.services.engines import tools
    from submissions.services.import_transcripts import import_transcripts

    report = import_transcripts(entry.transcripts, ORIGIN, tools=tools())
    fact("transcripts imported", f"{report.kept}")


def hand_in(split: Any, archive: Path, name: str) -> Any:
    """Submit an archive as its team would."""
    from submissions.models import Team
    from submissions.services.submit import submit

    team, _ = Team.objects.get_or_create(name="Bench", slug="bench")
    with archive.open("rb") as upload:
        return submit(split=split, team=team, system_name=name, user=None, upload=upload)


def follow(submission: Any, pid: int) -> dict[str, float]:
    """Wait until it is scored; return the moment of each move, and print the highest memory."""
    end = time.monotonic() + PATIENCE
    highest: dict[int, int] = {}
    state = type(submission).objects.filter(pk=submission.pk).values_list("state", flat=True)
    while state.get() not in ("scored", "failed", "rejected"):
        if time.monotonic() > end:
            raise TimeoutError(f"still {state.get()} after {PATIENCE:.0f} s")
        time.sleep(0.5)
        if has_died(pid):
            raise RuntimeError("the worker has died; what it said stands above")
        for process in [pid, *children(pid)]:
            highest[process] = max(highest.get(process, 0), peak(process))
    submission.refresh_from_db()
    if submission.state != "scored":
        raise RuntimeError(f"{submission.state}: {submission.reason or submission.check_report}")
    within("peak memory of the largest process", max(highest.values()), MEMORY, "MiB")
    return {event.to_state: event.at.timestamp() for event in submission.events.all()}


def send(split: Any, archive: Path, name: str, pid: int, limit: float = SCORING) -> Any:
    """Hand in, follow to the end, and print the times between the moves."""
    head(f"Full entry, {name}")
    submission = timed("receive (copy and hash)", lambda: hand_in(split, archive, name))
    at = follow(submission, pid)
    within("check", at["queued"] - at["checking"], CHECK, "s")
    within("scoring", at["scored"] - at["queued"], limit, "s")
    return submission


def heard_anew(since: int) -> Mapping[str, int]:
    """Rows remembered after a moment, by engine."""
    from django.db.models import Count

    from submissions.models import Remembered
    from submissions.services.remembered import CONTENTS, REPORTS

    found = Remembered.objects.filter(pk__gt=since).exclude(engine__in=(CONTENTS, REPORTS))
    rows = found.values_list("engine")
    return dict(rows.annotate(number=Count("pk")))


def newest() -> int:
    from submissions.models import Remembered

    return Remembered.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def totals_at_home(entry: Entry) -> Mapping[str, Any]:
    """Score the entry with the command line's own steps, its words in a notebook."""
    from scoring import home, pipeline, report
    from scoring.archive import open_outputs
    from scoring.audio import read
    from scoring.check import check
    from scoring.hearing import Side, hear_models, imported
    from scoring.humdial import BENCHMARK
    from scoring.humdial.names import expected_files

    tools = home.Engines().tools(imported=False)
    for language, transcriber in tools.transcribers.items():
        for path in (entry.transcripts / language).iterdir():
            words = Transcript.from_json(path.read_text(encoding="utf-8"))
            tools.memory.keep(transcriber.engine, {path.stem: imported(words, ORIGIN)})
    evidence: list[Any] = []
    with open_outputs(entry.archive()) as outputs:
        members = check(outputs, expected_files(entry.manifest)).members
        for first in range(0, len(entry.references), home.CHUNK):
            sides = []
            for one in entry.references[first : first + home.CHUNK]:
                noisy = read(outputs.read(members[one.item.key, "test"]))
                partner = members.get((one.item.key, "clean"))
                clean = read(outputs.read(partner)) if partner else None
                sides.append(Side(one.item, one.annotation, noisy, clean))
            evidence += hear_models(sides, tools)
    judged = pipeline.judge(entry.references, evidence, tools)
    return {
        mode: report.totals_to_json(
            pipeline.score(BENCHMARK, entry.references, judged, mode=mode).totals
        )
        for mode in ("official", "strict")
    }


def totals_of(submission: Any) -> Mapping[str, Any]:
    results = submission.current_run.results
    return {mode: results[mode]["totals"] for mode in ("official", "strict")}


def measure(entry: Entry, *, home: bool) -> bool:
    """Run through everything; return whether site and command line agree."""
    split = make_split(entry)
    timed("import", lambda: bring_words(entry))
    with worker() as process:
        first = send(split, entry.archive(), "first", process.pid)
        fact("unofficial", ", ".join(first.current_run.unofficial))
        before = newest()
        again = send(split, entry.archive(), "again", process.pid, AGAIN)
        fact("heard anew", str(heard_anew(before)))
        before = newest()
        send(split, entry.archive(changed=True), "changed", process.pid)
        fact("heard anew", str(heard_anew(before)))
    equal = totals_of(first) == totals_of(again)
    fact("same totals again", str(equal))
    if home:
        at_home = timed("command line", lambda: totals_at_home(entry))
        equal = equal and at_home == totals_of(first)
        fact("same totals on the command line", str(at_home == totals_of(first)))
    return equal


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=full_entry.FULL)
    parser.add_argument("--entry", type=Path, help="a folder of full_entry, to make it only once")
    parser.add_argument("--postgres", action="store_true", help="instead of SQLite")
    parser.add_argument("--no-home", action="store_true", help="without the command line")
    chosen = parser.parse_args(arguments)
    head(f"A site with {chosen.items} items on {machine()}")
    with TemporaryDirectory(prefix="full-") as folder:
        place = chosen.entry or Path(folder) / "entry"
        if not (place / "manifest.csv").exists():
            timed("make the entry", lambda: full_entry.make(place, chosen.items))
        with site(Path(folder) / "site", postgres=chosen.postgres):
            entry = full_entry.describe(place, chosen.items)
            return 0 if measure(entry, home=not chosen.no_home) else 1


if __name__ == "__main__":
    sys.exit(main())
