"""The servers that the tests start are real ones, and the web framework accepts their URLs."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import dj_database_url
import psycopg2
import pytest
from kombu import Connection
from redis import Redis

from tests import services

ROOT = Path(__file__).parents[1]


@pytest.mark.services
def test_postgresql_answers(postgres_url: str) -> None:
    connection = psycopg2.connect(postgres_url)
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == ("leaderboard",)
    connection.close()


@pytest.mark.services
def test_redis_answers(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        assert client.ping() is True


@pytest.mark.services
@pytest.mark.parametrize("broker", ["redis_url", "rabbitmq_url"])
def test_a_broker_gives_back_what_was_sent(broker: str, request: pytest.FixtureRequest) -> None:
    with Connection(request.getfixturevalue(broker)) as connection:
        queue = connection.SimpleQueue("tests-services")
        queue.put({"submission": 7})
        message = queue.get(timeout=10)
        message.ack()
        assert message.payload == {"submission": 7}
        queue.close()


@pytest.mark.services
def test_the_database_url_leads_to_a_socket_and_not_to_the_network(postgres_url: str) -> None:
    parsed = dj_database_url.parse(postgres_url)
    assert parsed["ENGINE"] == "django.db.backends.postgresql"
    assert parsed["NAME"] == "leaderboard"
    assert Path(parsed["HOST"]).is_dir()


DJANGO = """
    import os, sys, dj_database_url, django
    from django.conf import settings
    settings.configure(DATABASES={"default": dj_database_url.config()})
    django.setup()
    from django.db import connection
    name = connection.creation.create_test_db(verbosity=0)
    connection.creation.destroy_test_db("leaderboard", verbosity=0)
    sys.stdout.write(f"{connection.vendor} {name}")
"""


@pytest.mark.services
def test_django_makes_its_test_database_there(postgres_url: str) -> None:
    script = textwrap.dedent(DJANGO)
    environment = {**os.environ, "DATABASE_URL": postgres_url}
    made = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert made.stdout.startswith("postgresql test_leaderboard")


def run_beside(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.services", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_exit_code_of_the_command_comes_back() -> None:
    # Beside no server at all: that they start is what every run beside them shows.
    code = (
        "import sys; from tests import services; services.SERVERS.clear(); "
        "sys.exit(services.main(['--', sys.executable, '-c', 'raise SystemExit(7)']))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 7


def test_without_a_command_the_usage_is_said() -> None:
    done = run_beside("--")
    assert done.returncode == 2
    assert "Usage" in done.stderr


def test_a_server_that_ends_at_once_is_reported() -> None:
    with (
        pytest.raises(services.CannotStartError, match="did not answer"),
        services.running(["false"], services.free_port()),
    ):
        pass


def test_a_server_is_stopped_with_its_children() -> None:
    port = services.free_port()
    listen = (
        f"import socket, time; s = socket.create_server(('127.0.0.1', {port})); time.sleep(600)"
    )
    with services.running(["sh", "-c", f'"{sys.executable}" -c "{listen}" & wait'], port):
        pass
    with pytest.raises(services.CannotStartError), services.running(["false"], port):
        pass  # nobody listens any more
