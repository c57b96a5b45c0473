"""A large archive over a bad line: is it whole at the end, and does memory stay flat?

    python -m tests.bench.bench_upload [--gib N] [--rounds N] [--cuts N]

Conventions: the client is tuspy in a process of its own, the server gunicorn as in production, and
between them a line that is cut at random; once in every round the server is killed as well. Every
hash must be right, and the server's memory must not grow with the size of the upload, or the
script fails.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import requests

from tests.bench import lines
from tests.served import ROOT, Line, Served, serving

MIB = 2**20
# What a server may grow by while gigabytes come: buffers of a few requests, no more.
GROWTH = 64 * MIB
PATIENCE = 3600


class Memory:
    """The most memory that the server's processes ever held, looked at all the time."""

    def __init__(self, site: Served) -> None:
        self.site, self.most, self.ends = site, 0, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self.ends.wait(0.1):
            self.most = max(self.most, resident(self.site))


def resident(site: Served) -> int:
    """Memory of the server's largest process; 0 while it is down."""
    process = site.process
    if process is None:
        return 0
    try:
        root = psutil.Process(process.pid)
        return max(one.memory_info().rss for one in (root, *root.children()))
    except psutil.NoSuchProcess:
        return 0


def write_random(path: Path, size: int) -> str:
    """Write random bytes; return their SHA-256."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for _ in range(size // MIB):
            piece = os.urandom(MIB)
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def send(site: Served, archive: Path, cuts: Sequence[int]) -> tuple[float, int]:
    """Upload over a line with cuts, kill the server half way; return seconds and broken lines."""
    line, start = Line(site.port, list(cuts)), time.monotonic()
    client = subprocess.Popen(
        [sys.executable, "static/examples/upload.py", str(archive), "--site", line.url,
         "--split", "dev", "--team", "wonderland", "--system", "Parrot", "--wait", "0.2"],
        env=os.environ | {"TOKEN": site.key}, cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while line.broken < len(cuts) // 2 and client.poll() is None:
        time.sleep(0.01)
    site.kill()
    site.start()
    if client.wait(PATIENCE):
        raise RuntimeError("the client gave up")
    line.close()
    return time.monotonic() - start, line.broken


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return 1 if a hash is wrong or memory grew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gib", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--cuts", type=int, default=10)
    wanted = parser.parse_args(arguments)
    size, source = int(wanted.gib * 1024) * MIB, random.Random(1)
    lines.head(f"An upload of {wanted.gib:g} GiB with {wanted.cuts} cuts and a killed server")
    is_right = True
    with TemporaryDirectory() as folder, serving(Path(folder) / "site") as site:
        archive = Path(folder) / "HD-Track2.zip"
        for number in range(wanted.rounds):
            expected = write_random(archive, size)
            cuts = sorted(source.sample(range(size), wanted.cuts))
            requests.get(f"{site.url}/en/", timeout=60)  # loads what is loaded late
            before, memory = resident(site), Memory(site)
            seconds, broken = send(site, archive, cuts)
            memory.ends.set()
            found, grown = site.submissions()[-1], memory.most - before
            is_right &= found == (size, expected) and grown <= GROWTH
            lines.fact(f"round {number + 1}: the hash", f"right: {found == (size, expected)}")
            lines.fact("lines broken, seconds, MiB a second",
                       f"{broken}, {seconds:.0f}, {size / MIB / seconds:.0f}")  # fmt: skip
            lines.fact("the server's memory, before and at most",
                       f"{before / MIB:.0f} MiB, {memory.most / MIB:.0f} MiB")  # fmt: skip
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
