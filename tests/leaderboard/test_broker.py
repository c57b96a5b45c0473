"""The folder as a queue: no reader ever meets half a message."""

from pathlib import Path
from queue import Empty
from threading import Thread

import pytest
from kombu import Connection

from leaderboard.broker import Transport
from leaderboard.celery import app

MESSAGES = 300


@pytest.fixture
def folder(tmp_path):
    for name in ("queue", "control", "processed"):
        (tmp_path / name).mkdir()
    return tmp_path


def connection(folder: Path) -> Connection:
    options = {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
        "processed_folder": str(folder / "processed"),
    }
    return Connection(transport=Transport, transport_options=options)


def test_the_site_uses_this_queue():
    with app.connection_for_write() as made:
        if not made.as_uri().startswith("filesystem"):
            pytest.skip("another broker is set")
        assert made.get_transport_cls() is Transport


def test_a_message_comes_out_as_it_went_in_and_the_oldest_first(folder):
    with connection(folder) as line:
        for number in range(3):
            line.default_channel._put("celery", {"number": number})
        found = [line.default_channel._get("celery")["number"] for _ in range(3)]
    assert found == [0, 1, 2]


def test_a_hasty_reader_never_meets_half_a_message(folder):
    payload = {"text": "x" * 100_000}

    def write():
        with connection(folder) as line:
            for _ in range(MESSAGES):
                line.default_channel._put("celery", payload)

    writer = Thread(target=write)
    writer.start()
    read = 0
    with connection(folder) as line:
        while writer.is_alive() or read < MESSAGES:
            try:
                assert line.default_channel._get("celery") == payload
                read += 1
            except Empty:
                continue
    writer.join()
    assert read == MESSAGES
