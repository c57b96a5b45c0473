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
OTHER = '{"behaviour": ["C_RESPOND"]}'


def refusal(
    status: int, message: str, kind: str, **fields: Any
) -> tuple[int, dict[str, str], bytes]:
    """An error as endpoints write it."""
    error = {"message": message, "type": kind, "code": None, "param": None, **fields}
    return status, {"Retry-After": "0.01"}, json.dumps({"error": error}).encode()


def _no_temperature(body: dict[str, Any]) -> Any:
    if "temperature" not in body:
        return GOOD
    message = "Unsupported value: 'temperature' does not support 0.0 with this model."
    return refusal(
        400, message, "invalid_request_error", code="unsupported_value", param="temperature"
    )


# How endpoints were seen to be in trouble, and what of it the organiser is told.
TROUBLE: dict[str, tuple[Any, str]] = {
    "402": (refusal(402, "Insufficient Balance", "unknown_error"), "judge-money"),
    "quota": (
        refusal(429, "You exceeded your quota", "insufficient_quota", code="insufficient_quota"),
        "judge-quota",
    ),
    "429": (refusal(429, "Slow down", "rate_limit"), "judge-overload"),
    "503": (refusal(503, "Service is too busy", "service_unavailable_error"), "judge-overload"),
    "401": (refusal(401, "Invalid key", "authentication_error"), "judge-key"),
    "404": (refusal(404, "No such model", "invalid_request_error"), "judge-setup"),
    "200-error": (
        (200, {}, b'{"id": null, "choices": null, "model": null, "usage": null, '
                  b'"error": {"message": "Provider returned error", "code": 429}}'),
        "judge-overload",
    ),
    "risk": (
        refusal(400, "Content Exists Risk", "invalid_request_error"), "judge-refused-item"
    ),
    "web page": ((200, {"Content-Type": "text/html"}, b"<html>welcome</html>"), "judge-garbled"),
    "cut body": ((200, {}, b'{"object": "chat.completion", "choi'), "judge-garbled"),
    "no choices": ((200, {}, b'{"object": "chat.completion", "choices": []}'), "judge-garbled"),
}  # fmt: skip
# What the judge may say about an item so that no label can be read.
UNUSABLE: dict[str, Any] = {
    "empty": "",
    "null": None,
    "line feeds": "\n\n",
    "cut": '{"behaviour": ["C_RES',
    "american": '{"behavior": ["C_RESUME"]}',
    "wide quotes": "{“behaviour”：[“C_RESUME”]}",
    "thoughts only": f"<think>It is {GOOD}",
    "reasoning only": lambda _body: completion(None, finish="length", reasoning_content=GOOD),
    "filtered": lambda _body: completion(None, finish="content_filter"),
}
# What is odd about a reply and does no harm.
ODD: dict[str, Any] = {
    "nul": GOOD + "\x00",
    "surrogate": GOOD + " \ud83d",
    "think": f"<think>At first {OTHER} looks right, but …</think>\n{GOOD}",
    "think open": f"Maybe {OTHER}? No.\n</think>\n```json\n{GOOD}\n```",
    "temperature": _no_temperature,
}


@dataclass
class Endpoint:
    """A scripted endpoint: ``script`` holds replies in order, the last one is kept up.

    ``paid`` counts the calls that had an answer, which is what an endpoint bills.
    """

    script: list[Any] = field(default_factory=lambda: [GOOD])
    refuse: dict[str, int] = field(default_factory=dict)
    seen: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    extra: dict[str, Any] = field(default_factory=dict)
    url: str = ""
    paid: int = 0
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
        made = reply if isinstance(reply, dict) else completion(reply)
        self.paid += 1
        return 200, {}, json.dumps({**made, **self.extra}).encode()


def completion(text: str | None, finish: str = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "finish_reason": finish, "message": message}
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
