"""A small local server that speaks the OpenAI protocol, and misbehaves as it is told."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scoring.dialogue import Transcript
from scoring.judge import Exchange, Judge, load

KEY = "sk-very-secret-0123456789"
Body = bytes | Iterator[bytes]
GOOD = '{"behaviour": ["C_RESUME"]}'


@dataclass
class Endpoint:
    """A scripted endpoint: ``script`` holds replies in order, the last one is kept up."""

    script: list[Any] = field(default_factory=lambda: [GOOD])
    refuse: dict[str, int] = field(default_factory=dict)
    seen: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    extra: dict[str, Any] = field(default_factory=dict)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, str], Body]:
        """Return status, headers and body (or its parts, as they come) for one request."""
        with self.lock:
            self.seen.append(body)
            kind = body.get("response_format", {}).get("type", "text")
            if kind in self.refuse:
                return self.refuse[kind], {}, b'{"error": {"message": "no such format"}}'
            reply = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if callable(reply):
            reply = reply(body)
        if isinstance(reply, tuple):
            return reply
        return 200, {}, json.dumps({**completion(reply), **self.extra}).encode()


def completion(text: str | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "judge-2026",
            "choices": [choice]}  # fmt: skip


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Run an endpoint until the end of the block."""
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            state.keys.add(self.headers["Authorization"])
            status, headers, body = state.answer(json.loads(self.rfile.read(length)))
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            if isinstance(body, bytes):
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # A caller that gives up hangs up.
            with suppress(ConnectionError):
                for part in [body] if isinstance(body, bytes) else body:
                    self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def judge(endpoint: Endpoint, **settings: Any) -> Judge:
    usual = {"base_url": endpoint.url, "model": "judge", "api_key": KEY}
    quick = {"pause": 0.001, "max_retries": 1, "timeout": 10.0}
    return load("chat", **{**usual, **quick, **settings})


def exchange(name: str = "hello") -> Exchange:
    return Exchange(*[Transcript.from_json({"text": name, "chunks": []})] * 4)
