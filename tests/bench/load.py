"""Many readers at once, each asking again when it was answered: ``python -m tests.bench.load``.

Conventions: HTTP/1.1 over loopback with kept connections; prints one JSON line with requests per
second and times in seconds. A process of its own, so that it never waits for the server's code.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit


async def reader(host: str, port: int, request: bytes, end: float, times: list[float]) -> Counter:
    """Ask until the end and return how often each status came."""
    statuses: Counter[str] = Counter()
    connection = await asyncio.open_connection(host, port)
    while time.perf_counter() < end:
        start = time.perf_counter()
        try:
            status, is_kept = await ask(connection, request)
        except (ConnectionError, asyncio.IncompleteReadError):
            status, is_kept = "broken", False
        times.append(time.perf_counter() - start)
        statuses[status] += 1
        if not is_kept:
            connection[1].close()
            connection = await asyncio.open_connection(host, port)
    connection[1].close()
    return statuses


async def ask(
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], request: bytes
) -> tuple[str, bool]:
    stream, out = connection
    out.write(request)
    head = (await stream.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = head.partition("content-length:")[2].partition("\r\n")[0]
    if length.strip():
        await stream.readexactly(int(length))
    return head.split(" ", 2)[1], "connection: close" not in head


async def measure(url: str, clients: int, seconds: float) -> dict[str, object]:
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    request = (
        f"GET {parts.path}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        "Accept-Encoding: gzip\r\nAccept-Language: en\r\n\r\n"
    ).encode()
    times: list[float] = []
    start = time.perf_counter()
    found = await asyncio.gather(
        *(
            reader(parts.hostname or "", parts.port or 80, request, start + seconds, times)
            for _ in range(clients)
        )
    )
    spent, ordered = time.perf_counter() - start, sorted(times)
    return {
        "rps": len(times) / spent,
        "p50": ordered[len(ordered) // 2],
        "p95": ordered[int(len(ordered) * 0.95)],
        "statuses": dict(sum(found, Counter())),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5.0)
    chosen = parser.parse_args(arguments)
    found = asyncio.run(measure(chosen.url, chosen.clients, chosen.seconds))
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
