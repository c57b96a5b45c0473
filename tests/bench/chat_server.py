"""An OpenAI-compatible endpoint on this machine that is slow and now and then fails, as real ones.

Conventions: the label of a message is drawn from its hash, so it never depends on order; what goes
wrong is drawn from the hash and the number of the attempt, so every run meets the same troubles.
``GET /given`` tells how many usable replies each message got.
"""

import asyncio
import hashlib
import json
import multiprocessing
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from scoring.judge import LABELS

# Shares of calls: 2 % are too many, 1 % fail, 1 % get a reply without a label.
TOO_MANY, BROKEN, UNPARSABLE = 0.02, 0.03, 0.04
RETRY_AFTER = 1


class Answer(NamedTuple):
    """Status, extra headers, body."""

    status: str
    headers: str
    body: dict[str, Any]


def label_of(key: str) -> str:
    """Return the label that this endpoint gives to a message with this hash."""
    return LABELS[int(key, 16) % len(LABELS)]


class Endpoint:
    """Answers one connection after the other call on it, all connections at once."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.attempts: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.trouble: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak HTTP/1.1 until the other side hangs up."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                answer = await self._answer(head.decode("latin-1"), reader)
                body = json.dumps(answer.body).encode()
                lines = f"HTTP/1.1 {answer.status}\r\nContent-Type: application/json\r\n"
                lines += f"{answer.headers}Content-Length: {len(body)}\r\n\r\n"
                writer.write(lines.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, head: str, reader: asyncio.StreamReader) -> Answer:
        if head.startswith("GET /given"):
            return Answer("200 OK", "", {"given": self.given, "trouble": self.trouble})
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        request = json.loads(await reader.readexactly(int(fields["content-length"])))
        message = request["messages"][-1]["content"]
        return await self._judge(hashlib.sha256(message.encode()).hexdigest())

    async def _judge(self, key: str) -> Answer:
        attempt = self.attempts[key]
        self.attempts[key] += 1
        luck = int(hashlib.sha256(f"{key}:{attempt}".encode()).hexdigest()[:8], 16) / 16**8
        if luck < TOO_MANY:
            self.trouble["429"] += 1
            return Answer("429 Too Many", f"Retry-After: {RETRY_AFTER}\r\n", {"error": "busy"})
        await asyncio.sleep(self.latency)
        if luck < BROKEN:
            self.trouble["500"] += 1
            return Answer("500 Broken", "", {"error": "broken"})
        if luck < UNPARSABLE:
            self.trouble["unparsable"] += 1
            return Answer("200 OK", "", _completion("I would rather not say."))
        self.given[key] += 1
        return Answer("200 OK", "", _completion(json.dumps({"behaviour": [label_of(key)]})))


@contextmanager
def serving(latency: float) -> Iterator[str]:
    """Run an endpoint in a process of its own; yield its address."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(latency, theirs), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def given(address: str) -> tuple[Counter[str], Counter[str]]:
    """Ask an endpoint how many usable replies each message got, and what went wrong how often."""
    with urllib.request.urlopen(address.removesuffix("/v1") + "/given") as reply:
        told = json.load(reply)
    return Counter(told["given"]), Counter(told["trouble"])


def _run(latency: float, door: Any) -> None:
    async def run() -> None:
        endpoint = Endpoint(latency)
        server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0, backlog=1024)
        door.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1", "object": "chat.completion", "created": 0, "model": "bench-judge",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 12, "total_tokens": 2012},
    }  # fmt: skip
