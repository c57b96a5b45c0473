"""Judging a whole test set through a slow, flaky endpoint: ``python -m tests.bench.bench_judge``.

Conventions: wall time. One call after the other is measured on a sample and extrapolated with its
median, which leaves out the waits after errors, so the ratio is a lower bound. Labels must equal
the endpoint's own, none may be missing, and after ``kill -9`` in the middle nothing that was
remembered may be paid for again; else the script fails.
"""

import argparse
import json
import multiprocessing
import os
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from scoring import judge, pipeline, vad
from scoring.dialogue import Annotation, Transcript
from scoring.evidence import Evidence, Reference
from scoring.manifest import Item
from scoring.tools import Memory, Tools
from tests.bench.chat_server import given, label_of, serving

ITEMS, CONCURRENCY, SAMPLE, LATENCY = 4100, 192, 8, 1.5
WORDS = ("a", "train", "to", "the", "harbour", "leaves", "every", "hour", "from", "the", "bridge")


class FileMemory:
    """A memory in a file that outlives the process."""

    def __init__(self, path: Path) -> None:
        self.base = sqlite3.connect(path)
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute(
            "CREATE TABLE IF NOT EXISTS known (engine, key, value, UNIQUE(engine, key))"
        )

    def recall(self, engine: str, keys: Sequence[str]) -> Mapping[str, Any]:
        rows = self.base.execute("SELECT key, value FROM known WHERE engine = ?", (engine,))
        wanted = set(keys)
        return {key: json.loads(value) for key, value in rows if key in wanted}

    def keep(self, engine: str, values: Mapping[str, Any]) -> None:
        rows = [(engine, key, json.dumps(value)) for key, value in values.items()]
        with self.base:
            self.base.executemany("INSERT OR IGNORE INTO known VALUES (?, ?, ?)", rows)


def words_of(number: int, role: int) -> Transcript:
    """Make a transcript of about 25 seconds that no other item has."""
    words = [WORDS[(number + role + place) % len(WORDS)] for place in range(60)]
    chunks = [
        {"text": word, "timestamp": [round(place * 0.4, 2), round(place * 0.4 + 0.3, 2)]}
        for place, word in enumerate([*words, str(number)])
    ]
    return Transcript.from_json({"text": " ".join(words), "chunks": chunks})


def dialogues(count: int) -> tuple[list[Reference], list[Evidence]]:
    nothing = Annotation(())
    sides = [[words_of(number, role) for role in range(4)] for number in range(count)]
    items = [Item(f"{number:04}", "en", "follow_up") for number in range(count)]
    references = [
        Reference(item, nothing, 25.0, (), noisy=side[0], clean=side[1])
        for item, side in zip(items, sides, strict=True)
    ]
    return references, [Evidence(True, noisy=side[2], clean=side[3]) for side in sides]


def tools(address: str, concurrency: int, memory: Memory) -> Tools:
    chat = judge.load(
        "chat", base_url=address, model="bench-judge", concurrency=concurrency, timeout=30.0
    )
    return Tools(vad.detect, vad.ENGINE, {}, chat, memory)


def run(address: str, items: int, concurrency: int, memory: Path) -> list[str | None]:
    """Judge so many items with the library's own pipeline; return their labels."""
    references, evidence = dialogues(items)
    engines = tools(address, concurrency, FileMemory(memory))
    judged = pipeline.judge(references, evidence, engines)
    return [one.verdict.label if one.verdict else None for one in judged]


def truth(items: int) -> list[str | None]:
    pairs = zip(*dialogues(items), strict=True)
    return [label_of(asked.sha256) for pair in pairs if (asked := pipeline.exchange(*pair))]


def one_after_the_other(address: str, sample: int, folder: Path) -> tuple[float, list[str | None]]:
    """Return the median seconds of a call alone, and the labels of the sample."""
    ticks = [time.perf_counter()]
    judged = pipeline.judge(
        *dialogues(sample),
        tools(address, 1, FileMemory(folder / "serial")),
        on_evidence=lambda position, evidence: ticks.append(time.perf_counter()),
    )
    spent = [later - earlier for earlier, later in pairwise(ticks)]
    labels = [one.verdict.label if one.verdict else None for one in judged]
    return statistics.median(spent), labels


def speed(options: argparse.Namespace, folder: Path) -> bool:
    """Compare both ways on fresh endpoints that meet the same troubles."""
    with serving(options.latency) as address:
        alone, sample = one_after_the_other(address, options.sample, folder)
    with serving(options.latency) as address:
        start, cpu = time.perf_counter(), time.process_time()
        labels = run(address, options.items, options.concurrency, folder / "together")
        spent, cpu = time.perf_counter() - start, time.process_time() - cpu
        replies, trouble = given(address)
    expected, ratio = truth(options.items), alone * options.items / spent
    say("calls, of which troubled", f"{replies.total() + trouble.total()}, {dict(trouble)}")
    say("one after the other, extrapolated", f"{alone * options.items:.0f} s")
    say(f"  from the median of {options.sample} calls", f"{alone:.3f} s")
    say(f"together, {options.concurrency} at a time", f"{spent:.1f} s, {cpu:.1f} s of processor")
    say("ratio", f"{ratio:.1f}")
    say("labels", str(dict(sorted(Counter(map(str, labels)).items()))))
    say("lost items", str(labels.count(None)))
    return labels == expected and sample == expected[: options.sample] and ratio >= options.least


def after_a_kill(options: argparse.Namespace, folder: Path) -> bool:
    """Kill a judging half way, for real, let another finish, and count who was paid twice."""
    memory, context = folder / "killed", multiprocessing.get_context("spawn")
    with serving(options.latency) as address:
        work = (address, options.kill_items, options.concurrency, memory)
        process = context.Process(target=run, args=work)
        process.start()
        while process.is_alive() and len(known(memory)) < options.kill_items // 2:
            time.sleep(0.02)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        remembered = known(memory)
        # Calls under way are answered, though nobody is there to hear it.
        time.sleep(options.latency + 0.5)
        before, _ = given(address)
        labels = run(*work)
        after, _ = given(address)
    twice = [key for key in remembered if after[key] > 1]
    under_way = before.total() - len(remembered)
    say(f"killed after, of {options.kill_items}", f"{len(remembered)} remembered")
    say("paid but not remembered (under way)", f"{under_way}, at most {options.concurrency}")
    say("remembered, and paid for again", str(len(twice)))
    say("lost items", str(labels.count(None)))
    halved = 0 < len(remembered) < options.kill_items
    return (
        halved and not twice and under_way <= options.concurrency
        and labels == truth(options.kill_items)
    )  # fmt: skip


def known(memory: Path) -> set[str]:
    """Return the keys in a memory that another process may be writing."""
    if not memory.exists():
        return set()
    base = sqlite3.connect(memory)
    try:
        return {key for (key,) in base.execute("SELECT key FROM known")}
    except sqlite3.OperationalError:
        return set()  # not made yet
    finally:
        base.close()


def say(words: str, result: str) -> None:
    sys.stdout.write(f"  {words:<40} {result}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--kill-items", type=int, default=450)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--latency", type=float, default=LATENCY)
    parser.add_argument("--least", type=float, default=50.0, help="smallest ratio that passes")
    options = parser.parse_args(arguments)
    sys.stdout.write(f"Judge calls: {options.items} items, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory() as folder:
        good = [part(options, Path(folder)) for part in (speed, after_a_kill)]
    if not all(good):
        sys.stdout.write("The judging is too slow, or its labels or payments are wrong.\n")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
