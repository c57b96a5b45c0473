"""Judging a whole test set through a slow, flaky endpoint: ``python -m tests.bench.bench_judge``.

Conventions: wall time. One call after the other is measured on a sample and extrapolated with its
median, which leaves out the waits after errors, so the ratio is a lower bound. Labels must equal
the endpoint's own, none may be missing, and after ``kill -9`` in the middle nothing that was
remembered may be paid for again; else the script fails.
"""

import argparse
import multiprocessing
import os
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from scoring import judge, pipeline, vad
from scoring.cache import FILE, Cache
from scoring.dialogue import Annotation, Transcript
from scoring.evidence import Evidence, Reference
from scoring.manifest import Item
from scoring.tools import Memory, Tools
from tests.bench import lines
from tests.bench.chat_server import given, label_of, serving

ITEMS, CONCURRENCY, SAMPLE, LATENCY = 4100, 192, 8, 1.5
WORDS = ("a", "train", "to", "the", "harbour", "leaves", "every", "hour", "from", "the", "bridge")


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
    return Tools(vad.detect, vad.ENGINE, {}, {"official": chat}, memory)


def run(address: str, items: int, concurrency: int, memory: Path) -> list[str | None]:
    """Judge so many items with the library's own pipeline; return their labels."""
    references, evidence = dialogues(items)
    engines = tools(address, concurrency, Cache(memory))
    judged = pipeline.judge(references, evidence, engines)
    return labels_of(judged)


def labels_of(judged: list[Evidence]) -> list[str | None]:
    known = (one.verdicts.get("official") for one in judged)
    return [None if verdict is None else verdict.label for verdict in known]


def truth(items: int) -> list[str | None]:
    pairs = zip(*dialogues(items), strict=True)
    return [label_of(asked.sha256) for pair in pairs if (asked := pipeline.exchange(*pair))]


def one_after_the_other(address: str, sample: int, folder: Path) -> tuple[float, list[str | None]]:
    """Return the median seconds of a call alone, and the labels of the sample."""
    ticks = [time.perf_counter()]
    judged = pipeline.judge(
        *dialogues(sample),
        tools(address, 1, Cache(folder / "serial")),
        on_evidence=lambda position, evidence: ticks.append(time.perf_counter()),
    )
    spent = [later - earlier for earlier, later in pairwise(ticks)]
    return statistics.median(spent), labels_of(judged)


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
    lines.versus(
        f"judging, {options.concurrency} calls at a time, by the clock",
        f"{spent:.1f} s",
        f"one after the other, from the median of {options.sample} calls",
        f"{alone * options.items:.0f} s",
        ratio,
    )
    lines.fact("calls, of which troubled", f"{replies.total() + trouble.total()}, {dict(trouble)}")
    lines.fact("processor time", f"{cpu:.1f} s")
    lines.fact("labels", str(dict(sorted(Counter(map(str, labels)).items()))))
    lines.fact("lost items", str(labels.count(None)))
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
    lines.fact(f"killed after, of {options.kill_items}", f"{len(remembered)} remembered")
    lines.fact("paid but not remembered (under way)", f"{under_way}, at most {options.concurrency}")
    lines.fact("remembered, and paid for again", str(len(twice)))
    lines.fact("lost items", str(labels.count(None)))
    halved = 0 < len(remembered) < options.kill_items
    return (
        halved and not twice and under_way <= options.concurrency
        and labels == truth(options.kill_items)
    )  # fmt: skip


def known(memory: Path) -> set[str]:
    """Return the keys in a memory that another process may be writing."""
    if not (memory / FILE).exists():
        return set()
    base = sqlite3.connect(memory / FILE)
    try:
        return {key for (key,) in base.execute("SELECT key FROM remembered")}
    except sqlite3.OperationalError:
        return set()  # not made yet
    finally:
        base.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--kill-items", type=int, default=450)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--latency", type=float, default=LATENCY)
    parser.add_argument("--least", type=float, default=50.0, help="smallest ratio that passes")
    options = parser.parse_args(arguments)
    lines.head(f"Judge calls: {options.items} items, {options.latency:g} s of latency")
    with tempfile.TemporaryDirectory() as folder:
        good = [part(options, Path(folder)) for part in (speed, after_a_kill)]
    if not all(good):
        sys.stdout.write("The judging is too slow, or its labels or payments are wrong.\n")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
